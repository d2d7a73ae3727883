use super::*;
use crate::agent::activity::Activity;
use crate::agent::person::Sex;
use crate::base::ids::{HouseholdId, PlaceId};

fn donor(person: i64, role: Role, age: u8, sex: Sex, trips: &[(Activity, u16)]) -> DiaryDay {
    let make =
        |(purpose, hour): &(Activity, u16)| DiaryTrip { purpose: *purpose, depart_min: hour * 60 };
    DiaryDay {
        person,
        household: person,
        age,
        sex,
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

fn person(role: Role, age: u8, sex: Sex) -> Person {
    Person {
        household: HouseholdId(0),
        household_first: 0,
        household_size: 2,
        age,
        cars: 1,
        household_workers: 1,
        sex,
        role,
        income: 0.0,
        home: PlaceId(0),
        work: PlaceId(1),
        school: PlaceId::NONE,
        commute_min: 20,
    }
}

/// Thirty men and thirty women of one age, the men with one kind of day, the women with three.
fn days() -> Vec<DiaryDay> {
    use Activity::{Home, Leisure, Shop, Work};
    let man = |n| donor(n, Role::FullTimeWorker, 40, Sex::Male, &[(Work, 8), (Home, 17)]);
    let woman = |n: i64| {
        let trips: &[(Activity, u16)] = match n % 3 {
            0 => &[],
            1 => &[(Shop, 10), (Home, 11)],
            _ => &[(Leisure, 15), (Home, 18), (Shop, 19), (Home, 20)],
        };
        donor(n, Role::FullTimeWorker, 40, Sex::Female, trips)
    };
    (0..30).map(man).chain((30..60).map(woman)).collect()
}

#[test]
fn donors_are_alike_and_serve_equally_often_every_day() {
    let model = DiaryModel::calibrate(&days(), 60).unwrap();
    let women: Vec<Person> =
        (0..95).map(|_| person(Role::FullTimeWorker, 42, Sex::Female)).collect();
    let matching = model.match_persons(&women, 5);
    let mut changed = 0;
    for day in 0..4 {
        let mut uses = vec![0; model.donor_count()];
        for agent in 0..95 {
            let donor = model.donor(&matching, AgentId(agent), day);
            assert!(model.trips(donor).iter().all(|trip| trip.purpose != Activity::Work));
            uses[donor as usize] += 1;
            changed += i32::from(donor != model.donor(&matching, AgentId(agent), day + 1));
        }
        // 95 recipients over 30 donors: three or four each.
        uses.retain(|count| *count > 0);
        assert_eq!(uses.len(), 30);
        assert!(uses.iter().all(|count| (3..=4).contains(count)), "{uses:?}");
    }
    assert!(changed > 4 * 95 / 2, "a person's days differ");
}

#[test]
fn few_recipients_are_spread_over_the_kinds_of_day() {
    let model = DiaryModel::calibrate(&days(), 60).unwrap();
    let women: Vec<Person> =
        (0..3).map(|_| person(Role::FullTimeWorker, 42, Sex::Female)).collect();
    for seed in 0..50 {
        let matching = model.match_persons(&women, seed);
        let mut counts: Vec<usize> = (0..3)
            .map(|agent| model.trips(model.donor(&matching, AgentId(agent), 0)).len())
            .collect();
        counts.sort_unstable();
        assert_eq!(counts, [0, 2, 4]);
    }
}

#[test]
fn traits_are_dropped_from_the_last_until_donors_suffice() {
    let mut sample = days();
    let extra = (0..25).map(|n| {
        donor(
            100 + n,
            Role::Retired,
            70,
            Sex::Male,
            &[(Activity::Social, 14), (Activity::Home, 16)],
        )
    });
    sample.extend(extra);
    let model = DiaryModel::calibrate(&sample, 60).unwrap();
    let persons = [
        person(Role::Retired, 88, Sex::Female), // no donor of that age or sex: the role
        person(Role::NonWorker, 50, Sex::Female), // none of that role: its group
        person(Role::Pupil, 9, Sex::Male),      // none of that group: everybody
    ];
    let matching = model.match_persons(&persons, 1);
    for agent in 0..2 {
        let trips = model.trips(model.donor(&matching, AgentId(agent), 0));
        assert_eq!(trips[0].purpose, Activity::Social);
    }
    assert_eq!(model.all.donors(matching.slots[2].cell).len(), 85);
}

#[test]
fn weekends_take_days_without_school_from_somebody_alike() {
    let model = Arc::new(DiaryModel::calibrate(&days(), 60).unwrap());
    let pupils: Vec<Person> = (0..200).map(|_| person(Role::Pupil, 9, Sex::Male)).collect();
    let source = MatchedDiary::new(Arc::clone(&model), &pupils, 1);
    let sunday = StoryDay { index: 6, weekend: true };
    for agent in 0..200 {
        let mut out = Vec::new();
        let mut stream = Stream::of_index(1, agent, Purpose::Story);
        source.draw(AgentId(agent), &pupils[agent as usize], sunday, &mut stream, &mut out);
        assert!(out.iter().all(|segment| segment.activity != Activity::Work));
    }
}

/// The same persons under the same numbers get the same donors whatever the number of threads.
#[test]
fn matching_does_not_depend_on_threads() {
    let model = DiaryModel::calibrate(&days(), 60).unwrap();
    let persons: Vec<Person> = (0..20_000_u32)
        .map(|n| {
            let sex = if n % 3 == 0 { Sex::Male } else { Sex::Female };
            person(Role::FullTimeWorker, (n % 90) as u8, sex)
        })
        .collect();
    let with =
        |threads| parallel::with_threads(threads, || model.match_persons(&persons, 9)).unwrap();
    assert_eq!(with(1), with(2));
    assert_ne!(with(1), model.match_persons(&persons, 10));
}
