//! More or fewer persons than the source has, by whole households.

use super::error::{PopulationError, Result};
use super::households::RawPopulation;
use crate::base::rng::{Purpose, Stream};

/// Largest number of persons of a run: agent numbers are 32 bits and one of them means "none".
pub const PERSONS_MAX: u64 = u32::MAX as u64 - 1;

/// A population of `persons` persons, made of whole households of `source`.
///
/// Households are drawn in rounds. A round goes once through all households in an order shuffled
/// by (seed, round), so a household is never drawn again before every other one was: with fewer
/// persons than the source has this is a sample without replacement, with more every household
/// appears q or q + 1 times, and with exactly as many the source itself comes back. Shares of the
/// source are kept better than by independent draws.
///
/// In the last round households that do not fit the persons still missing are passed over. If none
/// fits, the total is above `persons` by less than one household, and the count `persons_over`
/// tells by how many.
///
/// Copy `c` of a household has the source's number and `copy` = c. The result depends on the
/// seed, on `persons` and on the households, not on the order in which they were read.
///
/// # Errors
/// If the source is empty, or `persons` is 0 or above [`PERSONS_MAX`].
///
/// Source: own choice.
pub fn replicate(source: &RawPopulation, persons: u64, seed: u64) -> Result<RawPopulation> {
    let available = source.persons().len() as u64;
    if available == 0 || persons == 0 {
        let origin = source.origin.persons.clone();
        return Err(PopulationError::Nobody { origin, reason: String::new() });
    }
    if persons > PERSONS_MAX {
        return Err(PopulationError::TooMany { found: persons, max: PERSONS_MAX });
    }
    let rounds = (persons / available) as u32;
    let (in_last, over) = last_round(source, persons % available, rounds, seed);
    let total = (persons + over) as usize;
    let mut households = Vec::with_capacity(total / 2);
    let mut members = Vec::with_capacity(total);
    for (household, extra) in source.households().iter().zip(&in_last) {
        for copy in 0..rounds + u32::from(*extra) {
            let mut household = *household;
            household.copy = copy;
            households.push(household);
            members.extend_from_slice(source.members(&household));
        }
    }
    let mut made = RawPopulation::new(households, members, source.origin.clone());
    made.counts = source.counts.clone();
    made.warnings = source.warnings.clone();
    made.count("persons_over", over);
    if over > 0 {
        let number = persons + over;
        let note = format!("no household fits: {number} persons instead of {persons}");
        made.warnings.push(note);
    }
    Ok(made)
}

/// Which households the last round takes to reach `missing` persons, and by how many persons it
/// goes over.
///
/// The smaller part of the round is drawn, those taken or those left out: at its end all others
/// are still there to find one that fits.
fn last_round(source: &RawPopulation, missing: u64, round: u32, seed: u64) -> (Vec<bool>, u64) {
    let households = source.households();
    let order = shuffled(households.len(), round, seed);
    let surplus = source.persons().len() as u64 - missing;
    if missing <= surplus {
        let (mut taken, short) = draw(source, &order, missing);
        let left = order.iter().map(|index| *index as usize).filter(|index| !taken[*index]);
        let smallest = left.min_by_key(|index| households[*index].size).filter(|_| short > 0);
        let Some(smallest) = smallest else { return (taken, 0) };
        taken[smallest] = true;
        (taken, u64::from(households[smallest].size) - short)
    } else {
        let (left_out, over) = draw(source, &order, surplus);
        (left_out.iter().map(|out| !out).collect(), over)
    }
}

/// Draws households in this order until they have `persons` persons, passing over those that are
/// too large; also returns how many persons are still missing at the end.
fn draw(source: &RawPopulation, order: &[u32], persons: u64) -> (Vec<bool>, u64) {
    let households = source.households();
    let mut drawn = vec![false; households.len()];
    let mut missing = persons;
    for index in order {
        let size = u64::from(households[*index as usize].size);
        if size <= missing {
            drawn[*index as usize] = true;
            missing -= size;
        }
        if missing == 0 {
            break;
        }
    }
    (drawn, missing)
}

/// The numbers 0 to `count` - 1 in random order (Fisher and Yates; Durstenfeld 1964).
fn shuffled(count: usize, round: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut stream = Stream::of_index(seed, round, Purpose::Replicate);
    for last in (1..count).rev() {
        order.swap(last, stream.below(last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::person::{Role, Sex};
    use crate::population::households::{Origin, RawHousehold, RawPerson};

    /// Households 0, 1, 2 … of the given sizes.
    fn source(sizes: &[u16]) -> RawPopulation {
        let mut persons = Vec::new();
        let mut households = Vec::new();
        for (id, size) in sizes.iter().enumerate() {
            let id = id as i64;
            let first = persons.len() as u32;
            let (copy, zone, income, cars) = (0, None, 0.0, 0);
            let (workers, line, size) = (None, 0, *size);
            households.push(RawHousehold {
                id,
                copy,
                zone,
                income,
                cars,
                workers,
                line,
                first,
                size,
            });
            persons.extend((0..size).map(|member| RawPerson {
                id: id * 100 + i64::from(member),
                household: id,
                work_zone: None,
                school_zone: None,
                line: 0,
                age: 30,
                sex: Sex::Other,
                role: Role::NonWorker,
            }));
        }
        RawPopulation::new(households, persons, Origin::synthesis())
    }

    fn mixed() -> RawPopulation {
        source(&(0..300).map(|index| 1 + index % 7).collect::<Vec<u16>>())
    }

    #[test]
    fn the_total_is_exact_where_single_households_exist() {
        let source = mixed();
        for persons in [1, 2, 17, 500, 1_194, 1_196, 1_197, 1_198, 5_000, 12_345] {
            let made = replicate(&source, persons, 3).unwrap();
            assert_eq!(made.persons().len() as u64, persons);
            assert!(!made.counts.contains_key("persons_over"));
        }
    }

    /// Every household appears q or q + 1 times, with copies numbered from 0.
    #[test]
    fn rounds_are_balanced() {
        let made = replicate(&mixed(), 3_000, 3).unwrap();
        let mut copies = vec![0; 300];
        for household in made.households() {
            assert_eq!(household.copy, copies[household.id as usize]);
            copies[household.id as usize] += 1;
        }
        // 300 households hold 1,197 persons: two whole rounds and a half.
        assert!(copies.iter().all(|count| (2..=3).contains(count)), "{copies:?}");
        let same = replicate(&mixed(), 1_197, 3).unwrap();
        assert_eq!(same.households(), mixed().households());
    }

    #[test]
    fn the_seed_decides_who_is_in_the_sample() {
        let ids = |seed| -> Vec<i64> {
            let made = replicate(&mixed(), 200, seed).unwrap();
            made.households().iter().map(|household| household.id).collect()
        };
        assert_eq!(ids(1), ids(1));
        assert_ne!(ids(1), ids(2));
    }

    #[test]
    fn where_nothing_fits_the_total_is_less_than_a_household_over() {
        let made = replicate(&source(&[4, 3, 4, 3]), 8, 1).unwrap();
        assert_eq!(made.persons().len() as u64, 8 + made.counts["persons_over"]);
        assert!(made.counts["persons_over"] < 4);
        assert_eq!(made.warnings.len(), 1);
    }

    #[test]
    fn nobody_cannot_be_replicated() {
        assert!(matches!(replicate(&source(&[]), 5, 1), Err(PopulationError::Nobody { .. })));
        assert!(matches!(
            replicate(&mixed(), PERSONS_MAX + 1, 1),
            Err(PopulationError::TooMany { .. })
        ));
    }
}
