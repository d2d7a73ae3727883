//! Goes on with a run where its last checkpoint was made.

use std::path::{Path, PathBuf};

use super::assemble::{Assembly, inputs};
use super::checkpoint::folder::{self, Found};
use super::error::{ResumeError, SimulationError};
use super::lock::FolderLock;
use super::run::{Driver, RunOptions, RunReport, finish, first_manifest};
use crate::record::manifest::SkillRef;
use crate::record::{Manifest, RunWriter};
use crate::scenario::Scenario;

/// A run that stopped before its end, and what there is to go on from.
#[derive(Debug)]
pub struct Resumption {
    dir: PathBuf,
    manifest: Manifest,
    found: Found,
    /// Held until the run ends.
    _lock: FolderLock,
}

impl Resumption {
    /// Looks into a run folder. A run of which nothing was saved yet begins again.
    ///
    /// # Errors
    /// It is no run folder; the run is complete or under way; another version of populace began
    /// it; none of its checkpoints is intact.
    pub fn open(dir: &Path) -> Result<Self, SimulationError> {
        let refuse = |source| SimulationError::Resume { dir: dir.to_path_buf(), source };
        let manifest = Manifest::read(dir)?;
        let lock = FolderLock::take(dir)?;
        if manifest.status.is_complete() {
            return Err(refuse(ResumeError::Complete));
        }
        let this = env!("CARGO_PKG_VERSION");
        if manifest.populace_version != this {
            let wrote = manifest.populace_version;
            return Err(refuse(ResumeError::Version { wrote, this }));
        }
        let found = folder::find(dir)?;
        if found.checkpoint.is_none() && !found.damaged.is_empty() {
            let reason = |(path, why): &(PathBuf, String)| format!("{}: {why}", path.display());
            let reasons = found.damaged.iter().map(reason).collect();
            return Err(refuse(ResumeError::Damaged { reasons }));
        }
        Ok(Self { dir: dir.to_path_buf(), manifest, found, _lock: lock })
    }

    /// The run folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The manifest as it was left.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Ticks that need not be done again.
    pub fn ticks_done(&self) -> u32 {
        self.found.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.run.ticks_done)
    }

    /// What the user should know before it goes on.
    pub fn warnings(&self) -> Vec<String> {
        let damaged = self.found.damaged.iter().map(|(path, why)| {
            format!("{} cannot be used ({why}): the one before it is", path.display())
        });
        let none = self.found.checkpoint.is_none();
        let again = none.then(|| "no checkpoint had been made: the run begins again".to_owned());
        damaged.chain(again).collect()
    }

    /// Folders of the user's own skills that were given to the run.
    pub fn skill_roots(&self) -> Vec<PathBuf> {
        self.manifest.invocation.skill_roots.iter().map(|path| self.seen_from_here(path)).collect()
    }

    /// The scenario of the run, with its overrides.
    ///
    /// # Errors
    /// It cannot be read any more; it, or a file that it names, is not what it was.
    pub fn scenario(&self) -> Result<Scenario, SimulationError> {
        let manifest = &self.manifest;
        let split = |text: &String| {
            let (path, value) = text.split_once('=')?;
            Some((path.trim().to_owned(), value.to_owned()))
        };
        let overrides: Vec<_> = manifest.overrides.iter().filter_map(split).collect();
        let scenario = Scenario::load(&self.seen_from_here(&manifest.scenario.path), &overrides)?;
        if scenario.hash != manifest.scenario.hash {
            let path = manifest.scenario.path.clone();
            return Err(self.refuse(ResumeError::ScenarioChanged { path }));
        }
        let inputs = inputs(&scenario)?;
        match inputs.into_iter().find(|input| !manifest.inputs.contains(input)) {
            Some(input) => Err(self.refuse(ResumeError::InputChanged { path: input.path })),
            None => Ok(scenario),
        }
    }

    /// A path as it was typed, from the current folder.
    fn seen_from_here(&self, path: &str) -> PathBuf {
        let there = Path::new(&self.manifest.invocation.folder);
        let is_here = std::path::absolute(".").is_ok_and(|here| here == there);
        if is_here { PathBuf::from(path) } else { there.join(path) }
    }

    fn refuse(&self, source: ResumeError) -> SimulationError {
        SimulationError::Resume { dir: self.dir.clone(), source }
    }

    /// Refuses skills that are not those of the checkpoint, or of the run if there is none.
    fn check_skills(&self, assembly: &Assembly) -> Result<(), SimulationError> {
        let began_with = self.manifest.registry_hash.as_str();
        let checkpoint = self.found.checkpoint.as_ref();
        let then = checkpoint.map_or(began_with, |checkpoint| &checkpoint.run.registry_hash);
        if assembly.registry.content_hash() == then {
            return Ok(());
        }
        let changed = changes(&self.manifest.skills, &assembly.skill_refs());
        Err(self.refuse(ResumeError::SkillsChanged { changed }))
    }

    /// The manifest of the run while it goes on.
    fn next_manifest(&self, assembly: &Assembly) -> Manifest {
        let before = self.manifest.clone();
        let mut manifest = first_manifest(assembly);
        manifest.warnings.extend(self.warnings());
        manifest.resumed_at = before.resumed_at;
        manifest.resumed_at.push(self.ticks_done());
        manifest.wall.started_at = before.wall.started_at;
        Manifest {
            scenario: before.scenario,
            invocation: before.invocation,
            registry_hash: before.registry_hash,
            skills: before.skills,
            ..manifest
        }
    }
}

/// Runs what is left of a run. `assembly` is of [`Resumption::scenario`], in any chunks and for any
/// number of threads: the tables become what they would have been without the pause.
///
/// # Errors
/// The skills are others; the tables are not what the checkpoint says; and as
/// [`super::run::run`].
pub fn resume(
    mut assembly: Assembly,
    mut resumption: Resumption,
    options: &mut RunOptions<'_>,
) -> Result<RunReport, SimulationError> {
    resumption.check_skills(&assembly)?;
    let manifest = resumption.next_manifest(&assembly);
    let checkpoint = resumption.found.checkpoint.take();
    if let Some(checkpoint) = &checkpoint {
        let restored = checkpoint.restore(&mut assembly.world);
        restored.map_err(|reason| resumption.refuse(ResumeError::Unfit { reason }))?;
    }
    let state = checkpoint.map(|checkpoint| checkpoint.run);
    let written = state.as_ref().map_or(&[][..], |state| &state.tables);
    let (tables, write_options) = (&assembly.tables, &assembly.write_options);
    let dir = &resumption.dir;
    let writer = RunWriter::resume(dir, tables, write_options, written)?;
    let mut driver = Driver::new(writer, dir, &assembly);
    state.into_iter().for_each(|state| driver.recall(state));
    // What was passed over must not be taken for the newest the next time.
    resumption.found.damaged.iter().try_for_each(|(path, _)| folder::remove(path))?;
    manifest.write(dir)?;
    finish(assembly, driver, manifest, options)
}

/// The skills that are new, other than before, or gone.
fn changes(before: &[SkillRef], now: &[SkillRef]) -> Vec<String> {
    let differs = |one: &&SkillRef, others: &[SkillRef]| {
        !others.iter().any(|other| other.id == one.id && other.hash == one.hash)
    };
    let new = now.iter().filter(|skill| differs(skill, before));
    let old = before.iter().filter(|skill| differs(skill, now));
    let mut ids: Vec<String> = new.chain(old).map(|skill| skill.id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
