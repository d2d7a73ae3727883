//! Sweeps: every combination of values and seeds, the table of them, what is left of one.

use std::fs;
use std::path::Path;
use std::process::Output;

use populace::record::{RunReader, TableId};
use tempfile::TempDir;

use crate::support::{populace, stderr};

const SCENARIO: &str = "\
name: small
seed: 5
clock: { start: 2026-03-02T03:00:00, tick_s: 600, ticks: 60 }
population: { source: synthetic, persons: 40 }
environment: { city: { source: grid, zones_x: 4, zones_y: 4, zone_m: 500 } }
sweep:
  seeds: 2
  params: { behaviour.revise.need: [true, false], clock.ticks: [30, 40, 50] }
";

fn sweep(folder: &Path, more: &[&str]) -> Output {
    fs::write(folder.join("scenario.yaml"), SCENARIO).unwrap();
    let mut command = populace();
    command.current_dir(folder).args(["sweep", "scenario.yaml", "--out", "s"]);
    command.args(more).output().unwrap()
}

/// Cells of the table, row by row, headings first.
fn table(folder: &Path) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).from_path(folder.join("s/sweep.csv")).unwrap();
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|found| row(found.unwrap())).collect()
}

/// Right values: the runs' own table `metrics`, by the definition of each column.
#[test]
fn a_sweep_has_a_run_for_each_combination_and_a_table_of_all() {
    let folder = TempDir::new().unwrap();
    let output = sweep(folder.path(), &["--jobs", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows = table(folder.path());
    let column = |name: &str| rows[0].iter().position(|other| other == name).unwrap();
    assert_eq!(rows.len(), 1 + 2 * 3 * 2);
    assert_eq!(rows[0][..4], ["run", "behaviour.revise.need", "clock.ticks", "seed"]);
    assert_eq!(rows[1][..5], ["run-00001", "true", "30", "5", "completed"]);
    assert_eq!(rows[4][..5], ["run-00004", "true", "40", "6", "completed"]);
    assert_eq!(rows[12][..5], ["run-00012", "false", "50", "6", "completed"]);
    for row in &rows[1..] {
        let run = RunReader::open(&folder.path().join("s").join(&row[0])).unwrap();
        assert_eq!(run.manifest().seed.to_string(), row[3]);
        let metrics = run.table(TableId::Metrics).unwrap().read().unwrap();
        assert_eq!(metrics.len().to_string(), row[2]);
        let departures: u32 = metrics.u32s("departures").unwrap().iter().sum();
        assert_eq!(departures.to_string(), row[column("departures")]);
        let hunger = *metrics.f64s("mean_hunger").unwrap().last().unwrap();
        assert_eq!(hunger.to_string(), row[column("mean_hunger")]);
        if row[1] == "false" {
            assert_eq!(row[column("revised_need")], "0");
        }
    }
    // One run is lost and one never ended: those two are run again, to the same table.
    fs::remove_dir_all(folder.path().join("s/run-00002")).unwrap();
    let ended = folder.path().join("s/run-00003/manifest.json");
    let text = fs::read_to_string(&ended).unwrap();
    fs::write(&ended, text.replace("\"completed\"", "\"running\"")).unwrap();
    let kept = folder.path().join("s/run-00001/manifest.json");
    let before = fs::metadata(&kept).unwrap().modified().unwrap();
    assert!(sweep(folder.path(), &[]).status.success());
    assert_eq!(table(folder.path()), rows);
    assert_eq!(fs::metadata(&kept).unwrap().modified().unwrap(), before);
    let output = sweep(folder.path(), &["--seeds", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("another sweep"), "{}", stderr(&output));
}

/// A file that is not there is seen only when the run begins: that run fails, the others do not.
#[test]
fn a_run_that_fails_stops_no_other() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("here")).unwrap();
    let scenario = SCENARIO.split("sweep:").next().unwrap();
    fs::write(folder.path().join("scenario.yaml"), scenario).unwrap();
    let mut command = populace();
    command.current_dir(folder.path()).args(["sweep", "scenario.yaml", "--out", "s"]);
    command.args(["--param", "skills.default_activated.0=daily-guidance,nobody-knows-it"]);
    let output =
        command.args(["--set", "skills.default_activated=[daily-guidance]"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let rows = table(folder.path());
    assert_eq!((rows[1][3].as_str(), rows[2][3].as_str()), ("completed", "failed"));
    assert!(rows[2][4].contains("nobody-knows-it"), "{:?}", rows[2]);
    assert!(folder.path().join("s/run-00002.log").exists());
    assert!(!folder.path().join("s/run-00001.log").exists());
}

#[test]
fn wrong_values_are_told_before_anything_runs() {
    let folder = TempDir::new().unwrap();
    for (param, why) in [
        ("behaviour.revise.need=true,perhaps", "with behaviour.revise.need=perhaps"),
        ("behaviour.revize.need=true", "revize"),
        ("seed=1,2", "use `seeds`"),
        ("ticks", "PATH=A,B,C"),
    ] {
        let output = sweep(folder.path(), &["--param", param]);
        assert_eq!(output.status.code(), Some(2), "{param}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{param}: {}", stderr(&output));
        assert!(!folder.path().join("s").exists());
    }
}
