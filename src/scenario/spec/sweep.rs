//! What `populace sweep` varies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Runs of the scenario with other values: every combination of `params`, with every seed. Only
/// `populace sweep` heeds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Sweep {
    /// Values to try, by the dotted path of a key: `behaviour.revise.need: [true, false]`.
    pub params: BTreeMap<String, Vec<serde_json::Value>>,
    /// How many seeds: the scenario's own and those that follow it.
    #[schemars(range(min = 1, max = 100_000))]
    pub seeds: u32,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { params: BTreeMap::new(), seeds: 1 }
    }
}
