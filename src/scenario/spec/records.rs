//! What a run writes down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which tables are written, how densely, how compressed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Records {
    /// Tables to write; `default` stands for all but `needs`, `messages` and `bt_trace`, which is
    /// written if its policy keeps rows.
    /// A run has the tables of persons or else those of a model.
    pub tables: Vec<TableName>,
    /// Which rows of `steps`, `hooks` and `model_agents` are written. With a `model`, none are
    /// unless this is given.
    pub log: LogPolicy,
    /// Another policy for `hooks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks_log: Option<LogPolicy>,
    /// Which rows of `bt_trace` are written: the status that each node of a behaviour tree had in a
    /// tick.
    pub bt_trace: LogPolicy,
    /// Share of agents that the policy `sample` keeps.
    #[schemars(range(min = 0, max = 1))]
    pub sample_share: f64,
    /// Which agents' files are written to the table `workspace`.
    pub workspace: WorkspaceLog,
    /// Compression of the Parquet files.
    pub compression: Compression,
    /// Level of `zstd`: 1 (fast) to 9 (small).
    #[schemars(range(min = 1, max = 9))]
    pub zstd_level: u8,
    /// How often the whole state is saved, so that `populace resume` can go on from there after a
    /// crash; not at all unless given. The tables are then folders of parts. A `model` has none:
    /// its run begins again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            tables: vec![TableName::Default],
            log: LogPolicy::Changed,
            hooks_log: None,
            bt_trace: LogPolicy::None,
            sample_share: 0.01,
            workspace: WorkspaceLog::None,
            compression: Compression::Zstd,
            zstd_level: 1,
            checkpoint: None,
        }
    }
}

impl Records {
    /// The tables to write, each once, in the order of [`TableName`]; `default` is replaced by
    /// what it stands for.
    pub fn tables(&self) -> Vec<TableName> {
        let asked = |table: &&TableName| {
            (**table == TableName::BtTrace && self.bt_trace != LogPolicy::None)
                || self.tables.contains(table)
                || (self.tables.contains(&TableName::Default) && table.is_default())
        };
        TableName::ALL.iter().filter(asked).copied().collect()
    }

    /// The policy for `hooks`.
    pub fn hooks_log(&self) -> LogPolicy {
        self.hooks_log.unwrap_or(self.log)
    }
}

/// How often the state is saved. Exactly one of the two says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Checkpoint {
    /// After every so many ticks of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub every_ticks: Option<u32>,
    /// At the end of a tick when so many minutes have passed on the clock on the wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.01, max = 100_000))]
    pub every_min: Option<f64>,
}

/// A table of the run folder.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TableName {
    /// All tables but `needs`, `messages` and `bt_trace`.
    Default,
    /// One row per person.
    Persons,
    /// One row per place.
    Places,
    /// What each person does in each tick, by the log policy.
    Steps,
    /// Activities really spent at a place.
    Stays,
    /// Moves between two activities.
    Trips,
    /// Parts of trips by one mode.
    Legs,
    /// Segments of Stories as formed and revised.
    Stories,
    /// Files of the agents.
    Workspace,
    /// Outcomes of hooks, by the log policy.
    Hooks,
    /// What went wrong for whom.
    Failures,
    /// Totals per tick.
    Metrics,
    /// Need levels of each person in each tick.
    Needs,
    /// Messages between persons.
    Messages,
    /// Statuses of the nodes of behaviour trees, by `bt_trace`.
    BtTrace,
    /// Results of skills that ended.
    SkillResults,
    /// Totals of a model in each tick.
    ModelMetrics,
    /// Where a model's agents are in each tick, by the log policy.
    ModelAgents,
}

impl TableName {
    /// Every table.
    pub const ALL: &'static [Self] = &[
        Self::Persons,
        Self::Places,
        Self::Steps,
        Self::Stays,
        Self::Trips,
        Self::Legs,
        Self::Stories,
        Self::Workspace,
        Self::Hooks,
        Self::Failures,
        Self::Metrics,
        Self::Needs,
        Self::Messages,
        Self::BtTrace,
        Self::SkillResults,
        Self::ModelMetrics,
        Self::ModelAgents,
    ];

    /// Whether `default` holds it.
    pub const fn is_default(self) -> bool {
        !matches!(self, Self::Default | Self::Needs | Self::Messages | Self::BtTrace)
    }

    /// Whether it is a table of models rather than of persons.
    pub const fn is_of_models(self) -> bool {
        matches!(self, Self::ModelMetrics | Self::ModelAgents)
    }

    /// The word used in scenarios and run folders.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Persons => "persons",
            Self::Places => "places",
            Self::Steps => "steps",
            Self::Stays => "stays",
            Self::Trips => "trips",
            Self::Legs => "legs",
            Self::Stories => "stories",
            Self::Workspace => "workspace",
            Self::Hooks => "hooks",
            Self::Failures => "failures",
            Self::Metrics => "metrics",
            Self::Needs => "needs",
            Self::Messages => "messages",
            Self::BtTrace => "bt_trace",
            Self::SkillResults => "skill_results",
            Self::ModelMetrics => "model_metrics",
            Self::ModelAgents => "model_agents",
        }
    }
}

/// Which rows of a per-tick table are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogPolicy {
    /// Every agent in every tick.
    All,
    /// An agent's row when it differs from the one before.
    Changed,
    /// Every tick of a sample of the agents.
    Sample,
    /// Nothing.
    None,
}

/// Which agents' files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceLog {
    /// Nobody's.
    None,
    /// Everybody's, at the end of the run.
    Final,
    /// Those of a sample of the agents.
    Sample,
    /// Everybody's at the end, and before that each file whenever a script changed it.
    Changes,
}

/// Compression of Parquet files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compression {
    /// Zstandard.
    Zstd,
    /// Snappy.
    Snappy,
    /// None.
    None,
}
