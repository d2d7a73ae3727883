//! A run's day against the observed day: Stories calibrated on half `a` of the households, the
//! persons of half `b` simulated, and what their stays and trips say held against half `b`'s own
//! diary. Prints the figures that the README quotes (`cargo test realism -- --nocapture`).

use std::collections::BTreeMap;
use std::path::Path;

use populace::agent::activity::Activity;
use populace::population::diary::Half;
use populace::population::realism::{DayProfile, DayTally, Realism, Spell};
use populace::record::{RunReader, TableId};

use crate::story_models::{assert_real, half, reference};
use crate::support::RunDir;
use crate::support::checks::check_run;

const SCENARIO: &str = "scenarios/daily_mobility";
const DAY_S: u32 = 86_400;

/// Stories from distributions instead of matched diaries.
const PROFILE: &str = "behaviour.story={source: profile, calibrate: {\
    households: ../data/bay_area_diary/households.csv.gz, \
    persons: ../data/bay_area_diary/persons.csv.gz, \
    tours: ../data/bay_area_diary/tours.csv.gz, \
    trips: ../data/bay_area_diary/trips.csv.gz, half: a}}";

#[test]
fn a_run_with_matched_diaries_has_the_day_of_the_judged_half() {
    judge("diary", "behaviour.story.diary.half=a", 0.005);
}

#[test]
fn a_run_with_the_profile_has_the_day_of_the_judged_half() {
    judge("profile", PROFILE, 0.02);
}

#[expect(clippy::print_stderr, reason = "the margins are the result; shown by --nocapture")]
fn judge(name: &str, story: &str, jsd_max: f64) {
    let reference = reference(&half(Half::B));
    for seed in ["1", "2", "3"] {
        let run = RunDir::of(&[
            SCENARIO,
            "--set",
            "population.half=b",
            "--set",
            "records.log=changed",
            "--set",
            story,
            "--seed",
            seed,
        ]);
        check_run(&run.path());
        let realism = Realism::of(&day_of(&run.path()), &reference);
        eprintln!("run with {name}, seed {seed}: {realism}");
        assert_real(name, &realism, jsd_max);
    }
}

/// The day that a run's stays and trips tell. The run goes from three to three: its last three
/// hours stand for the first of the day.
fn day_of(run: &Path) -> DayProfile {
    let reader = RunReader::open(run).expect("a run folder");
    let mut days: BTreeMap<u32, Vec<Spell>> = BTreeMap::new();
    for (table, begin, end, what) in [
        (TableId::Stays, "start", "end", "activity"),
        (TableId::Trips, "depart", "arrive", "purpose"),
    ] {
        let rows = reader.table(table).expect("the table").read().expect("its rows");
        let agents = rows.u32s("agent_id").expect("a column");
        let begin = rows.timestamps_ms(begin).expect("a column");
        let end = rows.timestamps_ms(end).expect("a column");
        let what = rows.words::<Activity>(what).expect("a column");
        let midnight = begin.iter().min().copied().unwrap_or(0) / 86_400_000 * 86_400_000;
        for row in 0..rows.len() {
            let activity = if table == TableId::Trips { Activity::Travel } else { what[row] };
            let second = |ms: i64| u32::try_from((ms - midnight) / 1_000).expect("within the run");
            let spell = Spell { activity, start_s: second(begin[row]), end_s: second(end[row]) };
            days.entry(agents[row]).or_default().extend(folded(spell));
        }
    }
    let mut tally = DayTally::default();
    for spells in days.values_mut() {
        spells.sort_by_key(|spell| spell.start_s);
        tally.add_person(spells);
    }
    tally.profile()
}

/// The parts of a spell before and after midnight, both within one day. A trip over midnight
/// keeps one part, so that it counts once.
fn folded(spell: Spell) -> Vec<Spell> {
    if spell.start_s >= DAY_S {
        return vec![Spell { start_s: spell.start_s - DAY_S, end_s: spell.end_s - DAY_S, ..spell }];
    }
    let mut parts = vec![spell];
    if spell.end_s > DAY_S && spell.activity != Activity::Travel {
        parts.push(Spell { start_s: 0, end_s: spell.end_s - DAY_S, ..spell });
    }
    parts
}
