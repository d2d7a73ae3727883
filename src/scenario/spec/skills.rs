//! Which skills there are and who uses them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::person::Role;

/// Pattern of a skill's name, with or without its namespace.
const SKILL_ID: &str = r"^([A-Za-z0-9][A-Za-z0-9:._-]*@)?[^@/\s][^@/]*$";

/// Where skills are found, and who has which switched on. A skill is named `name` or
/// `namespace@name`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Skills {
    /// Where more skills are, beside the built-in ones. Of two with one id the first counts, by
    /// the order of the roots and then of the paths.
    pub roots: Vec<SkillRoot>,
    /// The only skills that exist in the run, by name or id; all if left out, none if empty.
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub allow: Option<Vec<String>>,
    /// Skills that every person has switched on at the start.
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub default_activated: Vec<String>,
    /// Skills that nobody sees.
    #[schemars(inner(regex(pattern = SKILL_ID)))]
    pub disabled: Vec<String>,
    /// A `skills.json`, as `populace skills disable` writes it: its `disabled` and `sources` are
    /// added to those here. No other is read.
    pub toggles: Option<PathBuf>,
    /// What is answered when a behaviour tree suspends a person with a question: question and
    /// answer. Other questions stay open.
    pub answers: BTreeMap<String, String>,
    /// Differences for groups of persons, applied in this order; at most 64.
    #[schemars(length(max = 64))]
    pub groups: Vec<SkillGroup>,
}

impl Default for Skills {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            allow: None,
            default_activated: vec!["daily-guidance".to_owned()],
            disabled: Vec::new(),
            toggles: None,
            answers: BTreeMap::new(),
            groups: Vec::new(),
        }
    }
}

/// A folder of skill packages, or one package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SkillRoot {
    /// A folder relative to the scenario's, an absolute one, one below `~`, or a folder kept in
    /// git: `git+URL@REVISION` or `git+URL@REVISION#FOLDER`, with a branch, a tag or a full commit.
    Path(String),
    /// The same with a namespace of its own or a greater depth.
    Detailed(SkillRootDetails),
}

/// A folder of skill packages with what is special about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillRootDetails {
    /// As in the short form.
    pub path: String,
    /// Namespace of its skills instead of `custom`. With `env:MODULE` they are calls of the
    /// environment and no script of theirs is run.
    #[serde(default)]
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9:._-]*$"))]
    pub namespace: Option<String>,
    /// How deep below the folder packages are looked for; 1 = its direct children.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 8))]
    pub depth: u8,
}

const fn one() -> u8 {
    1
}

impl SkillRoot {
    /// The source, as written.
    pub fn source(&self) -> &str {
        match self {
            Self::Path(path) | Self::Detailed(SkillRootDetails { path, .. }) => path,
        }
    }

    /// The namespace, if one is given.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Self::Path(_) => None,
            Self::Detailed(details) => details.namespace.as_deref(),
        }
    }

    /// How deep packages are looked for.
    pub const fn depth(&self) -> u8 {
        match self {
            Self::Path(_) => 1,
            Self::Detailed(details) => details.depth,
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
