//! What every phase of a step knows: the seed and the moment.

use super::ids::AgentId;
use super::rng::{Purpose, Stream};
use super::time::{MINUTE_S, SimClock, SimTime, Tick};

/// The moment of one step.
#[derive(Debug, Clone, Copy)]
pub struct StepContext {
    /// Seed of the run.
    pub seed: u64,
    /// Maps ticks to the calendar.
    pub clock: SimClock,
    /// The step's index.
    pub tick: Tick,
    /// When the step begins.
    pub time: SimTime,
    /// Calendar day since the day of the start.
    pub day: u16,
    /// Minute after midnight, in 0..1440.
    pub minute: u16,
    /// Whether the day is a Saturday or a Sunday.
    pub weekend: bool,
}

impl StepContext {
    /// The context of step `tick`.
    pub fn new(seed: u64, clock: SimClock, tick: Tick) -> Self {
        let time = clock.time_of(tick);
        Self {
            seed,
            clock,
            tick,
            time,
            day: clock.day_of(time) as u16,
            minute: (clock.second_of_day(time) / MINUTE_S) as u16,
            weekend: clock.is_weekend(time),
        }
    }

    /// Random numbers of one agent in this step.
    #[inline]
    pub fn stream(&self, agent: AgentId, purpose: Purpose) -> Stream {
        Stream::new(self.seed, agent, self.tick, purpose)
    }
}
