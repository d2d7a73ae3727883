//! The diary model: statistical matching of observed days to persons.
//!
//! A person is given the day of an observed person alike: the hot-deck matching by which activity-
//! based demand models of the MATSim family put diaries on a synthetic population (Hörl and Balac,
//! "Synthetic population and travel demand for Paris and Île-de-France", Transp. Res. C 130,
//! 2021), with their rule that a cell needs a least number of donors, else the last trait of the
//! list is dropped.
//!
//! Donors are not drawn independently but by systematic sampling (Madow and Madow, 1944): the
//! recipients of a cell, in random order, are spread evenly over its donors sorted by the kind of
//! day they had. Every donor serves as often as any other, give or take one, so the sampling noise
//! is far below that of independent draws.

use std::sync::Arc;

use super::error::ModelError;
use super::expand::{DayRules, expand};
use super::traits::{Pattern, Traits, idle_home_share, role_group, weekend_pattern};
use crate::agent::diary::{DiaryDay, DiaryTrip};
use crate::agent::person::{Person, Role};
use crate::agent::plan::Segment;
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;
use crate::skill::native::daily_guidance::guide::{StoryDay, StorySource};

/// Fewest donors of a cell (own choice: one donor is then at most a twentieth of a cell; Hörl and
/// Balac use 20 as well).
const DONORS_MIN: usize = 20;

/// Levels of likeness: at each the last of role, household size, workers, age class, cars, sex is
/// dropped, then the role is widened to its group, then to everybody. Household comes first as in
/// the profile model, where it predicts the pattern of the day best.
const LEVEL_COUNT: u64 = 8;

/// Observed days, in cells of persons alike.
#[derive(Debug, Clone)]
pub struct DiaryModel {
    /// Trips of all donors, one after the other.
    trips: Vec<DiaryTrip>,
    /// Where the trips of each donor begin; one more than donors.
    trip_starts: Vec<u32>,
    /// All days.
    all: Cells,
    /// Days away from home without work or school, for weekends.
    free: Cells,
    /// Days with work, for weekends.
    busy: Cells,
    /// Share at home all day of persons without mandatory activity.
    idle_home: f32,
    /// Chances of working on a weekend day for those whose main role is work.
    weekend_work: f32,
    rules: DayRules,
}

impl DiaryModel {
    /// A model whose donors are `days`, by number of person; `resolution_min` is that of their
    /// departures (60 where hours are known).
    ///
    /// # Errors
    /// [`ModelError::NoDays`].
    pub fn calibrate(days: &[DiaryDay], resolution_min: u16) -> Result<Self, ModelError> {
        if days.is_empty() {
            return Err(ModelError::NoDays);
        }
        let mut days: Vec<&DiaryDay> = days.iter().collect();
        days.sort_by_cached_key(|day| (kind_of_day(&day.trips), day.person));
        let mut trips = Vec::new();
        let mut trip_starts = vec![0];
        for day in &days {
            trips.extend_from_slice(&day.trips);
            trip_starts.push(trips.len() as u32);
        }
        let donors: Vec<(Traits, Pattern)> =
            days.iter().map(|day| (Traits::of_day(day), Pattern::of(&day.trips))).collect();
        let workers = donors.iter().filter(|donor| donor.0.role.works());
        let mandatory = workers.clone().filter(|donor| donor.1 == Pattern::Mandatory).count();
        let share = mandatory as f32 / workers.count().max(1) as f32;
        let counts = donors.iter().map(|(traits, pattern)| (traits.role, *pattern, 1));
        let idle_home = idle_home_share(counts);
        let weekday = [0.0, 1.0 - share, share];
        Ok(Self {
            all: Cells::new(&donors, |_| true),
            free: Cells::new(&donors, |pattern| pattern == Pattern::Free),
            busy: Cells::new(&donors, |pattern| pattern == Pattern::Mandatory),
            idle_home,
            weekend_work: weekend_pattern(Role::FullTimeWorker, weekday, idle_home)[2],
            trips,
            trip_starts,
            rules: DayRules { resolution_min, ..DayRules::default() },
        })
    }

    /// Number of donors.
    pub fn donor_count(&self) -> usize {
        self.trip_starts.len() - 1
    }

    /// The observed trips of a donor. Donors are numbered by the kind of day they had.
    pub fn trips(&self, donor: u32) -> &[DiaryTrip] {
        let at = |index: u32| self.trip_starts[index as usize] as usize;
        &self.trips[at(donor)..at(donor + 1)]
    }

    /// Finds for every person the cell of donors alike and a place among its recipients.
    ///
    /// `persons[i]` is agent `i`. What a person gets depends on the seed, the person's number and
    /// traits, and the others' numbers and traits: not on threads or on the order of work.
    pub fn match_persons(&self, persons: &[Person], seed: u64) -> Matching {
        const PART: usize = 8 * parallel::CHUNK_LEN;
        let parts = persons.len().div_ceil(PART);
        let ranked = parallel::map_range(parts, |part| {
            let first = part * PART;
            let past = persons.len().min(first + PART);
            let rank = |index: usize| {
                let cell = self.all.cell_of(&Traits::of_person(&persons[index]));
                let draw = Stream::of_index(seed, index as u32, Purpose::Match).bits();
                (cell, draw, index as u32)
            };
            (first..past).map(rank).collect::<Vec<_>>()
        });
        let mut ranked: Vec<(u32, u32, u32)> = ranked.into_iter().flatten().collect();
        ranked.sort_unstable();
        let mut slots = vec![Slot { cell: 0, turn: 0 }; persons.len()];
        let mut recipient_counts = vec![0_u32; self.all.count()];
        for (cell, _, agent) in ranked {
            let turn = &mut recipient_counts[cell as usize];
            slots[agent as usize] = Slot { cell, turn: *turn };
            *turn += 1;
        }
        Matching { seed, slots, recipient_counts }
    }

    /// The donor whose weekday `agent` has on day `day`.
    ///
    /// On any one day the recipients of a cell are spread evenly over its donors; from day to day
    /// the spread is turned at random, so that a person's days differ.
    pub fn donor(&self, matching: &Matching, agent: AgentId, day: u16) -> u32 {
        let slot = matching.slots[agent.index()];
        let donors = self.all.donors(slot.cell);
        let recipients = matching.recipient_counts[slot.cell as usize];
        let tick = Tick(u32::from(day));
        let mut stream = Stream::new(matching.seed, AgentId(slot.cell), tick, Purpose::Match);
        let turn = (slot.turn + stream.below(recipients)) % recipients;
        let at = (f64::from(turn) + stream.unit_f64()) / f64::from(recipients);
        let index = (at * donors.len() as f64) as usize;
        donors[index.min(donors.len() - 1)]
    }

    /// Trips of a Saturday or Sunday: by [`weekend_pattern`], a day of work, one away from home,
    /// or none, of somebody alike.
    fn weekend_trips(&self, person: &Person, stream: &mut Stream) -> &[DiaryTrip] {
        let traits = Traits::of_person(person);
        let works = traits.role.works() && stream.unit_f32() < self.weekend_work;
        let away = works || stream.unit_f32() >= self.idle_home;
        let cells = if works { &self.busy } else { &self.free };
        if !away || cells.count() == 0 {
            return &[];
        }
        let donors = cells.donors(cells.cell_of(&traits));
        self.trips(donors[stream.below(donors.len() as u32) as usize])
    }
}

/// Who is matched to whom: eight bytes a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    seed: u64,
    /// By agent.
    slots: Vec<Slot>,
    /// Persons matched to each cell.
    recipient_counts: Vec<u32>,
}

/// A person's cell, and the person's turn among its recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    cell: u32,
    turn: u32,
}

/// The diary model with a population matched to it.
#[derive(Debug, Clone)]
pub struct MatchedDiary {
    model: Arc<DiaryModel>,
    matching: Matching,
}

impl MatchedDiary {
    /// Matches `persons` (agent `i` is `persons[i]`) to the donors of `model`.
    pub fn new(model: Arc<DiaryModel>, persons: &[Person], seed: u64) -> Self {
        let matching = model.match_persons(persons, seed);
        Self { model, matching }
    }
}

impl StorySource for MatchedDiary {
    fn draw(
        &self,
        agent: AgentId,
        person: &Person,
        day: StoryDay,
        stream: &mut Stream,
        out: &mut Vec<Segment>,
    ) {
        let trips = if day.weekend {
            self.model.weekend_trips(person, stream)
        } else {
            self.model.trips(self.model.donor(&self.matching, agent, day.index))
        };
        expand(trips, person, &self.model.rules, stream, out);
    }

    fn name(&self) -> &'static str {
        "diary"
    }
}

/// Sorts days so that neighbours are alike: pattern, number of trips, first departure, last.
fn kind_of_day(trips: &[DiaryTrip]) -> (Pattern, usize, u16, u16) {
    let depart = |trip: Option<&DiaryTrip>| trip.map_or(0, |trip| trip.depart_min);
    (Pattern::of(trips), trips.len(), depart(trips.first()), depart(trips.last()))
}

/// Donors by cell of likeness.
#[derive(Debug, Clone)]
struct Cells {
    /// Keys in rising order.
    keys: Vec<u64>,
    /// Where the donors of each key begin; one more than keys.
    starts: Vec<u32>,
    /// Donors of each cell in their order.
    donors: Vec<u32>,
}

impl Cells {
    /// Cells of the donors with a `wanted` day; those with too few are left out, but for the last
    /// level, everybody.
    fn new(donors: &[(Traits, Pattern)], wanted: impl Fn(Pattern) -> bool) -> Self {
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for (index, (traits, pattern)) in donors.iter().enumerate() {
            if wanted(*pattern) {
                entries.extend((0..LEVEL_COUNT).map(|level| (key(level, traits), index as u32)));
            }
        }
        entries.sort_unstable();
        let mut cells = Self { keys: Vec::new(), starts: vec![0], donors: Vec::new() };
        for cell in entries.chunk_by(|a, b| a.0 == b.0) {
            let last_level = cell[0].0 == key(LEVEL_COUNT - 1, &donors[0].0);
            if cell.len() >= DONORS_MIN || last_level {
                cells.keys.push(cell[0].0);
                cells.donors.extend(cell.iter().map(|entry| entry.1));
                cells.starts.push(cells.donors.len() as u32);
            }
        }
        cells
    }

    fn count(&self) -> usize {
        self.keys.len()
    }

    /// The cell of the donors most alike. There must be a cell.
    fn cell_of(&self, traits: &Traits) -> u32 {
        let find = |level| self.keys.binary_search(&key(level, traits)).ok();
        let cell = (0..LEVEL_COUNT).find_map(find);
        cell.expect("the last level holds everybody") as u32
    }

    fn donors(&self, cell: u32) -> &[u32] {
        let at = |index: u32| self.starts[index as usize] as usize;
        &self.donors[at(cell)..at(cell + 1)]
    }
}

/// The key of a person's cell at a level: the level and one byte per trait that counts there.
fn key(level: u64, traits: &Traits) -> u64 {
    let who = match level {
        0..=5 => u64::from(traits.role.code()),
        6 => role_group(traits.role) as u64,
        _ => 0,
    };
    let others = [
        traits.size_class,
        traits.worker_class,
        traits.age_class,
        traits.car_class,
        traits.sex.code(),
    ];
    let kept = 5_usize.saturating_sub(level as usize);
    let trait_byte = |index: usize| if index < kept { u64::from(others[index]) + 1 } else { 0 };
    (0..others.len()).fold(level << 8 | who, |key, index| key << 8 | trait_byte(index))
}

#[cfg(test)]
mod tests;
