//! `populace inspect`: one person's day as a timeline: planned, what happened, why.

use serde_json::json;

use super::args::InspectArgs;
use super::person::{self, PersonRecord, Stay, StoryVersion, TripTaken};
use super::{exit, report};
use crate::agent::plan::{LocationPolicy, Origin, Segment};
use crate::base::ids::AgentId;
use crate::base::time::iso_text;

const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;
/// How far around a trip its segments are looked for: the longest tick in common use.
const TICK_MAX_MS: i64 = 3_600_000;

/// Prints the timeline of one person.
pub fn inspect(args: &InspectArgs) -> anyhow::Result<u8> {
    let reader = person::open(&args.run)?;
    let record = person::read(&reader, AgentId(args.agent))?;
    let lines = timeline(&record);
    if args.json {
        let list: Vec<_> = lines.iter().map(Line::json).collect();
        let document = json!({
            "agent_id": args.agent,
            "uid": record.uid,
            "role": record.person.role.word(),
            "age": record.person.age,
            "timeline": list,
        });
        report::say(&serde_json::to_string_pretty(&document)?);
        return Ok(exit::DONE);
    }
    let person = &record.person;
    let place = |place: crate::base::ids::PlaceId| place.to_string();
    report::say(&format!(
        "agent {} (source number {}): {}, {} years, {}; home {}, work {}, school {}",
        args.agent,
        record.uid,
        person.role.word().replace('_', " "),
        person.age,
        person.sex,
        place(person.home),
        place(person.work),
        place(person.school),
    ));
    let rows = lines.iter().map(Line::cells).collect();
    let headings = ["from", "to", "what happened", "where", "planned", "why"];
    report::say(&report::table(&headings, rows, &[]));
    Ok(exit::DONE)
}

/// One thing that happened.
struct Line {
    start: i64,
    end: i64,
    what: String,
    place: String,
    planned: String,
    why: String,
}

impl Line {
    fn cells(&self) -> Vec<String> {
        vec![
            clock(self.start),
            clock(self.end),
            self.what.clone(),
            self.place.clone(),
            self.planned.clone(),
            self.why.clone(),
        ]
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "start": datetime(self.start),
            "end": datetime(self.end),
            "what": self.what,
            "place": self.place,
            "planned": self.planned,
            "why": self.why,
        })
    }
}

fn timeline(record: &PersonRecord) -> Vec<Line> {
    let mut lines: Vec<Line> = record.stays.iter().map(|stay| stay_line(record, stay)).collect();
    lines.extend(record.trips.iter().map(|trip| trip_line(record, trip)));
    lines.sort_by_key(|line| (line.start, line.end));
    lines
}

fn stay_line(record: &PersonRecord, stay: &Stay) -> Line {
    // A stay can hold several segments (sleep, home activity, a meal): name them all.
    let mut planned: Vec<&Segment> = planned_between(record, stay.start, stay.end);
    planned.retain(|segment| segment.policy != LocationPolicy::Transit);
    let words: Vec<&str> = planned.iter().map(|segment| segment.activity.word()).collect();
    let telling = (planned.iter().find(|segment| segment.origin != Origin::Planned))
        .or_else(|| planned.iter().find(|segment| segment.activity == stay.activity))
        .or(planned.first());
    let origin = telling.map_or(stay.origin, |segment| segment.origin);
    Line {
        start: stay.start,
        end: stay.end,
        what: stay.activity.word().to_owned(),
        place: record.place_name(stay.place),
        planned: dedup(&words).join(", "),
        why: reason(origin, telling.copied()),
    }
}

fn trip_line(record: &PersonRecord, trip: &TripTaken) -> Line {
    // The journey's segment and the one that it is made for.
    let planned = planned_between(record, trip.depart - TICK_MAX_MS, trip.arrive + TICK_MAX_MS);
    let at = planned.iter().rposition(|segment| {
        segment.policy == LocationPolicy::Transit
            && start_of_day(trip.depart) + i64::from(segment.start_min) * MINUTE_MS <= trip.depart
    });
    let first = at.map(|at| planned[at]);
    let goal = at.and_then(|at| planned.get(at + 1)).copied().or(first);
    Line {
        start: trip.depart,
        end: trip.arrive,
        what: format!("{} to {} ({:.1} km)", trip.mode, trip.purpose, trip.distance_m / 1_000.0),
        place: format!("to {}", record.place_name(trip.destination)),
        planned: first.map_or_else(String::new, |segment| {
            format!("leave {}", minute_clock(segment.start_min))
        }),
        why: reason(goal.map_or(Origin::Planned, |segment| segment.origin), goal),
    }
}

fn reason(origin: Origin, segment: Option<&Segment>) -> String {
    let need = segment.map_or("", |segment| segment.need.word());
    match origin {
        Origin::Planned => need.to_owned(),
        Origin::Need => format!("a need was at its threshold ({need})"),
        Origin::Late => format!("late, so moved ({need})"),
        Origin::Asked => format!("asked for ({need})"),
        Origin::Tree => "decided by a behaviour tree".to_owned(),
    }
}

/// The segments that overlap the span, in the last version of each day's Story.
fn planned_between(record: &PersonRecord, start: i64, end: i64) -> Vec<&Segment> {
    let mut found = Vec::new();
    for (index, version) in record.stories.iter().enumerate() {
        let is_last = record.stories.get(index + 1).is_none_or(|next| next.day != version.day);
        if is_last {
            found.extend(overlapping(version, start, end));
        }
    }
    found
}

fn overlapping(version: &StoryVersion, start: i64, end: i64) -> impl Iterator<Item = &Segment> {
    let midnight = i64::from(version.day) * DAY_MS;
    let at = move |minute: u16| midnight + i64::from(minute) * MINUTE_MS;
    version
        .segments
        .iter()
        .filter(move |segment| at(segment.start_min) < end && start < at(segment.end_min))
}

fn dedup<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut kept: Vec<&str> = Vec::new();
    for word in words {
        if kept.last() != Some(word) {
            kept.push(word);
        }
    }
    kept
}

fn start_of_day(epoch_ms: i64) -> i64 {
    epoch_ms - epoch_ms.rem_euclid(DAY_MS)
}

fn minute_clock(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn clock(epoch_ms: i64) -> String {
    let second = epoch_ms.rem_euclid(DAY_MS) / 1_000;
    format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
}

fn datetime(epoch_ms: i64) -> String {
    let epoch = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let at = epoch.checked_add(jiff::SignedDuration::from_millis(epoch_ms));
    at.map_or_else(|_| epoch_ms.to_string(), iso_text)
}
