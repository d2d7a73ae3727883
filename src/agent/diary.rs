//! An observed day: who made which trips when. Raw material of Story models.

use super::activity::Activity;
use super::person::{Role, Sex};

/// One trip of a diary, as reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiaryTrip {
    /// What the person went for; [`Activity::Home`] for a trip home.
    pub purpose: Activity,
    /// Departure in minutes after midnight, in 0..1800. Where the source knows only the hour this
    /// is its first minute.
    pub depart_min: u16,
}

/// One observed day of one person.
#[derive(Debug, Clone, PartialEq)]
pub struct DiaryDay {
    /// The source's number of the person.
    pub person: i64,
    /// The source's number of the household.
    pub household: i64,
    /// Completed years.
    pub age: u8,
    /// Sex.
    pub sex: Sex,
    /// Main role.
    pub role: Role,
    /// Members of the household.
    pub household_size: u16,
    /// Cars of the household.
    pub cars: u8,
    /// Workers in the household.
    pub household_workers: u8,
    /// Household income.
    pub income: f32,
    /// Whether the person has a usual workplace.
    pub has_work: bool,
    /// Whether the person has a usual school.
    pub has_school: bool,
    /// Trips in order of departure; empty for a day at home.
    pub trips: Vec<DiaryTrip>,
}
