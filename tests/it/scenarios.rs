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

/// Those with persons, or else those that are a model, with their folder in text.
fn scenarios(of_models: bool) -> Vec<(String, Scenario)> {
    let load = |folder: PathBuf| {
        let scenario = Scenario::load(&folder, &[]).expect("valid");
        assert_eq!(scenario.warnings, [], "{}", folder.display());
        (folder.to_str().expect("UTF-8").to_owned(), scenario)
    };
    let mut scenarios: Vec<_> = folders().into_iter().map(load).collect();
    scenarios.retain(|(_, scenario)| scenario.spec.model.is_some() == of_models);
    scenarios
}

/// Three ticks as they are: a row per tick and metric, and agents that were counted.
#[test]
fn every_model_runs() {
    let scenarios = scenarios(true);
    assert!(scenarios.len() >= 5);
    for (path, _) in &scenarios {
        let run = RunDir::of(&[path, "--ticks", "3"]);
        let reader = RunReader::open(&run.path()).expect("a run folder");
        assert_eq!(reader.manifest().status, RunStatus::Completed, "{path}");
        assert!(reader.manifest().counts["agents"] > 0, "{path}");
        let rows = reader.table(TableId::ModelMetrics).expect("the table").row_count();
        assert!(rows >= 6 && rows.is_multiple_of(3), "{path}: {rows}");
        let tables: Vec<_> = reader.manifest().tables.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(tables, ["model_metrics"], "{path}");
    }
}

/// Three ticks as the clock has them, and half a day, in which everybody has left the bed.
#[test]
fn every_scenario_is_valid_and_runs_whole() {
    let scenarios = scenarios(false);
    assert!(scenarios.len() >= 3);
    for (path, _) in &scenarios {
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
