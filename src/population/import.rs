//! Households and persons from tables, by a column map and code maps.

use std::collections::BTreeMap;

use super::error::Result;
use super::fields::{RowReader, Wanted};
use super::households::{Origin, RawHousehold, RawPerson, RawPopulation};
use super::link::link;
use super::problems::{BadRows, Problems};
use super::table_file::TableSource;
use crate::agent::person::{Role, Sex};
use crate::agent::roles::{Employment, derive_role};

/// Columns of the table of households, by the name in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseholdColumns {
    /// Number of the household.
    pub household_id: String,
    /// Zone where it lives; negative or empty is none.
    pub zone: Option<String>,
    /// Income per year; 0 without the column.
    pub income: Option<String>,
    /// Cars; 0 without the column.
    pub cars: Option<String>,
    /// Number of members, only compared with the persons found.
    pub size: Option<String>,
    /// Workers; counted from the roles without the column.
    pub workers: Option<String>,
}

/// Columns of the table of persons, by the name in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonColumns {
    /// Number of the person, unique over all households.
    pub person_id: String,
    /// Number of the household.
    pub household_id: String,
    /// Completed years, 0 to 120.
    pub age: String,
    /// Sex; [`Sex::Other`] without the column.
    pub sex: Option<String>,
    /// Main role; see [`derive_role`] for what happens without the column.
    pub role: Option<String>,
    /// Employment, from which a role is derived.
    pub employment: Option<String>,
    /// Zone of work; negative or empty is none.
    pub work_zone: Option<String>,
    /// Zone of study; negative or empty is none.
    pub school_zone: Option<String>,
}

/// What the codes of a table mean. The key is the text of the cell; a whole number is also found
/// when it is written with a fraction of zero (`1.0`). An empty key gives empty cells a meaning.
/// With no entry, a column must hold populace's own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Codes {
    /// Of the column of sexes.
    pub sex: BTreeMap<String, Sex>,
    /// Of the column of roles.
    pub role: BTreeMap<String, Role>,
    /// Of the column of employment.
    pub employment: BTreeMap<String, Employment>,
}

impl Codes {
    /// These codes, with populace's own words where a map is empty.
    fn or_words(&self) -> Self {
        Self {
            sex: or_words(&self.sex, Sex::ALL, Sex::word),
            role: or_words(&self.role, Role::ALL, Role::word),
            employment: or_words(&self.employment, Employment::ALL, Employment::word),
        }
    }
}

/// A population in two tables.
#[derive(Debug, Clone, PartialEq)]
pub struct TableParams {
    /// The table of households.
    pub households: TableSource,
    /// Its columns.
    pub household_columns: HouseholdColumns,
    /// The table of persons.
    pub persons: TableSource,
    /// Its columns.
    pub person_columns: PersonColumns,
    /// Its codes.
    pub codes: Codes,
    /// What to do about rows that cannot be used.
    pub bad_rows: BadRows,
}

/// Reads both tables. The result does not depend on the order of rows, except that of rows with
/// the same number the first is kept (under [`BadRows::Skip`]).
///
/// # Errors
/// Tables that cannot be read or lack a column; rows that cannot be used, all of them counted,
/// if the policy is [`BadRows::Error`].
pub fn load_table(params: &TableParams) -> Result<RawPopulation> {
    let mut problems = Problems::default();
    let households = read_households(params, &mut problems)?;
    let persons = read_persons(params, &mut problems)?;
    let origin = origin(params);
    let mut raw = link(households, persons, origin, params, &mut problems);
    for (kind, count) in problems.counts() {
        raw.count(&format!("bad_rows_{}", kind.word()), *count);
    }
    raw.warnings.extend(problems.settle(params.bad_rows)?);
    Ok(raw)
}

fn origin(params: &TableParams) -> Origin {
    let name = |column: &Option<String>| column.clone().unwrap_or_default();
    Origin {
        households: params.households.path().display().to_string(),
        zone: name(&params.household_columns.zone),
        persons: params.persons.path().display().to_string(),
        work_zone: name(&params.person_columns.work_zone),
        school_zone: name(&params.person_columns.school_zone),
    }
}

/// What the table of households holds, in file order.
#[derive(Debug, Default)]
pub(super) struct HouseholdRows {
    /// Rows that can be used.
    pub(super) rows: Vec<RawHousehold>,
    /// The number of members each usable row claims, where there is such a column.
    pub(super) sizes: BTreeMap<i64, i64>,
    /// Numbers of households whose rows cannot be used.
    pub(super) dropped: Vec<i64>,
}

fn read_households(params: &TableParams, problems: &mut Problems) -> Result<HouseholdRows> {
    let columns = &params.household_columns;
    let mut wanted = Wanted::default();
    let id = wanted.add(&columns.household_id);
    let zone = wanted.add_optional(&columns.zone);
    let income = wanted.add_optional(&columns.income);
    let cars = wanted.add_optional(&columns.cars);
    let size = wanted.add_optional(&columns.size);
    let workers = wanted.add_optional(&columns.workers);
    let file = params.households.path().display().to_string();
    let mut found = HouseholdRows::default();
    params.households.for_each_row(wanted.names(), |row| {
        let mut reader = RowReader::new(row, &file, wanted.names(), problems);
        let number = reader.integer(id);
        let household = RawHousehold {
            id: number.unwrap_or(0),
            copy: 0,
            zone: zone.and_then(|zone| reader.zone(zone)),
            income: income.map_or(0.0, |income| reader.float(income)),
            cars: cars.map_or(0, |cars| reader.small(cars)),
            workers: workers.map(|workers| reader.small(workers)),
            line: reader.line(),
            first: 0,
            size: 0,
        };
        let claimed = size.and_then(|size| reader.integer(size));
        match number {
            Some(id) if reader.is_usable() => {
                found.rows.push(household);
                if let Some(claimed) = claimed {
                    found.sizes.entry(id).or_insert(claimed);
                }
            }
            Some(id) => found.dropped.push(id),
            None => {}
        }
    })?;
    found.dropped.sort_unstable();
    Ok(found)
}

fn read_persons(params: &TableParams, problems: &mut Problems) -> Result<Vec<RawPerson>> {
    let columns = &params.person_columns;
    let mut wanted = Wanted::default();
    let id = wanted.add(&columns.person_id);
    let household = wanted.add(&columns.household_id);
    let age = wanted.add(&columns.age);
    let sex = wanted.add_optional(&columns.sex);
    let role = wanted.add_optional(&columns.role);
    let employment = wanted.add_optional(&columns.employment);
    let work_zone = wanted.add_optional(&columns.work_zone);
    let school_zone = wanted.add_optional(&columns.school_zone);
    let codes = params.codes.or_words();
    let file = params.persons.path().display().to_string();
    let mut rows = Vec::new();
    params.persons.for_each_row(wanted.names(), |row| {
        let mut reader = RowReader::new(row, &file, wanted.names(), problems);
        let age = reader.age(age);
        let work = work_zone.and_then(|column| reader.zone(column));
        let school = school_zone.and_then(|column| reader.zone(column));
        let employed = employment.and_then(|column| reader.code(column, &codes.employment));
        let known = employed.or_else(|| work_zone.map(|_| Employment::from_workplace(work)));
        let role = match role {
            Some(column) => reader.code(column, &codes.role),
            None => Some(derive_role(age, known, school.is_some())),
        };
        let person = RawPerson {
            id: reader.integer(id).unwrap_or(0),
            household: reader.integer(household).unwrap_or(0),
            work_zone: work,
            school_zone: school,
            line: reader.line(),
            age,
            sex: sex.and_then(|column| reader.code(column, &codes.sex)).unwrap_or(Sex::Other),
            role: role.unwrap_or(Role::NonWorker),
        };
        if reader.is_usable() {
            rows.push(person);
        }
    })?;
    Ok(rows)
}

fn or_words<T: Copy>(
    codes: &BTreeMap<String, T>,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> BTreeMap<String, T> {
    if !codes.is_empty() {
        return codes.clone();
    }
    all.iter().map(|value| (word(*value).to_owned(), *value)).collect()
}
