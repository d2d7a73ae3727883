//! Simulated time: whole seconds since the scenario's start, and the clock that names them.

use jiff::civil::{Date, DateTime, Weekday};
use serde::{Deserialize, Serialize};

/// Seconds in a minute, an hour and a day.
pub const MINUTE_S: u32 = 60;
/// Seconds in an hour.
pub const HOUR_S: u32 = 3_600;
/// Seconds in a day.
pub const DAY_S: u32 = 86_400;

/// The index of a step, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tick(pub u32);

/// Whole seconds since the scenario's start. `u32` reaches 136 years.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct SimTime(pub u32);

impl SimTime {
    /// "Never": later than any time of a run.
    pub const NEVER: Self = Self(u32::MAX);

    /// This time moved on by `seconds`; stops at [`Self::NEVER`].
    #[inline]
    pub const fn plus(self, seconds: u32) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Seconds from `earlier` to this time; 0 when `earlier` is later.
    #[inline]
    pub const fn since(self, earlier: Self) -> u32 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Maps ticks to simulated time and simulated time to the calendar.
///
/// Civil time without zones: a simulated day always has 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimClock {
    start: DateTime,
    /// `start` in seconds since 1970-01-01T00:00; kept, as every row with a time needs it.
    start_epoch_s: i64,
    tick_s: u32,
    tick_count: u32,
}

impl SimClock {
    /// A clock that starts at `start` and makes `tick_count` ticks of `tick_s` seconds.
    ///
    /// # Panics
    /// If `tick_s` is not in 1..=86400 or the run would pass `u32::MAX` seconds; the scenario's
    /// validation guarantees both.
    pub fn new(start: DateTime, tick_s: u32, tick_count: u32) -> Self {
        assert!((1..=DAY_S).contains(&tick_s), "tick length {tick_s} s is not in 1..=86400");
        assert!(
            u64::from(tick_s) * u64::from(tick_count) < u64::from(u32::MAX),
            "run too long for the clock"
        );
        let epoch = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
        let start_epoch_s = start.duration_since(epoch).as_secs();
        Self { start, start_epoch_s, tick_s, tick_count }
    }

    /// Length of a tick in seconds.
    #[inline]
    pub const fn tick_s(&self) -> u32 {
        self.tick_s
    }

    /// Number of ticks of the whole run.
    #[inline]
    pub const fn tick_count(&self) -> u32 {
        self.tick_count
    }

    /// When tick `tick` begins.
    #[inline]
    pub const fn time_of(&self, tick: Tick) -> SimTime {
        SimTime(tick.0 * self.tick_s)
    }

    /// The end of the last tick.
    #[inline]
    pub const fn end(&self) -> SimTime {
        SimTime(self.tick_s * self.tick_count)
    }

    /// The calendar date and time of day of `time`.
    pub fn datetime(&self, time: SimTime) -> DateTime {
        self.start
            .checked_add(jiff::SignedDuration::from_secs(i64::from(time.0)))
            .expect("the scenario's end was checked against the calendar's last year")
    }

    /// Milliseconds since 1970-01-01T00:00 of `time`, read as civil time (what a zone-less
    /// Parquet timestamp holds).
    pub fn epoch_ms(&self, time: SimTime) -> i64 {
        (self.start_epoch_s + i64::from(time.0)) * 1_000
    }

    /// Seconds after midnight at which the run starts.
    #[inline]
    pub fn start_second_of_day(&self) -> u32 {
        let t = self.start.time();
        u32::try_from(t.hour()).unwrap_or(0) * HOUR_S
            + u32::try_from(t.minute()).unwrap_or(0) * MINUTE_S
            + u32::try_from(t.second()).unwrap_or(0)
    }

    /// Seconds after midnight of `time`, in 0..86400.
    #[inline]
    pub fn second_of_day(&self, time: SimTime) -> u32 {
        ((u64::from(self.start_second_of_day()) + u64::from(time.0)) % u64::from(DAY_S)) as u32
    }

    /// Calendar days since the day of the start, from 0.
    #[inline]
    pub fn day_of(&self, time: SimTime) -> u32 {
        ((u64::from(self.start_second_of_day()) + u64::from(time.0)) / u64::from(DAY_S)) as u32
    }

    /// When second `second` of calendar day `day` falls; times before the start give the start.
    #[inline]
    pub fn time_at(&self, day: u32, second: u32) -> SimTime {
        let since_midnight = u64::from(day) * u64::from(DAY_S) + u64::from(second);
        let time = since_midnight.saturating_sub(u64::from(self.start_second_of_day()));
        SimTime(u32::try_from(time).unwrap_or(u32::MAX))
    }

    /// The date of `time`.
    pub fn date(&self, time: SimTime) -> Date {
        self.datetime(time).date()
    }

    /// Whether `time` falls on a Saturday or Sunday.
    pub fn is_weekend(&self, time: SimTime) -> bool {
        matches!(self.date(time).weekday(), Weekday::Saturday | Weekday::Sunday)
    }
}

/// A moment as AgentSociety writes it: `YYYY-MM-DDTHH:MM:SS`, without a zone.
pub fn iso_text(moment: DateTime) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_day_has_288_ticks_of_five_minutes() {
        let clock = SimClock::new(date(2026, 3, 2).at(3, 0, 0, 0), 300, 288);
        assert_eq!(clock.end(), SimTime(DAY_S));
        assert_eq!(clock.second_of_day(SimTime(0)), 3 * HOUR_S);
        assert_eq!(clock.day_of(SimTime(21 * HOUR_S)), 1);
        assert_eq!(clock.time_at(1, 0), SimTime(21 * HOUR_S));
        assert_eq!(clock.datetime(clock.end()), date(2026, 3, 3).at(3, 0, 0, 0));
        // 2026-03-02 is day 20514 after 1970-01-01.
        assert_eq!(clock.epoch_ms(SimTime(0)), (20_514 * 86_400 + 3 * 3_600) * 1_000);
        assert!(!clock.is_weekend(SimTime(0)));
    }
}
