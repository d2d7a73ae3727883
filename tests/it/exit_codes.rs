//! What the command tells a shell: exit codes of DESIGN's list, and messages that name the place.

use std::path::Path;
use std::process::Output;

use crate::support::{RunDir, populace, root, stderr};

const SCENARIO: &str = "scenarios/synthetic_city";

fn call(args: &[&str]) -> Output {
    populace().args(args).output().expect("the command starts")
}

/// Expects this exit code and every one of these texts on stderr.
fn refused(args: &[&str], code: i32, texts: &[&str]) {
    let output = call(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    for text in texts {
        assert!(said.contains(text), "{args:?} does not say '{text}':\n{said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

fn write(path: &Path, text: &str) -> String {
    std::fs::write(path, text).expect("writable");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_wrong_scenario_ends_with_2_and_names_every_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = std::fs::read_to_string(root().join(SCENARIO).join("scenario.yaml"))
        .expect("the scenario")
        .replace("tick_s: 300", "tick_s: 0")
        .replace("records:", "recordz:");
    let file = write(&folder.path().join("scenario.yaml"), &text);
    let line = |word: &str| 1 + text.lines().position(|l| l.contains(word)).expect("there");
    let tick = format!("scenario.yaml:{}:", line("tick_s"));
    let records = format!("scenario.yaml:{}:", line("recordz"));
    for command in ["validate", "run"] {
        refused(&[command, &file], 2, &[&tick, &records, "records"]);
    }
    refused(&["validate", "no/such/folder"], 3, &["no/such/folder"]);
}

#[test]
fn a_wrong_override_names_the_nearest_key() {
    refused(&["run", SCENARIO, "--set", "records.lok=all"], 2, &["records.lok", "log"]);
    refused(&["run", SCENARIO, "--set", "records"], 2, &["PATH=VALUE"]);
    refused(&["run", SCENARIO, "--threads", "10000000"], 2, &["--threads"]);
    refused(&["run", SCENARIO, "--agents", "0"], 2, &["population.agents"]);
}

#[test]
fn a_run_folder_is_not_overwritten_by_chance() {
    let run = RunDir::of(&[SCENARIO, "--agents", "50", "--ticks", "3"]);
    let path = run.path();
    let out = path.to_str().expect("UTF-8");
    let before = run.hash();
    let args = ["run", SCENARIO, "--agents", "50", "--ticks", "4", "--quiet", "--out", out];
    refused(&args, 2, &["not empty", "--force"]);
    assert_eq!(run.hash(), before, "nothing was touched");
    let forced = call(&[&args[..], &["--force"]].concat());
    assert!(forced.status.success(), "{}", stderr(&forced));
    assert!(forced.stdout.is_empty() && forced.stderr.is_empty(), "--quiet is quiet");
    assert_ne!(run.hash(), before);
}

#[test]
fn what_is_no_run_ends_with_3() {
    refused(&["hash", "scenarios"], 3, &["scenarios"]);
    refused(&["inspect", "nowhere", "--agent", "1"], 3, &["nowhere"]);
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let out = file.path().join("run");
    let args = ["run", SCENARIO, "--agents", "50", "--ticks", "1", "--out"];
    refused(&[&args[..], &[out.to_str().expect("UTF-8")]].concat(), 3, &["run"]);
}

#[test]
fn a_damaged_table_is_an_error_and_no_panic() {
    let run = RunDir::of(&[SCENARIO, "--agents", "50", "--ticks", "3"]);
    let stays = run.path().join("stays.parquet");
    let bytes = std::fs::read(&stays).expect("the table");
    std::fs::write(&stays, &bytes[..bytes.len() / 2]).expect("writable");
    let path = run.path();
    let path = path.to_str().expect("UTF-8");
    refused(&["hash", path], 3, &["stays.parquet"]);
    refused(&["inspect", path, "--agent", "9999"], 2, &["9999", "49"]);
}

#[test]
fn a_broken_input_table_is_named_by_line_and_column() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let households = folder.path().join("households.csv");
    let text = "household_id,home_zone_id,income,auto_ownership,hhsize,num_workers\n\
                1,1,100,1,1,1\n2,one,100,1,1,1\n";
    let set = format!("population.households.file={}", write(&households, text));
    let args = ["run", "scenarios/daily_mobility", "--ticks", "1", "--set", &set];
    refused(&args, 2, &["households.csv:3", "home_zone_id", "`one`"]);
}

#[test]
fn a_skill_that_nobody_knows_is_named_with_the_nearest() {
    let args = ["run", SCENARIO, "--set", "skills.default_activated=[daily-guidence]"];
    refused(&args, 2, &["daily-guidence", "daily-guidance"]);
    refused(&["skills", "view", "nothing"], 2, &["nothing", "daily-guidance"]);
}

/// Without the skill nobody has a Story: everybody stays at home, and the run is whole.
#[test]
fn persons_without_skills_stay_at_home() {
    let run = RunDir::of(&[
        SCENARIO,
        "--agents",
        "80",
        "--ticks",
        "200",
        "--set",
        "skills.default_activated=[]",
    ]);
    crate::support::checks::check_run(&run.path());
    let hash = run.hash();
    let trips = hash.lines().find(|line| line.starts_with("trips")).expect("the table");
    assert_eq!(trips.split_whitespace().nth(1), Some("0"), "{trips}");
}

/// Ticks from a second to a day, starts at any time, several days.
#[test]
fn any_clock_gives_a_whole_run() {
    let clocks = [
        ("1", "30", "2026-03-02T07:59:45"),
        ("3600", "72", "2026-03-06T12:00:00"),
        ("86400", "3", "2026-03-02T00:00:00"),
        ("700", "200", "2026-03-01T23:59:59"),
    ];
    for (tick_s, ticks, start) in clocks {
        let run = RunDir::of(&[
            SCENARIO,
            "--agents",
            "200",
            "--ticks",
            ticks,
            "--set",
            &format!("clock.tick_s={tick_s}"),
            "--set",
            &format!("clock.start={start}"),
        ]);
        crate::support::checks::check_run(&run.path());
    }
}

/// SIGINT ends the run after the tick under way: 130, a manifest that says so, whole tables.
#[test]
fn an_interrupted_run_closes_its_tables() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("run");
    let mut child = populace()
        .args(["run", SCENARIO, "--agents", "20000", "--quiet", "--ticks", "100000", "--out"])
        .arg(&out)
        .spawn()
        .expect("the command starts");
    // The steps' first file appears once the ticks have begun.
    while !out.join("manifest.json").exists() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let reader = populace::record::RunReader::open(&out).expect("a run folder");
    assert_eq!(reader.manifest().status, populace::record::RunStatus::Interrupted);
    crate::support::checks::check_run(&out);
}
