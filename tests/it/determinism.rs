//! Same scenario and seed, same tables: whatever the threads, the chunks or the order of rows.

use std::io::Read;

use crate::support::{RunDir, checks::check_run, root};

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

/// Persons are numbered by household and person number, so the order of rows in the input files
/// decides nothing: all tables are the same.
#[test]
fn the_order_of_input_rows_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scenarios = folder.path().join("scenarios");
    let data = scenarios.join("data/bay_area_diary");
    std::fs::create_dir_all(&data).expect("a folder");
    let source = root().join("scenarios/data/bay_area_diary");
    for name in ["households", "persons", "tours", "trips", "land_use"] {
        let file = format!("{name}.csv.gz");
        let packed = std::fs::File::open(source.join(&file)).expect("the data");
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
        let (header, rows) = text.split_once('\n').expect("a header");
        let mut rows: Vec<&str> = rows.lines().collect();
        // A fixed riffle: far from the original order, and the same every time.
        rows.sort_by_key(|row| blake3::hash(row.as_bytes()).to_hex().to_string());
        let shuffled = format!("{header}\n{}\n", rows.join("\n"));
        std::fs::write(data.join(file), shuffled).expect("writable");
    }
    let scenario = scenarios.join("daily_mobility");
    std::fs::create_dir_all(&scenario).expect("a folder");
    let yaml = root().join(SCENARIO).join("scenario.yaml");
    std::fs::copy(yaml, scenario.join("scenario.yaml")).expect("writable");
    let args = ["--agents", "900", "--ticks", "120"];
    let shuffled = RunDir::of(&[&[scenario.to_str().expect("UTF-8")], &args[..]].concat());
    assert_eq!(shuffled.hash(), run(&[]).hash());
}
