//! What a SKILL.md says, as the superset of all dialects.

use std::fmt;

use serde_json::{Map, Value};

/// Largest SKILL.md read, in bytes.
pub const SKILL_MD_BYTES_MAX: u64 = 1 << 20;

/// What carries a skill out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillKind {
    /// Rust code that `metadata.native` names.
    Native,
    /// A behaviour tree (`execution: bt`).
    Bt,
    /// A script: `script`, or a hook that is one.
    Script,
    /// Instructions for a language model and nothing else.
    Prompt,
}

impl SkillKind {
    /// The word for it: `native`, `bt`, `script` or `prompt`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Bt => "bt",
            Self::Script => "script",
            Self::Prompt => "prompt",
        }
    }
}

impl fmt::Display for SkillKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a skill needs in order to be available. Whether it is there is decided elsewhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Requires {
    /// Programs that must be on the path (`bins`, also `runtime`).
    pub bins: Vec<String>,
    /// Environment variables that must be set and not empty.
    pub env: Vec<String>,
    /// Operating systems, one of which must be this one: `darwin`, `linux`, `windows`.
    pub os: Vec<String>,
    /// Tools that the agent must have.
    pub tools: Vec<String>,
    /// Other skills; also what a plain list or string under `requires` means.
    pub skills: Vec<String>,
    /// Keys of `requires` that mean nothing here, as read.
    pub extra: Map<String, Value>,
}

/// What only behaviour tree skills have (Jianmu).
#[derive(Debug, Clone, PartialEq)]
pub struct BtFields {
    /// File of the tree, relative to the skill's folder; `tree.py` unless given.
    pub tree: String,
    /// `orchestration: direct`: the tree runs without a language model around it.
    pub direct: bool,
    /// JSON schema of the inputs, an object; empty if not given.
    pub inputs: Value,
    /// JSON schema of the outputs, an object; empty if not given.
    pub outputs: Value,
    /// Outputs that must be present.
    pub required: Vec<String>,
}

/// Tools that a skill brings or asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools {
    /// Names of tools of the host.
    pub builtin: Vec<String>,
    /// Files with tools, relative to the skill's folder (`tools_entry`).
    pub entries: Vec<String>,
    /// The rest of `tools` as read: other keys of an object, or the objects of a list.
    pub extra: Value,
}

/// Who may start the skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The model; not with `disable-model-invocation: true`, which also hides it from catalogs.
    pub model: bool,
    /// A user, by command; not with `user-invocable: false`.
    pub user: bool,
    /// What to show after the command.
    pub argument_hint: Option<String>,
}

impl Default for Invocation {
    fn default() -> Self {
        Self { model: true, user: true, argument_hint: None }
    }
}

/// The contents of one SKILL.md: the superset of contract 1.8.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillManifest {
    /// `name`, or the folder's name. Never empty; holds no control character, `@`, `/` or `\`.
    pub name: String,
    /// Name of the folder, another word for the skill.
    pub dir_name: String,
    /// `description`, or the first line of prose of the body; never empty, never cut.
    pub description: String,
    /// Text after the frontmatter, with LF line ends.
    pub body: String,
    /// Line of the file on which the body begins, from 1.
    pub body_line: u32,
    /// What carries it out.
    pub kind: SkillKind,
    /// `version` as written, `latest` unless given (MS-Agent's default).
    pub version: String,
    /// `author`.
    pub author: Option<String>,
    /// `tags`, in file order.
    pub tags: Vec<String>,
    /// Whether its body is always shown in full.
    pub always: bool,
    /// What it needs.
    pub requires: Requires,
    /// Hook type to script path relative to the folder, sorted by type, one per type; only files
    /// that exist inside the folder.
    pub hooks: Vec<(String, String)>,
    /// Default script, relative to the folder; only if the file exists inside it.
    pub script: Option<String>,
    /// Name of the Rust implementation that runs this skill (`metadata.native`).
    pub native: Option<String>,
    /// What only behaviour tree skills have; `Some` exactly if `execution: bt`.
    pub bt: Option<BtFields>,
    /// Tools.
    pub tools: Tools,
    /// `constraints` as read, an object.
    pub constraints: Value,
    /// `allowed-tools`, one tool each: `Bash(git:*)`, `Read`.
    pub allowed_tools: Vec<String>,
    /// Jianmu's Swarm role.
    pub role: Option<String>,
    /// Whether what it gives is added to the chat.
    pub push_to_chat: bool,
    /// Who may start it.
    pub invocation: Invocation,
    /// `license`.
    pub license: Option<String>,
    /// `compatibility`.
    pub compatibility: Option<String>,
    /// `metadata`, an object of any depth; a text that is no JSON object is under `_raw`.
    pub metadata: Value,
    /// Every key that no dialect knows, as read, and hooks in a foreign shape.
    pub extra: Map<String, Value>,
    /// Every frontmatter field as read, by YAML 1.2's core types.
    pub fields: Map<String, Value>,
}
