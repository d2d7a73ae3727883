//! Same scenario and seed, same tables: whatever the threads, the chunks or the order of rows.

use crate::support::{RunDir, checks::check_run};

const SCENARIO: &str = "scenarios/daily_mobility";

/// 900 persons through a morning: big enough for several chunks, small enough to repeat.
fn run(more: &[&str]) -> RunDir {
    let mut args = vec![SCENARIO, "--agents", "900", "--ticks", "120"];
    args.extend_from_slice(more);
    RunDir::of(&args)
}

#[test]
fn threads_and_chunks_change_nothing() {
    let one = run(&["--threads", "1"]);
    check_run(&one.path());
    let hash = one.hash();
    assert_eq!(hash, run(&["--threads", "2"]).hash(), "two threads");
    assert_eq!(hash, run(&["--threads", "8", "--chunk", "37"]).hash(), "other chunks");
    assert_eq!(hash, run(&["--threads", "2", "--chunk", "5000"]).hash(), "one chunk for everybody");
}

#[test]
fn compression_changes_no_content_and_a_seed_changes_it() {
    let first = run(&[]);
    let snappy = run(&["--set", "records.compression=snappy"]);
    assert_eq!(first.hash(), snappy.hash());
    assert_ne!(first.hash(), run(&["--seed", "7"]).hash());
}
