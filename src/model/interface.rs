//! What every model offers to whoever drives it.

use crate::base::ids::AgentId;
use crate::base::time::Tick;

/// A model with its agents.
pub trait Model {
    /// Does one tick and gives the number of activations: how many agents acted in it.
    fn step(&mut self, tick: Tick) -> u64;

    /// Agents that are there now.
    fn agent_count(&self) -> u64;

    /// Names and values of what is measured at the end of the tick last done; always the same
    /// names in the same order.
    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64));

    /// Every agent that is there now, and those that went in the tick last done; in an order that
    /// depends on the model's history only.
    fn agents(&self, note: &mut dyn FnMut(AgentView));
}

/// One agent as it is written down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentView {
    /// The agent.
    pub agent: AgentId,
    /// Position, in the unit of the model.
    pub x: f32,
    /// Position, in the unit of the model.
    pub y: f32,
    /// How it fares, in one of the model's words.
    pub state: &'static str,
}
