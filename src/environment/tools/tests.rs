//! Each tool in a town made by hand: home 0 at the origin, shop 1 at (300, 400), work 2 at (0,
//! 1000), shop 3 at (0, 5000). Person 0 is at home, person 1 under way from home to work.

use jiff::civil::date;
use serde_json::{Map, Value, json};

use super::*;
use crate::agent::activity::{Activity, Mode, PlaceKind};
use crate::agent::environment_call::{
    AnswerStatus, EnvironmentAct, EnvironmentAnswer, EnvironmentCall,
};
use crate::agent::message::{Message, MessageKind};
use crate::agent::plan::Origin;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::{AgentId, PlaceId, ZoneId};
use crate::base::time::{SimClock, SimTime, Tick};
use crate::base::units::{LngLat, Point, Projection};
use crate::environment::Environment;
use crate::environment::gravity::{DestinationChoice, GravityParams};
use crate::environment::mode_choice::{ModeChoice, ModeChoiceParams};
use crate::environment::place::Places;
use crate::environment::travel::{TravelModel, TravelParams};
use crate::environment::zone::{ZoneTotals, Zones};

fn town() -> Environment {
    let zones = Zones::new(vec![ZoneTotals::default()], vec![Point::default()], vec![6e3]).unwrap();
    let mut places = Places::default();
    let mut add = |kind, x_m, y_m| places.push(kind, ZoneId(0), Point { x_m, y_m }, 1.0);
    add(PlaceKind::Home, 0.0, 0.0);
    add(PlaceKind::Shop, 300.0, 400.0);
    add(PlaceKind::Work, 0.0, 1_000.0);
    add(PlaceKind::Shop, 0.0, 5_000.0);
    places.freeze();
    Environment {
        projection: Projection::new(LngLat { lng: 10.0, lat: 60.0 }),
        choice: DestinationChoice::build(&zones, &places, &GravityParams::default()).unwrap(),
        zones,
        places,
        travel: TravelModel::new(TravelParams::default()).unwrap(),
        mode_choice: ModeChoice::new(ModeChoiceParams::default()).unwrap(),
        roads: None,
    }
}

fn whereabouts(place: PlaceId, activity: Activity, purpose: Activity) -> Whereabouts {
    let (since, segment, origin) = (SimTime(0), 3, Origin::Planned);
    Whereabouts { place, since, activity, purpose, segment, origin }
}

fn ask_as(agent: u32, tool: &str, arguments: Value, readonly: bool) -> Answered {
    let clock = SimClock::new(date(2026, 3, 2).at(8, 0, 0, 0), 300, 288);
    let context = StepContext::new(1, clock, Tick(1));
    let at = [
        whereabouts(PlaceId(0), Activity::Sleep, Activity::Home),
        whereabouts(PlaceId::NONE, Activity::Travel, Activity::Work),
    ];
    let trip = Trip {
        origin: PlaceId(0),
        destination: PlaceId(2),
        arrive: SimTime(600),
        count: 1,
        mode: Mode::Walk,
        ..Trip::NONE
    };
    let letter =
        Message { to: AgentId(agent), from: AgentId(1), seq: 0, kind: MessageKind::Invite };
    let (town, agent) = (town(), AgentId(agent));
    let scene = Scene {
        context: &context,
        town: &town,
        agent,
        at: &at,
        trips: &[Trip::NONE, trip],
        way: &|_| &[],
        inbox: &[letter],
    };
    let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
    let tool = tool.to_owned();
    answer(&scene, &EnvironmentCall { agent, tool, arguments, readonly })
}

type Answered = (EnvironmentAnswer, Option<EnvironmentAct>);

fn told(tool: &str, arguments: Value) -> Value {
    let (answer, act) = ask_as(0, tool, arguments, true);
    assert!(answer.ok && act.is_none(), "{}", answer.text);
    assert_eq!(answer.status, AnswerStatus::Success);
    answer.value
}

fn refusal(answered: Answered) -> String {
    assert!(!answered.0.ok && answered.1.is_none());
    answered.0.text
}

/// By geometry: within 3 km of home are the shop at 500 m and the work place; half of a way of
/// 1000 m is 500 m. 0.5 km north of 60 degrees is 60.0045 degrees (111.195 km a degree).
#[test]
fn a_person_is_where_they_are_and_sees_what_is_near() {
    let own = told("get_person", json!({}));
    assert_eq!(own["place"], 0);
    assert_eq!((&own["activity"], &own["place_kind"]), (&json!("sleep"), &json!("home")));
    assert_eq!(own["near"], json!({"work": 1, "shop": 1}));
    let other = told("observe", json!({"id": "1"}));
    assert_eq!((&other["place"], &other["travelling"]), (&Value::Null, &json!(true)));
    assert_eq!((&other["x_m"], &other["y_m"]), (&json!(0.0), &json!(500.0)));
    assert!((other["lat"].as_f64().unwrap() - 60.0045).abs() < 1e-4);
}

#[test]
fn observing_tools_tell_the_state_of_the_tick() {
    let event = told("get_current_event", json!({}));
    assert_eq!((&event["activity"], &event["purpose"]), (&json!("sleep"), &json!("home activity")));
    assert_eq!((&event["elapsed_s"], &event["segment"]), (&json!(300), &json!(3)));
    assert_eq!(told("receive_messages", json!({})), json!([{"from": 1, "kind": "invite"}]));
    assert_eq!(told("get_time", json!({}))["time"], "2026-03-02T08:05:00");
    assert_eq!(told("get_poi", json!({"poi_id": 2}))["category"], "work");
    let counted = told("get_statistics", json!({}));
    assert_eq!((&counted["persons"], &counted["travelling"]), (&json!(2), &json!(1)));
    assert_eq!(counted["by_activity"], json!({"sleep": 1, "commute": 1}));
    assert_eq!(counted["by_place_kind"], json!({"home": 1}));
}

/// A triangle of 300, 400 and 500 m.
#[test]
fn places_are_found_by_distance_and_recommended_by_kind() {
    let near = told("find_nearby_pois", json!({"category": "shop"}));
    assert_eq!(near.as_array().unwrap().len(), 1);
    assert_eq!((&near[0]["place"], &near[0]["distance_m"]), (&json!(1), &json!(500.0)));
    let far = told("find_nearby_places", json!({"category": "shop", "radius_m": "5000"}));
    assert_eq!(far[1]["place"], 3);
    assert_eq!(told("recommend_poi_by_gravity", json!({"category": "work"}))["place"], 2);
    let none = refusal(ask_as(0, "recommend_place_by_gravity", json!({"category": "eat"}), true));
    assert!(none.contains("the city has no eat place"), "{none}");
}

#[test]
fn acts_are_handed_on_and_change_nothing_themselves() {
    let act = |tool: &str, arguments| {
        let (answer, act) = ask_as(0, tool, arguments, false);
        assert_eq!((answer.ok, answer.status), (true, AnswerStatus::InProgress), "{}", answer.text);
        act.unwrap()
    };
    let leave = EnvironmentAct::MoveTo { place: PlaceId(1), purpose: Activity::Shop };
    assert_eq!(act("move_to", json!({"place": 1})), leave);
    let eat = act("start_event", json!({"type": "meal"}));
    assert_eq!(eat, EnvironmentAct::Do(Some(Activity::Meal)));
    assert_eq!(act("stop_event", json!({})), EnvironmentAct::Do(None));
    let send = EnvironmentAct::Send { to: AgentId(1), kind: MessageKind::Chat };
    assert_eq!(act("send_message", json!({"receiver_id": 1})), send);
    let here = ask_as(0, "move_to", json!({"place": 0}), false);
    assert_eq!((here.0.status, here.1), (AnswerStatus::Success, None));
}

#[test]
fn a_wrong_call_is_told_what_is_allowed() {
    let call = |tool: &str, arguments| refusal(ask_as(0, tool, arguments, false));
    for tool in ["move_to", "start_event", "stop_event", "send_message"] {
        assert!(refusal(ask_as(0, tool, json!({}), true)).contains("read-only"), "{tool}");
    }
    assert!(
        call("fly", json!({})).contains("no tool is called 'fly'; there is: observe([person])")
    );
    assert_eq!(ask_as(0, "fly", json!({}), false).0.status, AnswerStatus::Unknown);
    assert!(call("move_to", json!({"place": 4})).contains("a whole number from 0 to 3"));
    assert!(call("move_to", json!({})).contains("'place' (number of the place) is missing"));
    assert!(call("move_to", json!({"by": 1})).contains("no argument 'by'; allowed is move_to"));
    assert!(call("find_nearby_places", json!({"category": "pub"})).contains("home, work, school"));
    assert!(call("send_message", json!({"to": 0})).contains("nobody writes to themselves"));
    assert!(refusal(ask_as(1, "move_to", json!({"place": 1}), false)).contains("on a trip"));
    assert!(refusal(ask_as(7, "observe", json!({}), true)).contains("allowed is 0 to 1"));
}

/// Contract 1.8: without arguments the current state; else the first word is the tool.
#[test]
fn an_argv_becomes_a_call() {
    let read = |argv: &[&str]| {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        read_call(AgentId(4), &argv, true)
    };
    assert_eq!(read(&[]).unwrap().tool, "observe");
    let pairs = read(&["move_to", "--place", "7"]).unwrap();
    assert_eq!(Value::Object(pairs.arguments), json!({"place": "7"}));
    let object = read(&["move_to", r#"{"place": 7}"#]).unwrap();
    assert_eq!(Value::Object(object.arguments), json!({"place": 7}));
    assert!(object.readonly);
    let prose = read(&["please", "go", "home"]).unwrap_err();
    assert_eq!((prose.ok, prose.status), (false, AnswerStatus::Unknown));
    assert_eq!(prose.document()["redirected_to"], "ask_env");
    assert!(read(&["move_to", "home"]).unwrap_err().text.contains("found 'home'"));
}

#[test]
fn no_two_tools_share_a_name() {
    let names = TOOLS.iter().flat_map(|tool| [&[tool.name], tool.aliases].concat());
    let mut names: Vec<&str> = names.collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
