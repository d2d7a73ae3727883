//! Runs one model in krABMaga and prints one line of JSON: what was done, how long it took, how
//! much memory it needed.
//!
//! `peers-krabmaga MODEL SIZE STEPS`, where SIZE is `small` or `large`, or for `random_walk` the
//! number of agents.

mod flocking;
mod forest_fire;
mod random_walk;
mod schelling;
mod wolf_sheep;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;

/// A model that says how much it has done.
pub trait Counted: State {
    /// Agent-steps so far.
    fn agent_steps(&self) -> u64;
    /// A number by which implementations can be compared, with its name.
    fn outcome(&self, schedule: &Schedule) -> (&'static str, f64);
}

/// The three methods by which krABMaga sees a state as itself.
#[macro_export]
macro_rules! as_state {
    () => {
        fn as_any_mut(&mut self) -> &mut dyn std::any::Any {
            self
        }
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
        fn as_state_mut(&mut self) -> &mut dyn State {
            self
        }
        fn as_state(&self) -> &dyn State {
            self
        }
        fn reset(&mut self) {}
    };
}

/// Seed of all models; every process draws the same numbers.
pub const SEED: u64 = 1;

/// The state as the type that it is.
pub fn state_of<S: State>(state: &mut dyn State) -> &mut S {
    state.as_any_mut().downcast_mut().expect("a model's agents meet its own state only")
}

/// `small` or `large`.
fn is_large(size: &str) -> Option<bool> {
    match size {
        "small" => Some(false),
        "large" => Some(true),
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Some(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("usage: peers-krabmaga MODEL small|large|AGENTS STEPS");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Option<serde_json::Value> {
    let [model, size, steps] = arguments else { return None };
    let steps = steps.parse().ok()?;
    if model == "random_walk" {
        let agents = size.parse().ok()?;
        return Some(measure(|| random_walk::Walk::new(agents), steps));
    }
    let large = is_large(size)?;
    Some(match model.as_str() {
        "schelling" => measure(|| schelling::City::new(large), steps),
        "flocking" => measure(|| flocking::Flock::new(large), steps),
        "wolf_sheep" => measure(|| wolf_sheep::Pasture::new(large), steps),
        "forest_fire" => measure(|| forest_fire::Forest::new(large), steps),
        _ => return None,
    })
}

fn measure<S: Counted>(make: impl FnOnce() -> S, steps: u64) -> serde_json::Value {
    let before = memory_bytes("VmRSS:");
    let begun = Instant::now();
    let mut schedule = Schedule::new();
    let mut state = make();
    state.init(&mut schedule);
    let setup = begun.elapsed();
    let mut wall = Duration::ZERO;
    for _ in 0..steps {
        let begun = Instant::now();
        schedule.step(state.as_state_mut());
        wall += begun.elapsed();
    }
    let (outcome, value) = state.outcome(&schedule);
    serde_json::json!({
        "agent_steps": state.agent_steps(),
        "setup_s": setup.as_secs_f64(),
        "wall_s": wall.as_secs_f64(),
        "peak_bytes": memory_bytes("VmHWM:"),
        "base_bytes": before,
        "outcome": {outcome: value},
    })
}

/// A line of the system's account of this process; nothing where there is none.
fn memory_bytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}
