//! What a script reads of a person.

use serde_json::{Value, json};

use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::environment::Environment;

/// What a script of the embedded language sees as `person`. Numbers of places are those of table
/// `places`; `null` where there is none.
pub fn document(
    context: &StepContext,
    town: &Environment,
    agent: AgentId,
    person: &Person,
    perception: &Perception,
    at: &Whereabouts,
    needs: &Needs,
) -> Value {
    let place = perception.place;
    let kind = place.is_some().then(|| town.places.kind(place).word());
    let [hunger, energy, safety, social] = needs.0;
    json!({
        "id": agent.0,
        "age": person.age,
        "sex": person.sex.word(),
        "role": person.role.word(),
        "income": person.income,
        "cars": person.cars,
        "household_size": person.household_size,
        "home_place": person.home.get(),
        "work_place": person.work.get(),
        "school_place": person.school.get(),
        "place": place.get(),
        "place_kind": kind,
        "at_home": place.is_some() && place == person.home,
        "travelling": at.travelling(),
        "activity": at.activity.word(),
        "arrived": perception.arrived,
        "message_count": perception.message_count,
        "minute": context.minute,
        "weekend": context.weekend,
        "needs": {"hunger": hunger, "energy": energy, "safety": safety, "social": social},
    })
}
