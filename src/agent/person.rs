//! Who a person is: attributes that stay the same during a run.

use bevy_ecs::component::Component;

use super::activity::words;
use crate::base::ids::{HouseholdId, PlaceId};

words! {
    /// Sex as recorded by the source.
    Sex {
        /// Female.
        Female = "female",
        /// Male.
        Male = "male",
        /// Not recorded, or neither.
        Other = "other",
    }
}

words! {
    /// A person's main role in daily life: the eight person types of activity-based demand models.
    Role {
        /// Works full-time.
        FullTimeWorker = "full_time_worker",
        /// Works part-time.
        PartTimeWorker = "part_time_worker",
        /// Studies at a university or college.
        UniversityStudent = "university_student",
        /// An adult under the retirement age who neither works nor studies.
        NonWorker = "non_worker",
        /// Retired.
        Retired = "retired",
        /// A pupil of driving age.
        DrivingAgeStudent = "driving_age_student",
        /// A pupil below driving age.
        Pupil = "pupil",
        /// A child below school age.
        Preschooler = "preschooler",
    }
}

impl Role {
    /// Whether the person has a job as a main role.
    pub const fn works(self) -> bool {
        matches!(self, Self::FullTimeWorker | Self::PartTimeWorker)
    }

    /// Whether the person attends school or university.
    pub const fn studies(self) -> bool {
        matches!(self, Self::UniversityStudent | Self::DrivingAgeStudent | Self::Pupil)
    }
}

/// The attributes of one person; a table column of 44 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct Person {
    /// The household.
    pub household: HouseholdId,
    /// First member of the household; members have consecutive agent numbers.
    pub household_first: u32,
    /// Number of members of the household.
    pub household_size: u16,
    /// Completed years.
    pub age: u8,
    /// Cars of the household.
    pub cars: u8,
    /// Workers in the household.
    pub household_workers: u8,
    /// Sex.
    pub sex: Sex,
    /// Main role.
    pub role: Role,
    /// Household income per year in the source's currency.
    pub income: f32,
    /// Where the person lives.
    pub home: PlaceId,
    /// Where the person works; [`PlaceId::NONE`] if nowhere.
    pub work: PlaceId,
    /// Where the person studies; [`PlaceId::NONE`] if nowhere.
    pub school: PlaceId,
    /// Usual travel time from home to work or school, in minutes; 0 if neither.
    pub commute_min: u16,
}
