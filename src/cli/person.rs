//! One person of a run, read back from its tables.

use std::path::Path;

use anyhow::Context;

use crate::agent::activity::{Activity, Mode, PlaceKind};
use crate::agent::person::{Person, Role, Sex};
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Origin, Segment};
use crate::base::ids::{AgentId, HouseholdId, PlaceId};
use crate::record::{RunReader, TableId};

/// A stay, as recorded.
pub struct Stay {
    /// Start in epoch milliseconds.
    pub start: i64,
    /// End in epoch milliseconds.
    pub end: i64,
    /// Where.
    pub place: u32,
    /// What for.
    pub activity: Activity,
    /// Why.
    pub origin: Origin,
}

/// A trip, as recorded.
pub struct TripTaken {
    /// Departure in epoch milliseconds.
    pub depart: i64,
    /// Arrival in epoch milliseconds.
    pub arrive: i64,
    /// What for.
    pub purpose: Activity,
    /// How.
    pub mode: Mode,
    /// How far.
    pub distance_m: f64,
    /// Where to.
    pub destination: u32,
}

/// A Story as it stood after one revision.
pub struct StoryVersion {
    /// Day, in days since 1970-01-01.
    pub day: i32,
    /// Tick in which it was formed or revised.
    pub tick: u32,
    /// Number of revisions.
    pub revision: u32,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// All that the tables say of one person.
pub struct PersonRecord {
    /// Number in the source.
    pub uid: i64,
    /// Attributes.
    pub person: Person,
    /// In time order.
    pub stays: Vec<Stay>,
    /// In time order.
    pub trips: Vec<TripTaken>,
    /// In time order.
    pub stories: Vec<StoryVersion>,
    /// Kinds of all places, by number; empty if the run did not write them.
    place_kinds: Vec<PlaceKind>,
}

impl PersonRecord {
    /// A place as this person would call it.
    pub fn place_name(&self, place: u32) -> String {
        let person = &self.person;
        let kind = self.place_kinds.get(place as usize).map_or("place", |kind| kind.word());
        match place {
            place if place == person.home.0 => "home".to_owned(),
            place if place == person.work.0 => "work".to_owned(),
            place if place == person.school.0 => "school".to_owned(),
            place => format!("{kind} {place}"),
        }
    }
}

/// The tables that tell of one person.
const NEEDED: [TableId; 4] = [TableId::Persons, TableId::Stays, TableId::Trips, TableId::Stories];

/// Reads one person of a run.
pub fn read(reader: &RunReader, agent: AgentId) -> anyhow::Result<PersonRecord> {
    let persons = reader.manifest().counts.get("persons").copied().unwrap_or(0);
    if u64::from(agent.0) >= persons {
        let last = persons.saturating_sub(1);
        anyhow::bail!("no agent {}: the run has agents 0 to {last}", agent.0);
    }
    let missing: Vec<&str> =
        NEEDED.into_iter().filter(|table| !reader.has(*table)).map(TableId::name).collect();
    anyhow::ensure!(
        missing.is_empty(),
        "run {} has no table {}: run again with records.tables that name all of {}",
        reader.dir().display(),
        missing.join(", "),
        NEEDED.map(TableId::name).join(", ")
    );
    let (uid, person) = read_person(reader, agent)?;
    Ok(PersonRecord {
        uid,
        person,
        stays: read_stays(reader, agent)?,
        trips: read_trips(reader, agent)?,
        stories: read_stories(reader, agent)?,
        place_kinds: read_place_kinds(reader)?,
    })
}

fn read_person(reader: &RunReader, agent: AgentId) -> anyhow::Result<(i64, Person)> {
    let rows = reader.table(TableId::Persons)?.of_agent(agent)?.read()?;
    anyhow::ensure!(rows.len() == 1, "table persons has {} rows for {agent}", rows.len());
    let small = |name: &str| -> anyhow::Result<u8> { Ok(u8::try_from(rows.u32s(name)?[0])?) };
    let person = Person {
        household: HouseholdId::NONE,
        household_first: agent.0,
        household_size: u16::try_from(rows.u32s("household_size")?[0])?,
        age: small("age")?,
        cars: small("cars")?,
        household_workers: 0,
        sex: rows.words::<Sex>("sex")?[0],
        role: rows.words::<Role>("role")?[0],
        income: rows.f64s("income")?[0] as f32,
        home: PlaceId(rows.u32s("home_place")?[0]),
        work: PlaceId(rows.u32s("work_place")?[0]),
        school: PlaceId(rows.u32s("school_place")?[0]),
        commute_min: u16::try_from(rows.u32s("commute_min")?[0])?,
    };
    Ok((rows.i64s("uid")?[0], person))
}

fn read_place_kinds(reader: &RunReader) -> anyhow::Result<Vec<PlaceKind>> {
    if !reader.has(TableId::Places) {
        return Ok(Vec::new());
    }
    let rows = reader.table(TableId::Places)?.columns(&["kind"])?.read()?;
    Ok(rows.words::<PlaceKind>("kind")?)
}

fn read_stays(reader: &RunReader, agent: AgentId) -> anyhow::Result<Vec<Stay>> {
    let rows = reader.table(TableId::Stays)?.of_agent(agent)?.read()?;
    let (start, end) = (rows.timestamps_ms("start")?, rows.timestamps_ms("end")?);
    let place = rows.u32s("place_id")?;
    let activity = rows.words::<Activity>("activity")?;
    let origin = rows.words::<Origin>("origin")?;
    let stay = |row: usize| Stay {
        start: start[row],
        end: end[row],
        place: place[row],
        activity: activity[row],
        origin: origin[row],
    };
    Ok((0..rows.len()).map(stay).collect())
}

fn read_trips(reader: &RunReader, agent: AgentId) -> anyhow::Result<Vec<TripTaken>> {
    let rows = reader.table(TableId::Trips)?.of_agent(agent)?.read()?;
    let (depart, arrive) = (rows.timestamps_ms("depart")?, rows.timestamps_ms("arrive")?);
    let purpose = rows.words::<Activity>("purpose")?;
    let mode = rows.words::<Mode>("mode")?;
    let distance = rows.f64s("distance_m")?;
    let destination = rows.u32s("destination_place")?;
    let trip = |row: usize| TripTaken {
        depart: depart[row],
        arrive: arrive[row],
        purpose: purpose[row],
        mode: mode[row],
        distance_m: distance[row],
        destination: destination[row],
    };
    Ok((0..rows.len()).map(trip).collect())
}

fn read_stories(reader: &RunReader, agent: AgentId) -> anyhow::Result<Vec<StoryVersion>> {
    let rows = reader.table(TableId::Stories)?.of_agent(agent)?.read()?;
    let (day, tick) = (rows.dates("day")?, rows.u32s("tick")?);
    let revision = rows.u32s("revision")?;
    let (start, end) = (rows.u32s("start_min")?, rows.u32s("end_min")?);
    let activity = rows.words::<Activity>("activity")?;
    let policy = rows.words::<LocationPolicy>("location_policy")?;
    let need = rows.words::<MaslowNeed>("maslow_need")?;
    let binding = rows.words::<Binding>("binding")?;
    let origin = rows.words::<Origin>("origin")?;
    let mut versions: Vec<StoryVersion> = Vec::new();
    for row in 0..rows.len() {
        let (day, tick, revision) = (day[row], tick[row], revision[row]);
        let same = |v: &&mut StoryVersion| (v.day, v.tick, v.revision) == (day, tick, revision);
        if versions.last_mut().filter(same).is_none() {
            versions.push(StoryVersion { day, tick, revision, segments: Vec::new() });
        }
        let segments = &mut versions.last_mut().context("just pushed")?.segments;
        segments.push(Segment {
            id: u8::try_from(segments.len())?,
            start_min: u16::try_from(start[row])?,
            end_min: u16::try_from(end[row])?,
            activity: activity[row],
            policy: policy[row],
            need: need[row],
            binding: binding[row],
            origin: origin[row],
        });
    }
    Ok(versions)
}

/// Opens a run folder.
pub fn open(run: &Path) -> anyhow::Result<RunReader> {
    Ok(RunReader::open(run)?)
}
