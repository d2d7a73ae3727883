//! Tools that tell and change nothing.

use serde_json::{Map, Value, json};

use super::answer::{Arguments, Done, Scene};
use crate::agent::activity::{Activity, PlaceKind};
use crate::base::ids::{AgentId, PlaceId};
use crate::base::rng::Purpose;
use crate::base::time::iso_text;
use crate::base::units::Point;

/// How far one looks around: that of AgentSociety's MobilitySpace.
const NEAR_M: f32 = 3_000.0;
/// Places listed at most.
const LISTED_MAX: usize = 10;

fn told(value: Value, text: String) -> Result<Done, String> {
    Ok(Done { value, text, act: None })
}

fn point_of(scene: &Scene<'_>, agent: AgentId) -> Point {
    let (at, trip) = (&scene.at[agent.index()], &scene.trips[agent.index()]);
    if at.travelling() {
        scene.town.position(trip, (scene.way)(agent), scene.context.time)
    } else {
        scene.town.places.point(at.place)
    }
}

/// The places other than homes within `radius_m`, with their distance. Looks at every place.
fn around(scene: &Scene<'_>, from: Point, radius_m: f32) -> Vec<(f32, PlaceId)> {
    let places = &scene.town.places;
    let all = (0..places.len()).map(PlaceId::from_index);
    let near = all.filter(|place| places.kind(*place) != PlaceKind::Home);
    let near = near.map(|place| (places.point(place).distance_m(from), place));
    near.filter(|(distance_m, _)| *distance_m <= radius_m).collect()
}

pub fn person(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let agent = given.person.unwrap_or(scene.agent);
    let at = &scene.at[agent.index()];
    let point = point_of(scene, agent);
    let lng_lat = scene.town.projection.to_lng_lat(point);
    let mut counts = [0_u32; PlaceKind::ALL.len()];
    for (_, place) in around(scene, point, NEAR_M) {
        counts[usize::from(scene.town.places.kind(place).code())] += 1;
    }
    let kind = at.place.is_some().then(|| scene.town.places.kind(at.place).word());
    let value = json!({
        "person": agent.0,
        "place": at.place.get(),
        "place_kind": kind,
        "travelling": at.travelling(),
        "x_m": point.x_m, "y_m": point.y_m,
        "lng": lng_lat.lng, "lat": lng_lat.lat,
        "activity": at.activity.word(),
        "near": by_word(PlaceKind::ALL, PlaceKind::word, &counts),
    });
    let place = at.place.get().map_or("on a trip".to_owned(), |place| format!("at place {place}"));
    told(value, format!("person {agent} is {place}: {}", at.activity))
}

pub fn event(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let agent = given.person.unwrap_or(scene.agent);
    let at = &scene.at[agent.index()];
    let since = iso_text(scene.context.clock.datetime(at.since));
    let value = json!({
        "person": agent.0,
        "activity": at.activity.word(),
        "purpose": at.purpose.word(),
        "segment": at.segment,
        "since": since,
        "elapsed_s": scene.context.time.since(at.since),
    });
    told(value, format!("{}, here or under way since {since}", at.activity))
}

pub fn inbox(scene: &Scene<'_>, _: &Arguments) -> Result<Done, String> {
    let letters = scene.inbox.iter();
    let letters = letters.map(|m| json!({"from": m.from.0, "kind": m.kind.word()}));
    told(letters.collect(), format!("{} messages", scene.inbox.len()))
}

pub fn time(scene: &Scene<'_>, _: &Arguments) -> Result<Done, String> {
    let context = scene.context;
    let now = iso_text(context.clock.datetime(context.time));
    let value = json!({
        "time": now, "tick": context.tick.0, "tick_s": context.clock.tick_s(),
        "weekend": context.weekend,
    });
    told(value, format!("it is {now}"))
}

pub fn place(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let place = given.place.ok_or("no place")?;
    told(place_value(scene, place), format!("a {} place", scene.town.places.kind(place)))
}

fn place_value(scene: &Scene<'_>, place: PlaceId) -> Value {
    let (town, point) = (scene.town, scene.town.places.point(place));
    let lng_lat = town.place_lng_lat(place);
    json!({
        "place": place.0,
        "category": town.places.kind(place).word(),
        "x_m": point.x_m, "y_m": point.y_m,
        "lng": lng_lat.lng, "lat": lng_lat.lat,
    })
}

pub fn nearby(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let kind = no_home(given)?;
    let radius_m = given.metres.unwrap_or(NEAR_M);
    let mut found = around(scene, point_of(scene, scene.agent), radius_m);
    found.retain(|(_, place)| scene.town.places.kind(*place) == kind);
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let count = found.len();
    let listed = found.into_iter().take(LISTED_MAX).map(|(distance_m, place)| {
        let mut value = place_value(scene, place);
        value["distance_m"] = json!(distance_m);
        value
    });
    told(listed.collect(), format!("{count} {kind} places within {radius_m} m"))
}

pub fn recommend(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let kind = no_home(given)?;
    let index = scene.agent.index();
    let (at, trip) = (&scene.at[index], &scene.trips[index]);
    let near = if at.travelling() { trip.destination } else { at.place };
    let mut stream = scene.context.stream(scene.agent, Purpose::Recommend);
    let chosen = scene.town.choose_place(near, kind, &mut stream);
    let chosen = chosen.ok_or_else(|| format!("the city has no {kind} place"))?;
    told(place_value(scene, chosen), format!("place {chosen}"))
}

fn no_home(given: &Arguments) -> Result<PlaceKind, String> {
    match given.category {
        Some(PlaceKind::Home) => Err("homes are nobody's to look up".to_owned()),
        category => category.ok_or_else(|| "no category".to_owned()),
    }
}

pub fn statistics(scene: &Scene<'_>, _: &Arguments) -> Result<Done, String> {
    let mut activities = [0_u32; Activity::ALL.len()];
    let mut kinds = [0_u32; PlaceKind::ALL.len()];
    let mut travelling = 0;
    for at in scene.at {
        activities[usize::from(at.activity.code())] += 1;
        if at.travelling() {
            travelling += 1;
        } else {
            kinds[usize::from(scene.town.places.kind(at.place).code())] += 1;
        }
    }
    let persons = scene.at.len();
    let value = json!({
        "persons": persons,
        "travelling": travelling,
        "by_activity": by_word(Activity::ALL, Activity::word, &activities),
        "by_place_kind": by_word(PlaceKind::ALL, PlaceKind::word, &kinds),
    });
    told(value, format!("{persons} persons, {travelling} on a trip"))
}

/// Counts by word, those that are not 0.
fn by_word<T: Copy>(all: &[T], word: fn(T) -> &'static str, counts: &[u32]) -> Value {
    let some = all.iter().zip(counts).filter(|(_, count)| **count > 0);
    let entries = some.map(|(one, count)| (word(*one).to_owned(), json!(count)));
    Value::Object(entries.collect::<Map<_, _>>())
}
