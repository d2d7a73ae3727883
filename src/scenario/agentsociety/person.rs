//! What a profile says of a person, in English or Chinese.

use serde_json::Value;

use crate::agent::person::{Role, Sex};
use crate::agent::roles::{Employment, derive_role};

/// Age where the profile tells none; own choice, an adult of working age.
pub const AGE_ASSUMED: u8 = 40;

const AGE: &[&str] = &["age", "年龄"];
const SEX: &[&str] = &["gender", "sex", "性别"];
/// Keys that tell whether somebody works, the more certain first.
const WORK: &[&str] = &[
    "employment_status",
    "employment",
    "work_status",
    "就业状态",
    "occupation",
    "job",
    "profession",
    "职业",
    "工作",
];

/// The part of a profile that populace has a use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Completed years, if told.
    pub age: Option<u8>,
    /// Sex, if told.
    pub sex: Option<Sex>,
    /// Main role, derived from the age where nothing else tells it.
    pub role: Role,
}

/// What `profile` (key and value) tells.
pub fn traits(profile: &[(&str, &Value)]) -> Traits {
    let find = |keys: &[&str]| -> Vec<&Value> {
        let of_key = |key: &&str| profile.iter().find(|(name, _)| name.to_lowercase() == **key);
        keys.iter().filter_map(of_key).map(|(_, value)| *value).collect()
    };
    let age = find(AGE).into_iter().find_map(age);
    let sex = find(SEX).into_iter().filter_map(Value::as_str).find_map(sex);
    let years = age.unwrap_or(AGE_ASSUMED);
    let told = find(WORK).into_iter().filter_map(Value::as_str).find_map(|text| role(text, years));
    Traits { age, sex, role: told.unwrap_or_else(|| derive_role(years, None, false)) }
}

fn age(value: &Value) -> Option<u8> {
    let years = match value {
        Value::String(text) => {
            let digits = text.trim().trim_end_matches("years old").trim_end_matches('岁');
            digits.trim().parse().ok()?
        }
        other => other.as_u64()?,
    };
    u8::try_from(years).ok().filter(|years| *years <= 120)
}

fn sex(text: &str) -> Option<Sex> {
    match text.trim().to_lowercase().as_str() {
        "female" | "f" | "woman" | "girl" | "女" | "女性" => Some(Sex::Female),
        "male" | "m" | "man" | "boy" | "男" | "男性" => Some(Sex::Male),
        "other" | "non-binary" | "nonbinary" | "其他" => Some(Sex::Other),
        _ => None,
    }
}

/// The role by what somebody does. Any occupation that is not known otherwise is full-time work.
fn role(text: &str, age: u8) -> Option<Role> {
    let text = text.trim().to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let ends = |words: &[&str]| words.iter().any(|word| text.ends_with(word));
    if text.is_empty() {
        return None;
    }
    let works = Role::from_word(&text);
    let without = ["unemployed", "not employed", "homemaker", "housewife", "无业", "失业", "主妇"];
    Some(if let Some(role) = works {
        role
    } else if holds(&["retired", "retiree", "pensioner", "退休", "离休"]) {
        Role::Retired
    } else if ends(&["student", "pupil", "学生", "研究生", "本科生", "博士生", "高中生", "初中生"])
    {
        derive_role(age, Some(Employment::None), true)
    } else if text == "none" || text == "无" || holds(&without) {
        derive_role(age, Some(Employment::None), false)
    } else if holds(&["part-time", "part time", "part_time", "兼职"]) {
        derive_role(age, Some(Employment::PartTime), false)
    } else {
        derive_role(age, Some(Employment::FullTime), false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the words mean, by the rule of `derive_role`.
    #[test]
    fn profiles_of_both_languages_are_read() {
        let told = |key: &str, text: &str, age: u64| {
            let (work, age) = (Value::from(text), Value::from(age));
            traits(&[(key, &work), ("age", &age)]).role
        };
        assert_eq!(told("occupation", "software engineer", 30), Role::FullTimeWorker);
        assert_eq!(told("occupation", "unemployed", 30), Role::NonWorker);
        assert_eq!(told("职业", "医生", 50), Role::FullTimeWorker);
        assert_eq!(told("职业", "大学生", 20), Role::UniversityStudent);
        assert_eq!(told("职业", "退休教师", 60), Role::Retired);
        assert_eq!(told("occupation", "part-time cook", 30), Role::PartTimeWorker);
        assert_eq!(told("occupation", "student", 12), Role::Pupil);
        assert_eq!(age(&Value::from("34岁")), Some(34));
        assert_eq!(age(&Value::from(130)), None);
        assert_eq!(sex("女"), Some(Sex::Female));
    }
}
