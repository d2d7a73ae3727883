//! The profile model: a day from rules and distributions by role, household, age and weekday.
//!
//! First the pattern of the day is drawn (home all day, free, with work or school) by role,
//! household size and workers in the household: of the sets of traits tried, the one that best
//! predicts who stays at home within the calibration half (likelihood in ten-fold
//! cross-validation by household; age added nothing to role there, it shapes the night). Then
//! follows a Markov renewal process in hours: from the activity and the moment since which it
//! lasts, the hours until the next departure; from the activity and the moment of that departure,
//! the next purpose; until no departure follows. Chances depend on role and on whether work or
//! school still lies ahead, and on the moment, so that lunch, closing time and the evening come
//! out by themselves.
//!
//! Small samples are blended with larger ones: chances at one level are `(count + k * p) / (n + k)`
//! with `p` the chances of the level above (a Dirichlet prior), from a group of roles in a part of
//! the day down to the role in the hour.

use std::collections::BTreeMap;

use super::counts::{
    MOMENT_COUNT, PHASE_COUNT, Phase, ProfileCounts, WAIT_COUNT, WAIT_NONE, minute,
};
use super::error::ModelError;
use super::expand::{DayRules, TRIPS_MAX, expand};
use super::traits::{
    Pattern, SIZE_CLASS_COUNT, Traits, WORKER_CLASS_COUNT, idle_home_share, is_mandatory,
    role_group, weekend_pattern,
};
use crate::agent::activity::Activity;
use crate::agent::diary::{DiaryDay, DiaryTrip};
use crate::agent::person::{Person, Role};
use crate::agent::plan::Segment;
use crate::base::ids::AgentId;
use crate::base::rng::Stream;
use crate::skill::native::daily_guidance::guide::{StoryDay, StorySource};

/// Weight of the level above in persons or trips, the `k` of the blend (own choice: a sample of
/// ten speaks for itself as loudly as the larger group).
const PRIOR_WEIGHT: f32 = 10.0;

const ROLE_COUNT: usize = Role::ALL.len();
const ACTIVITY_COUNT: usize = Activity::ALL.len();

/// Counts of the half of the Bay Area diary that models are calibrated on.
const BUILTIN: &str = include_str!("../../../../../skills/daily-guidance/profile.json");

/// The model. Half a megabyte, shared by all persons.
#[derive(Debug, Clone)]
pub struct ProfileModel {
    /// Chances of each pattern by role, household size class and class of household workers.
    patterns: Vec<[f32; 3]>,
    /// Share at home all day of persons without mandatory activity.
    idle_home: f32,
    departures: Chances<WAIT_COUNT>,
    purposes: Chances<ACTIVITY_COUNT>,
    rules: DayRules,
}

impl ProfileModel {
    /// The model that comes with populace: Bay Area weekdays, half `a` of the households.
    pub fn builtin() -> Self {
        let counts = ProfileCounts::from_json(BUILTIN).expect("a test reads the committed file");
        Self::new(&counts)
    }

    /// A model of the persons of `days`.
    ///
    /// # Errors
    /// [`ModelError::NoDays`].
    pub fn calibrate(days: &[DiaryDay]) -> Result<Self, ModelError> {
        Ok(Self::new(&ProfileCounts::calibrate(days, "")?))
    }

    /// A model from counts.
    pub fn new(counts: &ProfileCounts) -> Self {
        let pattern = |row: &[u16; 5]| {
            let role = Role::ALL[usize::from(row[0])];
            (role, Pattern::ALL[usize::from(row[3])], u32::from(row[4]))
        };
        Self {
            patterns: patterns(&counts.patterns),
            idle_home: idle_home_share(counts.patterns.iter().map(pattern)),
            departures: Chances::new(&counts.departures, |since, wait| {
                wait == WAIT_NONE || since + wait < MOMENT_COUNT
            }),
            purposes: Chances::new(&counts.purposes, |_, _| true),
            rules: DayRules::default(),
        }
    }

    /// Appends the Story of one day of `person` to `out`; see [`expand`] for its shape.
    ///
    /// Depends on the arguments only. On weekends [`weekend_pattern`] decides who works.
    pub fn draw(
        &self,
        person: &Person,
        weekend: bool,
        stream: &mut Stream,
        out: &mut Vec<Segment>,
    ) {
        let mut trips = Trips::default();
        self.draw_trips(person, weekend, stream, &mut trips);
        expand(trips.list(), person, &self.rules, stream, out);
    }

    fn draw_trips(&self, person: &Person, weekend: bool, stream: &mut Stream, trips: &mut Trips) {
        let role = person.role.code();
        let mut phase = match self.draw_pattern(person, weekend, stream) {
            Pattern::Home => return,
            Pattern::Free => Phase::Free,
            Pattern::Mandatory => Phase::Before,
        };
        let mut at = Activity::Home;
        let mut now = 0;
        // The last place in the list is kept for the way home.
        while trips.len + 1 < TRIPS_MAX {
            let wait = self.departures.draw([role, phase as u8, at.code(), now as u8], stream);
            let Some(wait) = wait.filter(|wait| *wait != WAIT_NONE) else { break };
            now = (now + wait).clamp(1, MOMENT_COUNT - 1);
            let purpose = self.purposes.draw([role, phase as u8, at.code(), now as u8], stream);
            let Some(purpose) = purpose else { break };
            at = Activity::ALL[purpose];
            trips.push(at, now);
            if is_mandatory(at) {
                phase = Phase::After;
            }
        }
        if at != Activity::Home {
            trips.push(Activity::Home, now);
        }
    }

    fn draw_pattern(&self, person: &Person, weekend: bool, stream: &mut Stream) -> Pattern {
        let traits = Traits::of_person(person);
        let mut chances = self.patterns[pattern_index(&traits)];
        if weekend {
            chances = weekend_pattern(traits.role, chances, self.idle_home);
        }
        let draw = stream.unit_f32();
        if draw < chances[0] {
            Pattern::Home
        } else if draw < chances[0] + chances[1] {
            Pattern::Free
        } else {
            Pattern::Mandatory
        }
    }
}

impl StorySource for ProfileModel {
    fn draw(
        &self,
        _agent: AgentId,
        person: &Person,
        day: StoryDay,
        stream: &mut Stream,
        out: &mut Vec<Segment>,
    ) {
        self.draw(person, day.weekend, stream, out);
    }

    fn name(&self) -> &'static str {
        "profile"
    }
}

/// Trips of one day, on the stack.
struct Trips {
    trips: [DiaryTrip; TRIPS_MAX],
    len: usize,
}

impl Default for Trips {
    fn default() -> Self {
        let none = DiaryTrip { purpose: Activity::Home, depart_min: 0 };
        Self { trips: [none; TRIPS_MAX], len: 0 }
    }
}

impl Trips {
    fn push(&mut self, purpose: Activity, moment: usize) {
        self.trips[self.len] = DiaryTrip { purpose, depart_min: minute(moment) };
        self.len += 1;
    }

    fn list(&self) -> &[DiaryTrip] {
        &self.trips[..self.len]
    }
}

/// Blends `counts` with the chances of the level above; either may be missing.
fn blend<const N: usize>(above: Option<[f32; N]>, counts: Option<[f32; N]>) -> Option<[f32; N]> {
    let Some(counts) = counts else { return above };
    let total: f32 = counts.iter().sum();
    if total <= 0.0 {
        return above;
    }
    let Some(above) = above else { return Some(counts.map(|count| count / total)) };
    let weight = total + PRIOR_WEIGHT;
    Some(std::array::from_fn(|i| (counts[i] + PRIOR_WEIGHT * above[i]) / weight))
}

fn pattern_index(traits: &Traits) -> usize {
    let [role, size, workers] =
        [traits.role.code(), traits.size_class, traits.worker_class].map(usize::from);
    (role * SIZE_CLASS_COUNT + size) * WORKER_CLASS_COUNT + workers
}

/// Chances of the patterns in [`pattern_index`] order.
fn patterns(rows: &[[u16; 5]]) -> Vec<[f32; 3]> {
    const ANY: u16 = u16::MAX;
    let mut sums: BTreeMap<[u16; 4], [f32; 3]> = BTreeMap::new();
    let keys = |role: u16, size: u16, workers: u16| {
        let group = role_group(Role::ALL[usize::from(role)]) as u16;
        [
            [group, ANY, ANY, ANY],
            [ANY, role, ANY, ANY],
            [ANY, role, size, ANY],
            [ANY, role, size, workers],
        ]
    };
    for row in rows {
        for key in keys(row[0], row[1], row[2]) {
            sums.entry(key).or_default()[usize::from(row[3])] += f32::from(row[4]);
        }
    }
    let mut chances = Vec::with_capacity(ROLE_COUNT * SIZE_CLASS_COUNT * WORKER_CLASS_COUNT);
    for role in 0..ROLE_COUNT as u16 {
        for size in 0..SIZE_CLASS_COUNT as u16 {
            for workers in 0..WORKER_CLASS_COUNT as u16 {
                let counts = keys(role, size, workers).map(|key| sums.get(&key).copied());
                let chance = counts.into_iter().fold(None, blend);
                // Nobody alike was observed: at home all day.
                chances.push(chance.unwrap_or([1.0, 0.0, 0.0]));
            }
        }
    }
    chances
}

/// What happens next, by role, phase, activity and moment: cumulative chances of `N` outcomes.
#[derive(Debug, Clone)]
struct Chances<const N: usize> {
    /// Rising to 1 at the last outcome that can happen; all 0 where nothing was observed.
    cumulative: Vec<[f32; N]>,
}

impl<const N: usize> Chances<N> {
    /// Rows are role, phase, activity, moment, outcome, count. Outcomes that `possible(moment,
    /// outcome)` rules out are dropped where a level lends them to another moment.
    fn new(rows: &[[u16; 6]], possible: impl Fn(usize, usize) -> bool) -> Self {
        let mut sums: BTreeMap<[u8; 5], [f32; N]> = BTreeMap::new();
        for row in rows {
            let key = [row[0], row[1], row[2], row[3]].map(|code| code as u8);
            for level in levels(key) {
                sums.entry(level).or_insert([0.0; N])[usize::from(row[4])] += f32::from(row[5]);
            }
        }
        let count = ROLE_COUNT * PHASE_COUNT * ACTIVITY_COUNT * MOMENT_COUNT;
        let mut cumulative = Vec::with_capacity(count);
        for index in 0..count {
            let key = key_of(index);
            let moment = usize::from(key[3]);
            let kept = |counts: &[f32; N]| {
                std::array::from_fn(|i| if possible(moment, i) { counts[i] } else { 0.0 })
            };
            let chain = levels(key).map(|level| sums.get(&level).map(kept));
            let chances = chain.into_iter().fold(None, blend).unwrap_or([0.0; N]);
            cumulative.push(accumulate(chances));
        }
        Self { cumulative }
    }

    /// Draws an outcome; `None` where nothing was observed.
    #[inline]
    fn draw(&self, key: [u8; 4], stream: &mut Stream) -> Option<usize> {
        let draw = stream.unit_f32();
        self.cumulative[index_of(key)].iter().position(|chance| draw < *chance)
    }
}

/// Running sums, exactly 1 from the last outcome with a chance on.
fn accumulate<const N: usize>(chances: [f32; N]) -> [f32; N] {
    let last = chances.iter().rposition(|chance| *chance > 0.0);
    let mut sum = 0.0;
    std::array::from_fn(|i| {
        sum += chances[i];
        if last.is_some_and(|last| i >= last) { 1.0 } else { sum }
    })
}

fn index_of(key: [u8; 4]) -> usize {
    let [role, phase, at, moment] = key.map(usize::from);
    ((role * PHASE_COUNT + phase) * ACTIVITY_COUNT + at) * MOMENT_COUNT + moment
}

fn key_of(index: usize) -> [u8; 4] {
    let moment = index % MOMENT_COUNT;
    let at = index / MOMENT_COUNT % ACTIVITY_COUNT;
    let phase = index / (MOMENT_COUNT * ACTIVITY_COUNT) % PHASE_COUNT;
    let role = index / (MOMENT_COUNT * ACTIVITY_COUNT * PHASE_COUNT);
    [role, phase, at, moment].map(|code| code as u8)
}

/// The samples that speak for a key, from the largest to the smallest: its role group in any hour
/// (the start of the day apart), in the part of the day, in the hour; its role in the hour.
fn levels(key: [u8; 4]) -> [[u8; 5]; 4] {
    let [role, phase, at, moment] = key;
    let group = role_group(Role::ALL[usize::from(role)]) as u8;
    let part = match moment {
        0 => 0,
        1..=5 => 1,   // 5:00 to 9:59
        6..=9 => 2,   // to 13:59
        10..=13 => 3, // to 17:59
        _ => 4,
    };
    [
        [0, group, phase, at, u8::from(moment > 0)],
        [1, group, phase, at, part],
        [2, group, phase, at, moment],
        [3, role, phase, at, moment],
    ]
}

#[cfg(test)]
mod tests;
