//! Where people live, work and study: from households and persons to the columns of agents.

use std::collections::BTreeMap;

use super::error::{PopulationError, Result};
use super::households::{RawHousehold, RawPerson, RawPopulation};
use super::problems::{BadRows, ProblemKind, Problems, RowProblem};
use super::replicate::PERSONS_MAX;
use crate::agent::person::{Person, Role};
use crate::base::ids::{AgentId, HouseholdId, PlaceId};
use crate::base::parallel::map_range;

/// Households per chunk. Whole households, so that a chunk's agents are consecutive.
const CHUNK_HOUSEHOLDS: usize = 2_048;

/// What assignment asks of a city.
///
/// All answers are pure functions of the arguments and of the city, except that dwellings may be
/// used up: they are asked for one by one in household order.
pub trait PlaceAssigner: Sync {
    /// Whether the city has the zone with this source number.
    fn knows_zone(&self, zone: i64) -> bool;

    /// A dwelling for the household, in `zone` if there is one; `None` if no dwelling is left.
    fn dwelling(&mut self, zone: Option<i64>, household: HouseholdId, seed: u64)
    -> Option<PlaceId>;

    /// A workplace for somebody who lives at `home`, in `zone` if there is one; `None` if the
    /// city has no workplace.
    fn workplace(
        &self,
        home: PlaceId,
        zone: Option<i64>,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId>;

    /// A school or university for somebody of this age who lives at `home`, in `zone` if there is
    /// one; `None` if the city has none.
    fn school(
        &self,
        home: PlaceId,
        zone: Option<i64>,
        age: u8,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId>;

    /// Usual travel time from `home` to `place` in minutes.
    fn commute_min(&self, home: PlaceId, place: PlaceId) -> u16;
}

/// The people of a scenario, in [`AgentId`] order: by household number, copy and person number.
/// All columns have one length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Population {
    /// Attributes.
    pub persons: Vec<Person>,
    /// The source's number of each person.
    pub uid: Vec<i64>,
    /// Which copy of the source person this is, from 0; `uid` and `copy` together name a person.
    pub copy: Vec<u32>,
    /// The source's number of each person's household.
    pub household_uid: Vec<i64>,
    /// What was counted, by name: `persons`, `households`, `role_<role>`, and what import,
    /// synthesis and replication counted.
    pub counts: BTreeMap<String, u64>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Drops households and persons of zones that the city does not have, by the policy for bad rows.
/// To be called before replication, so that a bad row is reported once.
///
/// # Errors
/// [`PopulationError::BadRows`] if there is such a zone and the policy is [`BadRows::Error`].
pub fn check_zones(
    raw: &mut RawPopulation,
    assigner: &impl PlaceAssigner,
    policy: BadRows,
) -> Result<()> {
    let unknown = |zone: Option<i64>| zone.filter(|zone| !assigner.knows_zone(*zone));
    let mut problems = Problems::default();
    let origin = raw.origin.clone();
    let mut add = |file: &str, line: u32, column: &str, zone: Option<i64>| {
        let Some(zone) = unknown(zone) else { return };
        problems.add(RowProblem {
            file: file.to_owned(),
            line: u64::from(line),
            column: column.to_owned(),
            kind: ProblemKind::UnknownZone,
            found: zone.to_string(),
            allowed: "a zone of the city".to_owned(),
        });
    };
    for household in raw.households() {
        add(&origin.households, household.line, &origin.zone, household.zone);
    }
    for person in raw.persons() {
        add(&origin.persons, person.line, &origin.work_zone, person.work_zone);
        add(&origin.persons, person.line, &origin.school_zone, person.school_zone);
    }
    let total = problems.total();
    raw.warnings.extend(problems.settle(policy)?);
    if total > 0 {
        let known = |zone: Option<i64>| unknown(zone).is_none();
        let before = raw.persons().len();
        let emptied = raw.retain(
            |household| known(household.zone),
            |person| known(person.work_zone) && known(person.school_zone),
        );
        raw.count("bad_rows_unknown_zone", total);
        raw.count("persons_skipped_unknown_zone", (before - raw.persons().len()) as u64);
        raw.count("households_without_persons", emptied);
    }
    Ok(())
}

/// Numbers the people and gives them places.
///
/// Whoever works by role, or has a zone of work, gets a workplace; whoever studies by role, or has
/// a zone of study, gets a school. `commute_min` is the way to work, or else to school. Random
/// choices are the city's, keyed by the seed and the household's or agent's number; the result
/// does not depend on the number of threads.
///
/// # Errors
/// If nobody is there, more than [`PERSONS_MAX`] persons are, or a dwelling is missing.
pub fn assign<A: PlaceAssigner>(
    raw: RawPopulation,
    assigner: &mut A,
    seed: u64,
) -> Result<Population> {
    let (persons, households) = (raw.persons().len() as u64, raw.households().len() as u64);
    if persons == 0 {
        let (origin, reason) = (raw.origin.persons, String::new());
        return Err(PopulationError::Nobody { origin, reason });
    }
    if persons > PERSONS_MAX {
        return Err(PopulationError::TooMany { found: persons, max: PERSONS_MAX });
    }
    let homes = dwellings(&raw, assigner, seed)?;
    let mut people = columns(&raw, &homes, assigner, seed);
    people.counts = raw.counts;
    people.warnings = raw.warnings;
    people.counts.insert("persons".to_owned(), persons);
    people.counts.insert("households".to_owned(), households);
    for role in Role::ALL {
        let count = people.persons.iter().filter(|person| person.role == *role).count();
        people.counts.insert(format!("role_{role}"), count as u64);
    }
    Ok(people)
}

fn dwellings<A: PlaceAssigner>(
    raw: &RawPopulation,
    assigner: &mut A,
    seed: u64,
) -> Result<Vec<PlaceId>> {
    let mut home = |(index, household): (usize, &RawHousehold)| {
        let zone = household.zone;
        let place = assigner.dwelling(zone, HouseholdId::from_index(index), seed);
        place.ok_or(PopulationError::NoDwelling { household: household.id, zone })
    };
    raw.households().iter().enumerate().map(&mut home).collect()
}

fn columns<A: PlaceAssigner>(
    raw: &RawPopulation,
    homes: &[PlaceId],
    assigner: &A,
    seed: u64,
) -> Population {
    let households = raw.households();
    let chunks = map_range(households.len().div_ceil(CHUNK_HOUSEHOLDS), |chunk| {
        let first = chunk * CHUNK_HOUSEHOLDS;
        let last = households.len().min(first + CHUNK_HOUSEHOLDS);
        let mut persons = Vec::new();
        for index in first..last {
            let (household, home) = (&households[index], homes[index]);
            let shared = shared(household, raw.members(household), index, home);
            for (member, person) in raw.members(household).iter().enumerate() {
                let agent = AgentId::from_index(household.first as usize + member);
                persons.push(settle(shared, person, agent, assigner, seed));
            }
        }
        persons
    });
    let count = raw.persons().len();
    let mut people = Population {
        persons: Vec::with_capacity(count),
        uid: raw.persons().iter().map(|person| person.id).collect(),
        copy: Vec::with_capacity(count),
        household_uid: raw.persons().iter().map(|person| person.household).collect(),
        ..Population::default()
    };
    for chunk in chunks {
        people.persons.extend(chunk);
    }
    for household in households {
        people.copy.extend(std::iter::repeat_n(household.copy, usize::from(household.size)));
    }
    people
}

/// What all members of a household have in common; the rest is filled in by [`settle`].
fn shared(household: &RawHousehold, members: &[RawPerson], index: usize, home: PlaceId) -> Person {
    let working = || members.iter().filter(|person| person.role.works()).count();
    let workers = household.workers.unwrap_or_else(|| u8::try_from(working()).unwrap_or(u8::MAX));
    let first = members[0];
    Person {
        household: HouseholdId::from_index(index),
        household_first: household.first,
        household_size: household.size,
        age: first.age,
        cars: household.cars,
        household_workers: workers,
        sex: first.sex,
        role: first.role,
        income: household.income,
        home,
        work: PlaceId::NONE,
        school: PlaceId::NONE,
        commute_min: 0,
    }
}

fn settle<A: PlaceAssigner>(
    mut person: Person,
    raw: &RawPerson,
    agent: AgentId,
    assigner: &A,
    seed: u64,
) -> Person {
    (person.age, person.sex, person.role) = (raw.age, raw.sex, raw.role);
    let home = person.home;
    if raw.role.works() || raw.work_zone.is_some() {
        let place = assigner.workplace(home, raw.work_zone, agent, seed);
        person.work = place.unwrap_or(PlaceId::NONE);
    }
    if raw.role.studies() || raw.school_zone.is_some() {
        let place = assigner.school(home, raw.school_zone, raw.age, agent, seed);
        person.school = place.unwrap_or(PlaceId::NONE);
    }
    let usual = if person.work.is_some() { person.work } else { person.school };
    if usual.is_some() {
        person.commute_min = assigner.commute_min(home, usual);
    }
    person
}
