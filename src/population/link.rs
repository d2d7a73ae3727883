//! Brings households and persons together: duplicates, dangling numbers, empty households.

use std::collections::BTreeMap;

use super::households::{MEMBERS_MAX, Origin, RawHousehold, RawPerson, RawPopulation};
use super::import::{HouseholdRows, TableParams};
use super::problems::{ProblemKind, Problems, RowProblem};

/// Groups the usable persons under the usable households; adds what does not fit to `problems`.
pub(super) fn link(
    found: HouseholdRows,
    mut persons: Vec<RawPerson>,
    origin: Origin,
    params: &TableParams,
    problems: &mut Problems,
) -> RawPopulation {
    let HouseholdRows { rows: mut households, sizes, dropped } = found;
    drop_double_households(&mut households, &origin, params, problems);
    drop_double_persons(&mut persons, &origin, params, problems);
    let orphans = drop_dangling(&mut persons, &households, &dropped, &origin, params, problems);
    persons.sort_unstable_by_key(|person| (person.household, person.id));
    count_members(&mut households, &mut persons, &origin, params, problems);
    let empty = households.iter().filter(|household| household.size == 0).count() as u64;
    let differing = households.iter().filter(|household| differs(household, &sizes)).count();
    let mut raw = RawPopulation::new(households, persons, origin);
    raw.count("persons_of_skipped_households", orphans);
    raw.count("households_without_persons", empty);
    raw.count("households_of_another_size", differing as u64);
    if empty > 0 {
        let note = format!("households without persons, left out: {empty}");
        raw.warnings.push(note);
    }
    if differing > 0 {
        let note = format!("households with more or fewer persons than they claim: {differing}");
        raw.warnings.push(note);
    }
    raw
}

fn differs(household: &RawHousehold, sizes: &BTreeMap<i64, i64>) -> bool {
    let claimed = sizes.get(&household.id);
    household.size > 0 && claimed.is_some_and(|claimed| *claimed != i64::from(household.size))
}

fn problem(
    place: (&str, u32, &str),
    kind: ProblemKind,
    found: impl ToString,
    allowed: String,
) -> RowProblem {
    let (file, line, column) = place;
    RowProblem {
        file: file.to_owned(),
        line: u64::from(line),
        column: column.to_owned(),
        kind,
        found: found.to_string(),
        allowed,
    }
}

/// Sorts households by number and keeps the first row of each.
fn drop_double_households(
    households: &mut Vec<RawHousehold>,
    origin: &Origin,
    params: &TableParams,
    problems: &mut Problems,
) {
    let column = params.household_columns.household_id.as_str();
    households.sort_unstable_by_key(|household| (household.id, household.line));
    households.dedup_by(|later, first| {
        let double = later.id == first.id;
        if double {
            let place = (origin.households.as_str(), later.line, column);
            let allowed = format!("a number of its own; line {} has the same", first.line);
            problems.add(problem(place, ProblemKind::DuplicateHousehold, later.id, allowed));
        }
        double
    });
}

/// Sorts persons by number and keeps the first row of each.
fn drop_double_persons(
    persons: &mut Vec<RawPerson>,
    origin: &Origin,
    params: &TableParams,
    problems: &mut Problems,
) {
    let column = params.person_columns.person_id.as_str();
    persons.sort_unstable_by_key(|person| (person.id, person.line));
    persons.dedup_by(|later, first| {
        let double = later.id == first.id;
        if double {
            let place = (origin.persons.as_str(), later.line, column);
            let allowed = format!("a number of its own; line {} has the same", first.line);
            problems.add(problem(place, ProblemKind::DuplicatePerson, later.id, allowed));
        }
        double
    });
}

/// Drops persons whose household is not there. Those whose household's row is faulty are no
/// fault of their own rows: they are only counted, and the count is returned.
fn drop_dangling(
    persons: &mut Vec<RawPerson>,
    households: &[RawHousehold],
    dropped: &[i64],
    origin: &Origin,
    params: &TableParams,
    problems: &mut Problems,
) -> u64 {
    let column = params.person_columns.household_id.as_str();
    let mut orphans = 0;
    persons.retain(|person| {
        let known = households.binary_search_by_key(&person.household, |h| h.id).is_ok();
        if !known && dropped.binary_search(&person.household).is_ok() {
            orphans += 1;
        } else if !known {
            let place = (origin.persons.as_str(), person.line, column);
            let allowed = format!("a household of {}", origin.households);
            problems.add(problem(place, ProblemKind::DanglingHousehold, person.household, allowed));
        }
        known
    });
    orphans
}

/// Sets the size of each household; drops those with more members than a size can tell.
fn count_members(
    households: &mut Vec<RawHousehold>,
    persons: &mut Vec<RawPerson>,
    origin: &Origin,
    params: &TableParams,
    problems: &mut Problems,
) {
    let column = params.household_columns.household_id.as_str();
    let mut oversize = Vec::new();
    for household in households.iter_mut() {
        let first = persons.partition_point(|person| person.household < household.id);
        let rest = &persons[first..];
        let count = rest.partition_point(|person| person.household == household.id);
        match u16::try_from(count) {
            Ok(size) => household.size = size,
            Err(_) => {
                oversize.push(household.id);
                let place = (origin.households.as_str(), household.line, column);
                let found = format!("{count} persons in household {}", household.id);
                let allowed = format!("at most {MEMBERS_MAX} persons in a household");
                problems.add(problem(place, ProblemKind::OversizeHousehold, found, allowed));
            }
        }
    }
    if !oversize.is_empty() {
        households.retain(|household| oversize.binary_search(&household.id).is_err());
        persons.retain(|person| oversize.binary_search(&person.household).is_err());
    }
}
