//! With what, and within which limits, scripts run.

use std::path::PathBuf;
use std::time::Duration;

/// With what and within which limits scripts run; the same for all scripts of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptSettings {
    /// The Python interpreter: a program, a path, or the folder of a virtual environment.
    pub python: PathBuf,
    /// Number of warm interpreters. Results do not depend on it, unless a script keeps state in
    /// its module: that state is one worker's.
    pub workers: usize,
    /// Longest time of one call.
    pub time_limit: Duration,
    /// Most address space that a script may take beyond the interpreter's own, in bytes.
    pub memory_bytes: u64,
    /// Most output of one call, in bytes; more fails the call.
    pub output_bytes: usize,
    /// Failures in a row after which a script is no longer called in this run.
    pub failures_max: u32,
    /// Whether scripts may open network sockets.
    pub network: bool,
    /// Whether Python scripts may start processes. Executable ones always may.
    pub processes: bool,
    /// Most processes of one script that may start any, at a time.
    pub processes_max: u32,
    /// Folders that scripts may read beside the system's: those of the skills.
    pub readable: Vec<PathBuf>,
    /// The environment variables that scripts see, beside those of the call itself.
    pub environment: Vec<(String, String)>,
}

impl Default for ScriptSettings {
    fn default() -> Self {
        Self {
            python: PathBuf::from("python3"),
            workers: 2,
            time_limit: Duration::from_secs(30),
            memory_bytes: 1 << 30,
            output_bytes: 1 << 20,
            failures_max: 10,
            network: false,
            processes: false,
            processes_max: 64,
            readable: Vec::new(),
            environment: Vec::new(),
        }
    }
}

/// The variables of these names that are set here, for a script's environment.
pub fn passed_environment(names: &[impl AsRef<str>]) -> Vec<(String, String)> {
    let value = |name: &_| {
        let name: &str = AsRef::as_ref(name);
        Some((name.to_owned(), std::env::var(name).ok()?))
    };
    names.iter().filter_map(value).collect()
}
