//! Which skills there are and who uses them.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::person::Role;

/// Pattern of a skill's name, with or without its namespace.
const SKILL_ID: &str = r"^([a-z0-9][a-z0-9_-]*@)?[a-z0-9][a-z0-9_-]*$";

/// Where skills are found, and who has which switched on. A skill is named `name` or
/// `namespace@name`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Skills {
    /// Folders of skill packages beside the built-in ones, relative to the scenario's folder.
    pub roots: Vec<PathBuf>,
    /// Skills that every person has switched on at the start.
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub default_activated: Vec<String>,
    /// Skills that nobody sees.
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub disabled: Vec<String>,
    /// Differences for groups of persons, applied in this order; at most 64.
    #[schemars(length(max = 64))]
    pub groups: Vec<SkillGroup>,
}

impl Default for Skills {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            default_activated: vec!["daily-guidance".to_owned()],
            disabled: Vec::new(),
            groups: Vec::new(),
        }
    }
}

/// Skills switched on or off for some persons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillGroup {
    /// Who belongs to the group.
    #[serde(rename = "where", default)]
    pub filter: GroupFilter,
    /// Skills to switch on.
    #[serde(default)]
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub activate: Vec<String>,
    /// Skills to switch off.
    #[serde(default)]
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub deactivate: Vec<String>,
}

/// Who belongs to a group: all conditions hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroupFilter {
    /// Main roles; any if empty.
    pub role: Vec<Role>,
    /// Youngest age.
    #[schemars(range(min = 0, max = 120))]
    pub age_min: u8,
    /// Oldest age, included.
    #[schemars(range(min = 0, max = 120))]
    pub age_max: u8,
    /// Share of those persons, drawn with the seed.
    #[schemars(range(min = 0, max = 1))]
    pub share: f64,
}

impl Default for GroupFilter {
    fn default() -> Self {
        Self { role: Vec::new(), age_min: 0, age_max: 120, share: 1.0 }
    }
}
