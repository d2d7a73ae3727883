//! Models: totals of each tick, and where the agents are.

use super::table::{Table, TableId, TableSpec, buffer, is_optional, table, unit};
use crate::base::ids::AgentId;
use crate::base::time::Tick;
use crate::record::columns::cell::EpochMs;
use crate::record::columns::data::{Column, ColumnData};
use crate::record::columns::kind::ColumnSpec;
use crate::record::columns::text::Names;

table! {
    /// What is measured of a model at the end of each tick, one row per tick and metric.
    ModelMetrics, ModelMetricRow<'a> {
        /// Tick, from 0.
        tick: Tick,
        /// Simulated time of the tick.
        datetime: EpochMs,
        /// What is measured; the scenario's README says how.
        metric: &'a str => Names,
        /// Its value; not a number where there is nothing to measure.
        value: f64,
    }
}

table! {
    /// Where the agents of a model are and how they fare, as far as the log policy keeps it.
    ModelAgents, ModelAgentRow<'a> {
        /// Tick, from 0; the row holds at its end.
        tick: Tick,
        /// The agent.
        agent_id: AgentId,
        /// Position, in the unit of the model.
        x: f32,
        /// Position, in the unit of the model.
        y: f32,
        /// How the agent fares, in a word of the model.
        state: &'a str => Names,
    }
}
