//! The top of a scenario: name, seed, clock, failures, outputs.

use jiff::civil::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::behaviour::Behaviour;
use super::environment::Environment;
use super::model::{Model, ModelKind};
use super::population::Population;
use super::records::{LogPolicy, Records, TableName};
use super::scripts::Scripts;
use super::skills::Skills;
use super::sweep::Sweep;

/// What to simulate, how long, with whom, and what to write down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "populace scenario")]
pub struct Spec {
    /// Name of the scenario: 1 to 64 of `a` to `z`, `0` to `9`, `_` and `-`.
    #[schemars(regex(pattern = r"^[a-z0-9_-]{1,64}$"))]
    pub name: String,
    /// What the scenario is about, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers; the same seed gives the same run.
    #[serde(default = "default_seed")]
    #[schemars(range(min = 0, max = 18_446_744_073_709_551_615_u64))]
    pub seed: u64,
    /// When the run starts, how long a tick is and how many there are.
    pub clock: Clock,
    /// Who lives here. A scenario has `population` and `environment`, or else a `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Population")]
    pub population: Option<Population>,
    /// The world outside heads: city, road network, travel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Environment")]
    pub environment: Option<Environment>,
    /// A standard model of the field, in place of `population` and `environment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Model")]
    pub model: Option<Model>,
    /// Which skills there are and who uses them.
    #[serde(default)]
    pub skills: Skills,
    /// How scripts of skills are run, and within which limits.
    #[serde(default)]
    pub scripts: Scripts,
    /// How persons plan their day and when they change it.
    #[serde(default)]
    pub behaviour: Behaviour,
    /// What is written down.
    #[serde(default)]
    pub records: Records,
    /// What happens when an agent fails.
    #[serde(default)]
    pub failures: Failures,
    /// Where the run folder is.
    #[serde(default)]
    pub outputs: Outputs,
    /// What `populace sweep` varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
}

const fn default_seed() -> u64 {
    1
}

impl Spec {
    /// The model, if the scenario is one.
    pub fn model(&self) -> Option<ModelKind<'_>> {
        self.model.as_ref()?.named().first().copied()
    }

    /// The tables that a run writes: those of persons, or else those of the model, each once, in
    /// the order of [`TableName`].
    pub fn tables(&self) -> Vec<TableName> {
        let is_model = self.model.is_some();
        let mut tables = self.records.tables();
        tables.retain(|table| table.is_of_models() == is_model);
        if self.records.log == LogPolicy::None {
            tables.retain(|table| *table != TableName::ModelAgents);
        }
        tables
    }
}

/// Simulated time. Exactly one of `ticks` and `until` says where it ends; a run is shorter than
/// 136 years.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Date and time of day at which the run starts, such as `2026-03-02T03:00:00`. There are no
    /// time zones: every simulated day has 24 hours.
    #[schemars(schema_with = "civil_datetime")]
    pub start: DateTime,
    /// Length of a tick in seconds: 1 to 86400 (a day).
    #[schemars(range(min = 1, max = 86_400))]
    pub tick_s: u32,
    /// Number of ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4_294_967_294_u32))]
    pub ticks: Option<u32>,
    /// Date and time at which the run ends: after `start`, by a whole number of ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "civil_datetime")]
    pub until: Option<DateTime>,
}

impl Clock {
    /// Number of ticks, from `ticks` or else from `start` to `until`; 0 if neither is given or
    /// `until` is not after `start`.
    pub fn tick_count(&self) -> u32 {
        self.ticks.unwrap_or_else(|| {
            let ticks = self.span_s() / i64::from(self.tick_s.max(1));
            u32::try_from(ticks.max(0)).unwrap_or(u32::MAX)
        })
    }

    /// Seconds from `start` to `until`; 0 without `until`.
    pub(in crate::scenario) fn span_s(&self) -> i64 {
        self.until.map_or(0, |until| until.duration_since(self.start).as_secs())
    }
}

/// The `format` word of a civil date and time in the schema.
pub(in crate::scenario) const CIVIL_DATETIME: &str = "civil-date-time";

/// Schema of a civil date and time, whether the key may be left out or not.
fn civil_datetime(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "format": CIVIL_DATETIME })
}

/// What happens when an agent fails. A failure is a row in the table `failures`; the agent does
/// nothing in that tick.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Failures {
    /// Whether the run goes on.
    pub policy: FailurePolicy,
    /// Largest share of failed agent-steps with which a run still counts as a success.
    #[schemars(range(min = 0, max = 1))]
    pub allowed_share: f64,
}

/// Whether a run goes on after an agent's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailurePolicy {
    /// Note the failure and go on.
    #[default]
    Continue,
    /// Finish the tick, close the tables and stop.
    Stop,
}

/// Where results go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Outputs {
    /// The run folder, relative to the current directory. `{name}` and `{seed}` stand for the
    /// scenario's.
    #[schemars(length(min = 1))]
    pub dir: String,
}

impl Default for Outputs {
    fn default() -> Self {
        Self { dir: "runs/{name}-{seed}".to_owned() }
    }
}
