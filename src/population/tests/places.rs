//! Numbering, zones and places.

use super::*;

fn people(agents: Option<u64>, seed: u64) -> Population {
    let source = PopulationSource::Table(Box::new(bay_area()));
    populate(&source, agents, None, seed, &mut GridCity { zones: 1_500 }).unwrap()
}

/// Contract of `Population` and `Person`: members of a household are consecutive, agents are
/// sorted by household, copy and person, and every column has a row per agent.
#[test]
fn agents_are_numbered_by_household_copy_and_person() {
    let people = people(Some(11_000), 4);
    let count = people.persons.len();
    assert_eq!(count, 11_000);
    assert_eq!([people.uid.len(), people.copy.len(), people.household_uid.len()], [count; 3]);
    let key = |i: usize| (people.household_uid[i], people.copy[i], people.uid[i]);
    assert!((1..count).all(|i| key(i - 1) < key(i)));
    for (index, person) in people.persons.iter().enumerate() {
        let first = person.household_first as usize;
        assert!((first..first + usize::from(person.household_size)).contains(&index));
        let head = people.persons[first];
        assert_eq!((head.household, head.home), (person.household, person.home));
    }
}

/// The rule of `assign`: work for workers and those with a zone of work, school likewise.
#[test]
fn places_follow_roles_and_zones() {
    let people = people(None, 4);
    let raw = load_table(&bay_area()).unwrap();
    for (person, row) in people.persons.iter().zip(raw.persons()) {
        let zone = |place: PlaceId| place.get().map(|place| i64::from(place / 10_000));
        assert_eq!(person.work.is_some(), row.role.works() || row.work_zone.is_some());
        assert_eq!(person.school.is_some(), row.role.studies() || row.school_zone.is_some());
        assert!(row.work_zone.is_none() || zone(person.work) == row.work_zone);
        assert!(row.school_zone.is_none() || zone(person.school) == row.school_zone);
        let goes = person.work.is_some() || person.school.is_some();
        assert!(goes || person.commute_min == 0);
    }
}

#[test]
fn the_seed_and_nothing_else_decides() {
    let one = crate::base::parallel::with_threads(1, || people(Some(9_000), 4)).unwrap();
    let two = crate::base::parallel::with_threads(2, || people(Some(9_000), 4)).unwrap();
    assert_eq!(one, two);
    assert_ne!(one, people(Some(9_000), 5));
}

/// Zones above 1,400 are not in this city; the diary has zones up to 1,454.
#[test]
fn unknown_zones_are_bad_rows() {
    let mut city = GridCity { zones: 1_400 };
    let source =
        |bad_rows| PopulationSource::Table(Box::new(TableParams { bad_rows, ..bay_area() }));
    let error = populate(&source(BadRows::Error), None, None, 1, &mut city).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("unknown_zone: found `14") && text.contains("a zone of the city"));
    let people = populate(&source(BadRows::Skip), None, None, 1, &mut city).unwrap();
    let raw = load_table(&bay_area()).unwrap();
    let unknown = |zone: Option<i64>| zone.is_some_and(|zone| zone >= 1_400);
    let left: usize = raw
        .households()
        .iter()
        .filter(|household| !unknown(household.zone))
        .map(|household| {
            let members = raw.members(household).iter();
            members.filter(|p| !unknown(p.work_zone) && !unknown(p.school_zone)).count()
        })
        .sum();
    assert!(left < 5_269);
    assert_eq!(people.persons.len(), left);
    assert_eq!(people.counts["persons_skipped_unknown_zone"] as usize, 5_269 - left);
}

#[test]
fn the_household_filter_comes_before_replication() {
    let source = PopulationSource::Table(Box::new(bay_area()));
    let even = |household: i64| household % 2 == 0;
    let mut city = GridCity { zones: 1_500 };
    let people = populate(&source, Some(7_000), Some(&even), 1, &mut city).unwrap();
    assert_eq!(people.persons.len(), 7_000);
    assert!(people.household_uid.iter().all(|household| even(*household)));
    let none = populate(&source, None, Some(&|_| false), 1, &mut city);
    assert!(matches!(none, Err(PopulationError::Nobody { .. })));
}

/// A full city is an error that names the household.
#[test]
fn a_missing_dwelling_is_an_error() {
    struct Full;
    impl PlaceAssigner for Full {
        fn knows_zone(&self, _: i64) -> bool {
            true
        }
        fn dwelling(&mut self, _: Option<i64>, _: HouseholdId, _: u64) -> Option<PlaceId> {
            None
        }
        fn workplace(&self, _: PlaceId, _: Option<i64>, _: AgentId, _: u64) -> Option<PlaceId> {
            None
        }
        fn school(&self, _: PlaceId, _: Option<i64>, _: u8, _: AgentId, _: u64) -> Option<PlaceId> {
            None
        }
        fn commute_min(&self, _: PlaceId, _: PlaceId) -> u16 {
            0
        }
    }
    let raw = load_table(&bay_area()).unwrap();
    let first = raw.households()[0];
    let text = assign(raw, &mut Full, 1).unwrap_err().to_string();
    let expected = format!("household {} in zone {}", first.id, first.zone.unwrap());
    assert!(text.contains(&expected), "{text}");
}
