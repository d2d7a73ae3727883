//! Calls per second of a small Python entrypoint: through the pool, with one worker and with two,
//! call by call and in batches, beside one cold interpreter per call; and of a hook in whole runs.
//!
//! `cargo bench --bench scripts`. All figures come from one run of this program, in turn; each is
//! the best of [`ROUNDS`].
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use populace::agent::request::{ScriptBatch, ScriptCall, ScriptEntry, ScriptReply};
use populace::base::ids::AgentId;
use populace::host::ScriptHost;
use populace::host::python::Interpreter;
use populace::host::scripts::ScriptRunner;
use populace::host::settings::ScriptSettings;
use populace::host::workspace::Workspaces;
use populace::skill::package::{Skill, SkillScope};
use populace::skill::script::script_of;

/// Rounds of each measurement.
const ROUNDS: usize = 5;
/// Cold interpreters started in a round, calls made one by one, calls of a batch.
const COLD: usize = 20;
const SINGLE: usize = 2_000;
const BATCH: usize = 50_000;
/// Persons whose workspaces the calls go through.
const PERSONS: usize = 10_000;
/// Ticks of the two runs whose difference is the hook's.
const TICKS: [usize; 2] = [5, 25];

const SCRIPT: &str = "import sys\n\n\ndef entrypoint(argv):\n    return 'hello ' + argv[0]\n\n\n\
                      if __name__ == '__main__':\n    print(entrypoint(sys.argv[1:]))\n";
const HOOK: &str = "def pre_step():\n    return 'awake'\n";

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    write_skill(folder.path(), "greet", "script: run.py", SCRIPT)?;
    write_skill(folder.path(), "wake", "hooks: {pre_step: run.py}", HOOK)?;
    // The program itself, as the pool runs it, and not a launcher that looks for it.
    let python = Interpreter::find(Path::new("python3"))?.program;
    let cold = best(|| cold(&python, &folder.path().join("greet/run.py")))?;
    println!("{:<36}{:>12}{:>12}", "one small entrypoint", "calls/s", "to cold");
    let tell = |what: &str, rate: f64| {
        println!("{what:<36}{rate:>12.0}{:>11.0}x", rate / cold);
    };
    tell("one cold interpreter per call", cold);
    let mut batched = Vec::new();
    for workers in [1, 2] {
        let mut pool = Pool::start(&folder.path().join("greet"), workers)?;
        tell(&format!("pool of {workers}, call by call"), best(|| pool.one_by_one())?);
        let rate = best(|| pool.batch())?;
        tell(&format!("pool of {workers}, in batches"), rate);
        batched.push(rate);
    }
    println!("two workers to one, in batches: {:.2}", batched[1] / batched[0]);
    let hooks = best(|| hooks(folder.path()))?;
    println!("a run of {PERSONS} persons, a hook each tick: {hooks:.0} hook calls/s");
    Ok(())
}

/// The highest of some measurements: whatever else the machine does only lowers them.
fn best(mut measure: impl FnMut() -> Result<f64>) -> Result<f64> {
    let rates: Result<Vec<f64>> = (0..ROUNDS).map(|_| measure()).collect();
    Ok(rates?.into_iter().fold(0.0, f64::max))
}

fn rate(count: usize, begun: Instant) -> f64 {
    count as f64 / begun.elapsed().as_secs_f64()
}

fn write_skill(root: &Path, name: &str, entry: &str, script: &str) -> Result<()> {
    let folder = root.join(name);
    fs::create_dir_all(&folder)?;
    let text = format!("---\nname: {name}\ndescription: d\n{entry}\n---\n");
    fs::write(folder.join("SKILL.md"), text)?;
    fs::write(folder.join("run.py"), script)?;
    Ok(())
}

fn cold(python: &Path, script: &Path) -> Result<f64> {
    let begun = Instant::now();
    for _ in 0..COLD {
        let output = Command::new(python).arg(script).arg("you").output()?;
        ensure!(output.stdout == b"hello you\n", "{output:?}");
    }
    Ok(rate(COLD, begun))
}

/// A pool, the folders it works in, and the script.
struct Pool {
    runner: ScriptRunner,
    _workspaces: Workspaces,
    batch: ScriptBatch,
}

impl Pool {
    fn start(skill: &Path, workers: usize) -> Result<Self> {
        let (skill, _) = Skill::read(SkillScope::Workspace, None, skill);
        let skill = skill.context("the skill can be read")?;
        let script =
            script_of(&skill, Some("run.py")).map_err(|why| anyhow::anyhow!(why.stderr))?;
        let mut workspaces = Workspaces::create()?;
        for index in 0..PERSONS {
            workspaces.add(AgentId::from_index(index), &[])?;
        }
        let readable = vec![script.skill_dir.clone()];
        let settings = ScriptSettings { workers, readable, ..ScriptSettings::default() };
        let mut runner = ScriptRunner::new(settings, Some(workspaces.root().to_owned()));
        runner.start_python()?;
        let call = |index: usize| ScriptCall {
            agent: AgentId::from_index(index % PERSONS),
            seed: index as u64,
            argv: vec!["you".to_owned()],
            person: None,
        };
        let batch = ScriptBatch {
            script: Arc::new(script),
            entry: ScriptEntry::Command,
            calls: (0..BATCH).map(call).collect(),
            time_limit_ms: None,
        };
        let mut pool = Self { runner, _workspaces: workspaces, batch };
        // Interpreters start with the first call.
        pool.batch()?;
        Ok(pool)
    }

    fn one_by_one(&mut self) -> Result<f64> {
        let single = |call: &ScriptCall| ScriptBatch {
            script: Arc::clone(&self.batch.script),
            entry: ScriptEntry::Command,
            calls: vec![call.clone()],
            time_limit_ms: None,
        };
        let batches: Vec<_> = self.batch.calls[..SINGLE].iter().map(single).collect();
        let begun = Instant::now();
        for batch in &batches {
            check(&self.runner.run(std::slice::from_ref(batch)), 1)?;
        }
        Ok(rate(SINGLE, begun))
    }

    fn batch(&mut self) -> Result<f64> {
        let begun = Instant::now();
        let replies = self.runner.run(std::slice::from_ref(&self.batch));
        let rate = rate(BATCH, begun);
        check(&replies, BATCH)?;
        Ok(rate)
    }
}

fn check(replies: &[Vec<ScriptReply>], count: usize) -> Result<()> {
    let well = |reply: &&ScriptReply| reply.result.ok && reply.result.stdout == "hello you";
    let found = replies.iter().flatten().filter(well).count();
    ensure!(found == count, "{found} of {count} calls are well");
    Ok(())
}

/// Hook calls per second of whole runs: what more ticks cost, so that making the town is not in it.
fn hooks(skills: &Path) -> Result<f64> {
    let text = format!(
        "name: hooks\nseed: 1\nclock: {{start: 2026-03-02T06:00:00, tick_s: 300, ticks: 5}}\n\
         population: {{source: synthetic, persons: {PERSONS}}}\n\
         environment: {{city: {{source: grid, zones_x: 6, zones_y: 6, zone_m: 750}}}}\n\
         skills: {{roots: [{}], default_activated: [wake]}}\n\
         scripts: {{workers: 2}}\nrecords: {{log: changed}}\n",
        skills.display()
    );
    let scenario = skills.join("scenario.yaml");
    fs::write(&scenario, text)?;
    let mut seconds = [0.0; 2];
    for (ticks, seconds) in TICKS.iter().zip(&mut seconds) {
        let begun = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_populace"))
            .args(["run", "--quiet", "--force", "--ticks", &ticks.to_string(), "--out"])
            .args([&skills.join("run"), &scenario])
            .stdout(Stdio::null())
            .status()?;
        ensure!(status.success(), "the run failed");
        *seconds = begun.elapsed().as_secs_f64();
    }
    let calls = (TICKS[1] - TICKS[0]) * PERSONS;
    Ok(calls as f64 / (seconds[1] - seconds[0]))
}
