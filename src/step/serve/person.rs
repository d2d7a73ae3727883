//! What a script reads of a person.

use serde_json::{Value, json};

use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::environment::Environment;

/// The columns that scripts are told of; they hold all persons by number.
#[derive(Clone, Copy)]
pub struct People<'a> {
    /// Who they are.
    pub persons: &'a [Person],
    /// What they perceive.
    pub perceptions: &'a [Perception],
    /// Where they are.
    pub at: &'a [Whereabouts],
    /// Their needs.
    pub needs: &'a [Needs],
}

/// What a script of the embedded language sees as `person`. Numbers of places are those of table
/// `places`; `null` where there is none.
pub fn document(
    context: &StepContext,
    town: &Environment,
    people: People<'_>,
    row: usize,
) -> Value {
    let (person, perception) = (&people.persons[row], &people.perceptions[row]);
    let (at, needs) = (&people.at[row], &people.needs[row]);
    let place = perception.place;
    let kind = place.is_some().then(|| town.places.kind(place).word());
    let [hunger, energy, safety, social] = needs.0;
    json!({
        "id": row,
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
