//! The tables of an undisturbed run, and means to disturb one: for the tests of resumption.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use populace::base::parallel;
use populace::record::{Manifest, RunStatus, TableHash, hash_run};
use populace::scenario::Scenario;
use populace::simulation::SimulationError;
use populace::simulation::assemble::{AssembleOptions, Assembly, assemble};
use populace::simulation::resume::{Resumption, resume};
use populace::simulation::run::{Progress, RunOptions, RunReport, run};
use tempfile::TempDir;

use super::checks::check_run;

/// A scenario with skills beside it.
pub struct Stage {
    folder: TempDir,
}

impl Stage {
    /// A stage of a scenario and the files of its skills, by path within `skills`.
    pub fn new(scenario: &str, files: &[(&str, &str)]) -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            let path = stage.path("skills").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        stage.write(scenario);
        stage
    }

    /// Writes the scenario anew.
    pub fn write(&self, scenario: &str) {
        fs::write(self.scenario(), scenario).unwrap();
    }

    pub fn scenario(&self) -> PathBuf {
        self.path("scenario.yaml")
    }

    /// A path in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn assemble(&self, chunk_len: usize) -> Assembly {
        assembled(&Scenario::load(&self.scenario(), &[]).unwrap(), chunk_len)
    }

    /// The hashes of the tables of a run that nothing disturbs.
    pub fn undisturbed(&self) -> String {
        let out = self.path("undisturbed");
        drive(&out, None, |options| run(self.assemble(parallel::CHUNK_LEN), options)).unwrap();
        check_run(&out);
        hashes(&out)
    }

    /// Runs in this process until `ticks` are done.
    pub fn run_until(&self, out: &Path, ticks: u32) {
        drive(out, Some(ticks), |options| run(self.assemble(100), options)).unwrap();
        assert_eq!(Manifest::read(out).unwrap().status, RunStatus::Interrupted);
    }
}

pub fn assembled(scenario: &Scenario, chunk_len: usize) -> Assembly {
    let options =
        AssembleOptions { chunk_len, skill_roots: &[], overrides: Vec::new(), watch: false };
    assemble(scenario, &options).unwrap()
}

pub type Outcome = Result<RunReport, SimulationError>;

/// Drives a run in this process and stops it when so many ticks are done.
pub fn drive(
    out: &Path,
    until: Option<u32>,
    work: impl FnOnce(&mut RunOptions<'_>) -> Outcome,
) -> Outcome {
    let stop = AtomicBool::new(false);
    let mut progress = |progress: Progress| {
        stop.store(until.is_some_and(|ticks| progress.ticks_done >= ticks), Ordering::Relaxed);
    };
    let out = out.to_owned();
    work(&mut RunOptions { out, force: false, stop: &stop, progress: &mut progress })
}

/// Goes on in this process, until `ticks` are done or to the end.
pub fn go_on(out: &Path, chunk_len: usize, until: Option<u32>) -> Outcome {
    let resumption = Resumption::open(out)?;
    let assembly = assembled(&resumption.scenario()?, chunk_len);
    drive(out, until, |options| resume(assembly, resumption, options))
}

pub fn hashes(out: &Path) -> String {
    let tables = hash_run(out).unwrap();
    let line = |table: &TableHash| format!("{} {} {}\n", table.name, table.rows, table.hash);
    tables.iter().map(line).collect()
}
