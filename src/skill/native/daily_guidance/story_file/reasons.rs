//! Why a segment stands in a Story, in sentences: Maslow's need and the three beliefs of the theory
//! of planned behaviour (Ajzen 1991: attitude = `want`, norm = `norm`, control = `can`).
//!
//! The hot path keeps need, binding and origin as codes; the sentences are made here, from them and
//! from who the person is, when a document is asked for.

use serde_json::{Value, json};

use super::document::PersonContext;
use crate::agent::activity::Activity;
use crate::agent::person::Role;
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Origin, Segment};

/// The `maslow_reason` of a segment.
pub(super) fn maslow_reason(person: &PersonContext<'_>, segment: &Segment) -> Value {
    json!({
        "need": segment.need.word(),
        "reason": need_sentence(person, segment),
        "risk": risk(segment.activity),
        "required": segment.binding.word(),
    })
}

/// The `tpb_reason` of a segment. Only what speaks against it is less than `supported`: nobody
/// expects what is optional, and a late day leaves less time.
pub(super) fn tpb_reason(person: &PersonContext<'_>, segment: &Segment) -> Value {
    let norm_status = if segment.binding == Binding::Optional { "weak" } else { "supported" };
    let can_status = if segment.origin == Origin::Late { "weak" } else { "supported" };
    json!({
        "want": {"reason": want(person, segment), "status": "supported"},
        "norm": {"reason": norm(person, segment), "status": norm_status},
        "can": {"reason": can(segment), "status": can_status},
        "proof": proof(person, segment),
        "choice": "commit",
    })
}

fn need_sentence(person: &PersonContext<'_>, segment: &Segment) -> String {
    let name = person.name;
    if segment.origin == Origin::Need {
        return match segment.need {
            MaslowNeed::Food => format!("Hunger has become urgent for {name}."),
            MaslowNeed::Rest => format!("{name} is too tired to go on without a rest."),
            MaslowNeed::Connection => format!("{name} has been without company for too long."),
            _ => format!("A need of {name}'s has become urgent."),
        };
    }
    match segment.need {
        MaslowNeed::Food => format!("Some hours after the last meal {name} needs food."),
        MaslowNeed::Rest if person.age.is_some_and(|age| age < 13) => {
            format!("A growing child such as {name} needs long rest.")
        }
        MaslowNeed::Rest => format!("{name} needs rest to have strength for the day."),
        MaslowNeed::Shelter => format!("Home is where {name} is safe for the night."),
        MaslowNeed::Income => match person.household_size {
            Some(2..) => format!("{name}'s income helps to keep the household."),
            _ => format!("{name} lives on what this earns."),
        },
        MaslowNeed::Connection => match person.household_size {
            Some(1) => format!("{name} lives alone and looks for company."),
            _ => format!("{name} keeps up ties with other people."),
        },
        MaslowNeed::Role => format!("Other people count on {name} for this."),
        MaslowNeed::Competence => format!("{name} gets better at something by this."),
        MaslowNeed::Growth => format!("{name} grows by this."),
        MaslowNeed::Recreation => format!("{name} recovers from the duties of the day."),
    }
}

const fn risk(activity: Activity) -> &'static str {
    match activity {
        Activity::Sleep => "Too little sleep spoils the hours that follow.",
        Activity::Home => "Chores and recovery would be left undone.",
        Activity::Work => "Work left undone costs income and trust.",
        Activity::School => "Missed lessons are hard to make up for.",
        Activity::Shop => "Supplies at home would run out.",
        Activity::Eat | Activity::Meal => "Hunger would cut into everything that follows.",
        Activity::Leisure => "A day of duties alone wears a person out.",
        Activity::Social => "Ties that nobody tends grow weak.",
        Activity::Escort => "Somebody would be left waiting.",
        Activity::Other => "The errand would have to be done another day.",
        Activity::Travel => "What comes next could not be reached in time.",
    }
}

fn want(person: &PersonContext<'_>, segment: &Segment) -> String {
    let name = person.name;
    match segment.activity {
        Activity::Sleep => format!("{name} wants to wake rested."),
        Activity::Home => format!("{name} likes to have time at home."),
        Activity::Work => format!("{name} wants to get on with the work."),
        Activity::School => format!("{name} wants to keep up with the class."),
        Activity::Shop => format!("{name} wants to have the shopping done."),
        Activity::Eat => format!("{name} likes a meal out."),
        Activity::Meal => format!("{name} wants to eat in peace."),
        Activity::Leisure => format!("{name} looks forward to it."),
        Activity::Social => format!("{name} enjoys the company."),
        Activity::Escort => format!("{name} wants the other to arrive safely."),
        Activity::Other => format!("{name} wants to have this settled."),
        Activity::Travel => format!("{name} wants to be there in time."),
    }
}

fn norm(person: &PersonContext<'_>, segment: &Segment) -> String {
    if segment.origin == Origin::Asked {
        return format!("{} was asked to do this.", person.name);
    }
    let shared = person.household_size.is_some_and(|size| size > 1);
    let text = match segment.activity {
        Activity::Sleep => "Most people sleep at this time.",
        Activity::Home if shared => "The others of the household expect to share time at home.",
        Activity::Home => "Nobody objects to time at home.",
        Activity::Work if person.role.works() => "Colleagues expect attendance at these hours.",
        Activity::Work => "Work taken on is expected to be done.",
        Activity::School => "Teachers and family expect attendance.",
        Activity::Shop if shared => "The household relies on somebody to shop.",
        Activity::Shop => "Shops are open and shopping is a usual errand.",
        Activity::Eat | Activity::Meal => "It is a usual time for a meal.",
        Activity::Leisure => "Free time is one's own affair.",
        Activity::Social => "Friends and family are glad of it, but do not insist.",
        Activity::Escort => "The person brought or fetched relies on it.",
        Activity::Other => "Such errands are done in these hours.",
        Activity::Travel => "Being in time is expected.",
    };
    text.to_owned()
}

fn can(segment: &Segment) -> String {
    if segment.origin == Origin::Late {
        return "The day runs late, so less time is left than was planned.".to_owned();
    }
    let text = match segment.policy {
        LocationPolicy::Home => "Home offers what this takes.",
        LocationPolicy::Work => "The workplace is open and known.",
        LocationPolicy::School => "The school is open and known.",
        LocationPolicy::NearHome => "There are places for it close to home.",
        LocationPolicy::NearWork => "There are places for it within a short walk.",
        LocationPolicy::Transit => "There is time enough for the way.",
        LocationPolicy::City => "The city has places for it within reach.",
        LocationPolicy::Here => "It can be done on the spot.",
    };
    text.to_owned()
}

/// What the profile says in support: role, age, household.
fn proof(person: &PersonContext<'_>, segment: &Segment) -> String {
    let role = match person.role {
        Role::FullTimeWorker => "works full-time",
        Role::PartTimeWorker => "works part-time",
        Role::UniversityStudent => "studies",
        Role::NonWorker => "has no job",
        Role::Retired => "is retired",
        Role::DrivingAgeStudent | Role::Pupil => "goes to school",
        Role::Preschooler => "is below school age",
    };
    let age = person.age.map_or(String::new(), |age| format!(" at the age of {age}"));
    let household = match person.household_size {
        None | Some(0) => String::new(),
        Some(1) => " and lives alone".to_owned(),
        Some(size) => format!(" and lives in a household of {size}"),
    };
    let origin = match segment.origin {
        Origin::Planned => "the day was planned so",
        Origin::Need => "a need called for it",
        Origin::Late => "the day was moved when it ran late",
        Origin::Asked => "it was asked for",
        Origin::Tree => "a behaviour tree decided so",
    };
    format!("{} {role}{age}{household}; {origin}.", person.name)
}
