use super::*;
use crate::agent::person::{Role, Sex};
use crate::base::ids::{HouseholdId, PlaceId};
use crate::base::rng::Purpose;
use proptest::prelude::*;

fn person(age: u8, commute_min: u16) -> Person {
    Person {
        household: HouseholdId(0),
        household_first: 0,
        household_size: 1,
        age,
        cars: 1,
        household_workers: 1,
        sex: Sex::Female,
        role: Role::FullTimeWorker,
        income: 0.0,
        home: PlaceId(1),
        work: PlaceId(2),
        school: PlaceId::NONE,
        commute_min,
    }
}

fn trips(list: &[(Activity, u16)]) -> Vec<DiaryTrip> {
    let make =
        |(purpose, hour): &(Activity, u16)| DiaryTrip { purpose: *purpose, depart_min: hour * 60 };
    list.iter().map(make).collect()
}

fn story(trips: &[DiaryTrip], person: &Person, draw: u32) -> Vec<Segment> {
    let mut out = Vec::new();
    let mut stream = Stream::of_index(1, draw, Purpose::Story);
    expand(trips, person, &DayRules::default(), &mut stream, &mut out);
    out
}

fn assert_tiles(segments: &[Segment]) {
    assert_eq!(segments[0].start_min, 0);
    assert_eq!(segments.last().unwrap().end_min, DAY_MIN);
    assert!(segments.len() <= Story::SEGMENTS_MAX);
    for (index, segment) in segments.iter().enumerate() {
        assert_eq!(usize::from(segment.id), index);
        assert!(segment.start_min < segment.end_min, "{segments:#?}");
    }
    for pair in segments.windows(2) {
        assert_eq!(pair[0].end_min, pair[1].start_min, "{segments:#?}");
        let journeys = pair.iter().filter(|s| s.policy == TRANSIT).count();
        assert!(journeys < 2, "a journey leads to a stay: {segments:#?}");
    }
    assert_ne!(segments.last().unwrap().policy, TRANSIT, "a journey leads to a stay");
}

#[test]
fn a_working_day_has_lunch_near_work_and_business_in_town() {
    use Activity::{Eat, Home, Sleep, Travel, Work};
    let day = trips(&[(Work, 8), (Eat, 12), (Work, 13), (Work, 15), (Work, 16), (Home, 18)]);
    let segments = story(&day, &person(40, 35), 0);
    assert_tiles(&segments);
    let activities: Vec<Activity> =
        segments.iter().map(|s| s.activity).filter(|a| *a != Travel).collect();
    assert_eq!(activities, [Sleep, Home, Work, Eat, Work, Work, Work, Home, Sleep]);
    use LocationPolicy as P;
    let policies: Vec<P> = segments.iter().map(|s| s.policy).filter(|p| *p != P::Transit).collect();
    let expected =
        [P::Home, P::Home, P::Work, P::NearWork, P::Work, P::City, P::Work, P::Home, P::Home];
    assert_eq!(policies, expected);
    let journey = segments.iter().find(|s| s.activity == Travel).unwrap();
    assert_eq!(journey.start_min / 60, 8);
    assert_eq!(journey.end_min - journey.start_min, 35);
}

#[test]
fn a_person_without_a_workplace_works_in_town() {
    let mut nomad = person(40, 0);
    nomad.work = PlaceId::NONE;
    let segments = story(&trips(&[(Activity::Work, 8), (Activity::Home, 17)]), &nomad, 0);
    let work = segments.iter().find(|s| s.activity == Activity::Work).unwrap();
    assert_eq!(work.policy, LocationPolicy::City);
}

/// Departures within the hour are uniform: mean 29.5 minutes, within five standard errors.
#[test]
fn departures_are_uniform_within_their_hour() {
    let day = trips(&[(Activity::Shop, 10), (Activity::Home, 14)]);
    let n = 4_000;
    let minutes = (0..n).map(|draw| {
        let segments = story(&day, &person(40, 0), draw);
        let depart = segments.iter().find(|s| s.policy == TRANSIT).unwrap().start_min;
        assert!((600..660).contains(&depart));
        f64::from(depart - 600)
    });
    let mean = minutes.sum::<f64>() / f64::from(n);
    assert!((mean - 29.5).abs() < 5.0 * 17.3 / f64::from(n).sqrt(), "{mean}");
}

/// American Time Use Survey 2006: 8.6 hours of sleep (15 and over, all days), 7.6 for full-time
/// workers on days they work.
#[test]
fn nights_are_as_long_as_time_use_surveys_say() {
    let slept = |day: &[DiaryTrip]| {
        let minutes = |draw| {
            let sleep =
                |s: &Segment| if s.activity == Activity::Sleep { s.duration_s() } else { 0 };
            story(day, &person(40, 0), draw).iter().map(sleep).sum::<u32>()
        };
        f64::from((0..2_000).map(minutes).sum::<u32>()) / 2_000.0 / 3_600.0
    };
    let (idle, busy) = (slept(&[]), slept(&trips(&[(Activity::Work, 7), (Activity::Home, 17)])));
    assert!((idle - 8.6).abs() < 0.3, "{idle}");
    assert!((busy - 7.6).abs() < 0.3, "{busy}");
}

#[test]
fn a_late_return_is_planned_to_arrive_before_midnight() {
    for draw in 0..300 {
        let day = trips(&[(Activity::Leisure, 23), (Activity::Home, 23)]);
        let segments = story(&day, &person(25, 0), draw);
        assert_tiles(&segments);
        assert_eq!(segments.last().unwrap().policy, HOME);
    }
}

proptest! {
    #[test]
    fn any_trips_give_a_story_that_tiles_the_day(
        raw in proptest::collection::vec((0_usize..12, 0_u16..1_800), 0..45),
        age in 0_u8..100,
        commute_min in 0_u16..400,
        draw in any::<u32>(),
    ) {
        let trips: Vec<DiaryTrip> = raw
            .iter()
            .map(|(code, depart_min)| DiaryTrip {
                purpose: Activity::ALL[*code],
                depart_min: *depart_min,
            })
            .filter(|trip| trip.purpose != Activity::Travel)
            .collect();
        let segments = story(&trips, &person(age, commute_min), draw);
        assert_tiles(&segments);
        let journeys = segments.iter().filter(|s| s.policy == TRANSIT).count();
        prop_assert!(journeys <= trips.len());
    }
}
