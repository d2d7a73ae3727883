//! The main command on its own input: 5,269 persons, one weekday, full step log.

use populace::record::{RunReader, TableId};

use crate::support::RunDir;
use crate::support::checks::check_run;

/// The diary's README: 5,269 persons in 2,000 households; 288 ticks of five minutes are a day.
const PERSONS: u64 = 5_269;
const TICKS: u64 = 288;

#[test]
fn a_full_day_of_the_diary_persons_is_whole() {
    let run = RunDir::of(&["scenarios/daily_mobility"]);
    check_run(&run.path());
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let rows = |table| reader.table(table).expect("the table").row_count();
    assert_eq!(rows(TableId::Persons), PERSONS);
    assert_eq!(rows(TableId::Steps), PERSONS * TICKS);
    assert_eq!(rows(TableId::Hooks), PERSONS * TICKS);
    assert_eq!(rows(TableId::Metrics), TICKS);
    assert_eq!(rows(TableId::Failures), 0);
    let manifest = reader.manifest();
    assert_eq!(manifest.counts["households"], 2_000);
    // Everybody ends the day somewhere: at home, but for a handful who are on their way.
    let metrics = reader.table(TableId::Metrics).expect("metrics").read().expect("rows");
    let at_home = metrics.u32s("at_home").expect("a column");
    assert!(f64::from(at_home[at_home.len() - 1]) > 0.99 * PERSONS as f64, "{at_home:?}");
    let trips = reader.table(TableId::Trips).expect("trips").read().expect("rows");
    assert!(trips.bools("completed").expect("a column").iter().all(|completed| *completed));
}
