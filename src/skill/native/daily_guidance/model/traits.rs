//! The traits by which persons are told apart: the same for observed and for simulated persons.

use crate::agent::activity::Activity;
use crate::agent::diary::{DiaryDay, DiaryTrip};
use crate::agent::person::{Person, Role, Sex};

/// First age of every age class but the first.
///
/// Own choice: school ages, driving age, coming of age, then decades; those of a household travel
/// survey.
const AGES: [u8; 10] = [6, 12, 16, 19, 25, 35, 45, 55, 65, 75];

/// Number of household size classes: 1, 2, 3 to 4, 5 and more.
pub const SIZE_CLASS_COUNT: usize = 4;
/// Number of classes of workers in the household: 0, 1, 2 and more.
pub const WORKER_CLASS_COUNT: usize = 3;

/// What the models know of a person. Classes are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Main role.
    pub role: Role,
    /// Age class.
    pub age_class: u8,
    /// Sex.
    pub sex: Sex,
    /// Household size class.
    pub size_class: u8,
    /// Cars of the household: 0, 1, 2 and more.
    pub car_class: u8,
    /// Workers in the household: 0, 1, 2 and more.
    pub worker_class: u8,
}

impl Traits {
    /// Traits of an observed person.
    pub fn of_day(day: &DiaryDay) -> Self {
        Self {
            role: day.role,
            age_class: age_class(day.age),
            sex: day.sex,
            size_class: size_class(day.household_size),
            car_class: day.cars.min(2),
            worker_class: day.household_workers.min(2),
        }
    }

    /// Traits of a simulated person.
    pub fn of_person(person: &Person) -> Self {
        Self {
            role: person.role,
            age_class: age_class(person.age),
            sex: person.sex,
            size_class: size_class(person.household_size),
            car_class: person.cars.min(2),
            worker_class: person.household_workers.min(2),
        }
    }
}

fn age_class(age: u8) -> u8 {
    AGES.iter().filter(|first| age >= **first).count() as u8
}

const fn size_class(size: u16) -> u8 {
    match size {
        0 | 1 => 0,
        2 => 1,
        3 | 4 => 2,
        _ => 3,
    }
}

/// The roles that lend each other data where a role alone has little: workers, older students,
/// adults at home, children.
pub const fn role_group(role: Role) -> usize {
    match role {
        Role::FullTimeWorker | Role::PartTimeWorker => 0,
        Role::UniversityStudent | Role::DrivingAgeStudent => 1,
        Role::NonWorker | Role::Retired => 2,
        Role::Pupil | Role::Preschooler => 3,
    }
}

/// Number of role groups.
pub const ROLE_GROUP_COUNT: usize = 4;

/// Whether an activity is mandatory: work, school, university.
#[inline]
pub const fn is_mandatory(activity: Activity) -> bool {
    matches!(activity, Activity::Work | Activity::School)
}

/// The pattern of a day: the H, N and M of activity-based models (Bhat and Koppelman, "Activity-
/// based modeling of travel demand", 1999).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// At home all day.
    Home,
    /// Away from home, but neither for work nor for school.
    Free,
    /// To work or school.
    Mandatory,
}

impl Pattern {
    /// Every value, in code order.
    pub const ALL: [Self; 3] = [Self::Home, Self::Free, Self::Mandatory];

    /// The pattern of the day on which these trips were made.
    pub fn of(trips: &[DiaryTrip]) -> Self {
        if trips.is_empty() {
            Self::Home
        } else if trips.iter().any(|trip| is_mandatory(trip.purpose)) {
            Self::Mandatory
        } else {
            Self::Free
        }
    }
}

/// Share of employed persons who work on a weekend day over the share on a weekday: 0.34 to 0.83
/// (American Time Use Survey 2012).
const WEEKEND_WORK_RATIO: f32 = 0.34 / 0.83;

/// Chances of each [`Pattern`] on a Saturday or Sunday, from `weekday`, those of the person on a
/// weekday, and `idle_home`, the share at home all day of persons without mandatory activity.
///
/// Own rule, since the diary is of a weekday: nobody goes to school; who has work as main role
/// goes to work less often by the survey's ratio, others not at all; the rest spend the day as
/// persons without work or school do.
pub fn weekend_pattern(role: Role, weekday: [f32; 3], idle_home: f32) -> [f32; 3] {
    let mandatory = if role.works() { weekday[2] * WEEKEND_WORK_RATIO } else { 0.0 };
    let free = 1.0 - mandatory;
    [free * idle_home, free * (1.0 - idle_home), mandatory]
}

/// Share at home all day among observed persons who neither work nor study nor attend care.
pub fn idle_home_share(counts: impl Iterator<Item = (Role, Pattern, u32)>) -> f32 {
    let (mut home, mut all) = (0, 0);
    for (role, pattern, count) in counts {
        if role_group(role) == 2 && pattern != Pattern::Mandatory {
            all += count;
            home += if pattern == Pattern::Home { count } else { 0 };
        }
    }
    // Without such persons in the data: one in five, as in travel surveys on weekends.
    if all == 0 { 0.2 } else { home as f32 / all as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_at_their_first_age() {
        assert_eq!([0, 5, 6, 18, 19, 74, 75, 120].map(age_class), [0, 0, 1, 3, 4, 9, 10, 10]);
        assert_eq!([0, 1, 2, 3, 4, 5, 13].map(size_class), [0, 0, 1, 2, 2, 3, 3]);
    }

    /// ATUS: 0.83 of workers work on a weekday, 0.34 on a weekend day.
    #[test]
    fn weekends_have_a_third_of_the_workers_and_no_pupils() {
        let weekday = [0.07, 0.10, 0.83];
        let worker = weekend_pattern(Role::FullTimeWorker, weekday, 0.2);
        assert!((worker[2] - 0.34).abs() < 1e-6);
        assert!((worker.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(weekend_pattern(Role::Pupil, weekday, 0.2), [0.2, 0.8, 0.0]);
    }
}
