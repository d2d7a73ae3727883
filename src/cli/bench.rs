//! `populace bench`: speed and memory, a row for each thing, size and number of threads.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::args::BenchArgs;
use super::bench_list::{ENTRIES, Entry};
use super::bench_row::{Plan, Row, measure};
use super::run::stop_on_signal;
use super::{exit, report};

/// Measures what was asked for.
pub fn bench(args: &BenchArgs) -> anyhow::Result<u8> {
    let entries = chosen(&args.names)?;
    if args.list {
        list(&entries, args.json)?;
        return Ok(exit::DONE);
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signal(Arc::clone(&stop))?;
    if args.row {
        return one_row(entries[0], args, &stop);
    }
    let mut rows = Vec::new();
    let code = all_rows(&entries, args, &stop, &mut rows)?;
    if args.json {
        report::say(&serde_json::to_string_pretty(&rows)?);
    } else if !rows.is_empty() {
        report::say(&table(&rows));
    }
    Ok(code)
}

/// The entries that have one of `names`, or that begin with it; all without names.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Entry>> {
    if names.is_empty() {
        return Ok(ENTRIES.iter().collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        let exact: Vec<_> = ENTRIES.iter().filter(|entry| entry.name == name).collect();
        let family = || ENTRIES.iter().filter(|entry| entry.name.starts_with(name)).collect();
        let found: Vec<_> = if exact.is_empty() { family() } else { exact };
        anyhow::ensure!(
            !found.is_empty(),
            "nothing to measure begins with '{name}': see populace bench --list"
        );
        chosen.extend(found);
    }
    Ok(chosen)
}

fn list(entries: &[&Entry], json: bool) -> anyhow::Result<()> {
    if json {
        let item = |entry: &&Entry| {
            let Entry { name, what, sizes, ticks, .. } = entry;
            serde_json::json!({"name": name, "what": what, "agents": sizes, "ticks": ticks})
        };
        let items: Vec<_> = entries.iter().map(item).collect();
        report::say(&serde_json::to_string_pretty(&items)?);
        return Ok(());
    }
    let row = |entry: &&Entry| {
        let sizes: Vec<_> = entry.sizes.iter().map(|size| report::grouped(*size)).collect();
        vec![entry.name.to_owned(), sizes.join(" "), entry.ticks.to_string(), entry.what.to_owned()]
    };
    let headings = ["name", "agents", "ticks", "an agent-step"];
    report::say(&report::table(&headings, entries.iter().map(row).collect(), &[1, 2]));
    Ok(())
}

/// Measures in this process.
fn one_row(entry: &Entry, args: &BenchArgs, stop: &AtomicBool) -> anyhow::Result<u8> {
    let plan = Plan {
        agents: entry.agents(&args.agents)[0],
        ticks: args.ticks.unwrap_or(entry.ticks),
        threads: args.threads[0],
        rounds: args.rounds,
    };
    let Some(row) = measure(entry, plan, stop)? else { return Ok(exit::INTERRUPTED) };
    report::say(&serde_json::to_string(&row)?);
    Ok(exit::DONE)
}

/// Measures each row in a process of its own. The first that fails ends it; its exit code is given.
fn all_rows(
    entries: &[&Entry],
    args: &BenchArgs,
    stop: &AtomicBool,
    rows: &mut Vec<Row>,
) -> anyhow::Result<u8> {
    for entry in entries {
        for agents in entry.agents(&args.agents) {
            let first = rows.len();
            for threads in &args.threads {
                if stop.load(Ordering::Relaxed) {
                    return Ok(exit::INTERRUPTED);
                }
                let ticks = args.ticks.unwrap_or(entry.ticks);
                let plan = Plan { agents: *agents, ticks, threads: *threads, rounds: args.rounds };
                match child(entry, plan)? {
                    Ok(row) => rows.push(row),
                    Err(code) => return Ok(code),
                }
            }
            compare(&mut rows[first..]);
        }
    }
    Ok(exit::DONE)
}

/// A row, or the exit code of the process, which has said what went wrong.
fn child(entry: &Entry, plan: Plan) -> anyhow::Result<Result<Row, u8>> {
    let Plan { agents, ticks, threads, rounds } = plan;
    report::complain(&format!(
        "{}: {} agents, {ticks} ticks, {threads} thread{}",
        entry.name,
        report::grouped(agents),
        if threads == 1 { "" } else { "s" }
    ));
    let program = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new(program)
        .args(["bench", "--row", entry.name])
        .args(["--agents", &agents.to_string()])
        .args(["--ticks", &ticks.to_string()])
        .args(["--threads", &threads.to_string()])
        .args(["--rounds", &rounds.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start this program again")?;
    if output.status.success() {
        return Ok(Ok(serde_json::from_slice(&output.stdout)?));
    }
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    code.map(Err)
        .with_context(|| format!("{}: the process ended with {}", entry.name, output.status))
}

/// Sets rows of the same thing and size in relation to the one with one thread.
fn compare(rows: &mut [Row]) {
    let Some(one) = rows.iter().find(|row| row.threads == 1) else { return };
    let one = one.agent_steps_per_s;
    for row in rows.iter_mut().filter(|row| row.threads > 1) {
        row.speedup = Some(row.agent_steps_per_s / one);
    }
}

/// The rows for people; what a row shares with the one above is said once.
fn table(rows: &[Row]) -> String {
    let headings = [
        "name",
        "agents",
        "threads",
        "steps/s",
        "ns/step",
        "B/agent",
        "peak",
        "rows/s",
        "B/row",
        "tick ms p50/p99/max",
        "to 1 thread",
    ];
    let right: Vec<usize> = (1..headings.len()).collect();
    let above = std::iter::once(None).chain(rows.iter().map(Some));
    let lines = rows.iter().zip(above).map(|(row, above)| {
        let name = above.filter(|above| above.name == row.name);
        let agents = name.filter(|above| above.agents == row.agents);
        let mut cells = cells(row);
        for (cell, _) in cells.iter_mut().zip([name, agents]).filter(|(_, same)| same.is_some()) {
            cell.clear();
        }
        cells
    });
    report::unfolded_table(&headings, lines.collect(), &right).to_string()
}

fn cells(row: &Row) -> Vec<String> {
    let optional = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let ms = |ns: u64| {
        let ms = ns as f64 / 1e6;
        if ms < 10.0 { format!("{ms:.2}") } else { format!("{ms:.1}") }
    };
    let quantiles = [row.tick_p50_ns, row.tick_p99_ns, row.tick_max_ns].map(ms);
    vec![
        row.name.clone(),
        report::grouped(row.agents),
        row.threads.to_string(),
        report::rounded(row.agent_steps_per_s),
        format!("{:.1}", row.ns_per_agent_step),
        optional(row.net_bytes_per_agent.map(report::rounded)),
        optional(row.peak_bytes.map(report::bytes)),
        optional((row.rows > 0).then(|| report::rounded(row.rows_per_s))),
        optional(row.bytes_per_row.map(|bytes| format!("{bytes:.1}"))),
        quantiles.join("/"),
        optional(row.speedup.map(|times| format!("{times:.2}x"))),
    ]
}
