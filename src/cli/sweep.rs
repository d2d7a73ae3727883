//! `populace sweep`: the runs of a sweep, each a process of its own, and the table of them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::SweepArgs;
use super::run::stop_on_signal;
use super::{exit, report, validate};
use crate::scenario::Scenario;
use crate::simulation::checkpoint;
use crate::simulation::sweep::outcome::{Outcome, run_name, write_table};
use crate::simulation::sweep::plan::{Param, Plan, Point};

/// How often a run is asked whether it is done.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a run may take to end when the sweep is stopped.
const GRACE: Duration = Duration::from_secs(10);
/// Most runs that are listed on the screen.
const LISTED_MAX: usize = 20;

/// Runs a sweep, or what is left of it.
pub fn sweep(args: &SweepArgs) -> anyhow::Result<u8> {
    let scenario = validate::load(&args.scenario)?;
    let given = args.params.iter().map(|text| param_of(text)).collect::<Result<Vec<_>, _>>()?;
    let plan = Plan::new(&scenario, &given, args.seeds)?;
    check_values(&plan, args)?;
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("runs").join(format!("{}-sweep", scenario.spec.name)));
    plan.settle(&folder)?;
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signal(Arc::clone(&stop))?;
    let crew = Crew { args, scenario: &scenario, plan: &plan, folder: &folder, stop: &stop };
    let rows = crew.run_all(plan.points())?;
    if stop.load(Ordering::Relaxed) {
        report::complain("stopped; the same command goes on with what is left");
        return Ok(exit::INTERRUPTED);
    }
    let table = folder.join("sweep.csv");
    write_table(&table, &plan, &rows)?;
    if !args.quiet {
        report::say(&summary(&plan, &rows, &table));
    }
    let all_done = rows.iter().all(|(_, outcome)| outcome.is_done());
    Ok(if all_done { exit::DONE } else { exit::FAILURES })
}

/// `key=a,b,c`.
fn param_of(text: &str) -> anyhow::Result<Param> {
    let Some((key, values)) = text.split_once('=') else {
        anyhow::bail!("--param {text}: write PATH=A,B,C, for example records.log=none,changed");
    };
    let values = values.split(',').map(|value| value.trim().to_owned()).collect();
    Ok(Param { key: key.trim().to_owned(), values })
}

/// Every value is one that the scenario takes: said before anything is run.
fn check_values(plan: &Plan, args: &SweepArgs) -> anyhow::Result<()> {
    for Param { key, values } in &plan.params {
        for value in values {
            let mut scenario = args.scenario.clone();
            scenario.set.push(format!("{key}={value}"));
            validate::load(&scenario).with_context(|| format!("with {key}={value}"))?;
        }
    }
    Ok(())
}

struct Crew<'a> {
    args: &'a SweepArgs,
    scenario: &'a Scenario,
    plan: &'a Plan,
    folder: &'a Path,
    stop: &'a AtomicBool,
}

impl Crew<'_> {
    /// What came of each run, in their order; fewer if the sweep was stopped.
    fn run_all(&self, points: Vec<Point>) -> anyhow::Result<Vec<(Point, Outcome)>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let jobs = if self.args.jobs == 0 { cores } else { usize::from(self.args.jobs) };
        let threads = match self.args.threads {
            0 => (cores / jobs).max(1),
            threads => usize::from(threads),
        };
        let bar = self.bar(points.len());
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || -> anyhow::Result<()> {
            while !self.stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(point) = points.get(index) else { break };
                if let Some(outcome) = self.run_one(point, threads)? {
                    bar.inc(1);
                    let mut done = done.lock().unwrap_or_else(|broken| broken.into_inner());
                    done.push((point.clone(), outcome));
                }
            }
            Ok(())
        };
        thread::scope(|scope| {
            let crew: Vec<_> = (0..jobs.min(points.len())).map(|_| scope.spawn(work)).collect();
            let joined = |job: thread::ScopedJoinHandle<'_, anyhow::Result<()>>| {
                job.join().unwrap_or_else(|_| anyhow::bail!("a job of the sweep broke off"))
            };
            crew.into_iter().try_for_each(joined)
        })?;
        bar.finish_and_clear();
        let mut done = done.into_inner().unwrap_or_else(|broken| broken.into_inner());
        done.sort_by_key(|(point, _)| point.number);
        Ok(done)
    }

    fn bar(&self, runs: usize) -> ProgressBar {
        let bar = ProgressBar::new(runs as u64);
        if self.args.quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = "sweep {wide_bar:.cyan/dim} {pos}/{len} runs  {elapsed} + {eta}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        bar
    }

    /// What came of a run that is done, now or before; nothing if it was stopped.
    fn run_one(&self, point: &Point, threads: usize) -> anyhow::Result<Option<Outcome>> {
        let folder = self.folder.join(run_name(point));
        if let Some(outcome) = Outcome::of(&folder)? {
            return Ok(Some(outcome));
        }
        let log = self.folder.join(format!("{}.log", run_name(point)));
        let carry_out = |mut command: Command| {
            let file =
                fs::File::create(&log).with_context(|| format!("write {}", log.display()))?;
            let child = command.stderr(file).spawn().context("begin a run of the sweep")?;
            self.wait(child)
        };
        let mut ended = None;
        if checkpoint::folder::is_there(&folder) {
            ended = carry_out(self.resume(threads, &folder))?;
            if ended.is_none() {
                return Ok(None);
            }
        }
        // What cannot be gone on with, since a skill is another now for instance, begins again.
        if ended.is_none_or(|status| status.code() == Some(i32::from(exit::USAGE))) {
            ended = carry_out(self.run(point, threads, &folder))?;
        }
        let Some(status) = ended else { return Ok(None) };
        let told = fs::read_to_string(&log).unwrap_or_default();
        if told.is_empty() {
            fs::remove_file(&log).with_context(|| format!("remove {}", log.display()))?;
        }
        let failed = || {
            let last = told.trim_end().lines().next_back().unwrap_or("it said nothing");
            Outcome::Failed(format!("{status}: {last}"))
        };
        Ok(Some(Outcome::of(&folder)?.unwrap_or_else(failed)))
    }

    fn resume(&self, threads: usize, folder: &Path) -> Command {
        let mut command = quiet("resume", threads);
        command.arg(folder);
        command
    }

    fn run(&self, point: &Point, threads: usize, folder: &Path) -> Command {
        let mut command = quiet("run", threads);
        command.arg(&self.scenario.path).args(["--force", "--out"]).arg(folder);
        for root in &self.args.scenario.skill_roots {
            command.arg("--skills").arg(root);
        }
        let given = &self.args.scenario;
        for (word, value) in [("--agents", given.agents), ("--ticks", given.ticks)] {
            if let Some(value) = value {
                command.args([word, &value.to_string()]);
            }
        }
        for text in &given.set {
            command.args(["--set", text]);
        }
        for (key, value) in self.plan.overrides(point) {
            command.args(["--set", &format!("{key}={value}")]);
        }
        command
    }

    /// How a run ended; nothing if it ended because the sweep was stopped.
    fn wait(&self, mut child: Child) -> anyhow::Result<Option<ExitStatus>> {
        let mut stopped: Option<Instant> = None;
        loop {
            if let Some(status) = child.try_wait().context("wait for a run")? {
                return Ok((!self.stop.load(Ordering::Relaxed)).then_some(status));
            }
            if self.stop.load(Ordering::Relaxed) {
                // A terminal tells the run itself to stop; one that was not told is ended.
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() > GRACE {
                    child.kill().context("end a run")?;
                }
            }
            thread::sleep(GLANCE);
        }
    }
}

/// A subcommand of this program that shows nothing.
fn quiet(subcommand: &str, threads: usize) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "populace".into());
    let mut command = Command::new(program);
    command.args([subcommand, "--quiet", "--threads", &threads.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn summary(plan: &Plan, rows: &[(Point, Outcome)], table: &Path) -> String {
    let mut headings = vec!["run"];
    headings.extend(plan.params.iter().map(|param| param.key.as_str()));
    headings.extend(["seed", "status"]);
    let cells = |(point, outcome): &(Point, Outcome)| {
        let mut cells = vec![run_name(point)];
        cells.extend(point.values.iter().cloned());
        cells.push(point.seed.to_string());
        cells.push(match outcome {
            Outcome::Failed(why) => format!("failed: {why}"),
            _ => outcome.word().to_owned(),
        });
        cells
    };
    let failed = rows.iter().filter(|(_, outcome)| !outcome.is_done()).count();
    // Of many runs, those that failed are what has to be seen.
    let shown = rows.iter().filter(|(_, outcome)| rows.len() <= LISTED_MAX || !outcome.is_done());
    let shown: Vec<_> = shown.take(LISTED_MAX).map(cells).collect();
    let mut text = String::new();
    if !shown.is_empty() {
        text = report::table(&headings, shown, &[]) + "\n";
    }
    format!("{text}{} runs, {failed} failed\nwritten to {}", rows.len(), table.display())
}
