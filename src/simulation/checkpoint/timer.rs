//! When a checkpoint is due.

use std::time::{Duration, Instant};

use crate::scenario::spec::Checkpoint as Every;

/// Counts ticks or minutes since the last checkpoint.
#[derive(Debug)]
pub struct Timer {
    every: Option<Every>,
    last: Instant,
}

impl Timer {
    /// Starts now. Without `every`, none is ever due.
    pub fn start(every: Option<Every>) -> Self {
        Self { every, last: Instant::now() }
    }

    /// Whether one is due after so many ticks of the run.
    pub fn is_due(&self, ticks_done: u32) -> bool {
        let Some(Every { every_ticks, every_min }) = self.every else { return false };
        every_ticks.is_some_and(|ticks| ticks_done.is_multiple_of(ticks))
            || every_min.is_some_and(|minutes| {
                self.last.elapsed() >= Duration::from_secs_f64(minutes * 60.0)
            })
    }

    /// One was written.
    pub fn reset(&mut self) {
        self.last = Instant::now();
    }
}
