//! The Story that the hook writes when an agent has none for the day.
//!
//! It follows the profile in AGENT.json: only who has a job or a school commutes, and on Saturdays
//! and Sundays nobody does. The day of a worker with a home and a workplace is that of the
//! published skill, so that Stories of both compare equal.

use jiff::civil::{Date, Weekday};
use serde_json::{Map, Value, json};

use super::document::{self, PersonContext};
use super::workspace::AgentFile;
use crate::agent::activity::Activity;
use crate::agent::person::Role;
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Segment};
use crate::base::ids::AgentId;

use Activity as A;
use Binding::{Optional, Required, Soft};
use LocationPolicy as P;
use MaslowNeed as N;

/// Hours of start and end, what, where, which need, how binding.
type Row = (u16, u16, Activity, LocationPolicy, MaslowNeed, Binding);

/// A worker's day: the nine segments of the published default.
const WORK_DAY: [Row; 9] = [
    (0, 7, A::Sleep, P::Home, N::Rest, Required),
    (7, 8, A::Home, P::Home, N::Food, Soft),
    (8, 9, A::Travel, P::Transit, N::Income, Required),
    (9, 12, A::Work, P::Work, N::Role, Required),
    (12, 13, A::Meal, P::NearWork, N::Food, Required),
    (13, 17, A::Work, P::Work, N::Income, Required),
    (17, 18, A::Travel, P::Transit, N::Shelter, Required),
    (18, 22, A::Home, P::Home, N::Recreation, Soft),
    (22, 24, A::Sleep, P::Home, N::Rest, Required),
];

/// Risk and proof of each segment of [`WORK_DAY`], as recorded from agentsociety2 2.9.3
/// (Apache-2.0): a Story of this day is compared by content.
const WORK_DAY_TEXTS: [(&str, &str); 9] = [
    ("The day becomes unrealistic without sleep.", "Night time at home supports sleep."),
    ("Skipping preparation makes later activity abrupt.", "Morning at home supports preparation."),
    ("Work cannot start plausibly without travel.", "Workday profile supports commuting."),
    ("A working profile needs a work block.", "The agent has a work AOI and occupation."),
    ("Skipping meals lowers plausibility.", "Lunch time near work supports eating."),
    ("The workday would be too short without it.", "Afternoon work follows lunch."),
    ("The agent needs a night location.", "End of workday supports returning home."),
    ("The day lacks recovery without downtime.", "Evening at home supports rest and chores."),
    ("The day would not close with rest.", "Night time at home supports sleep."),
];

/// A day of work at home: a job, a home, and no workplace to go to.
const HOME_OFFICE_DAY: [Row; 7] = [
    (0, 7, A::Sleep, P::Home, N::Rest, Required),
    (7, 9, A::Home, P::Home, N::Food, Soft),
    (9, 12, A::Work, P::Home, N::Role, Required),
    (12, 13, A::Meal, P::Home, N::Food, Required),
    (13, 17, A::Work, P::Home, N::Income, Required),
    (17, 22, A::Home, P::Home, N::Recreation, Soft),
    (22, 24, A::Sleep, P::Home, N::Rest, Required),
];

/// A pupil's or student's day.
const SCHOOL_DAY: [Row; 9] = [
    (0, 7, A::Sleep, P::Home, N::Rest, Required),
    (7, 8, A::Home, P::Home, N::Food, Soft),
    (8, 9, A::Travel, P::Transit, N::Role, Required),
    (9, 12, A::School, P::School, N::Competence, Required),
    (12, 13, A::Meal, P::School, N::Food, Required),
    (13, 15, A::School, P::School, N::Competence, Required),
    (15, 16, A::Travel, P::Transit, N::Shelter, Required),
    (16, 21, A::Home, P::Home, N::Recreation, Soft),
    (21, 24, A::Sleep, P::Home, N::Rest, Required),
];

/// A day without job or school: at home, with an errand and some leisure close by.
const FREE_DAY: [Row; 9] = [
    (0, 7, A::Sleep, P::Home, N::Rest, Required),
    (7, 10, A::Home, P::Home, N::Food, Soft),
    (10, 11, A::Shop, P::NearHome, N::Food, Soft),
    (11, 12, A::Home, P::Home, N::Shelter, Soft),
    (12, 13, A::Meal, P::Home, N::Food, Required),
    (13, 15, A::Home, P::Home, N::Recreation, Soft),
    (15, 17, A::Leisure, P::NearHome, N::Recreation, Optional),
    (17, 22, A::Home, P::Home, N::Recreation, Soft),
    (22, 24, A::Sleep, P::Home, N::Rest, Required),
];

/// A day of a child below school age: always at home.
const CHILD_DAY: [Row; 5] = [
    (0, 7, A::Sleep, P::Home, N::Rest, Required),
    (7, 12, A::Home, P::Home, N::Food, Soft),
    (12, 13, A::Meal, P::Home, N::Food, Required),
    (13, 20, A::Home, P::Home, N::Growth, Soft),
    (20, 24, A::Sleep, P::Home, N::Rest, Required),
];

/// Words in an occupation that say there is none (English and Chinese profiles).
const NO_JOB: [&str; 14] = [
    "unemployed",
    "jobless",
    "no job",
    "not working",
    "homemaker",
    "housewife",
    "househusband",
    "stay-at-home",
    "none",
    "n/a",
    "退休",
    "失业",
    "无业",
    "家庭主妇",
];
const STUDENT: [&str; 5] = ["student", "pupil", "schoolchild", "学生", "undergraduate"];

/// The default Story of agent number `id` for `date`, from what AGENT.json says of it.
pub(super) fn compose(id: u64, agent: &AgentFile, date: Date) -> Map<String, Value> {
    let empty = Map::new();
    let profile = Profile(agent.profile().unwrap_or(&empty));
    let age = profile.age();
    let role = profile.role(age);
    let number = format!("agent_{id:04}");
    let person = PersonContext {
        agent: u32::try_from(id).map_or(AgentId::NONE, AgentId),
        name: agent.name().unwrap_or(&number),
        role,
        age,
        household_size: profile.number("household_size").and_then(|size| size.try_into().ok()),
    };
    let weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
    let rows = day_of(&profile, role, weekend);
    let segments: Vec<Segment> = rows.iter().zip(0..).map(segment_of).collect();
    let story_id = format!("{number}:{date}:default");
    let mut story = document::compose(story_id, &person, date, &segments);
    if let (true, Some(Value::Array(list))) = (rows == WORK_DAY, story.get_mut("segments")) {
        for (segment, (risk, proof)) in list.iter_mut().zip(WORK_DAY_TEXTS) {
            segment["maslow_reason"]["risk"] = json!(risk);
            segment["tpb_reason"]["proof"] = json!(proof);
        }
    }
    // The words of the published skill, by which a reader tells a default from a submitted Story.
    story["self_check"]["issues"] =
        json!(["default story generated by daily_guidance hook; agent may revise it"]);
    story
}

fn segment_of((row, id): (&Row, u8)) -> Segment {
    let (start, end, activity, policy, need, binding) = *row;
    let segment = Segment::of(activity, policy, start * 60, end * 60);
    Segment { id, need, binding, ..segment }
}

fn day_of(profile: &Profile<'_>, role: Role, weekend: bool) -> &'static [Row] {
    match role {
        Role::Preschooler => &CHILD_DAY,
        _ if weekend => &FREE_DAY,
        _ if role.studies() => &SCHOOL_DAY,
        _ if !role.works() => &FREE_DAY,
        _ if profile.has_home() && !profile.has_work() => &HOME_OFFICE_DAY,
        _ => &WORK_DAY,
    }
}

/// A profile as its author wrote it.
struct Profile<'a>(&'a Map<String, Value>);

impl Profile<'_> {
    /// The first of `keys` that says something, as text.
    fn text(&self, keys: &[&str]) -> Option<String> {
        let said = keys.iter().filter_map(|key| match self.0.get(*key)? {
            Value::String(text) => Some(text.trim().to_lowercase()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        said.into_iter().find(|text| !text.is_empty())
    }

    fn number(&self, key: &str) -> Option<u64> {
        let value = self.0.get(key)?;
        value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
    }

    fn age(&self) -> Option<u8> {
        self.number("age").and_then(|age| u8::try_from(age).ok())
    }

    fn has_home(&self) -> bool {
        self.text(&["home_aoi", "home_place", "home_poi"]).is_some()
    }

    fn has_work(&self) -> bool {
        self.text(&["work_aoi", "work_place", "workplace", "work_poi"]).is_some()
    }

    fn has_school(&self) -> bool {
        self.text(&["school_aoi", "school_place", "school"]).is_some()
    }

    /// Role by `role` where it is one of ours, else by occupation, places and age.
    fn role(&self, age: Option<u8>) -> Role {
        if let Some(role) = self.text(&["role"]).and_then(|word| Role::from_word(&word)) {
            return role;
        }
        if age.is_some_and(|age| age < 6) {
            return Role::Preschooler;
        }
        let student = match age {
            Some(0..16) => Role::Pupil,
            Some(16..18) => Role::DrivingAgeStudent,
            _ => Role::UniversityStudent,
        };
        let keys = ["occupation", "job", "employment", "employment_status", "profession"];
        let Some(occupation) = self.text(&keys) else {
            return match age {
                _ if self.has_work() => Role::FullTimeWorker,
                _ if self.has_school() => student,
                Some(65..) => Role::Retired,
                _ => Role::NonWorker,
            };
        };
        let says = |words: &[&str]| words.iter().any(|word| occupation.contains(word));
        if says(&["retire", "pensioner", "退休"]) {
            Role::Retired
        } else if says(&NO_JOB) {
            Role::NonWorker
        } else if says(&STUDENT) {
            student
        } else if says(&["part-time", "part time"]) {
            Role::PartTimeWorker
        } else {
            Role::FullTimeWorker
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::native::daily_guidance::story_file::validate::validate_story;
    use jiff::civil::date;

    const MONDAY: Date = date(2026, 3, 2);

    fn story(profile: Value, day: Date) -> Value {
        let file: AgentFile = AgentFile::of(json!({"agent_id": 9, "profile": profile}));
        Value::Object(compose(9, &file, day))
    }

    fn activities(story: &Value) -> Vec<&str> {
        let segments = story["segments"].as_array().unwrap();
        segments.iter().map(|segment| segment["activity"].as_str().unwrap()).collect()
    }

    /// Contract, section 0: no commute without a job or school.
    #[test]
    fn only_who_has_a_job_or_a_school_commutes() {
        for (profile, commutes) in [
            (json!({"occupation": "engineer", "home_aoi": 5, "work_aoi": 6}), true),
            (json!({"occupation": "nurse"}), true),
            (json!({"work_aoi": 6}), true),
            (json!({"occupation": "Student", "age": 20}), true),
            (json!({"role": "pupil", "school_aoi": 3}), true),
            (json!({"school_aoi": 3, "age": "12"}), true),
            (json!({"occupation": "engineer", "home_aoi": 5}), false),
            (json!({"occupation": "Retired teacher", "work_aoi": 6}), false),
            (json!({"occupation": "unemployed"}), false),
            (json!({"occupation": "退休"}), false),
            (json!({"role": "non_worker", "occupation": "engineer"}), false),
            (json!({"age": 3, "work_aoi": 6}), false),
            (json!({"age": 70}), false),
            (json!({}), false),
        ] {
            let story = story(profile.clone(), MONDAY);
            assert_eq!(activities(&story).contains(&"commute"), commutes, "{profile}");
            assert_eq!(validate_story(&story, "s").errors, [], "{profile}");
            assert_eq!(story["segments"].as_array().unwrap().last().unwrap()["end"], "24:00");
        }
    }

    #[test]
    fn nobody_commutes_on_a_sunday() {
        let profile = json!({"occupation": "engineer", "home_aoi": 5, "work_aoi": 6});
        let sunday = story(profile, date(2026, 3, 1));
        assert!(!activities(&sunday).contains(&"work"), "{sunday}");
    }
}
