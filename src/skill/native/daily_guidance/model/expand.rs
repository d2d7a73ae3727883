//! From trips to a Story: minutes, journeys and sleep.
//!
//! An observed trip is a purpose and an hour. A Story needs minutes, time under way and nights.
//! The same rules make Stories from either model and the reference day they are judged by.

use crate::agent::activity::Activity;
use crate::agent::diary::DiaryTrip;
use crate::agent::person::Person;
use crate::agent::plan::{LocationPolicy, Segment, Story};
use crate::base::rng::Stream;

/// Minutes of a calendar day.
pub const DAY_MIN: u16 = 1_440;

/// Most trips of a Story: each takes two segments, the night and the morning take the rest.
pub const TRIPS_MAX: usize = (Story::SEGMENTS_MAX - 4) / 2;

/// Latest departure and latest planned arrival, in minutes: who leaves just before midnight is
/// planned to arrive the same day, so that the Story names where the journey leads.
const LATEST_DEPART_MIN: u16 = DAY_MIN - 10;
const LATEST_ARRIVE_MIN: u16 = DAY_MIN - 5;

/// Minutes between getting up and leaving, and between coming home and going to bed, at least.
const PREPARE_MIN: u16 = 45;
const UNWIND_MIN: u16 = 30;

/// Longest usual commute that a plan reckons with, in minutes.
const COMMUTE_MAX_MIN: u16 = 120;

/// How trips are turned into a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRules {
    /// Expected journey in minutes where the person has no usual travel time for it.
    pub travel_min: u16,
    /// Shortest planned stay between two journeys, in minutes.
    pub stay_min: u16,
    /// Departures are drawn uniformly within so many minutes from [`DiaryTrip::depart_min`]: the
    /// resolution of the source.
    pub resolution_min: u16,
}

impl Default for DayRules {
    /// 20 minutes a journey (68 to 74 minutes of travel a day in the American Time Use Survey on
    /// 3.4 trips a day in the National Household Travel Survey 2017), stays of 10 minutes or more
    /// (own choice), departures known by the hour.
    fn default() -> Self {
        Self { travel_min: 20, stay_min: 10, resolution_min: 60 }
    }
}

/// Appends to `out` the Story of a day on which `person` makes `trips`.
///
/// `trips` are in order of departure and begin at home; trips past [`TRIPS_MAX`] and trips home
/// from home are left out. The segments tile minutes 0 to 1440; each journey is a segment of its
/// own that begins at the departure; ids count from 0. Departures are drawn within their hour and
/// sorted, then moved apart so that a journey and a stay fit between them, later where possible
/// and earlier only to end before midnight. Who is at home at the end of the day goes to bed.
///
/// Depends on the arguments only; draws two numbers and one per trip from `stream`.
pub fn expand(
    trips: &[DiaryTrip],
    person: &Person,
    rules: &DayRules,
    stream: &mut Stream,
    out: &mut Vec<Segment>,
) {
    let (wake_min, bed_min) = night(person.age, stream);
    let mut moves = Moves::of(trips, person, rules);
    moves.draw_departures(rules, stream);
    let mut day = Day { out, id: 0, from: 0 };
    let moves = moves.list();
    let first_min = moves.first().map_or(DAY_MIN, |first| first.depart);
    day.until(wake_min.min(first_min.saturating_sub(PREPARE_MIN)), Activity::Sleep, HOME);
    let Some(last) = moves.last() else {
        day.until(bed_min, Activity::Home, HOME);
        day.until(DAY_MIN, Activity::Sleep, HOME);
        return;
    };
    day.until(first_min, Activity::Home, HOME);
    for (index, this) in moves.iter().enumerate() {
        let next = moves.get(index + 1).map(|next| next.depart);
        let latest = next.map_or(LATEST_ARRIVE_MIN, |next| next - 1);
        day.until((this.depart + this.travel).min(latest), Activity::Travel, TRANSIT);
        if let Some(next) = next {
            day.until(next, this.purpose, this.policy);
        }
    }
    let bed_min = bed_min.max(day.from + UNWIND_MIN);
    if last.policy == HOME && bed_min < LATEST_ARRIVE_MIN {
        day.until(bed_min, Activity::Home, HOME);
        day.until(DAY_MIN, Activity::Sleep, HOME);
    } else {
        day.until(DAY_MIN, last.purpose, last.policy);
    }
}

const HOME: LocationPolicy = LocationPolicy::Home;
const TRANSIT: LocationPolicy = LocationPolicy::Transit;

/// Appends segments one after the other.
struct Day<'a> {
    out: &'a mut Vec<Segment>,
    id: u8,
    from: u16,
}

impl Day<'_> {
    /// Goes on with `activity` until minute `end`; nothing if that is not later.
    fn until(&mut self, end: u16, activity: Activity, policy: LocationPolicy) {
        if end > self.from {
            let segment = Segment::of(activity, policy, self.from, end);
            self.out.push(Segment { id: self.id, ..segment });
            self.id += 1;
            self.from = end;
        }
    }
}

/// When a person gets up and goes to bed if nothing else is planned, in minutes.
///
/// Own choice of ranges by age. Adults: 6:00 to 8:30 and 21:45 to 23:45, eight and a half hours in
/// the mean (8.6 in the American Time Use Survey 2006, age 15 and over).
fn night(age: u8, stream: &mut Stream) -> (u16, u16) {
    let (wake, bed) = match age {
        0..=5 => ((390, 480), (1_170, 1_260)),
        6..=12 => ((390, 465), (1_230, 1_305)),
        13..=17 => ((390, 480), (1_290, 1_395)),
        _ => ((360, 510), (1_305, 1_425)),
    };
    let mut within =
        |(first, past): (u16, u16)| first + stream.below(u32::from(past - first)) as u16;
    (within(wake), within(bed))
}

/// A journey and what follows it.
#[derive(Debug, Clone, Copy)]
struct Move {
    depart: u16,
    travel: u16,
    purpose: Activity,
    policy: LocationPolicy,
}

/// The journeys of a day, on the stack.
struct Moves {
    moves: [Move; TRIPS_MAX],
    len: usize,
}

impl Moves {
    /// The trips with the places they lead to and the minutes they are expected to take.
    fn of(trips: &[DiaryTrip], person: &Person, rules: &DayRules) -> Self {
        let none = Move { depart: 0, travel: 0, purpose: Activity::Home, policy: HOME };
        let mut moves = Self { moves: [none; TRIPS_MAX], len: 0 };
        let mut at = HOME;
        for (index, trip) in trips.iter().enumerate() {
            let next = trips.get(index + 1).map(|next| next.purpose);
            let to = policy(trip.purpose, at, next, person);
            if to == HOME && at == HOME {
                continue;
            }
            if moves.len == TRIPS_MAX {
                break;
            }
            let usual = is_commute(at, to) && person.commute_min > 0;
            let travel = if usual { person.commute_min } else { rules.travel_min };
            moves.moves[moves.len] = Move {
                depart: trip.depart_min,
                travel: travel.clamp(1, COMMUTE_MAX_MIN),
                purpose: trip.purpose,
                policy: to,
            };
            moves.len += 1;
            at = to;
        }
        moves
    }

    /// Draws the minute of every departure and moves departures apart.
    fn draw_departures(&mut self, rules: &DayRules, stream: &mut Stream) {
        let moves = &mut self.moves[..self.len];
        let mut sorted = [0_u16; TRIPS_MAX];
        let sorted = &mut sorted[..moves.len()];
        for (minute, this) in sorted.iter_mut().zip(&*moves) {
            let within = stream.below(u32::from(rules.resolution_min)) as u16;
            *minute = (this.depart + within).min(LATEST_DEPART_MIN);
        }
        sorted.sort_unstable();
        // With very many trips the gaps shrink so that all fit into the day.
        let gap_max = LATEST_DEPART_MIN / (moves.len() as u16 + 1);
        let gap = |this: &Move| (this.travel + rules.stay_min).clamp(2, gap_max.max(2));
        let mut earliest = 0;
        for (this, minute) in moves.iter_mut().zip(sorted) {
            this.depart = (*minute).max(earliest);
            earliest = this.depart + gap(this);
        }
        let mut latest = LATEST_DEPART_MIN;
        for index in (0..moves.len()).rev() {
            moves[index].depart = moves[index].depart.min(latest);
            if index > 0 {
                latest = moves[index].depart - gap(&moves[index - 1]);
            }
        }
    }

    fn list(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// Where a trip leads that is made from a place reached by `at`, before a trip for `next`.
///
/// Work and school are at the person's own place; a second work trip from there is business
/// elsewhere. A break from work that ends at work again stays near it.
fn policy(
    purpose: Activity,
    at: LocationPolicy,
    next: Option<Activity>,
    person: &Person,
) -> LocationPolicy {
    let own = |exists: bool, own: LocationPolicy| {
        if exists && at != own { own } else { LocationPolicy::City }
    };
    match purpose {
        Activity::Home | Activity::Sleep => HOME,
        Activity::Work => own(person.work.is_some(), LocationPolicy::Work),
        Activity::School => own(person.school.is_some(), LocationPolicy::School),
        _ if at == LocationPolicy::Work && next == Some(Activity::Work) => LocationPolicy::NearWork,
        _ => LocationPolicy::City,
    }
}

/// Whether a journey is between home and the usual place of work or school.
fn is_commute(from: LocationPolicy, to: LocationPolicy) -> bool {
    let usual = |policy| matches!(policy, LocationPolicy::Work | LocationPolicy::School);
    (from == HOME && usual(to)) || (usual(from) && to == HOME)
}

#[cfg(test)]
mod tests;
