//! Both Story models against the observed diary: calibrated on half `a` of the households, judged
//! on half `b`, as plans carried out to the minute.
//!
//! What a run makes of the plans is judged elsewhere, by the same measure and thresholds.

use std::path::Path;
use std::sync::Arc;

use populace::agent::diary::DiaryDay;
use populace::agent::person::Person;
use populace::agent::plan::Segment;
use populace::base::ids::{AgentId, HouseholdId, PlaceId};
use populace::base::rng::{Purpose, Stream};
use populace::population::diary::{ColumnNames, DiaryFiles, Half, half_of, load_diary};
use populace::population::realism::{
    DayProfile, DayTally, REFERENCE_TRIP_MIN, Realism, planned_spells,
};
use populace::skill::native::daily_guidance::guide::{StoryDay, StorySource};
use populace::skill::native::daily_guidance::model::counts::ProfileCounts;
use populace::skill::native::daily_guidance::model::{
    DayRules, DiaryModel, MatchedDiary, ProfileModel, expand,
};

const ABOUT: &str = "Counts of 2,000 Bay Area households' weekday (ActivitySim estimation example, \
                     BSD-3-Clause, a travel model's output arranged as a survey), the half a of \
                     them. Made by calibrating on scenarios/data/bay_area_diary; do not edit.";

/// The persons of one half of the households, by number.
pub(crate) fn half(wanted: Half) -> Vec<DiaryDay> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/data/bay_area_diary");
    let files = DiaryFiles::in_folder(&folder, "csv.gz");
    let mut days = load_diary(&files, &ColumnNames::new()).unwrap();
    days.retain(|day| half_of(day.household) == wanted);
    days
}

/// The observed person as a simulated one. Without a usual travel time every planned journey takes
/// the same minutes as a trip of the reference.
fn person_of(day: &DiaryDay) -> Person {
    let place = |exists: bool, place: u32| if exists { PlaceId(place) } else { PlaceId::NONE };
    Person {
        household: HouseholdId(0),
        household_first: 0,
        household_size: day.household_size,
        age: day.age,
        cars: day.cars,
        household_workers: day.household_workers,
        sex: day.sex,
        role: day.role,
        income: day.income,
        home: PlaceId(0),
        work: place(day.has_work, 1),
        school: place(day.has_school, 2),
        commute_min: 0,
    }
}

/// The day of `count` persons whose Stories are made by `draw(index, stream, out)`, `rounds` times
/// over with other random numbers.
fn profile_of(
    count: usize,
    rounds: u32,
    seed: u64,
    draw: impl Fn(usize, &mut Stream, &mut Vec<Segment>),
) -> DayProfile {
    let mut tally = DayTally::default();
    let (mut story, mut spells) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        for index in 0..count {
            let number = round * count as u32 + index as u32;
            let mut stream = Stream::of_index(seed, number, Purpose::Story);
            story.clear();
            draw(index, &mut stream, &mut story);
            spells.clear();
            planned_spells(&story, &mut spells);
            tally.add_person(&spells);
        }
    }
    tally.profile()
}

/// The observed days themselves; ten draws of the minutes within the observed hours.
pub(crate) fn reference(days: &[DiaryDay]) -> DayProfile {
    let rules = DayRules::default();
    assert_eq!(rules.travel_min, REFERENCE_TRIP_MIN);
    profile_of(days.len(), 10, 77, |index, stream, out| {
        expand(&days[index].trips, &person_of(&days[index]), &rules, stream, out);
    })
}

fn of_source(source: &dyn StorySource, days: &[DiaryDay], seed: u64) -> DayProfile {
    let monday = StoryDay { index: 0, weekend: false };
    profile_of(days.len(), 1, seed, |index, stream, out| {
        let agent = AgentId::from_index(index);
        source.draw(agent, &person_of(&days[index]), monday, stream, out);
    })
}

/// The thresholds that a judged day must meet.
pub(crate) fn assert_real(name: &str, judged: &Realism, jsd_max: f64) {
    assert!(judged.jsd_mean <= jsd_max, "{name}: {judged}");
    assert!(judged.trips_relative.abs() <= 0.05, "{name}: {judged}");
    assert!(judged.home_all_day_difference.abs() <= 0.02, "{name}: {judged}");
    assert!(judged.work_start_jsd <= 0.03, "{name}: {judged}");
}

#[test]
#[expect(clippy::print_stderr, reason = "the margins are the result; shown by --nocapture")]
fn the_profile_model_meets_the_diary_it_has_not_seen() {
    let judged_days = half(Half::B);
    let model = ProfileModel::calibrate(&half(Half::A)).unwrap();
    let reference = reference(&judged_days);
    for seed in 1..=5 {
        let realism = Realism::of(&of_source(&model, &judged_days, seed), &reference);
        eprintln!("profile, seed {seed}: {realism}");
        assert_real("profile", &realism, 0.02);
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the margins are the result; shown by --nocapture")]
fn the_diary_model_meets_the_diary_it_has_not_seen() {
    let judged_days = half(Half::B);
    let model = Arc::new(DiaryModel::calibrate(&half(Half::A), 60).unwrap());
    let persons: Vec<Person> = judged_days.iter().map(person_of).collect();
    let reference = reference(&judged_days);
    for seed in 1..=5 {
        let source = MatchedDiary::new(Arc::clone(&model), &persons, seed);
        let realism = Realism::of(&of_source(&source, &judged_days, seed), &reference);
        eprintln!("diary, seed {seed}: {realism}");
        assert_real("diary", &realism, 0.005);
    }
}

/// The measure can tell days apart: half `b`'s own day one hour later is far from it.
#[test]
fn an_hour_later_is_not_the_same_day() {
    let mut days = half(Half::B);
    let reference = reference(&days);
    for trip in days.iter_mut().flat_map(|day| &mut day.trips) {
        trip.depart_min += 60;
    }
    let rules = DayRules::default();
    let late = profile_of(days.len(), 1, 1, |index, stream, out| {
        expand(&days[index].trips, &person_of(&days[index]), &rules, stream, out);
    });
    let realism = Realism::of(&late, &reference);
    assert!(realism.work_start_jsd > 0.03, "{realism}");
    assert!(realism.jsd_mean > 0.005, "{realism}");
}

/// `skills/daily-guidance/profile.json` is half `a` of the diary, counted.
#[test]
fn the_committed_profile_is_what_the_diary_gives() {
    let text = ProfileCounts::calibrate(&half(Half::A), ABOUT).unwrap().to_json();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = root.join("skills/daily-guidance/profile.json");
    if std::fs::read_to_string(&committed).unwrap() != text {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile.json");
        std::fs::write(&made, &text).unwrap();
        panic!("{} differs from the diary; see {}", committed.display(), made.display());
    }
    assert!(text.len() < 200_000, "{} bytes", text.len());
    ProfileCounts::from_json(&text).unwrap();
}
