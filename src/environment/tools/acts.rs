//! Tools that change something: they check and hand on; the phase `act` carries out.

use serde_json::json;

use super::answer::{Arguments, Done, Scene};
use crate::agent::activity::{Activity, PlaceKind};
use crate::agent::environment_call::EnvironmentAct;
use crate::agent::message::MessageKind;
use crate::agent::whereabouts::Whereabouts;

/// Where the one who asks is, if at a place.
fn staying<'a>(scene: &Scene<'a>) -> Result<&'a Whereabouts, String> {
    let at = &scene.at[scene.agent.index()];
    if at.travelling() { Err("the person is on a trip".to_owned()) } else { Ok(at) }
}

pub fn move_to(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let at = staying(scene)?;
    let place = given.place.ok_or("no place")?;
    let value = json!({"place": place.0});
    if place == at.place {
        return Ok(Done { value, text: format!("already at place {place}"), act: None });
    }
    let purpose = purpose_of(scene.town.places.kind(place));
    let act = Some(EnvironmentAct::MoveTo { place, purpose });
    Ok(Done { value, text: format!("leaves for place {place}"), act })
}

/// What one goes to a place for.
const fn purpose_of(kind: PlaceKind) -> Activity {
    match kind {
        PlaceKind::Home => Activity::Home,
        PlaceKind::Work => Activity::Work,
        PlaceKind::School => Activity::School,
        PlaceKind::Shop => Activity::Shop,
        PlaceKind::Eat => Activity::Eat,
        PlaceKind::Leisure => Activity::Leisure,
        PlaceKind::Service => Activity::Other,
    }
}

pub fn start_event(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    staying(scene)?;
    let activity = given.activity.ok_or("no activity")?;
    if activity == Activity::Travel {
        return Err("a trip begins with move_to".to_owned());
    }
    let value = json!({"activity": activity.word()});
    let act = Some(EnvironmentAct::Do(Some(activity)));
    Ok(Done { value, text: format!("begins: {activity}"), act })
}

pub fn stop_event(scene: &Scene<'_>, _: &Arguments) -> Result<Done, String> {
    let purpose = staying(scene)?.purpose;
    let value = json!({"activity": purpose.word()});
    let act = Some(EnvironmentAct::Do(None));
    Ok(Done { value, text: format!("goes back to: {purpose}"), act })
}

pub fn send_message(scene: &Scene<'_>, given: &Arguments) -> Result<Done, String> {
    let to = given.person.ok_or("no receiver")?;
    if to == scene.agent {
        return Err("nobody writes to themselves".to_owned());
    }
    let kind = given.message.unwrap_or(MessageKind::Chat);
    let value = json!({"to": to.0, "kind": kind.word()});
    let act = Some(EnvironmentAct::Send { to, kind });
    Ok(Done { value, text: format!("writes to person {to}"), act })
}
