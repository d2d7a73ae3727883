//! Every scenario of the repository runs, whatever is added to the folder.

use std::path::PathBuf;

use populace::record::{RunReader, RunStatus, TableId};
use populace::scenario::Scenario;

use crate::support::checks::check_run;
use crate::support::{RunDir, root};

/// The folders in `scenarios/` that hold one, in order.
fn folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("scenarios")).expect("a folder");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|folder| folder.join("scenario.yaml").exists());
    folders.sort();
    folders
}

/// Three ticks as the clock has them, and half a day, in which everybody has left the bed.
#[test]
fn every_scenario_is_valid_and_runs_whole() {
    let folders = folders();
    assert!(folders.len() >= 3, "{folders:?}");
    for folder in folders {
        let scenario = Scenario::load(&folder, &[]).expect("valid");
        assert_eq!(scenario.warnings, [], "{}", folder.display());
        let path = folder.to_str().expect("UTF-8");
        for (agents, ticks) in [("300", "3"), ("1500", "150")] {
            let run = RunDir::of(&[path, "--agents", agents, "--ticks", ticks]);
            check_run(&run.path());
            let reader = RunReader::open(&run.path()).expect("a run folder");
            assert_eq!(reader.manifest().status, RunStatus::Completed, "{path}");
            assert_eq!(reader.manifest().counts["persons"].to_string(), agents, "{path}");
        }
    }
}

/// The whole of the commuters' day: 10,000 persons on real roads, 288 ticks.
#[test]
fn the_commuters_of_zurich_have_a_whole_day() {
    let run = RunDir::of(&["scenarios/zurich_commuters"]);
    check_run(&run.path());
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let rows = |table| reader.table(table).expect("the table").row_count();
    assert_eq!(rows(TableId::Persons), 10_000);
    assert_eq!(rows(TableId::Metrics), 288);
    assert_eq!(rows(TableId::Failures), 0);
    // Between two and five trips a person and day, as travel surveys have them.
    let trips = rows(TableId::Trips);
    assert!((20_000..50_000).contains(&trips), "{trips}");
}
