//! The manifest: what was run, from what, and what came out. The one place, with telemetry, where
//! the time of day is allowed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::RecordError;
use super::file::write_durably;
use crate::agent::request::Quarantined;
use crate::base::parallel;

/// Name of the manifest in a run folder.
pub const FILE_NAME: &str = "manifest.json";

/// Format of the run folder; raised when a reader of the old one would misread the new one.
pub const FORMAT: u32 = 1;

/// What a run is and what it wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format of the run folder, see [`FORMAT`].
    pub format: u32,
    /// Version of populace that wrote the run.
    pub populace_version: String,
    /// The scenario.
    pub scenario: ScenarioRef,
    /// The seed.
    pub seed: u64,
    /// How far the run came.
    pub status: RunStatus,
    /// Simulated time.
    pub clock: ClockSummary,
    /// Numbers of persons, places, households and whatever else is worth counting.
    pub counts: BTreeMap<String, u64>,
    /// The tables, in table order; empty while the run is running.
    pub tables: Vec<TableSummary>,
    /// Hash over all skills.
    pub registry_hash: String,
    /// The skills.
    pub skills: Vec<SkillRef>,
    /// The skill folders that came from git, pinned; nothing if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skill_sources: Vec<SkillSource>,
    /// How the skills changed during the run; nothing in a run that did not watch them, or where
    /// they stayed as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skill_generations: Vec<SkillGeneration>,
    /// What ran the scripts of skills; nothing if no skill has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripts: Option<ScriptsRef>,
    /// Where Stories come from.
    pub story_model: String,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Settings given on the command line, `key=value`, that override the scenario.
    pub overrides: Vec<String>,
    /// What else `populace resume` needs to ask for the run again.
    #[serde(default)]
    pub invocation: Invocation,
    /// The files that the scenario names.
    #[serde(default)]
    pub inputs: Vec<InputRef>,
    /// Ticks done each time the run was resumed; nothing if it never was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed_at: Vec<u32>,
    /// When the run was made.
    pub wall: Wall,
    /// On what.
    pub machine: Machine,
}

/// The scenario of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioRef {
    /// Its name.
    pub name: String,
    /// The file, as the user named it.
    pub path: String,
    /// Hash of the file.
    pub hash: String,
}

/// How a run was asked for, beside its scenario and overrides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The folder from which relative paths start.
    pub folder: String,
    /// Folders of the user's own skills, as typed.
    pub skill_roots: Vec<String>,
    /// Whether skills that changed during the run were read again.
    pub watch: bool,
}

/// A file that a scenario names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRef {
    /// The file, as the scenario names it.
    pub path: String,
    /// Hash of the file.
    pub hash: String,
}

/// A skill of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillRef {
    /// `namespace@name`.
    pub id: String,
    /// Hash of its package.
    pub hash: String,
    /// What it required and the machine did not have: it was not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A skill folder of a run that is kept in git.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSource {
    /// As the scenario names it.
    pub source: String,
    /// The commit that was used.
    pub commit: String,
}

/// What came of reading the skills again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillGeneration {
    /// The first tick with these skills.
    pub tick: u32,
    /// Hash over all skills from then on.
    pub registry_hash: String,
    /// The skills that are new, other than before, or gone.
    pub changed: Vec<SkillChange>,
    /// Skills that stayed as they were because their new text cannot be used, and why.
    pub kept: Vec<String>,
}

/// A skill that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillChange {
    /// `namespace@name`.
    pub id: String,
    /// Hash of its package; nothing if it is gone.
    pub hash: Option<String>,
}

/// What ran the scripts of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptsRef {
    /// Whether system calls were filtered.
    pub seccomp: bool,
    /// Whether files were filtered.
    pub landlock: bool,
    /// Scripts that failed so often in a row that they were no longer called.
    pub quarantined: Vec<Quarantined>,
}

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Under way, or ended without a word (a crash, a power cut).
    Running,
    /// All ticks done, nothing failed.
    Completed,
    /// All ticks done; table `failures` has rows.
    CompletedWithFailures,
    /// Stopped by the user; the tables are complete up to the last tick done.
    Interrupted,
    /// Stopped by an error.
    Failed,
}

impl RunStatus {
    /// Whether all ticks are done.
    pub const fn is_complete(self) -> bool {
        matches!(self, Self::Completed | Self::CompletedWithFailures)
    }
}

/// Simulated time of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSummary {
    /// Start of the first tick.
    pub start: DateTime,
    /// Length of a tick in seconds.
    pub tick_s: u32,
    /// Ticks asked for.
    pub ticks_planned: u32,
    /// Ticks done.
    pub ticks_done: u32,
}

/// What was written of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSummary {
    /// Name of the table.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Size of all files.
    pub bytes: u64,
}

/// Time of day at which a run was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wall {
    /// Start, UTC.
    pub started_at: Timestamp,
    /// End, UTC.
    pub finished_at: Option<Timestamp>,
}

impl Wall {
    /// Starts now, to the second.
    pub fn start() -> Self {
        Self { started_at: now(), finished_at: None }
    }

    /// Ends now, to the second.
    pub fn finish(&mut self) {
        self.finished_at = Some(now());
    }
}

fn now() -> Timestamp {
    Timestamp::from_second(Timestamp::now().as_second()).expect("a moment ago was a valid time")
}

/// The machine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Cores that the process may use.
    pub cores: usize,
    /// Threads that the run used.
    pub threads: usize,
}

impl Machine {
    /// This machine, and the threads that work now.
    pub fn this() -> Self {
        Self {
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads: parallel::thread_count(),
        }
    }
}

impl Manifest {
    /// Writes `manifest.json` into the run folder; a reader sees the old one or the new one, never
    /// a part.
    ///
    /// # Errors
    /// The operating system's refusal to write or rename.
    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        write_json(dir, FILE_NAME, self)
    }

    /// Reads the manifest of the run in `dir`.
    ///
    /// # Errors
    /// No such folder; no manifest in it; not JSON, or a field missing (with line and column);
    /// written by a newer populace.
    pub fn read(dir: &Path) -> Result<Self, RecordError> {
        /// The one field that every format has.
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }

        let Format { format } = read_json(dir, FILE_NAME)?;
        if format > FORMAT {
            let path = dir.join(FILE_NAME);
            return Err(RecordError::ManifestNewer { path, found: format, known: FORMAT });
        }
        read_json(dir, FILE_NAME)
    }
}

/// Writes a JSON file of the run folder at once or not at all.
pub(super) fn write_json(
    dir: &Path,
    name: &str,
    value: &impl Serialize,
) -> Result<(), RecordError> {
    let path = dir.join(name);
    let json = |source| RecordError::Json { path: path.clone(), source };
    let mut text = serde_json::to_vec_pretty(value).map_err(json)?;
    text.push(b'\n');
    write_durably(&path, |file| file.write_all(&text))
}

/// Reads a JSON file of the run folder.
pub(super) fn read_json<T: DeserializeOwned>(
    dir: &Path,
    name: &'static str,
) -> Result<T, RecordError> {
    if !dir.is_dir() {
        return Err(RecordError::FolderMissing { dir: dir.to_path_buf() });
    }
    let path = dir.join(name);
    if !path.exists() {
        return Err(RecordError::NotARun { dir: dir.to_path_buf(), missing: name });
    }
    let text = fs::read(&path).map_err(RecordError::io("read", &path))?;
    serde_json::from_slice(&text).map_err(|source| RecordError::Json { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn manifest() -> Manifest {
        Manifest {
            format: FORMAT,
            populace_version: "0.1.0".into(),
            scenario: ScenarioRef {
                name: "daily_mobility".into(),
                path: "scenarios/daily_mobility/scenario.yaml".into(),
                hash: "ab".into(),
            },
            seed: u64::MAX,
            status: RunStatus::CompletedWithFailures,
            clock: ClockSummary {
                start: date(2026, 3, 2).at(3, 0, 0, 0),
                tick_s: 300,
                ticks_planned: 288,
                ticks_done: 288,
            },
            counts: BTreeMap::from([("persons".into(), 5_269)]),
            tables: vec![TableSummary { name: "steps".into(), rows: 1, files: 1, bytes: 9 }],
            registry_hash: "cd".into(),
            skills: vec![SkillRef {
                id: "builtin@daily-guidance".into(),
                hash: "ef".into(),
                missing: vec!["no program 'node'".into()],
            }],
            skill_sources: vec![SkillSource { source: "git+x@y".into(), commit: "0a".into() }],
            skill_generations: vec![SkillGeneration {
                tick: 3,
                registry_hash: "ce".into(),
                changed: vec![SkillChange { id: "custom@x".into(), hash: None }],
                kept: vec!["custom@y: broken".into()],
            }],
            scripts: None,
            story_model: "diary".into(),
            warnings: vec!["\"quoted\"\nand broken".into()],
            overrides: vec!["seed=7".into()],
            invocation: Invocation::default(),
            inputs: vec![InputRef { path: "homes.csv".into(), hash: "0b".into() }],
            resumed_at: vec![12],
            wall: Wall::start(),
            machine: Machine { cores: 2, threads: 1 },
        }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let mut written = manifest();
        written.write(dir.path()).unwrap();
        written.wall.finish();
        written.write(dir.path()).unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap(), written);
        let files: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(files.len(), 1, "no temporary file is left");
        let text = fs::read_to_string(dir.path().join(FILE_NAME)).unwrap();
        assert!(text.contains("\"status\": \"completed_with_failures\""), "{text}");
        assert!(text.contains("\"start\": \"2026-03-02T03:00:00\""), "{text}");
    }

    #[test]
    fn what_is_not_a_run_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let read = |dir: &Path| Manifest::read(dir).unwrap_err().to_string();
        assert!(read(&dir.path().join("nowhere")).starts_with("there is no folder"));
        assert!(read(dir.path()).ends_with("is not a run folder: it has no manifest.json"));

        let path = dir.path().join(FILE_NAME);
        fs::write(&path, "{\"format\": 1,\n \"seed\": }").unwrap();
        assert!(read(dir.path()).contains("line 2 column 10"), "{}", read(dir.path()));
        fs::write(&path, "{\"format\": 1}").unwrap();
        assert!(read(dir.path()).contains("missing field `populace_version`"));
        fs::write(&path, "{\"format\": 2}").unwrap();
        assert!(read(dir.path()).contains("format 2 by a newer populace"));
    }
}
