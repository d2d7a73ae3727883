//! Households and persons before they live anywhere: what synthesis, import and replication share.

use std::collections::BTreeMap;

use crate::agent::person::{Role, Sex};

/// Largest number of members of a household.
pub const MEMBERS_MAX: usize = u16::MAX as usize;

/// One household.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RawHousehold {
    /// The source's number.
    pub id: i64,
    /// Which copy of the source household this is, from 0.
    pub copy: u32,
    /// The source's number of the zone where it lives; `None` lets the city choose.
    pub zone: Option<i64>,
    /// Income per year in the source's currency; may be negative (a loss).
    pub income: f32,
    /// Cars.
    pub cars: u8,
    /// Workers as the source counts them; `None` counts the members whose role is to work.
    pub workers: Option<u8>,
    /// Row of the source table, for messages; 0 if there is none.
    pub line: u32,
    /// Position of the first member among the persons.
    pub first: u32,
    /// Number of members.
    pub size: u16,
}

/// One person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RawPerson {
    /// The source's number.
    pub id: i64,
    /// The source's number of the household.
    pub household: i64,
    /// The source's number of the zone of work; `None` lets the city choose if the person works.
    pub work_zone: Option<i64>,
    /// The source's number of the zone of study; `None` lets the city choose if the person
    /// studies.
    pub school_zone: Option<i64>,
    /// Row of the source table, for messages; 0 if there is none.
    pub line: u32,
    /// Completed years.
    pub age: u8,
    /// Sex.
    pub sex: Sex,
    /// Main role.
    pub role: Role,
}

/// Names of the tables and columns that persons came from, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Table of households.
    pub households: String,
    /// Its column of zones.
    pub zone: String,
    /// Table of persons.
    pub persons: String,
    /// Its column of zones of work.
    pub work_zone: String,
    /// Its column of zones of study.
    pub school_zone: String,
}

impl Origin {
    /// The origin of persons that no table describes.
    pub fn synthesis() -> Self {
        let word = || "synthesis".to_owned();
        Self {
            households: word(),
            zone: word(),
            persons: word(),
            work_zone: word(),
            school_zone: word(),
        }
    }
}

/// Households and their persons.
///
/// Households are sorted by (id, copy) and none is empty. Persons are sorted by (household, copy,
/// id): the members of household `h` are `persons[h.first..h.first + h.size]`, and all persons
/// are members of some household.
#[derive(Debug, Clone, PartialEq)]
pub struct RawPopulation {
    households: Vec<RawHousehold>,
    persons: Vec<RawPerson>,
    /// Where they came from.
    pub origin: Origin,
    /// What was counted on the way, by name.
    pub counts: BTreeMap<String, u64>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl RawPopulation {
    /// Groups persons under households.
    ///
    /// `households` are sorted by (id, copy), `persons` by household in the same order, and
    /// `size` of each household is the number of its persons; `first` is set here. Households of
    /// size 0 are left out.
    ///
    /// # Panics
    /// If the sizes do not add up to the number of persons (a bug in the caller).
    pub fn new(mut households: Vec<RawHousehold>, persons: Vec<RawPerson>, origin: Origin) -> Self {
        households.retain(|household| household.size > 0);
        number(&mut households, persons.len());
        Self { households, persons, origin, counts: BTreeMap::new(), warnings: Vec::new() }
    }

    /// The households.
    pub fn households(&self) -> &[RawHousehold] {
        &self.households
    }

    /// The persons.
    pub fn persons(&self) -> &[RawPerson] {
        &self.persons
    }

    /// The members of a household of this population.
    pub fn members(&self, household: &RawHousehold) -> &[RawPerson] {
        let first = household.first as usize;
        &self.persons[first..first + usize::from(household.size)]
    }

    /// Keeps the households that `keep` accepts, with their persons.
    pub fn retain_households(&mut self, keep: impl Fn(&RawHousehold) -> bool) {
        self.retain(keep, |_| true);
    }

    /// Keeps the persons that both `keep_household` and `keep_person` accept, and the households
    /// that still have members. Returns how many households lost all their members that way.
    pub fn retain(
        &mut self,
        keep_household: impl Fn(&RawHousehold) -> bool,
        keep_person: impl Fn(&RawPerson) -> bool,
    ) -> u64 {
        let mut kept = Vec::with_capacity(self.persons.len());
        let mut emptied = 0;
        let mut households = std::mem::take(&mut self.households);
        households.retain_mut(|household| {
            if !keep_household(household) {
                return false;
            }
            let before = kept.len();
            kept.extend(self.members(household).iter().filter(|person| keep_person(person)));
            household.size = u16::try_from(kept.len() - before).unwrap_or(household.size);
            emptied += u64::from(household.size == 0);
            household.size > 0
        });
        number(&mut households, kept.len());
        self.households = households;
        self.persons = kept;
        emptied
    }

    /// Adds to a count.
    pub fn count(&mut self, name: &str, add: u64) {
        if add > 0 {
            *self.counts.entry(name.to_owned()).or_default() += add;
        }
    }
}

/// Sets `first` of each household from the sizes before it.
fn number(households: &mut [RawHousehold], person_count: usize) {
    let mut first = 0_u32;
    for household in households {
        household.first = first;
        first += u32::from(household.size);
    }
    assert_eq!(first as usize, person_count, "household sizes must add up to the persons");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_households() -> RawPopulation {
        let household = |id, size| RawHousehold {
            id,
            copy: 0,
            zone: None,
            income: 0.0,
            cars: 0,
            workers: None,
            line: 0,
            first: 0,
            size,
        };
        let person = |id, household| RawPerson {
            id,
            household,
            work_zone: None,
            school_zone: None,
            line: 0,
            age: 40,
            sex: Sex::Female,
            role: Role::NonWorker,
        };
        RawPopulation::new(
            vec![household(1, 2), household(3, 0), household(5, 1)],
            vec![person(10, 1), person(11, 1), person(9, 5)],
            Origin::synthesis(),
        )
    }

    #[test]
    fn members_follow_their_household() {
        let raw = two_households();
        let ids = |raw: &RawPopulation, index: usize| -> Vec<i64> {
            raw.members(&raw.households()[index]).iter().map(|person| person.id).collect()
        };
        assert_eq!(raw.households().len(), 2, "the empty household is left out");
        assert_eq!((ids(&raw, 0), ids(&raw, 1)), (vec![10, 11], vec![9]));
    }

    #[test]
    fn what_is_not_kept_takes_its_members_along() {
        let mut raw = two_households();
        raw.retain_households(|household| household.id != 1);
        assert_eq!(raw.persons().iter().map(|p| p.id).collect::<Vec<_>>(), [9]);
        let mut raw = two_households();
        assert_eq!(raw.retain(|_| true, |person| person.id != 9 && person.id != 10), 1);
        assert_eq!(raw.households().len(), 1);
        assert_eq!((raw.households()[0].size, raw.persons()[0].id), (1, 11));
    }
}
