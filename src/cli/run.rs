//! `populace run`: from a scenario to a run folder, with a progress bar and a summary; and
//! `populace resume`, which goes on with one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{HowArgs, ResumeArgs, RunArgs};
use super::{exit, report, validate};
use crate::base::parallel;
use crate::base::time::SimClock;
use crate::record::RunStatus;
use crate::scenario::Scenario;
use crate::simulation::assemble::{AssembleOptions, assemble};
use crate::simulation::checkpoint;
use crate::simulation::model::run_model;
use crate::simulation::resume::{Resumption, resume as go_on_with};
use crate::simulation::run::{Progress, RunOptions, RunReport, run as drive};

/// Runs a scenario.
pub fn run(args: &RunArgs) -> anyhow::Result<u8> {
    let scenario = validate::load(&args.scenario)?;
    let out = args.out.clone().unwrap_or_else(|| scenario.output_dir());
    let options = AssembleOptions {
        chunk_len: chunk_len(&args.how),
        skill_roots: &args.scenario.skill_roots,
        overrides: overrides_of(args),
        watch: args.watch,
    };
    let start = Start { out, force: args.force, resumption: None };
    carry_out(&scenario, &options, &args.how, start)
}

/// Goes on with a run.
pub fn resume(args: &ResumeArgs) -> anyhow::Result<u8> {
    let resumption = Resumption::open(&args.run)?;
    let scenario = resumption.scenario()?;
    for warning in resumption.warnings() {
        report::complain(&format!("warning: {warning}"));
    }
    let skill_roots = resumption.skill_roots();
    let options = AssembleOptions {
        chunk_len: chunk_len(&args.how),
        skill_roots: &skill_roots,
        overrides: resumption.manifest().overrides.clone(),
        watch: resumption.manifest().invocation.watch,
    };
    let out = resumption.dir().to_owned();
    carry_out(
        &scenario,
        &options,
        &args.how,
        Start { out, force: false, resumption: Some(resumption) },
    )
}

/// Where a run goes, and from where it goes on.
struct Start {
    out: PathBuf,
    force: bool,
    resumption: Option<Resumption>,
}

fn carry_out(
    scenario: &Scenario,
    options: &AssembleOptions<'_>,
    how: &HowArgs,
    start: Start,
) -> anyhow::Result<u8> {
    if !how.quiet {
        for warning in &scenario.warnings {
            report::complain(&warning.to_string());
        }
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signal(Arc::clone(&stop))?;
    let Start { out, force, resumption } = start;
    let go_on = format!("go on with: populace resume {}", out.display());
    let done = parallel::with_threads(usize::from(how.threads), || {
        let clock = scenario.clock();
        let bar = progress_bar(how, u64::from(clock.tick_count()));
        let mut progress = |progress: Progress| show(&bar, &clock, progress);
        let mut run = RunOptions { out: out.clone(), force, stop: &stop, progress: &mut progress };
        let done = match scenario.spec.model() {
            Some(model) => {
                // Nothing of a model is saved: its run begins again.
                run.force |= resumption.is_some();
                drop(resumption);
                run_model(scenario, model, options, &mut run)
            }
            None => assemble(scenario, options).and_then(|assembly| {
                bar.reset_elapsed();
                match resumption {
                    None => drive(assembly, &mut run),
                    Some(resumption) => go_on_with(assembly, resumption, &mut run),
                }
            }),
        };
        bar.finish_and_clear();
        done
    })?;
    let done = done.inspect_err(|error| {
        if error.exit_code() == exit::IO && checkpoint::folder::is_there(&out) {
            report::complain(&format!("once that is mended, {go_on}"));
        }
    })?;
    if how.json {
        report::say(&serde_json::to_string_pretty(&summary_json(&done))?);
    } else if !how.quiet {
        report::say(&summary(&done));
    }
    if done.manifest.status == RunStatus::Interrupted {
        report::complain(&go_on);
    }
    Ok(exit_code(&done, scenario.spec.failures.allowed_share))
}

fn chunk_len(how: &HowArgs) -> usize {
    how.chunk.map_or(parallel::CHUNK_LEN, |len| len as usize)
}

/// The first signal asks for a clean end after the tick under way, the second ends at once.
#[expect(
    clippy::disallowed_methods,
    reason = "who asks twice does not want to wait; unfinished tables have names of their own"
)]
pub fn stop_on_signal(stop: Arc<AtomicBool>) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
    })
}

fn exit_code(report: &RunReport, allowed_share: f64) -> u8 {
    match report.manifest.status {
        RunStatus::Interrupted => exit::INTERRUPTED,
        _ if report.failed_share > allowed_share => exit::FAILURES,
        _ => exit::DONE,
    }
}

/// The overrides as typed, for the manifest.
fn overrides_of(args: &RunArgs) -> Vec<String> {
    let scenario = &args.scenario;
    let mut list = scenario.set.clone();
    list.extend(scenario.seed.map(|seed| format!("seed={seed}")));
    list.extend(scenario.agents.map(|agents| format!("population.agents={agents}")));
    list.extend(scenario.ticks.map(|ticks| format!("clock.ticks={ticks}")));
    list
}

fn progress_bar(how: &HowArgs, tick_count: u64) -> ProgressBar {
    let bar = ProgressBar::new(tick_count);
    if how.quiet || how.json {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = "{msg} {wide_bar:.cyan/dim} {pos}/{len} ticks  {elapsed} + {eta}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

fn show(bar: &ProgressBar, clock: &SimClock, progress: Progress) {
    let time = clock.time_of(crate::base::time::Tick(progress.ticks_done));
    let rate =
        progress.agent_steps as f64 / bar.elapsed().max(Duration::from_millis(1)).as_secs_f64();
    let datetime = clock.datetime(time).strftime("%a %Y-%m-%d %H:%M");
    bar.set_message(format!("{datetime}  {}/s", report::grouped(rate as u64)));
    bar.set_position(u64::from(progress.ticks_done));
}

fn summary(report: &RunReport) -> String {
    let RunReport { manifest, telemetry, .. } = report;
    let of_model = manifest.counts.get("agents");
    let count = of_model.or(manifest.counts.get("persons")).copied().unwrap_or(0);
    let rows = manifest
        .tables
        .iter()
        .map(|table| {
            vec![table.name.clone(), report::grouped(table.rows), report::bytes(table.bytes)]
        })
        .collect();
    let mut text = report::table(&["table", "rows", "size"], rows, &[1, 2]);
    let memory = telemetry.peak_rss_bytes.map_or_else(|| "unknown".to_owned(), report::bytes);
    text.push_str(&format!(
        "\n{status} {count} {who}, {ticks} of {planned} ticks in {wall:.1} s: {rate} \
         agent-steps/s on {threads} threads, peak memory {memory}\n{dir}",
        status = status_word(manifest.status),
        count = report::grouped(count),
        who = if of_model.is_some() { "agents" } else { "persons" },
        ticks = manifest.clock.ticks_done,
        planned = manifest.clock.ticks_planned,
        wall = telemetry.wall_s,
        rate = report::grouped(telemetry.agent_steps_per_s as u64),
        threads = telemetry.threads,
        dir = tables_line(&report.dir, of_model.is_some()),
    ));
    if report.failed_share > 0.0 {
        let percent = 100.0 * report.failed_share;
        text.push_str(&format!(
            "\n{percent:.2} % of the persons failed at least once: why is in the table failures"
        ));
    }
    for warning in &manifest.warnings {
        text.push_str(&format!("\nwarning: {warning}"));
    }
    text
}

fn tables_line(dir: &Path, of_model: bool) -> String {
    if of_model {
        return format!("written to {}", dir.display());
    }
    format!("written to {0}; try: populace inspect {0} --agent 0", dir.display())
}

const fn status_word(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "running:",
        RunStatus::Completed => "completed:",
        RunStatus::CompletedWithFailures => "completed with failures:",
        RunStatus::Interrupted => "interrupted:",
        RunStatus::Failed => "failed:",
    }
}

fn summary_json(report: &RunReport) -> serde_json::Value {
    serde_json::json!({
        "dir": report.dir,
        "manifest": report.manifest,
        "telemetry": report.telemetry,
        "failed_share": report.failed_share,
    })
}
