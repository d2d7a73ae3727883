//! Runs a model: the same clock, run folder, manifest and telemetry as a run of persons.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::assemble::{AssembleOptions, invocation, tables, write_options};
use super::error::SimulationError;
use super::run::{Progress, RunOptions, RunReport, fail, prepare_folder};
use crate::base::parallel;
use crate::base::time::{SimClock, SimTime, Tick};
use crate::model::{AgentView, Model, build};
use crate::record::manifest::{ClockSummary, Machine, Manifest, RunStatus, ScenarioRef, Wall};
use crate::record::tables::models::{ModelAgentRow, ModelAgents, ModelMetricRow, ModelMetrics};
use crate::record::{EpochMs, PhaseTimes, RunWriter, TableId, TableSummary, Telemetry};
use crate::scenario::Scenario;
use crate::scenario::spec::{LogPolicy, ModelKind};
use crate::step::state::sampled;

/// How often the caller hears of progress at most; a tick may take microseconds.
const PROGRESS_EVERY: Duration = Duration::from_millis(20);
/// Rows of metrics handed to the writer at a time.
const BATCH_ROWS: usize = 1_024;

/// Runs the scenario's model to its end, to `stop`, or to an error.
///
/// # Errors
/// As [`super::run::run`].
pub fn run_model(
    scenario: &Scenario,
    kind: ModelKind<'_>,
    how: &AssembleOptions<'_>,
    options: &mut RunOptions<'_>,
) -> Result<RunReport, SimulationError> {
    let _lock = prepare_folder(&options.out, options.force)?;
    let model = build(kind, scenario.spec.seed);
    let mut manifest = manifest(scenario, model.as_ref(), how);
    manifest.write(&options.out)?;
    let writer = RunWriter::create(&options.out, &tables(scenario), &write_options(scenario))?;
    let mut driver = Driver::new(writer, model, scenario);
    let outcome = driver.drive(options).and_then(|status| Ok((status, driver.close()?)));
    manifest.wall.finish();
    let (status, Closed { ticks_done, tables, telemetry }) = match outcome {
        Ok(closed) => closed,
        Err(error) => return Err(fail(manifest, &options.out, error)),
    };
    manifest.clock.ticks_done = ticks_done;
    manifest.status = status;
    manifest.tables = tables;
    telemetry.write(&options.out)?;
    manifest.write(&options.out)?;
    Ok(RunReport { dir: options.out.clone(), manifest, telemetry, failed_share: 0.0 })
}

fn manifest(scenario: &Scenario, model: &dyn Model, how: &AssembleOptions<'_>) -> Manifest {
    let clock = scenario.clock();
    Manifest {
        format: crate::record::manifest::FORMAT,
        populace_version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: ScenarioRef {
            name: scenario.spec.name.clone(),
            path: scenario.path.display().to_string(),
            hash: scenario.hash.clone(),
        },
        seed: scenario.spec.seed,
        status: RunStatus::Running,
        clock: ClockSummary {
            start: clock.datetime(SimTime(0)),
            tick_s: clock.tick_s(),
            ticks_planned: clock.tick_count(),
            ticks_done: 0,
        },
        counts: BTreeMap::from([("agents".to_owned(), model.agent_count())]),
        tables: Vec::new(),
        registry_hash: String::new(),
        skills: Vec::new(),
        skill_sources: Vec::new(),
        skill_generations: Vec::new(),
        scripts: None,
        story_model: String::new(),
        warnings: scenario.warnings.iter().map(ToString::to_string).collect(),
        overrides: how.overrides.clone(),
        invocation: invocation(how),
        inputs: Vec::new(),
        resumed_at: Vec::new(),
        wall: Wall::start(),
        machine: Machine::this(),
    }
}

/// What changes while a model is driven.
struct Driver {
    writer: RunWriter,
    model: Box<dyn Model>,
    clock: SimClock,
    agents: AgentLog,
    metrics: ModelMetrics,
    times: PhaseTimes,
    ticks_done: u32,
    agent_steps: u64,
    wall: Duration,
}

/// What a closed run leaves for its manifest.
struct Closed {
    ticks_done: u32,
    tables: Vec<TableSummary>,
    telemetry: Telemetry,
}

impl Driver {
    fn new(writer: RunWriter, model: Box<dyn Model>, scenario: &Scenario) -> Self {
        let writes = writer.writes(TableId::ModelAgents);
        Self {
            writer,
            model,
            clock: scenario.clock(),
            agents: AgentLog::new(scenario, writes),
            metrics: ModelMetrics::default(),
            times: PhaseTimes::default(),
            ticks_done: 0,
            agent_steps: 0,
            wall: Duration::ZERO,
        }
    }

    fn drive(&mut self, options: &mut RunOptions<'_>) -> Result<RunStatus, SimulationError> {
        let started = Instant::now();
        let mut last_told = started;
        for tick in (0..self.clock.tick_count()).map(Tick) {
            if options.stop.load(Ordering::Relaxed) {
                return Ok(RunStatus::Interrupted);
            }
            let began = Instant::now();
            self.agent_steps += self.model.step(tick);
            let stepped = Instant::now();
            self.note_metrics(tick)?;
            self.agents.note(self.model.as_ref(), tick, &mut self.writer)?;
            let done = Instant::now();
            self.times.note("step", stepped - began);
            self.times.note("hand_over", done - stepped);
            self.times.note("tick", done - began);
            self.ticks_done = tick.0 + 1;
            self.wall = done - started;
            if done - last_told >= PROGRESS_EVERY || self.ticks_done == self.clock.tick_count() {
                last_told = done;
                let Self { ticks_done, agent_steps, .. } = *self;
                (options.progress)(Progress { ticks_done, agent_steps });
            }
        }
        Ok(RunStatus::Completed)
    }

    fn note_metrics(&mut self, tick: Tick) -> Result<(), SimulationError> {
        let datetime = EpochMs::at(&self.clock, self.clock.time_of(tick));
        let rows = &mut self.metrics;
        self.model.metrics(&mut |metric, value| {
            rows.push(ModelMetricRow { tick, datetime, metric, value });
        });
        if rows.len() >= BATCH_ROWS {
            self.writer.send(std::mem::take(rows))?;
        }
        Ok(())
    }

    fn close(mut self) -> Result<Closed, SimulationError> {
        self.writer.send(self.metrics)?;
        let tables = self.writer.finish()?;
        let threads = parallel::thread_count();
        let telemetry = Telemetry::of(self.wall, threads, self.agent_steps, &self.times);
        Ok(Closed { ticks_done: self.ticks_done, tables, telemetry })
    }
}

/// Which agents are written down, and how they were last.
struct AgentLog {
    policy: LogPolicy,
    seed: u64,
    share: f32,
    /// Position and state last written, by agent; only for the policy `changed`.
    last: Vec<Option<(f32, f32, &'static str)>>,
}

impl AgentLog {
    fn new(scenario: &Scenario, writes: bool) -> Self {
        let records = &scenario.spec.records;
        Self {
            policy: if writes { records.log } else { LogPolicy::None },
            seed: scenario.spec.seed,
            share: records.sample_share as f32,
            last: Vec::new(),
        }
    }

    fn note(
        &mut self,
        model: &dyn Model,
        tick: Tick,
        writer: &mut RunWriter,
    ) -> Result<(), SimulationError> {
        if self.policy == LogPolicy::None {
            return Ok(());
        }
        let mut rows = ModelAgents::default();
        model.agents(&mut |view| {
            if self.keeps(&view) {
                let AgentView { agent, x, y, state } = view;
                rows.push(ModelAgentRow { tick, agent_id: agent, x, y, state });
            }
        });
        Ok(writer.send(rows)?)
    }

    fn keeps(&mut self, view: &AgentView) -> bool {
        match self.policy {
            LogPolicy::All => true,
            LogPolicy::None => false,
            LogPolicy::Sample => sampled(self.seed, view.agent, self.share),
            LogPolicy::Changed => {
                let index = view.agent.index();
                if self.last.len() <= index {
                    self.last.resize(index + 1, None);
                }
                let now = Some((view.x, view.y, view.state));
                let changed = self.last[index] != now;
                self.last[index] = now;
                changed
            }
        }
    }
}
