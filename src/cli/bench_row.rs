//! Measures one row of `populace bench` in this process: a warm-up for the memory, then rounds for
//! the speed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::bench_list::{Entry, OWN_SKILL, OwnSkill, Setting, Work};
use super::bench_tree::{FIXED, Fixed, compiled, pass};
use crate::base::parallel;
use crate::behaviour::rehearse::StubWords;
use crate::behaviour::state::States;
use crate::record::telemetry::{PhaseSummary, peak_rss_bytes, rss_bytes};
use crate::record::{PhaseTimes, RunStatus};
use crate::simulation::assemble::{AssembleOptions, assemble};
use crate::simulation::model::run_model;
use crate::simulation::run::{Progress, RunOptions, run as drive};

/// What a row is measured with.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Agents.
    pub agents: u64,
    /// Ticks of a round.
    pub ticks: u32,
    /// Worker threads.
    pub threads: u16,
    /// Rounds after the warm-up.
    pub rounds: u32,
}

/// What was measured.
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    /// Name of the entry.
    pub name: String,
    /// Agents.
    pub agents: u64,
    /// Ticks of a round.
    pub ticks: u32,
    /// Worker threads.
    pub threads: u16,
    /// Rounds, of which the median is given.
    pub rounds: u32,
    /// Agent-steps of a round.
    pub agent_steps: u64,
    /// Duration of its ticks in seconds.
    pub wall_s: f64,
    /// Agent-steps per second of `wall_s`.
    pub agent_steps_per_s: f64,
    /// Nanoseconds per agent-step, whatever the number of threads.
    pub ns_per_agent_step: f64,
    /// Growth of resident memory per agent; nothing where the system does not tell.
    pub net_bytes_per_agent: Option<f64>,
    /// Largest resident memory of the process after the warm-up.
    pub peak_bytes: Option<u64>,
    /// Rows of all tables of a round.
    pub rows: u64,
    /// The same per second, until all files were closed.
    pub rows_per_s: f64,
    /// Bytes of all tables per row; nothing if there is no row.
    pub bytes_per_row: Option<f64>,
    /// Median duration of a tick in nanoseconds.
    pub tick_p50_ns: u64,
    /// 99th percentile.
    pub tick_p99_ns: u64,
    /// Longest.
    pub tick_max_ns: u64,
    /// How many times as fast as with one thread; nothing if that was not measured.
    pub speedup: Option<f64>,
}

/// One round.
struct Round {
    agent_steps: u64,
    wall: Duration,
    /// The same, and until all files were closed.
    whole: Duration,
    /// How long the ticks took.
    tick: PhaseSummary,
    rows: u64,
    bytes: u64,
    /// Growth of resident memory.
    growth: Option<u64>,
}

/// Measures a row; nothing if `stop` was set meanwhile.
pub fn measure(entry: &Entry, plan: Plan, stop: &AtomicBool) -> anyhow::Result<Option<Row>> {
    let folder = TemporaryFolder::create()?;
    let round = || match &entry.work {
        Work::Trees => tree_round(plan).map(Some),
        Work::Run(setting) => run_round(setting, plan, &folder.0, stop),
    };
    let Some(warm_up) = round()? else { return Ok(None) };
    let peak_bytes = peak_rss_bytes();
    let mut rounds = Vec::new();
    for _ in 0..plan.rounds {
        let Some(round) = round()? else { return Ok(None) };
        rounds.push(round);
    }
    rounds.sort_by_key(|round| round.wall);
    let round = &rounds[rounds.len() / 2];
    let wall_s = round.wall.as_secs_f64().max(1e-9);
    let agent_steps = round.agent_steps.max(1) as f64;
    Ok(Some(Row {
        name: entry.name.to_owned(),
        agents: plan.agents,
        ticks: plan.ticks,
        threads: plan.threads,
        rounds: plan.rounds,
        agent_steps: round.agent_steps,
        wall_s,
        agent_steps_per_s: agent_steps / wall_s,
        ns_per_agent_step: wall_s * 1e9 / agent_steps,
        net_bytes_per_agent: warm_up.growth.map(|bytes| bytes as f64 / plan.agents as f64),
        peak_bytes,
        rows: round.rows,
        rows_per_s: round.rows as f64 / round.whole.as_secs_f64().max(1e-9),
        bytes_per_row: (round.rows > 0).then(|| round.bytes as f64 / round.rows as f64),
        tick_p50_ns: round.tick.p50_ns,
        tick_p99_ns: round.tick.p99_ns,
        tick_max_ns: round.tick.max_ns,
        speedup: None,
    }))
}

fn tree_round(plan: Plan) -> anyhow::Result<Round> {
    let before = rss_bytes();
    let tree = compiled(FIXED, &StubWords)?;
    let agents = usize::try_from(plan.agents).context("too many agents")?;
    let mut states = States::new(&tree, agents);
    let mut times = PhaseTimes::default();
    let mut wall = Duration::ZERO;
    parallel::with_threads(usize::from(plan.threads), || {
        for _ in 0..plan.ticks {
            let begun = Instant::now();
            pass(&tree, &mut states, |_| Fixed);
            let took = begun.elapsed();
            times.note("tick", took);
            wall += took;
        }
    })?;
    Ok(Round {
        agent_steps: plan.agents * u64::from(plan.ticks),
        wall,
        whole: wall,
        tick: tick_of(&times.summaries())?,
        rows: 0,
        bytes: 0,
        growth: growth(before, rss_bytes()),
    })
}

fn tick_of(phases: &[PhaseSummary]) -> anyhow::Result<PhaseSummary> {
    let tick = phases.iter().find(|summary| summary.phase == "tick");
    tick.cloned().context("the run does not say how long its ticks took")
}

fn growth(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    Some(after?.saturating_sub(before?))
}

fn run_round(
    setting: &Setting,
    plan: Plan,
    folder: &Path,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Round>> {
    let scenario = setting.load(plan.agents, plan.ticks)?;
    let skill_roots = setting.skill.map(|skill| write_skill(folder, skill)).transpose()?;
    let options = AssembleOptions {
        chunk_len: parallel::CHUNK_LEN,
        skill_roots: skill_roots.as_slice(),
        overrides: Vec::new(),
        watch: false,
    };
    parallel::with_threads(usize::from(plan.threads), || {
        let before = rss_bytes();
        let (mut after, mut ticked) = (None, Instant::now());
        let mut progress = |progress: Progress| {
            if progress.ticks_done == plan.ticks {
                (after, ticked) = (rss_bytes(), Instant::now());
            }
        };
        let out = folder.join("run");
        let mut run = RunOptions { out, force: true, stop, progress: &mut progress };
        let report = match scenario.spec.model() {
            Some(model) => run_model(&scenario, model, &options, &mut run)?,
            None => drive(assemble(&scenario, &options)?, &mut run)?,
        };
        let closing = ticked.elapsed();
        if report.manifest.status == RunStatus::Interrupted || stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let failed = 100.0 * report.failed_share;
        anyhow::ensure!(failed == 0.0, "{failed:.2} % of the agents failed: nothing is measured");
        let tables = &report.manifest.tables;
        let wall = Duration::from_secs_f64(report.telemetry.wall_s);
        Ok(Some(Round {
            agent_steps: report.telemetry.agent_steps,
            wall,
            whole: wall + closing,
            tick: tick_of(&report.telemetry.phases)?,
            rows: tables.iter().map(|table| table.rows).sum(),
            bytes: tables.iter().map(|table| table.bytes).sum(),
            growth: growth(before, after),
        }))
    })?
}

/// Writes the skill and gives the folder that it is in.
fn write_skill(folder: &Path, skill: OwnSkill) -> std::io::Result<PathBuf> {
    let OwnSkill { header, file, text } = skill;
    let root = folder.join("skills");
    let home = root.join(OWN_SKILL);
    std::fs::create_dir_all(&home)?;
    let document =
        format!("---\nname: {OWN_SKILL}\ndescription: What is measured.\n{header}\n---\n");
    std::fs::write(home.join("SKILL.md"), document)?;
    std::fs::write(home.join(file), text)?;
    Ok(root)
}

/// A folder of this process alone, removed in the end.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn create() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("populace-bench-{}", std::process::id()));
        std::fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which clears its temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
