//! Synthesis against its declared distributions.
//!
//! Shares of persons are judged with the standard error of a ratio of household totals (the
//! linearised variance of cluster samples, Cochran, "Sampling Techniques", 3rd ed. 1977, chapter
//! 9A), because members of a household are not independent. Bounds are 4.5 of them for the ages
//! (95 are compared at once) and 4 elsewhere.

use super::*;
use crate::population::households::{RawHousehold, RawPerson, RawPopulation};
use crate::population::replicate::PERSONS_MAX;
use crate::population::synthesis::synthesize;
use crate::population::synthesis_params::AgeBand;

fn made(persons: u64, seed: u64) -> RawPopulation {
    synthesize(&SynthesisParams::default(), persons, seed).unwrap()
}

/// How many standard errors the share of `of` among `among` is from `declared`.
fn deviation(
    raw: &RawPopulation,
    among: impl Fn(&RawPerson) -> bool,
    of: impl Fn(&RawPerson) -> bool,
    declared: f64,
) -> f64 {
    let (mut count, mut total, mut squares) = (0.0, 0.0, 0.0);
    for household in raw.households() {
        let members = raw.members(household).iter().filter(|person| among(person));
        let (mut n, mut k) = (0.0, 0.0);
        for person in members {
            n += 1.0;
            k += f64::from(u8::from(of(person)));
        }
        count += n;
        total += k;
        squares += (k - declared * n).powi(2);
    }
    if squares == 0.0 { 0.0 } else { (total - declared * count) / squares.sqrt() }
}

/// Whether a person counts.
type Has<'a> = &'a dyn Fn(&RawPerson) -> bool;

fn within(name: &str, deviation: f64, bound: f64) {
    assert!(deviation.abs() < bound, "{name}: {deviation} standard errors");
}

#[test]
fn household_sizes_and_cars_come_out_as_declared() {
    let raw = made(100_000, 2);
    let params = SynthesisParams::default();
    let count = raw.households().len() as f64;
    let share_se = |found: f64, declared: f64, n: f64| {
        (found - declared) / (declared * (1.0 - declared) / n).sqrt()
    };
    for (size, weight) in &params.household_size {
        let of_size = raw.households().iter().filter(|household| household.size == *size);
        let of_size: Vec<&RawHousehold> = of_size.collect();
        let n = of_size.len() as f64;
        within("size", share_se(n / count, f64::from(*weight), count), 4.0);
        let cars = params.cars.range(..=size).next_back().unwrap().1;
        for (number, weight) in (0_u8..).zip(cars) {
            let having = of_size.iter().filter(|household| household.cars == number).count();
            within("cars", share_se(having as f64 / n, f64::from(*weight), n), 4.0);
        }
    }
}

#[test]
fn ages_and_sexes_come_out_as_declared() {
    let raw = made(200_000, 3);
    let params = SynthesisParams::default();
    let total: f32 = params.age_pyramid.iter().map(|band| band.weight).sum();
    for band in &params.age_pyramid {
        for age in band.from..=band.to {
            let declared = f64::from(band.weight / total) / f64::from(band.to - band.from + 1);
            let found = deviation(&raw, |_| true, |person| person.age == age, declared);
            within(&format!("age {age}"), found, 4.5);
        }
    }
    let female = |person: &RawPerson| person.sex == Sex::Female;
    within("female", deviation(&raw, |_| true, female, 0.51), 4.0);
}

#[test]
fn roles_come_out_as_declared_at_every_age() {
    let raw = made(200_000, 4);
    let params = SynthesisParams::default();
    let school = |p: &RawPerson| matches!(p.role, Role::Pupil | Role::DrivingAgeStudent);
    let university = |p: &RawPerson| p.role == Role::UniversityStudent;
    let works = |p: &RawPerson| p.role.works();
    let lists: [(_, Has<'_>); 3] = [
        (&params.school, &school),
        (&params.university, &university),
        (&params.employment, &works),
    ];
    for (list, has) in lists {
        for class in list {
            let among = |person: &RawPerson| (class.from..=class.to).contains(&person.age);
            let found = deviation(&raw, among, has, f64::from(class.share));
            within(&format!("{class:?}"), found, 4.0);
        }
    }
    let part_time = |p: &RawPerson| p.role == Role::PartTimeWorker;
    within("part-time", deviation(&raw, works, part_time, 0.18), 4.0);
    for person in raw.persons() {
        assert_eq!(person.role == Role::Preschooler, person.age < 6);
        assert!(person.role != Role::Retired || person.age >= 65);
        assert!(person.role != Role::Pupil || person.age < 16);
    }
}

/// ln(income / median) / sigma is standard normal: mean 0, variance 1, a third below -0.4307.
#[test]
fn income_is_log_normal() {
    let raw = made(100_000, 5);
    let n = raw.households().len() as f64;
    let z: Vec<f64> = raw
        .households()
        .iter()
        .map(|household| (f64::from(household.income) / 45_000.0).ln() / 0.6)
        .collect();
    let mean = z.iter().sum::<f64>() / n;
    let variance = z.iter().map(|z| z * z).sum::<f64>() / n;
    let low = z.iter().filter(|z| **z < -0.430_727).count() as f64 / n;
    within("mean", mean * n.sqrt(), 4.0);
    within("variance", (variance - 1.0) / (2.0 / n).sqrt(), 4.0);
    within("lower third", (low - 1.0 / 3.0) / (2.0 / 9.0 / n).sqrt(), 4.0);
}

/// Household k is the same whatever the number of persons, but for those passed over at the end.
#[test]
fn a_household_does_not_depend_on_the_number_of_persons() {
    let (small, large) = (made(999, 6), made(20_000, 6));
    assert_eq!((small.persons().len(), large.persons().len()), (999, 20_000));
    for household in small.households() {
        let at = large.households().binary_search_by_key(&household.id, |h| h.id).unwrap();
        let twin = large.households()[at];
        assert_eq!(small.members(household), large.members(&twin));
        assert_eq!((household.income, household.cars), (twin.income, twin.cars));
    }
    assert_ne!(made(999, 6).persons(), made(999, 7).persons());
}

#[test]
fn every_household_has_an_adult_and_children_have_a_parent_of_fitting_age() {
    let raw = made(50_000, 8);
    let mut couples = (0, 0);
    for household in raw.households() {
        let members = raw.members(household);
        let head = members[0].age;
        assert!(members.iter().any(|person| person.age >= 18));
        for child in members.iter().filter(|person| person.age < 18) {
            assert!((20..=40).contains(&(i16::from(head) - i16::from(child.age))));
        }
        if members.len() == 2 && members[1].age >= 25 && head.abs_diff(members[1].age) <= 6 {
            couples.0 += 1;
            couples.1 += u32::from(members[0].sex != members[1].sex);
        }
    }
    // Most pairs of adults of like age are partners; 98 % of partners are of opposite sex.
    assert!(f64::from(couples.1) > 0.85 * f64::from(couples.0), "{couples:?}");
}

#[test]
fn totals_that_cannot_be_met_are_told() {
    let pairs = SynthesisParams { household_size: [(2, 1.0)].into(), ..SynthesisParams::default() };
    let raw = synthesize(&pairs, 7, 1).unwrap();
    assert_eq!((raw.persons().len(), raw.counts["persons_over"]), (8, 1));
    let singles =
        SynthesisParams { household_size: [(1, 1.0)].into(), ..SynthesisParams::default() };
    let raw = synthesize(&singles, 100, 1).unwrap();
    assert!(raw.warnings[0].contains("age pyramid cannot be had"), "{:?}", raw.warnings);
    assert!(synthesize(&pairs, 0, 1).is_err());
    assert!(synthesize(&pairs, PERSONS_MAX + 1, 1).is_err());
}

#[test]
fn synthesis_fills_a_city() {
    let params = Box::new(SynthesisParams::default());
    let source = PopulationSource::Synthetic { persons: 10, params };
    let mut city = GridCity { zones: 4 };
    let people = populate(&source, Some(3_000), None, 1, &mut city).unwrap();
    assert_eq!((people.persons.len(), people.counts["persons"]), (3_000, 3_000));
    let workers = |person: &Person| {
        let first = person.household_first as usize;
        let members = &people.persons[first..first + usize::from(person.household_size)];
        members.iter().filter(|member| member.role.works()).count()
    };
    for person in &people.persons {
        assert_eq!(usize::from(person.household_workers), workers(person));
        assert_eq!(person.work.is_some(), person.role.works());
        assert_eq!(person.school.is_some(), person.role.studies());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever is declared, plausible or not: the total is met or the excess told, sizes are
    /// declared ones, ages have weight, and every household has an adult.
    #[test]
    fn any_valid_distributions_make_people(
        sizes in prop::collection::btree_map(1_u16..=20, 0.0_f32..1.0, 1..5),
        cuts in prop::collection::btree_set(0_u8..=119, 1..8),
        weights in prop::collection::vec(0.0_f32..1.0, 9),
        persons in 1_u64..400,
    ) {
        let mut params = SynthesisParams { household_size: sizes, ..SynthesisParams::default() };
        let starts: Vec<u8> = cuts.into_iter().chain([120]).collect();
        let bands = starts.windows(2).zip(&weights);
        params.age_pyramid = bands
            .map(|(pair, weight)| AgeBand { from: pair[0], to: pair[1] - 1, weight: *weight })
            .collect();
        let Ok(raw) = synthesize(&params, persons, 1) else { return Ok(()) };
        let over = raw.counts.get("persons_over").copied().unwrap_or(0);
        prop_assert_eq!(raw.persons().len() as u64, persons + over);
        for household in raw.households() {
            prop_assert!(params.household_size[&household.size] > 0.0);
            prop_assert!(raw.members(household).iter().any(|person| person.age >= 18));
        }
        for person in raw.persons() {
            let class = params.age_pyramid.iter().find(|band| band.to >= person.age);
            prop_assert!(class.is_some_and(|band| band.from <= person.age && band.weight > 0.0));
        }
    }
}
