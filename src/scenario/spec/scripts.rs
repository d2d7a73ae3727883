//! How scripts of skills are run, and within which limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How scripts of skills are run, and within which limits. A call that breaks a limit fails, and
/// nothing else does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scripts {
    /// The Python interpreter: a command, a path, or the folder of a virtual environment; relative
    /// paths with a `/` are taken from the scenario's folder.
    #[schemars(length(min = 1))]
    pub python: String,
    /// Warm interpreters. What a script keeps in its module between calls is one worker's, so only
    /// for such a script results depend on this number.
    #[schemars(range(min = 1, max = 256))]
    pub workers: u16,
    /// Longest time of one call, in seconds.
    #[schemars(range(min = 0.05, max = 86_400.0))]
    pub time_limit_s: f64,
    /// Most memory that a script may take beyond its interpreter's own, in megabytes.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub memory_mb: u32,
    /// Most output of one call, in kilobytes.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub output_kb: u32,
    /// Failures in a row after which a script is not called any more in this run.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub failures_max: u32,
    /// Whether scripts may use the network.
    pub network: bool,
    /// Whether Python scripts may start processes.
    pub processes: bool,
    /// Names of environment variables that scripts see beside the usual harmless ones. Their
    /// values are never written down.
    #[schemars(inner(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*$")))]
    pub pass_environment: Vec<String>,
}

impl Default for Scripts {
    fn default() -> Self {
        Self {
            python: "python3".to_owned(),
            workers: 2,
            time_limit_s: 30.0,
            memory_mb: 1_024,
            output_kb: 1_024,
            failures_max: 10,
            network: false,
            processes: false,
            pass_environment: Vec::new(),
        }
    }
}
