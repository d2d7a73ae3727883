//! `populace bench`: a row says what was done, and nothing is left behind.

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{populace, stderr};

/// What is said in JSON, by a command that may leave nothing in its temporary folder.
fn bench(args: &[&str]) -> Vec<Value> {
    let folder = TempDir::new().unwrap();
    let mut command = populace();
    command.env("TMPDIR", folder.path()).arg("bench").args(args).arg("--json");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{args:?} left something");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Persons times ticks are agent-steps, and with a full log rows of `steps`; the rows of trees
/// have no tables. The second number of threads is compared with the first.
#[test]
fn rows_say_what_was_done() {
    let small = ["--agents", "300", "--ticks", "4", "--threads", "1,2", "--rounds", "1"];
    let rows = bench(&[&["daily_mobility_tree_full", "tree_tick"], &small[..]].concat());
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["daily_mobility_tree_full"; 2]);
    assert_eq!(names[2..], ["tree_tick"; 2]);
    for (index, row) in rows.iter().enumerate() {
        assert_eq!((&row["agents"], &row["ticks"]), (&300.into(), &4.into()));
        assert_eq!(row["agent_steps"], 1_200);
        let least = if index < 2 { 1_200 } else { 0 };
        assert!(row["rows"].as_u64().unwrap() >= least);
        assert_eq!(row["bytes_per_row"].is_null(), least == 0);
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!((number("agent_steps_per_s") * number("wall_s") - 1_200.0).abs() < 1e-6);
        assert!((number("ns_per_agent_step") * 1_200.0 - number("wall_s") * 1e9).abs() < 1e-3);
        assert!(row["tick_p50_ns"].as_u64() <= row["tick_p99_ns"].as_u64());
        assert!(row["tick_p99_ns"].as_u64() <= row["tick_max_ns"].as_u64());
    }
    for pair in rows.chunks(2) {
        assert_eq!((&pair[0]["threads"], &pair[1]["threads"]), (&1.into(), &2.into()));
        assert!(pair[0]["speedup"].is_null());
        let [one, two] = [0, 1].map(|index| pair[index]["agent_steps_per_s"].as_f64().unwrap());
        assert_eq!(pair[1]["speedup"], two / one);
    }
}

#[test]
fn a_script_hook_is_called_in_every_tick() {
    let small = ["--agents", "50", "--ticks", "2", "--threads", "1", "--rounds", "1"];
    let rows = bench(&[&["hooks_rhai"], &small[..]].concat());
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["agent_steps"], 100);
}

#[test]
fn names_are_listed_and_wrong_ones_refused() {
    let names: Vec<_> = bench(&["--list"]).iter().map(|entry| entry["name"].clone()).collect();
    assert!(names.contains(&"daily_mobility_changed".into()));
    let output = populace().args(["bench", "no_such_thing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--list"), "{}", stderr(&output));
}
