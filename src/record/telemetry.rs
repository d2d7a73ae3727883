//! How long the phases took and how much memory the run needed: `telemetry.json`. Kept apart from
//! the tables and the manifest, because no two runs agree on it.

use std::path::Path;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::error::RecordError;
use super::manifest::{read_json, write_json};

/// Name of the file in a run folder.
pub const FILE_NAME: &str = "telemetry.json";

/// Longest time that is told apart, one hour; a longer one counts as this.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// Collects the durations of phases during a run.
#[derive(Debug, Default)]
pub struct PhaseTimes {
    /// In the order in which the phases were first seen; a dozen at most.
    phases: Vec<(&'static str, Histogram<u64>, u64)>,
}

impl PhaseTimes {
    /// Notes that `phase` took `duration` once.
    pub fn note(&mut self, phase: &'static str, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let index = self.phases.iter().position(|(name, ..)| *name == phase);
        let index = index.unwrap_or_else(|| {
            let histogram = Histogram::new_with_bounds(1, LONGEST_NS, 3)
                .expect("1 ns to 1 h with three digits are valid bounds");
            self.phases.push((phase, histogram, 0));
            self.phases.len() - 1
        });
        let (_, histogram, total_ns) = &mut self.phases[index];
        histogram.saturating_record(ns);
        *total_ns = total_ns.saturating_add(ns);
    }

    /// Count, total, mean and quantiles of each phase, in the order first seen.
    pub fn summaries(&self) -> Vec<PhaseSummary> {
        let summary = |(name, histogram, total_ns): &(&str, Histogram<u64>, u64)| PhaseSummary {
            phase: (*name).to_owned(),
            count: histogram.len(),
            total_ns: *total_ns,
            mean_ns: total_ns / histogram.len().max(1),
            p50_ns: histogram.value_at_quantile(0.5),
            p90_ns: histogram.value_at_quantile(0.9),
            p99_ns: histogram.value_at_quantile(0.99),
            max_ns: histogram.max(),
        };
        self.phases.iter().map(summary).collect()
    }
}

/// Durations of one phase in nanoseconds; quantiles and maximum to three digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseSummary {
    /// Name of the phase.
    pub phase: String,
    /// How often it ran.
    pub count: u64,
    /// Sum.
    pub total_ns: u64,
    /// Mean.
    pub mean_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 90th percentile.
    pub p90_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// Longest.
    pub max_ns: u64,
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Telemetry {
    /// Duration of the ticks, without setting up, in seconds.
    pub wall_s: f64,
    /// Threads that worked.
    pub threads: usize,
    /// Persons times ticks done.
    pub agent_steps: u64,
    /// The same per second of [`Telemetry::wall_s`]; 0 if no time passed.
    pub agent_steps_per_s: f64,
    /// Largest resident memory of the process so far; absent where the system does not tell.
    pub peak_rss_bytes: Option<u64>,
    /// The phases.
    pub phases: Vec<PhaseSummary>,
}

impl Telemetry {
    /// Sums a run up.
    pub fn of(wall: Duration, threads: usize, agent_steps: u64, times: &PhaseTimes) -> Self {
        let wall_s = wall.as_secs_f64();
        let agent_steps_per_s = if wall_s > 0.0 { agent_steps as f64 / wall_s } else { 0.0 };
        Self {
            wall_s,
            threads,
            agent_steps,
            agent_steps_per_s,
            peak_rss_bytes: peak_rss_bytes(),
            phases: times.summaries(),
        }
    }

    /// Writes `telemetry.json` into the run folder.
    ///
    /// # Errors
    /// The operating system's refusal to write or rename.
    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        write_json(dir, FILE_NAME, self)
    }

    /// Reads `telemetry.json` of the run in `dir`.
    ///
    /// # Errors
    /// No such folder or file; not JSON, or a field missing (with line and column).
    pub fn read(dir: &Path) -> Result<Self, RecordError> {
        read_json(dir, FILE_NAME)
    }
}

/// Largest resident memory of this process so far (`VmHWM` of Linux); `None` on other systems.
pub fn peak_rss_bytes() -> Option<u64> {
    memory_bytes("VmHWM:")
}

/// Resident memory of this process now (`VmRSS` of Linux); `None` on other systems.
pub fn rss_bytes() -> Option<u64> {
    memory_bytes("VmRSS:")
}

fn memory_bytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 to 1000 µs: the median is 500, the 90th percentile 900 µs, to three digits.
    #[test]
    fn quantiles_are_those_of_the_durations() {
        let mut times = PhaseTimes::default();
        for us in 1..=1_000 {
            times.note("decide", Duration::from_micros(us));
        }
        times.note("log", Duration::from_secs(7_200));
        let phases = times.summaries();
        assert_eq!(phases[0].count, 1_000);
        assert_eq!(phases[0].total_ns, 500_500_000);
        assert_eq!(phases[0].mean_ns, 500_500);
        assert!(phases[0].p50_ns.abs_diff(500_000) <= 500, "{:?}", phases[0]);
        assert!(phases[0].p90_ns.abs_diff(900_000) <= 900, "{:?}", phases[0]);
        // Longer than an hour: the total is exact, the histogram saturates.
        assert_eq!(phases[1].total_ns, 7_200_000_000_000);
        assert!(phases[1].max_ns.abs_diff(LONGEST_NS) <= LONGEST_NS / 1_000);
    }

    #[test]
    fn telemetry_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let mut times = PhaseTimes::default();
        times.note("sense", Duration::from_nanos(17));
        let written = Telemetry::of(Duration::from_millis(500), 2, 1_000, &times);
        assert_eq!(written.agent_steps_per_s, 2_000.0);
        written.write(dir.path()).unwrap();
        assert_eq!(Telemetry::read(dir.path()).unwrap(), written);
    }

    /// A hundred megabytes that were touched show up in the peak.
    #[cfg(target_os = "linux")]
    #[test]
    fn peak_memory_grows_with_use() {
        let size = 100 << 20;
        let block = vec![1_u8; size];
        let peak = peak_rss_bytes().unwrap();
        assert!(block.iter().map(|b| u64::from(*b)).sum::<u64>() == size as u64);
        assert!(peak >= size as u64, "{peak}");
    }
}
