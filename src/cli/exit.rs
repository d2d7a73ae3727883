//! How a command ends: what is printed on stderr, and the exit code.

use std::process::ExitCode;

use crate::behaviour::error::TreeError;
use crate::environment::EnvironmentError;
use crate::population::PopulationError;
use crate::record::RecordError;
use crate::scenario::ScenarioError;
use crate::simulation::SimulationError;
use crate::skill::error::SkillError;

/// Done.
pub const DONE: u8 = 0;
/// Done, but more failed than the scenario allows, or a check found problems.
pub const FAILURES: u8 = 1;
/// Wrong usage, or a wrong scenario or input file.
pub const USAGE: u8 = 2;
/// Input or output failed.
pub const IO: u8 = 3;
/// Interrupted, after a clean close.
pub const INTERRUPTED: u8 = 130;

/// Prints what failed with its causes and gives the exit code that fits.
pub fn report(error: &anyhow::Error) -> ExitCode {
    // Most messages quote their cause already; only what is new is added.
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    // A scenario's diagnostics come with their own heading.
    let heading = if text.starts_with("error") { "" } else { "error: " };
    super::report::complain(&format!("{heading}{text}"));
    ExitCode::from(code_of(error))
}

fn code_of(error: &anyhow::Error) -> u8 {
    for cause in error.chain() {
        if let Some(error) = cause.downcast_ref::<SimulationError>() {
            return error.exit_code();
        }
        let wrong_input = cause.is::<SkillError>()
            || cause.is::<PopulationError>()
            || cause.is::<EnvironmentError>();
        if wrong_input {
            return USAGE;
        }
        if let Some(error) = cause.downcast_ref::<TreeError>() {
            return if matches!(error, TreeError::Read { .. }) { IO } else { USAGE };
        }
        if let Some(error) = cause.downcast_ref::<ScenarioError>() {
            return if matches!(error, ScenarioError::Io { .. } | ScenarioError::Write { .. }) {
                IO
            } else {
                USAGE
            };
        }
        if cause.is::<RecordError>() || cause.is::<std::io::Error>() {
            return IO;
        }
    }
    USAGE
}
