use super::*;
use crate::agent::person::Sex;
use crate::agent::plan::LocationPolicy;
use crate::base::ids::{HouseholdId, PlaceId};
use crate::base::rng::Purpose;

fn person(role: Role, age: u8) -> Person {
    Person {
        household: HouseholdId(0),
        household_first: 0,
        household_size: 2,
        age,
        cars: 1,
        household_workers: 1,
        sex: Sex::Male,
        role,
        income: 0.0,
        home: PlaceId(0),
        work: PlaceId(1),
        school: PlaceId(2),
        commute_min: 20,
    }
}

fn day(person: i64, role: Role, trips: &[(Activity, u16)]) -> DiaryDay {
    let make =
        |(purpose, hour): &(Activity, u16)| DiaryTrip { purpose: *purpose, depart_min: hour * 60 };
    DiaryDay {
        person,
        household: person,
        age: 40,
        sex: Sex::Male,
        role,
        household_size: 2,
        cars: 1,
        household_workers: 1,
        income: 0.0,
        has_work: true,
        has_school: false,
        trips: trips.iter().map(make).collect(),
    }
}

fn story(model: &ProfileModel, person: &Person, weekend: bool, draw: u32) -> Vec<Segment> {
    let mut out = Vec::new();
    let mut stream = Stream::of_index(3, draw, Purpose::Story);
    model.draw(person, weekend, &mut stream, &mut out);
    out
}

fn activities(story: &[Segment]) -> Vec<Activity> {
    let stays = story.iter().filter(|s| s.policy != LocationPolicy::Transit);
    stays.map(|segment| segment.activity).collect()
}

/// A sample in which everybody did the same leaves nothing to chance.
#[test]
fn a_uniform_sample_gives_its_own_day() {
    use Activity::{Eat, Home, Sleep, Work};
    let trips = [(Work, 8), (Eat, 12), (Work, 13), (Home, 17)];
    let days: Vec<DiaryDay> = (0..30).map(|n| day(n, Role::FullTimeWorker, &trips)).collect();
    let model = ProfileModel::calibrate(&days).unwrap();
    for draw in 0..200 {
        let story = story(&model, &person(Role::FullTimeWorker, 40), false, draw);
        assert_eq!(activities(&story), [Sleep, Home, Work, Eat, Work, Home, Sleep]);
        let departs = story.iter().filter(|s| s.policy == LocationPolicy::Transit);
        assert!(departs.map(|s| s.start_min / 60).eq([8, 12, 13, 17]));
    }
}

/// Dirichlet prior by hand: 10 observed with 3 in the first class, above 0.5: (3 + 5) / 20 = 0.4.
#[test]
fn small_samples_lean_on_the_larger_one() {
    assert_eq!(blend(Some([0.5, 0.5]), Some([3.0, 7.0])), Some([0.4, 0.6]));
    assert_eq!(blend(None, Some([3.0, 1.0])), Some([0.75, 0.25]));
    assert_eq!(blend(Some([0.5, 0.5]), None), Some([0.5, 0.5]));
    assert_eq!(blend::<2>(None, Some([0.0, 0.0])), None);
}

#[test]
fn draws_follow_the_chances() {
    let chances = accumulate([0.0, 0.25, 0.0, 0.75, 0.0]);
    assert_eq!(chances, [0.0, 0.25, 0.25, 1.0, 1.0]);
    assert_eq!(accumulate([0.0; 3]), [0.0; 3]);
    for index in [0, 7, 999, 5_759] {
        assert_eq!(index_of(key_of(index)), index);
    }
}

#[test]
fn everybody_without_data_stays_home_and_nobody_is_left_away() {
    let away = day(1, Role::Retired, &[(Activity::Shop, 10)]);
    let model = ProfileModel::calibrate(&[away]).unwrap();
    let pupil = story(&model, &person(Role::Pupil, 9), false, 0);
    assert!(pupil.iter().all(|segment| segment.policy == LocationPolicy::Home));
    for draw in 0..100 {
        let retired = story(&model, &person(Role::Retired, 70), false, draw);
        assert_eq!(retired.last().unwrap().policy, LocationPolicy::Home);
    }
}

/// The weekend rule: no school; a worker works 0.34 / 0.83 as often as on a weekday (American Time
/// Use Survey 2012), within four standard errors.
#[test]
fn weekends_are_for_other_things() {
    let model = ProfileModel::builtin();
    let n = 4_000;
    let working = |role, age, weekend, activity| {
        let person = person(role, age);
        let works =
            |draw: &u32| activities(&story(&model, &person, weekend, *draw)).contains(&activity);
        (0..n).filter(works).count() as f64 / f64::from(n)
    };
    assert_eq!(working(Role::Pupil, 9, true, Activity::School), 0.0);
    let weekday = working(Role::FullTimeWorker, 40, false, Activity::Work);
    let weekend = working(Role::FullTimeWorker, 40, true, Activity::Work);
    let expected = weekday * 0.34 / 0.83;
    let error = (expected * (1.0 - expected) / f64::from(n)).sqrt();
    assert!((weekend - expected).abs() < 5.0 * error, "{weekend} {expected}");
}

#[test]
fn roles_do_only_what_their_group_does() {
    let model = ProfileModel::builtin();
    for draw in 0..3_000 {
        let child = activities(&story(&model, &person(Role::Pupil, 9), false, draw));
        assert!(!child.contains(&Activity::Work));
        let retired = activities(&story(&model, &person(Role::Retired, 72), false, draw));
        assert!(!retired.contains(&Activity::Work) && !retired.contains(&Activity::School));
    }
}
