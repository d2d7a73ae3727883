//! Reads attributes of persons.

use std::sync::LazyLock;

use ustr::Ustr;

use super::attributes::Attribute;
use super::mind::Everybody;
use crate::agent::activity::{Activity, PlaceKind};
use crate::agent::needs::{Need, Needs};
use crate::agent::person::{Role, Sex};
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::MINUTE_S;
use crate::behaviour::value::Value;

/// The words of an enumeration as texts, by code: looking a word up in every tick would cost more
/// than the rest of a leaf.
macro_rules! texts {
    ($name:ident, $words:ty) => {
        pub(super) fn $name(value: $words) -> Value {
            static TEXTS: LazyLock<Vec<Ustr>> = LazyLock::new(|| {
                <$words>::ALL.iter().map(|value| Ustr::from(value.word())).collect()
            });
            Value::Text(TEXTS[usize::from(value.code())])
        }
    };
}
texts!(sex, Sex);
texts!(role, Role);
texts!(kind, PlaceKind);
texts!(activity, Activity);

fn place(place: PlaceId) -> Value {
    if place.is_some() { Value::Place(place) } else { Value::Unset }
}

fn level(needs: &Needs, need: Need) -> Value {
    Value::Number(needs.level(need).into())
}

impl Everybody<'_> {
    /// An attribute of the person at `row`, whose needs are `needs`. What the Story says is not
    /// known here.
    #[inline]
    pub(super) fn read(&self, row: usize, needs: &Needs, attribute: Attribute) -> Value {
        use Attribute as A;
        let (person, perception) = (&self.persons[row], &self.perceptions[row]);
        let at = perception.place;
        match attribute {
            A::Id => Value::Agent(AgentId(row as u32)),
            A::Age => Value::Int(person.age.into()),
            A::Sex => sex(person.sex),
            A::Role => role(person.role),
            A::Income => Value::Number(person.income.into()),
            A::Cars => Value::Int(person.cars.into()),
            A::HouseholdSize => Value::Int(person.household_size.into()),
            A::Home => place(person.home),
            A::Work => place(person.work),
            A::School => place(person.school),
            A::HasWork => Value::Bool(person.work.is_some()),
            A::HasSchool => Value::Bool(person.school.is_some()),
            A::Hunger => level(needs, Need::Hunger),
            A::Energy => level(needs, Need::Energy),
            A::Safety => level(needs, Need::Safety),
            A::Social => level(needs, Need::Social),
            A::Place => place(at),
            A::PlaceKind if at.is_some() => kind(self.kinds[at.index()]),
            A::PlaceKind | A::StoryActivity => Value::Unset,
            A::Purpose => activity(perception.purpose),
            A::AtHome => Value::Bool(at.is_some() && at == person.home),
            A::AtWork => Value::Bool(at.is_some() && at == person.work),
            A::Travelling => Value::Bool(!at.is_some()),
            A::Arrived => Value::Bool(perception.arrived),
            A::Minutes => {
                let seconds = self.context.time.since(perception.since);
                Value::Number(f64::from(seconds) / f64::from(MINUTE_S))
            }
            A::Mail => Value::Int(perception.message_count.into()),
            A::Now => Value::Time(self.context.time),
            A::Hour => Value::Number(f64::from(self.context.minute) / 60.0),
            A::MinuteOfDay => Value::Int(self.context.minute.into()),
            A::Day => Value::Int(self.context.day.into()),
            A::Weekend => Value::Bool(self.context.weekend),
            A::Tick => Value::Int(self.context.tick.0.into()),
        }
    }
}
