//! A person's main role where the source does not tell it.

use crate::agent::person::Role;

/// Employment as surveys record it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Employment {
    /// Employed full-time.
    FullTime,
    /// Employed part-time.
    PartTime,
    /// Not employed, or too young to be.
    None,
}

impl Employment {
    /// Every value.
    pub const ALL: &'static [Self] = &[Self::FullTime, Self::PartTime, Self::None];

    /// The word used in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::FullTime => "full_time",
            Self::PartTime => "part_time",
            Self::None => "none",
        }
    }

    /// The value with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }

    /// What a zone of work tells where nothing else does: full-time with one, none without.
    pub const fn from_workplace(work_zone: Option<i64>) -> Self {
        match work_zone {
            Some(_) => Self::FullTime,
            None => Self::None,
        }
    }
}

/// Age at which school begins (most of Europe and the United States: 6).
pub const SCHOOL_AGE: u8 = 6;
/// Age from which a pupil may drive: 16, as in the person types of activity-based models.
pub const DRIVING_AGE: u8 = 16;
/// Last age at which somebody in education counts as a pupil and not as a university student.
pub const PUPIL_AGE_MAX: u8 = 18;
/// Age from which somebody without a job counts as retired.
pub const RETIREMENT_AGE: u8 = 65;

/// The role of somebody of this age.
///
/// `employment` is `None` where the source says nothing about work: then adults under 65 who are
/// not in education count as full-time workers. `in_education` says that the source names a
/// school or university. Below 16 age alone decides; at 16 to 18 education goes before work; from
/// 19 full-time work goes before education, and education before part-time work.
///
/// Source: own choice, after the person types of activity-based demand models.
pub fn derive_role(age: u8, employment: Option<Employment>, in_education: bool) -> Role {
    match (age, employment) {
        (..SCHOOL_AGE, _) => Role::Preschooler,
        (..DRIVING_AGE, _) => Role::Pupil,
        (..=PUPIL_AGE_MAX, _) if in_education => Role::DrivingAgeStudent,
        (..=PUPIL_AGE_MAX, None) => Role::DrivingAgeStudent,
        (_, Some(Employment::FullTime)) => Role::FullTimeWorker,
        _ if in_education => Role::UniversityStudent,
        (_, Some(Employment::PartTime)) => Role::PartTimeWorker,
        (RETIREMENT_AGE.., _) => Role::Retired,
        (_, Some(Employment::None)) => Role::NonWorker,
        (_, None) => Role::FullTimeWorker,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule's own words, case by case.
    #[test]
    fn age_work_and_education_decide() {
        use Employment::{FullTime, PartTime};
        let cases = [
            (5, None, true, Role::Preschooler),
            (6, None, false, Role::Pupil),
            (16, Some(PartTime), true, Role::DrivingAgeStudent),
            (17, Some(FullTime), false, Role::FullTimeWorker),
            (17, Some(Employment::None), false, Role::NonWorker),
            (19, Some(PartTime), true, Role::UniversityStudent),
            (30, Some(FullTime), true, Role::FullTimeWorker),
            (30, Some(PartTime), false, Role::PartTimeWorker),
            (64, None, false, Role::FullTimeWorker),
            (65, None, false, Role::Retired),
            (70, Some(Employment::None), false, Role::Retired),
            (70, Some(FullTime), false, Role::FullTimeWorker),
        ];
        for (age, employment, in_education, role) in cases {
            assert_eq!(derive_role(age, employment, in_education), role, "{age} {employment:?}");
        }
    }
}
