//! The room as a whole: the Bay Area diary as it is, broken tables, shuffled rows, garbage, and
//! synthesis against its declared distributions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::assign::{Population, assign, check_zones};
use super::import::load_table;
use super::*;
use crate::agent::person::{Person, Role, Sex};
use crate::base::ids::{AgentId, HouseholdId, PlaceId};
use crate::base::rng::{Purpose, Stream};

mod import;
mod places;
mod synthesis;

fn some(name: &str) -> Option<String> {
    Some(name.to_owned())
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/data/bay_area_diary").join(name)
}

/// The column map and codes of the diary, as its documentation gives them.
fn bay_area() -> TableParams {
    let roles = (1..).zip(Role::ALL).map(|(code, role): (u8, _)| (code.to_string(), *role));
    TableParams {
        households: TableSource::Csv(data("households.csv.gz")),
        household_columns: HouseholdColumns {
            household_id: "household_id".into(),
            zone: some("home_zone_id"),
            income: some("income"),
            cars: some("auto_ownership"),
            size: some("hhsize"),
            workers: some("num_workers"),
        },
        persons: TableSource::Csv(data("persons.csv.gz")),
        person_columns: PersonColumns {
            person_id: "person_id".into(),
            household_id: "household_id".into(),
            age: "age".into(),
            sex: some("sex"),
            role: some("ptype"),
            employment: None,
            work_zone: some("workplace_zone_id"),
            school_zone: some("school_zone_id"),
        },
        codes: Codes {
            sex: [("1".to_owned(), Sex::Male), ("2".to_owned(), Sex::Female)].into(),
            role: roles.collect(),
            employment: BTreeMap::new(),
        },
        bad_rows: BadRows::Error,
    }
}

/// A city of a thousand dwellings, a hundred workplaces and ten schools a zone. A place's number
/// tells its kind and zone, so that tests can check them.
struct GridCity {
    zones: i64,
}

impl GridCity {
    fn place(zone: i64, offset: u32) -> PlaceId {
        PlaceId(zone as u32 * 10_000 + offset)
    }

    fn pick(&self, zone: Option<i64>, index: u32, seed: u64) -> (i64, Stream) {
        let mut stream = Stream::of_index(seed, index, Purpose::Assign);
        (zone.unwrap_or_else(|| i64::from(stream.below(self.zones as u32))), stream)
    }
}

impl PlaceAssigner for GridCity {
    fn knows_zone(&self, zone: i64) -> bool {
        (0..self.zones).contains(&zone)
    }

    fn dwelling(&mut self, zone: Option<i64>, of: HouseholdId, seed: u64) -> Option<PlaceId> {
        let (zone, mut stream) = self.pick(zone, of.0, seed);
        Some(Self::place(zone, stream.below(1_000)))
    }

    fn workplace(
        &self,
        _: PlaceId,
        zone: Option<i64>,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId> {
        let (zone, mut stream) = self.pick(zone, agent.0, seed);
        Some(Self::place(zone, 1_000 + stream.below(100)))
    }

    fn school(
        &self,
        _: PlaceId,
        zone: Option<i64>,
        age: u8,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId> {
        let (zone, mut stream) = self.pick(zone, agent.0, seed);
        Some(Self::place(zone, 2_000 + 10 * u32::from(age) + stream.below(10)))
    }

    fn commute_min(&self, home: PlaceId, place: PlaceId) -> u16 {
        (home.0.abs_diff(place.0) % 90) as u16
    }
}

/// Writes two tables and the column map of [`small`].
struct Tables {
    folder: tempfile::TempDir,
}

impl Tables {
    fn new(households: &[u8], persons: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("h.csv"), households).unwrap();
        std::fs::write(folder.path().join("p.csv"), persons).unwrap();
        Self { folder }
    }

    fn params(&self) -> TableParams {
        TableParams {
            households: TableSource::Csv(self.folder.path().join("h.csv")),
            household_columns: HouseholdColumns {
                household_id: "id".into(),
                zone: some("zone"),
                income: some("income"),
                cars: some("cars"),
                size: None,
                workers: None,
            },
            persons: TableSource::Csv(self.folder.path().join("p.csv")),
            person_columns: PersonColumns {
                person_id: "id".into(),
                household_id: "hh".into(),
                age: "age".into(),
                sex: some("sex"),
                role: some("role"),
                employment: None,
                work_zone: some("work"),
                school_zone: some("school"),
            },
            codes: Codes::default(),
            bad_rows: BadRows::Error,
        }
    }
}
