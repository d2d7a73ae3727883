//! What behaviour trees did: statuses of nodes, and results of skills that ended.

use super::table::{Table, TableId, TableSpec, buffer, is_optional, table, unit};
use crate::base::ids::AgentId;
use crate::base::time::Tick;
use crate::record::columns::data::{Column, ColumnData};
use crate::record::columns::kind::ColumnSpec;
use crate::record::columns::text::{Names, Texts};

table! {
    /// The statuses of the nodes of behaviour trees, as far as `records.bt_trace` keeps them.
    BtTrace, BtTraceRow<'a> {
        /// Tick, from 0.
        tick: Tick,
        /// The person.
        agent_id: AgentId,
        /// The skill whose tree it is.
        skill_id: &'a str => Names,
        /// The node, from 0 in the order in which the tree is written.
        node: u16,
        /// What the node is called.
        name: &'a str => Names,
        /// The status that it had last in the tick.
        status: &'a str => Names,
    }
}

table! {
    /// Skills that ended for a person, with what came of them.
    SkillResults, SkillResultRow<'a> {
        /// Tick, from 0.
        tick: Tick,
        /// The person.
        agent_id: AgentId,
        /// The skill.
        skill_id: &'a str => Names,
        /// The result and the outputs, as a JSON object.
        result: &'a str => Texts,
    }
}
