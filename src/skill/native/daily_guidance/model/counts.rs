//! What the profile model is made from: counts of what observed persons did next.
//!
//! Kept as counts, not as chances, so that the file is small, exact, the same on any machine, and
//! can be added to. Rows are sorted; rows that would count 0 are left out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::traits::{Pattern, SIZE_CLASS_COUNT, Traits, WORKER_CLASS_COUNT, is_mandatory};
use crate::agent::activity::Activity;
use crate::agent::diary::{DiaryDay, DiaryTrip};
use crate::agent::person::Role;

/// Moments of a day: 0 = its start, 1 to 19 = the hours 5:00 to 23:00. Earlier and later
/// departures count as 5:00 and 23:00, as in the observed diary.
pub const MOMENT_COUNT: usize = 20;
/// Hour of moment 0.
const FIRST_HOUR: u16 = 4;
/// The wait that means: no further departure.
pub const WAIT_NONE: usize = MOMENT_COUNT;
/// Number of waits: 0 to 19 hours and [`WAIT_NONE`].
pub const WAIT_COUNT: usize = MOMENT_COUNT + 1;
/// Number of [`Phase`]s.
pub const PHASE_COUNT: usize = 3;

/// How far the person's day has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// A day without work or school.
    Free,
    /// Before the first trip to work or school.
    Before,
    /// After it.
    After,
}

/// The moment of a departure.
pub fn moment(depart_min: u16) -> usize {
    usize::from((depart_min / 60).clamp(FIRST_HOUR + 1, 23) - FIRST_HOUR)
}

/// First minute of a moment.
pub const fn minute(moment: usize) -> u16 {
    (moment as u16 + FIRST_HOUR) * 60
}

/// Counts of an observed sample; the content of `skills/daily-guidance/profile.json`.
///
/// Codes are positions in the lists `roles` and `activities`, in [`Phase`] and in [`Pattern`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileCounts {
    /// Where the counts come from, for the reader.
    pub about: String,
    /// Words of the role codes.
    pub roles: Vec<String>,
    /// Words of the activity codes.
    pub activities: Vec<String>,
    /// Rows of role, household size class, class of household workers, pattern, count.
    pub patterns: Vec<[u16; 5]>,
    /// Rows of role, phase, activity, moment of the last departure, hours until the next
    /// ([`WAIT_NONE`] = none follows), count.
    pub departures: Vec<[u16; 6]>,
    /// Rows of role, phase, activity left, moment of the departure, activity sought, count.
    pub purposes: Vec<[u16; 6]>,
}

impl ProfileCounts {
    /// Counts what the persons of `days` did; `about` says who they are.
    ///
    /// # Errors
    /// [`ModelError::NoDays`].
    pub fn calibrate(days: &[DiaryDay], about: &str) -> Result<Self, ModelError> {
        if days.is_empty() {
            return Err(ModelError::NoDays);
        }
        let (mut patterns, mut departures, mut purposes) =
            (Tally::default(), Tally::default(), Tally::default());
        for day in days {
            let traits = Traits::of_day(day);
            let role = traits.role.code();
            let pattern = Pattern::of(&day.trips);
            patterns.add([role, traits.size_class, traits.worker_class, pattern as u8]);
            if pattern != Pattern::Home {
                count_chain(role, pattern, &day.trips, &mut departures, &mut purposes);
            }
        }
        Ok(Self {
            about: about.into(),
            roles: words(Role::ALL, Role::word),
            activities: words(Activity::ALL, Activity::word),
            patterns: patterns.rows(),
            departures: departures.rows(),
            purposes: purposes.rows(),
        })
    }

    /// Reads counts from JSON and checks them.
    ///
    /// # Errors
    /// What is wrong, by key and row.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let counts: Self = serde_json::from_str(text).map_err(ModelError::Syntax)?;
        check_words("roles", &counts.roles, words(Role::ALL, Role::word))?;
        check_words("activities", &counts.activities, words(Activity::ALL, Activity::word))?;
        let roles = Role::ALL.len() as u16;
        let activities = Activity::ALL.len() as u16;
        let (phases, moments) = (PHASE_COUNT as u16, MOMENT_COUNT as u16);
        let limits = [roles, SIZE_CLASS_COUNT as u16, WORKER_CLASS_COUNT as u16, 3];
        check_rows("patterns", &counts.patterns, &limits)?;
        let limits = [roles, phases, activities, moments, WAIT_COUNT as u16];
        check_rows("departures", &counts.departures, &limits)?;
        let limits = [roles, phases, activities, moments, activities];
        check_rows("purposes", &counts.purposes, &limits)?;
        Ok(counts)
    }

    /// The counts as JSON, a few rows a line.
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\n\"about\": {},\n", quoted(&self.about));
        for (key, words) in [("roles", &self.roles), ("activities", &self.activities)] {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            text.push_str(&format!("\"{key}\": [{}],\n", words.join(", ")));
        }
        push_rows(&mut text, "patterns", &self.patterns);
        text.push_str(",\n");
        push_rows(&mut text, "departures", &self.departures);
        text.push_str(",\n");
        push_rows(&mut text, "purposes", &self.purposes);
        text.push_str("\n}\n");
        text
    }
}

/// Counts the steps of one day: how long until the next departure, and what for.
fn count_chain(
    role: u8,
    pattern: Pattern,
    trips: &[DiaryTrip],
    departures: &mut Tally<5>,
    purposes: &mut Tally<5>,
) {
    let mut phase = if pattern == Pattern::Mandatory { Phase::Before } else { Phase::Free };
    let mut at = Activity::Home;
    let mut since = 0;
    for trip in trips {
        let next = moment(trip.depart_min).max(since);
        departures.add([role, phase as u8, at.code(), since as u8, (next - since) as u8]);
        purposes.add([role, phase as u8, at.code(), next as u8, trip.purpose.code()]);
        if is_mandatory(trip.purpose) {
            phase = Phase::After;
        }
        (at, since) = (trip.purpose, next);
    }
    departures.add([role, phase as u8, at.code(), since as u8, WAIT_NONE as u8]);
}

/// Counts by key.
#[derive(Default)]
struct Tally<const K: usize>(BTreeMap<[u8; K], u16>)
where
    [u8; K]: Ord;

impl<const K: usize> Tally<K> {
    fn add(&mut self, key: [u8; K]) {
        let count = self.0.entry(key).or_default();
        *count = count.saturating_add(1);
    }

    /// Key and count of each row, sorted; `R` must be `K + 1`.
    fn rows<const R: usize>(&self) -> Vec<[u16; R]> {
        let row = |(key, count): (&[u8; K], &u16)| {
            std::array::from_fn(|column| key.get(column).map_or(*count, |code| u16::from(*code)))
        };
        self.0.iter().map(row).collect()
    }
}

fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Vec<String> {
    all.iter().map(|value| word(*value).into()).collect()
}

fn check_words(
    key: &'static str,
    found: &[String],
    expected: Vec<String>,
) -> Result<(), ModelError> {
    if found == expected {
        Ok(())
    } else {
        Err(ModelError::Words { key, found: found.to_vec(), expected })
    }
}

fn check_rows<const R: usize>(
    key: &'static str,
    rows: &[[u16; R]],
    limits: &[u16],
) -> Result<(), ModelError> {
    let outside = |row: &[u16; R]| row.iter().zip(limits).any(|(code, limit)| code >= limit);
    match rows.iter().position(outside) {
        None => Ok(()),
        Some(row) => Err(ModelError::Row {
            key,
            row,
            found: rows[row].to_vec(),
            allowed: "codes of the lists, phases to 2, moments to 19, waits to 20, a count",
        }),
    }
}

/// `text` as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn push_rows<const R: usize>(text: &mut String, key: &str, rows: &[[u16; R]]) {
    const ROWS_PER_LINE: usize = 5;
    text.push_str(&format!("\"{key}\": ["));
    for (index, row) in rows.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { "," });
        if index > 0 && index % ROWS_PER_LINE == 0 {
            text.push('\n');
        }
        let cells: Vec<String> = row.iter().map(u16::to_string).collect();
        text.push_str(&format!("[{}]", cells.join(",")));
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::person::Sex;

    fn day(trips: &[(Activity, u16)]) -> DiaryDay {
        let make = |(purpose, hour): &(Activity, u16)| DiaryTrip {
            purpose: *purpose,
            depart_min: hour * 60,
        };
        DiaryDay {
            person: 1,
            household: 1,
            age: 40,
            sex: Sex::Female,
            role: Role::PartTimeWorker,
            household_size: 2,
            cars: 1,
            household_workers: 1,
            income: 0.0,
            has_work: true,
            has_school: false,
            trips: trips.iter().map(make).collect(),
        }
    }

    #[test]
    fn a_chain_is_counted_step_by_step() {
        use Activity::{Home, Shop, Work};
        let days = [day(&[]), day(&[(Work, 8), (Shop, 17), (Home, 17)])];
        let counts = ProfileCounts::calibrate(&days, "two days").unwrap();
        let (role, work, shop, home) = (1, 2, 4, 1);
        assert_eq!(counts.patterns, [[role, 1, 1, 0, 1], [role, 1, 1, 2, 1]]);
        let expected = [
            [role, 1, home, 0, 4, 1], // at home since the start, leaves four hours past 4:00
            [role, 2, home, 13, 20, 1], // home since 17:00, leaves no more
            [role, 2, work, 4, 9, 1],
            [role, 2, shop, 13, 0, 1],
        ];
        assert_eq!(counts.departures, expected);
        assert_eq!(counts.purposes[0], [role, 1, home, 4, work, 1]);
        assert_eq!(counts.purposes.len(), 3);
    }

    #[test]
    fn counts_survive_json_and_bad_rows_are_named() {
        let days = [day(&[(Activity::Work, 8), (Activity::Home, 17)])];
        let counts = ProfileCounts::calibrate(&days, "one \"day\"").unwrap();
        let text = counts.to_json();
        assert_eq!(ProfileCounts::from_json(&text).unwrap(), counts);
        let broken = text.replace("[1,1,1,0,4,1]", "[1,1,1,0,99,1]");
        let message = ProfileCounts::from_json(&broken).unwrap_err().to_string();
        assert!(message.contains("'departures', row 0"), "{message}");
        assert!(ProfileCounts::from_json("{}").is_err());
        assert!(ProfileCounts::calibrate(&[], "").is_err());
    }
}
