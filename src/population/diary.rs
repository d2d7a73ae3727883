//! Reads an observed day of travel: households, persons, tours and trips, in ActivitySim's layout.
//!
//! The files list trips in no useful order and know departures by the hour only. What a person
//! really did one after the other is the *chain*: home-based tours by their hours, and inside a
//! tour the outbound trips, then the tours made from its destination (lunch from work), then the
//! trips back. Along a chain each trip begins where the one before ended; the tests check that.

mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agent::activity::Activity;
use crate::agent::diary::{DiaryDay, DiaryTrip};
use crate::agent::person::{Role, Sex};
use table::{Row, Table};

/// Minutes in an hour, as in [`DiaryTrip::depart_min`].
const HOUR_MIN: u16 = 60;

/// Why a diary could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiaryError {
    /// A file could not be opened, decompressed or split into fields.
    #[error("{}: cannot read: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reader's words, with the line where it has one.
        message: String,
    },
    /// A column is missing.
    #[error("{}:1: no column '{column}'; the columns are: {present}", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column looked for.
        column: String,
        /// The columns of the file.
        present: String,
    },
    /// A value is not what the column may hold.
    #[error("{}:{line}: column '{column}': found '{found}', expected {allowed}", path.display())]
    BadValue {
        /// The file.
        path: PathBuf,
        /// Line, from 1 (the header).
        line: u64,
        /// The column.
        column: String,
        /// What stands there.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The file holds no rows.
    #[error("{}: no rows below the header", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Half of the households, for calibrating on one and judging on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Half `a`.
    A,
    /// Half `b`.
    B,
}

/// The half that a household belongs to; depends on its number only.
///
/// The last bit of the number mixed by the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014), so that no pattern in the numbering
/// (even numbers, blocks) reaches the halves. There is no salt to choose.
pub const fn half_of(household: i64) -> Half {
    let mut bits = household as u64;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    if (bits ^ (bits >> 31)) & 1 == 0 { Half::A } else { Half::B }
}

/// The four tables of a diary; each `.csv`, or the same compressed with gzip.
#[derive(Debug, Clone)]
pub struct DiaryFiles {
    /// Columns `household_id, hhsize, auto_ownership, num_workers, income`.
    pub households: PathBuf,
    /// Columns `person_id, household_id, age, sex, ptype, workplace_zone_id, school_zone_id`.
    pub persons: PathBuf,
    /// Columns `tour_id, tour_type, parent_tour_id, start, end`.
    pub tours: PathBuf,
    /// Columns `person_id, tour_id, outbound, trip_num, purpose, origin, destination, depart`.
    pub trips: PathBuf,
}

impl DiaryFiles {
    /// `households`, `persons`, `tours` and `trips` in `folder`, each with `ending` (`csv.gz`).
    pub fn in_folder(folder: &Path, ending: &str) -> Self {
        let file = |name: &str| folder.join(format!("{name}.{ending}"));
        Self {
            households: file("households"),
            persons: file("persons"),
            tours: file("tours"),
            trips: file("trips"),
        }
    }
}

/// Columns that have another name in the user's files: our name to theirs.
pub type ColumnNames = BTreeMap<String, String>;

/// A tour: a chain of trips from one anchor (home or work) and back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tour {
    /// The source's number.
    pub id: i64,
    /// The tour from whose destination this one is made; `None` for a tour from home.
    pub parent: Option<i64>,
    /// Hour of the first departure.
    pub start_h: u16,
    /// Hour of the last departure.
    pub end_h: u16,
}

/// A trip as the source lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TourTrip {
    /// The tour it is part of.
    pub tour: i64,
    /// Before the tour's main destination is reached.
    pub outbound: bool,
    /// Number among the outbound, or the inbound, trips of the tour.
    pub number: u16,
    /// What for.
    pub purpose: Activity,
    /// Hour of departure.
    pub depart_h: u16,
    /// Zone of origin.
    pub origin: i64,
    /// Zone of destination.
    pub destination: i64,
}

/// Puts the trips of one person into the order in which they were made.
///
/// Tours are ordered by (start, end, id); a tour with a parent comes between the outbound and the
/// inbound trips of that parent. Where an hour is before that of the trip just made (the source
/// allows it inside a tour), it is raised to that: order along the chain is kept, time never runs
/// back. Trips whose tour or whose tour's parent is not among `tours` are left out.
pub fn chain_trips(tours: &[Tour], trips: &[TourTrip]) -> Vec<TourTrip> {
    let mut ordered: Vec<&Tour> = tours.iter().collect();
    ordered.sort_by_key(|tour| (tour.start_h, tour.end_h, tour.id));
    let mut by_step: Vec<&TourTrip> = trips.iter().collect();
    by_step.sort_by_key(|trip| (!trip.outbound, trip.number));
    let mut chain = Vec::with_capacity(trips.len());
    for tour in ordered.iter().filter(|tour| tour.parent.is_none()) {
        push_tour(tour.id, &ordered, &by_step, &mut chain);
    }
    let mut now_h = 0;
    for trip in &mut chain {
        now_h = now_h.max(trip.depart_h);
        trip.depart_h = now_h;
    }
    chain
}

/// One level of nesting: the source has no tours from tours from tours.
fn push_tour(id: i64, tours: &[&Tour], trips: &[&TourTrip], chain: &mut Vec<TourTrip>) {
    let of = |tour: i64, outbound: bool| {
        trips.iter().filter(move |trip| trip.tour == tour && trip.outbound == outbound)
    };
    chain.extend(of(id, true).copied());
    for child in tours.iter().filter(|tour| tour.parent == Some(id)) {
        chain.extend(of(child.id, true).chain(of(child.id, false)).copied());
    }
    chain.extend(of(id, false).copied());
}

/// Reads a diary: one [`DiaryDay`] per person, by person number; a person without trips has an
/// empty day.
///
/// Codes are ActivitySim's: `ptype` 1 to 8 in [`Role`] order, `sex` 1 male and 2 female, zone -1
/// none; hours 5 (5:00 and earlier) to 23. A tour from work (`atwork`) of type `eat` is for
/// [`Activity::Eat`], `maint` for [`Activity::Other`], `business` for [`Activity::Work`].
/// Whole numbers may be written as `412.0`.
///
/// # Errors
/// The first problem, with file, line and column.
pub fn load_diary(files: &DiaryFiles, names: &ColumnNames) -> Result<Vec<DiaryDay>, DiaryError> {
    let households = read_households(&files.households, names)?;
    let mut days = read_persons(&files.persons, names, &households)?;
    for (person, chain) in read_chains(files, names, &days)? {
        let Some(day) = days.get_mut(&person) else { continue };
        let plain = |trip: &TourTrip| DiaryTrip {
            purpose: trip.purpose,
            depart_min: trip.depart_h * HOUR_MIN,
        };
        day.trips = chain.iter().map(plain).collect();
    }
    Ok(days.into_values().collect())
}

/// The chain of every person who made trips, by person number.
fn read_chains(
    files: &DiaryFiles,
    names: &ColumnNames,
    days: &BTreeMap<i64, DiaryDay>,
) -> Result<BTreeMap<i64, Vec<TourTrip>>, DiaryError> {
    let (tours, kinds) = read_tours(&files.tours, names)?;
    let mut trips = read_trips(&files.trips, names, &kinds, days)?;
    for own in trips.values_mut() {
        let mut ids: Vec<i64> = own.iter().map(|trip| trip.tour).collect();
        ids.sort_unstable();
        ids.dedup();
        let own_tours: Vec<Tour> = ids.iter().filter_map(|id| tours.get(id).cloned()).collect();
        *own = chain_trips(&own_tours, own);
    }
    Ok(trips)
}

/// What a person's day takes from the household.
struct Home {
    size: u16,
    cars: u8,
    workers: u8,
    income: f32,
}

fn read_households(path: &Path, names: &ColumnNames) -> Result<BTreeMap<i64, Home>, DiaryError> {
    let columns = ["household_id", "hhsize", "auto_ownership", "num_workers", "income"];
    let table = Table::read(path, &columns, names)?;
    let mut households = BTreeMap::new();
    for row in table.rows() {
        let home = Home {
            size: row.whole(1, 1..=999, "a household size from 1 to 999")? as u16,
            cars: row.whole(2, 0..=99, "a number of cars from 0 to 99")? as u8,
            workers: row.whole(3, 0..=99, "a number of workers from 0 to 99")? as u8,
            income: row.number(4)?,
        };
        if households.insert(row.whole(0, ANY, "a whole number")?, home).is_some() {
            return Err(row.bad(0, "a household number that no line above has"));
        }
    }
    Ok(households)
}

const ANY: std::ops::RangeInclusive<i64> = i64::MIN..=i64::MAX;

fn read_persons(
    path: &Path,
    names: &ColumnNames,
    households: &BTreeMap<i64, Home>,
) -> Result<BTreeMap<i64, DiaryDay>, DiaryError> {
    let columns =
        ["person_id", "household_id", "age", "sex", "ptype", "workplace_zone_id", "school_zone_id"];
    let table = Table::read(path, &columns, names)?;
    let mut days = BTreeMap::new();
    for row in table.rows() {
        let household = row.whole(1, ANY, "a whole number")?;
        let home = households
            .get(&household)
            .ok_or_else(|| row.bad(1, "a household of the households file"))?;
        let role = row.whole(4, 1..=8, "a person type from 1 to 8")? as usize;
        let male = row.whole(3, 1..=2, "1 (male) or 2 (female)")? == 1;
        let day = DiaryDay {
            person: row.whole(0, ANY, "a whole number")?,
            household,
            age: row.whole(2, 0..=120, "an age from 0 to 120")? as u8,
            sex: if male { Sex::Male } else { Sex::Female },
            role: Role::ALL[role - 1],
            household_size: home.size,
            cars: home.cars,
            household_workers: home.workers,
            income: home.income,
            has_work: row.whole(5, ANY, "a zone, or -1")? >= 0,
            has_school: row.whole(6, ANY, "a zone, or -1")? >= 0,
            trips: Vec::new(),
        };
        if days.insert(day.person, day).is_some() {
            return Err(row.bad(0, "a person number that no line above has"));
        }
    }
    Ok(days)
}

/// Tours by number, and the purpose of those made from work.
type Tours = (BTreeMap<i64, Tour>, BTreeMap<i64, Activity>);

fn read_tours(path: &Path, names: &ColumnNames) -> Result<Tours, DiaryError> {
    let columns = ["tour_id", "tour_type", "parent_tour_id", "start", "end"];
    let table = Table::read(path, &columns, names)?;
    let mut tours = BTreeMap::new();
    let mut kinds = BTreeMap::new();
    for row in table.rows() {
        let id = row.whole(0, ANY, "a whole number")?;
        let parent = match row.text(2) {
            "" => None,
            _ => Some(row.whole(2, ANY, "a tour number, or nothing")?),
        };
        let kind = match row.text(1) {
            "eat" => Some(Activity::Eat),
            "maint" => Some(Activity::Other),
            "business" => Some(Activity::Work),
            _ => None,
        };
        if let Some(kind) = kind {
            kinds.insert(id, kind);
        }
        let hour = |column| Ok(row.whole(column, 0..=29, HOURS)? as u16);
        let tour = Tour { id, parent, start_h: hour(3)?, end_h: hour(4)? };
        if tours.insert(id, tour).is_some() {
            return Err(row.bad(0, "a tour number that no line above has"));
        }
    }
    Ok((tours, kinds))
}

const HOURS: &str = "an hour of the day from 0 to 29";

fn read_trips(
    path: &Path,
    names: &ColumnNames,
    kinds: &BTreeMap<i64, Activity>,
    days: &BTreeMap<i64, DiaryDay>,
) -> Result<BTreeMap<i64, Vec<TourTrip>>, DiaryError> {
    let columns = [
        "person_id",
        "tour_id",
        "outbound",
        "trip_num",
        "purpose",
        "depart",
        "origin",
        "destination",
    ];
    let table = Table::read(path, &columns, names)?;
    let mut trips: BTreeMap<i64, Vec<TourTrip>> = BTreeMap::new();
    for row in table.rows() {
        let person = row.whole(0, ANY, "a whole number")?;
        if !days.contains_key(&person) {
            return Err(row.bad(0, "a person of the persons file"));
        }
        let tour = row.whole(1, ANY, "a whole number")?;
        trips.entry(person).or_default().push(TourTrip {
            tour,
            outbound: truth(&row, 2)?,
            number: row.whole(3, 0..=999, "a number from 0 to 999")? as u16,
            purpose: purpose(&row, 4, kinds.get(&tour))?,
            depart_h: row.whole(5, 0..=29, HOURS)? as u16,
            origin: row.whole(6, ANY, "a zone")?,
            destination: row.whole(7, ANY, "a zone")?,
        });
    }
    Ok(trips)
}

fn truth(row: &Row<'_>, column: usize) -> Result<bool, DiaryError> {
    match row.text(column).to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(row.bad(column, "True or False")),
    }
}

fn purpose(
    row: &Row<'_>,
    column: usize,
    from_work: Option<&Activity>,
) -> Result<Activity, DiaryError> {
    Ok(match row.text(column).to_ascii_lowercase().as_str() {
        "home" => Activity::Home,
        "work" => Activity::Work,
        "school" | "univ" => Activity::School,
        "shopping" => Activity::Shop,
        "eatout" => Activity::Eat,
        "social" => Activity::Social,
        "othdiscr" => Activity::Leisure,
        "escort" => Activity::Escort,
        "othmaint" => Activity::Other,
        "atwork" => *from_work
            .ok_or_else(|| row.bad(column, "a tour of type eat, maint or business for 'atwork'"))?,
        _ => {
            return Err(row.bad(
                column,
                "home, work, school, univ, shopping, eatout, social, othdiscr, escort, othmaint \
                 or atwork",
            ));
        }
    })
}

#[cfg(test)]
mod tests;
