//! AGENT.json: what a script reads of the person whose workspace it works in (contract 1.10 of
//! AgentSociety). The engine writes it before each call; what a script writes into it is lost.

use serde_json::json;

use crate::agent::person::Person;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::{SimClock, SimTime, Tick, iso_text};

/// Name of a person of whom the source knows none.
pub fn agent_name(agent: AgentId) -> String {
    format!("Person {agent}")
}

/// AgentSociety's AGENT.json of one person at `time`.
pub fn agent_json(
    clock: &SimClock,
    time: SimTime,
    agent: AgentId,
    person: &Person,
    step_count: Tick,
) -> String {
    let place = |place: PlaceId| place.get();
    let document = json!({
        "schema_version": 1,
        "agent_id": agent.0,
        "name": agent_name(agent),
        "current_time": iso_text(clock.datetime(time)),
        "tick": clock.tick_s(),
        "step_count": step_count.0,
        "profile": {
            "id": agent.0,
            "name": agent_name(agent),
            "age": person.age,
            "gender": person.sex.word(),
            "occupation": person.role.word(),
            "household_size": person.household_size,
            "income": person.income,
            "cars": person.cars,
            "home_aoi": place(person.home),
            "work_aoi": place(person.work),
            "school_aoi": place(person.school),
        },
    });
    serde_json::to_string_pretty(&document).expect("a tree of plain values is JSON")
}
