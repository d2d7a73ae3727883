//! Drives a run: tick after tick, rows to the writer, and a clean close whatever happens.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bevy_ecs::world::World;

use super::assemble::Assembly;
use super::checkpoint::{self, RunState};
use super::close;
use super::error::SimulationError;
use super::lock::FolderLock;
use super::tick::Phases;
use crate::agent::needs::NEED_COUNT;
use crate::agent::request::Quarantined;
use crate::base::context::StepContext;
use crate::base::parallel;
use crate::base::time::Tick;
use crate::host::ScriptHost;
use crate::host::sandbox::Confinement;
use crate::record::manifest::{
    ClockSummary, Machine, Manifest, RunStatus, ScriptsRef, SkillGeneration, Wall,
};
use crate::record::tables::days::{Legs, Stays, Stories, Trips};
use crate::record::tables::log::{
    FailureRow, Failures, Hooks, MessageRow, Messages, MetricRow, Metrics, Needs, Steps, Workspace,
};
use crate::record::tables::trees::{BtTrace, SkillResults};
use crate::record::{EpochMs, PhaseTimes, RunWriter, TableSummary, Telemetry, clear_run};
use crate::step::serve::hooks::Scripts;
use crate::step::state::{Chunks, Mail, StepFailure, Tally};

/// Units of `Tally::level_sums` in one full level.
const LEVEL_UNIT: f64 = 16_777_216.0;

/// How far a run is; given to the caller after every tick.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Ticks done.
    pub ticks_done: u32,
    /// Persons times ticks done.
    pub agent_steps: u64,
}

/// What the caller decides about a run.
pub struct RunOptions<'a> {
    /// Run folder.
    pub out: PathBuf,
    /// Whether a run folder that is not empty is replaced.
    pub force: bool,
    /// Set to stop after the tick under way.
    pub stop: &'a AtomicBool,
    /// Told after every tick.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// What a run came to.
#[derive(Debug)]
pub struct RunReport {
    /// Its folder.
    pub dir: PathBuf,
    /// Its manifest, as written.
    pub manifest: Manifest,
    /// What it cost.
    pub telemetry: Telemetry,
    /// Persons with at least one failure, as a share of all.
    pub failed_share: f64,
}

/// Runs an assembled scenario to its end, to `stop`, or to an error.
///
/// # Errors
/// The run folder is not empty and `force` is not set; the records cannot be written; a failure
/// where the scenario says to stop. The manifest then says so too.
pub fn run(assembly: Assembly, options: &mut RunOptions<'_>) -> Result<RunReport, SimulationError> {
    let _lock = prepare_folder(&options.out, options.force)?;
    let manifest = first_manifest(&assembly);
    manifest.write(&options.out)?;
    let writer = RunWriter::create(&options.out, &assembly.tables, &assembly.write_options)?;
    let driver = Driver::new(writer, &options.out, &assembly);
    finish(assembly, driver, manifest, options)
}

/// Drives a run from where the driver is to its end, and closes it.
pub(super) fn finish(
    mut assembly: Assembly,
    mut driver: Driver,
    mut manifest: Manifest,
    options: &mut RunOptions<'_>,
) -> Result<RunReport, SimulationError> {
    let outcome = driver.drive(&mut assembly, options);
    manifest.clock.ticks_done = driver.ticks_done;
    manifest.skill_generations = std::mem::take(&mut driver.generations);
    manifest.scripts = assembly.world.resource::<Scripts>().host.as_deref().map(scripts_ref);
    for script in manifest.scripts.iter().flat_map(|scripts| &scripts.quarantined) {
        let Quarantined { skill_id, script, last_error } = script;
        let said = format!("{skill_id}: {script} failed too often in a row ({last_error})");
        manifest.warnings.push(said);
    }
    manifest.wall.finish();
    // A person's failure that stops the run is no reason to lose what was written so far.
    let (status, stopped) = match outcome {
        Ok(status) => (status, None),
        Err(error @ SimulationError::Stopped { .. }) => (RunStatus::Failed, Some(error)),
        Err(error) => return Err(fail(manifest, &options.out, error)),
    };
    let Closed { tables, telemetry, failed_share } = match driver.close(&mut assembly) {
        Ok(closed) => closed,
        Err(error) => return Err(fail(manifest, &options.out, error)),
    };
    manifest.tables = tables;
    manifest.status = match status {
        RunStatus::Completed if failed_share > 0.0 => RunStatus::CompletedWithFailures,
        status => status,
    };
    telemetry.write(&options.out)?;
    match stopped {
        Some(error) => Err(fail(manifest, &options.out, error)),
        None => {
            manifest.write(&options.out)?;
            if manifest.status.is_complete() {
                checkpoint::folder::clear(&options.out)?;
            }
            Ok(RunReport { dir: options.out.clone(), manifest, telemetry, failed_share })
        }
    }
}

/// Notes in the manifest that the run failed; gives the reason back.
pub(super) fn fail(mut manifest: Manifest, out: &Path, error: SimulationError) -> SimulationError {
    manifest.status = RunStatus::Failed;
    manifest.warnings.push(error.to_string());
    // The first failure is the one to report: if not even this can be written, it says why.
    let _ = manifest.write(out);
    error
}

fn scripts_ref(host: &dyn ScriptHost) -> ScriptsRef {
    let Confinement { seccomp, landlock } = host.confinement();
    ScriptsRef { seccomp, landlock, quarantined: host.quarantined() }
}

/// Makes the run folder, or empties the one that is there if `force` says so.
pub(super) fn prepare_folder(out: &Path, force: bool) -> Result<FolderLock, SimulationError> {
    let io = |action: &str| {
        let action = format!("{action} {}", out.display());
        move |source| SimulationError::Io { action, source }
    };
    std::fs::create_dir_all(out).map_err(io("create"))?;
    let lock = FolderLock::take(out)?;
    let mut entries = std::fs::read_dir(out).map_err(io("list"))?;
    if entries.next().is_some() {
        if !force {
            return Err(SimulationError::OutNotEmpty { path: out.to_owned() });
        }
        // The checkpoints first: without their tables they would be of no use.
        checkpoint::folder::clear(out)?;
        clear_run(out)?;
    }
    Ok(lock)
}

/// The manifest of a run that begins.
pub(super) fn first_manifest(assembly: &Assembly) -> Manifest {
    let clock = &assembly.clock;
    Manifest {
        format: crate::record::manifest::FORMAT,
        populace_version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: assembly.scenario.clone(),
        seed: assembly.seed,
        status: RunStatus::Running,
        clock: ClockSummary {
            start: clock.datetime(crate::base::time::SimTime(0)),
            tick_s: clock.tick_s(),
            ticks_planned: clock.tick_count(),
            ticks_done: 0,
        },
        counts: assembly.counts.clone(),
        tables: Vec::new(),
        registry_hash: assembly.registry.content_hash(),
        skills: assembly.skill_refs(),
        skill_sources: assembly.skill_sources.clone(),
        skill_generations: Vec::new(),
        scripts: None,
        story_model: assembly.story_model.to_owned(),
        warnings: assembly.warnings.clone(),
        overrides: assembly.overrides.clone(),
        invocation: assembly.invocation.clone(),
        inputs: assembly.inputs.clone(),
        resumed_at: Vec::new(),
        wall: Wall::start(),
        machine: Machine::this(),
    }
}

/// What changes while a run is driven.
pub(super) struct Driver {
    dir: PathBuf,
    writer: RunWriter,
    phases: Phases,
    times: PhaseTimes,
    ticks_done: u32,
    wall: Duration,
    /// Which persons have failed.
    failed: Vec<bool>,
    /// How the skills changed.
    generations: Vec<SkillGeneration>,
    timer: checkpoint::Timer,
    /// Ticks done when the state was last saved; 0 if it never was.
    saved_at: u32,
}

impl Driver {
    /// A driver of a run that begins.
    pub(super) fn new(writer: RunWriter, dir: &Path, assembly: &Assembly) -> Self {
        Self {
            dir: dir.to_path_buf(),
            writer,
            phases: Phases::default(),
            times: PhaseTimes::default(),
            ticks_done: 0,
            wall: Duration::ZERO,
            failed: vec![false; assembly.person_count],
            generations: Vec::new(),
            timer: checkpoint::Timer::start(assembly.checkpoint),
            saved_at: 0,
        }
    }

    /// Knows again what it knew when `state` was saved.
    pub(super) fn recall(&mut self, state: RunState) {
        self.ticks_done = state.ticks_done;
        self.saved_at = state.ticks_done;
        self.wall = state.wall;
        self.generations = state.generations;
        for agent in state.failed {
            self.failed[agent as usize] = true;
        }
    }

    /// Saves the state, and sees to it that the rows written so far are on disk.
    fn save(&mut self, assembly: &mut Assembly) -> Result<(), SimulationError> {
        let started = Instant::now();
        let failed = self.failed.iter().enumerate().filter(|(_, failed)| **failed);
        let state = RunState {
            populace_version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario_hash: assembly.scenario.hash.clone(),
            registry_hash: assembly.registry.content_hash(),
            ticks_done: self.ticks_done,
            tables: self.writer.cut()?,
            failed: failed.map(|(agent, _)| agent as u32).collect(),
            generations: self.generations.clone(),
            wall: self.wall,
        };
        let path = checkpoint::folder::path(&self.dir, self.ticks_done);
        checkpoint::file::write(&path, &state, &mut assembly.world)?;
        checkpoint::folder::tidy(&self.dir)?;
        self.saved_at = self.ticks_done;
        self.timer.reset();
        self.times.note("checkpoint", started.elapsed());
        Ok(())
    }

    fn drive(
        &mut self,
        assembly: &mut Assembly,
        options: &mut RunOptions<'_>,
    ) -> Result<RunStatus, SimulationError> {
        if self.ticks_done == 0 {
            assembly.send_static_tables(&mut self.writer)?;
        }
        let (started, wall_before) = (Instant::now(), self.wall);
        let person_count = assembly.person_count as u64;
        let tick_count = assembly.clock.tick_count();
        for tick in self.ticks_done..tick_count {
            if options.stop.load(Ordering::Relaxed) {
                if self.saved_at < self.ticks_done {
                    self.save(assembly)?;
                }
                return Ok(RunStatus::Interrupted);
            }
            if let Some(mut reloader) = assembly.reloader.take() {
                self.generations.extend(reloader.look(assembly, Tick(tick))?);
                assembly.reloader = Some(reloader);
            }
            let begun = Instant::now();
            let context = StepContext::new(assembly.seed, assembly.clock, Tick(tick));
            let times = &mut self.times;
            let world = &mut assembly.world;
            self.phases.step(world, context, |phase, took| times.note(phase, took));
            let handed_over = Instant::now();
            self.hand_over(assembly, &context)?;
            self.times.note("hand_over", handed_over.elapsed());
            self.times.note("tick", begun.elapsed());
            self.ticks_done = tick + 1;
            self.wall = wall_before + started.elapsed();
            (options.progress)(Progress {
                ticks_done: self.ticks_done,
                agent_steps: u64::from(self.ticks_done) * person_count,
            });
            if self.ticks_done < tick_count && self.timer.is_due(self.ticks_done) {
                self.save(assembly)?;
            }
        }
        Ok(RunStatus::Completed)
    }

    /// Merges the rows of all chunks in chunk order and hands them to the writer.
    fn hand_over(
        &mut self,
        assembly: &mut Assembly,
        context: &StepContext,
    ) -> Result<(), SimulationError> {
        let mut rows = TickRows::default();
        let mut chunks = assembly.world.resource_mut::<Chunks>();
        rows.steps.reserve(chunks.states.iter().map(|state| state.rows.steps.len()).sum());
        rows.hooks.reserve(chunks.states.iter().map(|state| state.rows.hooks.len()).sum());
        for state in &mut chunks.states {
            rows.steps.append(&mut state.rows.steps);
            rows.levels.append(&mut state.rows.levels);
            rows.stays.append(&mut state.rows.stays);
            rows.trips.append(&mut state.rows.trips);
            rows.legs.append(&mut state.rows.legs);
            rows.stories.append(&mut state.rows.stories);
            rows.hooks.append(&mut state.rows.hooks);
            rows.files.append(&mut state.rows.files);
            rows.trace.append(&mut state.rows.trace);
            rows.results.append(&mut state.rows.results);
            state.hook_texts.clear();
            rows.failures.append(&mut state.failures);
            rows.tally.add(&std::mem::take(&mut state.tally));
        }
        // Within a chunk failures come phase by phase; by agent they are the same for any chunks.
        rows.failures.sort();
        self.send_failures(assembly, context, &rows.failures)?;
        self.send_metrics(&assembly.world, context, &rows, assembly.person_count)?;
        self.writer.send(rows.steps)?;
        self.writer.send(rows.levels)?;
        self.writer.send_by_agent(rows.stays)?;
        self.writer.send(rows.trips)?;
        self.writer.send(rows.legs)?;
        self.writer.send_by_agent(rows.stories)?;
        self.writer.send_by_agent(rows.hooks)?;
        self.writer.send_by_agent(rows.files)?;
        self.writer.send(rows.trace)?;
        self.writer.send_by_agent(rows.results)?;
        Ok(())
    }

    fn send_failures(
        &mut self,
        assembly: &Assembly,
        context: &StepContext,
        failures: &[StepFailure],
    ) -> Result<(), SimulationError> {
        let mut table = Failures::default();
        let skills = assembly.registry.skills();
        for failure in failures {
            self.failed[failure.agent.index()] = true;
            table.push(FailureRow {
                tick: context.tick,
                agent_id: failure.agent,
                phase: failure.phase,
                skill_id: failure.skill_index.map_or("", |index| skills[index].id.as_str()),
                code: failure.code,
                message: &failure.message,
            });
        }
        self.writer.send(table)?;
        match failures.first() {
            Some(failure) if assembly.stop_on_failure => Err(SimulationError::Stopped {
                tick: context.tick.0,
                agent: failure.agent.0,
                phase: failure.phase,
                message: failure.message.clone(),
            }),
            _ => Ok(()),
        }
    }

    fn send_metrics(
        &mut self,
        world: &World,
        context: &StepContext,
        rows: &TickRows,
        person_count: usize,
    ) -> Result<(), SimulationError> {
        let mail = &world.resource::<Mail>().0;
        let mut messages = Messages::default();
        for message in mail.waiting() {
            messages.push(MessageRow {
                tick: context.tick,
                from_agent: message.from,
                to_agent: message.to,
                kind: message.kind,
            });
        }
        let tally = &rows.tally;
        let [mean_hunger, mean_energy, mean_safety, mean_social] = mean_levels(tally, person_count);
        let mut metrics = Metrics::default();
        metrics.push(MetricRow {
            tick: context.tick,
            datetime: EpochMs::at(&context.clock, context.time),
            persons: person_count as u32,
            at_home: tally.at_home,
            at_work: tally.at_work,
            at_school: tally.at_school,
            at_other: tally.at_other,
            travelling: tally.travelling,
            departures: tally.departures,
            arrivals: tally.arrivals,
            stories_created: tally.stories_created,
            revised_need: tally.revised_need,
            revised_late: tally.revised_late,
            revised_asked: tally.revised_asked,
            messages: messages.len() as u32,
            failures: rows.failures.len() as u32,
            mean_hunger,
            mean_energy,
            mean_safety,
            mean_social,
        });
        self.writer.send(metrics)?;
        self.writer.send(messages)?;
        Ok(())
    }

    /// Ends the stays and trips that still go on, saves the workspaces, completes all files.
    fn close(mut self, assembly: &mut Assembly) -> Result<Closed, SimulationError> {
        let end = Tick(self.ticks_done);
        close::end_stays_and_trips(assembly, end, &mut self.writer)?;
        close::save_workspaces(assembly, end, &mut self.writer)?;
        let tables = self.writer.finish()?;
        let agent_steps = u64::from(self.ticks_done) * assembly.person_count as u64;
        let threads = parallel::thread_count();
        let telemetry = Telemetry::of(self.wall, threads, agent_steps, &self.times);
        let failed = self.failed.iter().filter(|failed| **failed).count();
        let failed_share = failed as f64 / assembly.person_count.max(1) as f64;
        Ok(Closed { tables, telemetry, failed_share })
    }
}

/// What a closed run leaves for its report.
struct Closed {
    tables: Vec<TableSummary>,
    telemetry: Telemetry,
    failed_share: f64,
}

/// Rows of one tick, merged.
#[derive(Default)]
struct TickRows {
    steps: Steps,
    levels: Needs,
    stays: Stays,
    trips: Trips,
    legs: Legs,
    stories: Stories,
    hooks: Hooks,
    files: Workspace,
    trace: BtTrace,
    results: SkillResults,
    failures: Vec<StepFailure>,
    tally: Tally,
}

fn mean_levels(tally: &Tally, person_count: usize) -> [f64; NEED_COUNT] {
    tally.level_sums.map(|sum| sum as f64 / LEVEL_UNIT / person_count.max(1) as f64)
}
