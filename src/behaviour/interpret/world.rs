//! What a tree reaches beyond its blackboard: the world of its leaves, and whoever watches it.

use crate::base::time::SimTime;
use crate::behaviour::error::Fault;
use crate::behaviour::expression::{AttributeIndex, SourceIndex};
use crate::behaviour::state::State;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{LeafSpec, NodeIndex, Source, Tree};
use crate::behaviour::value::{Value, ValueType};

/// A leaf that the world is asked to carry out.
pub struct LeafCall<'c, 's> {
    /// The leaf.
    pub leaf: &'c LeafSpec,
    /// Whether it was not running before.
    pub fresh: bool,
    /// What its ports hold, in the order of its manifest; unset where the blackboard has nothing.
    pub inputs: &'c [Value],
    /// What it is given beside its ports.
    pub arguments: &'c [Value],
    /// Its tree.
    pub tree: &'c Tree,
    /// The agent's memory, for leaves that write to the blackboard.
    pub state: &'c mut State<'s>,
}

impl LeafCall<'_, '_> {
    /// What a leaf of people remembers: 0 at first.
    #[inline]
    pub fn memory(&self) -> u32 {
        self.state.registers[self.register()]
    }

    /// Remembers a number until the next tick of the leaf.
    #[inline]
    pub fn remember(&mut self, number: u32) {
        let register = self.register();
        self.state.registers[register] = number;
    }

    #[inline]
    fn register(&self) -> usize {
        usize::from(self.tree.nodes[usize::from(self.leaf.node)].register)
    }

    /// Writes to the slot that a port names, if it names one.
    ///
    /// # Errors
    /// If the slot cannot hold the value.
    pub fn write(&mut self, port: usize, value: Value) -> Result<(), Fault> {
        match self.leaf.ports[port] {
            Source::Slot(slot) => self.state.write(self.tree, slot, value),
            _ => Ok(()),
        }
    }

    /// The type of the slot that a port names, if it names one.
    pub fn slot_kind(&self, port: usize) -> Option<ValueType> {
        match self.leaf.ports[port] {
            Source::Slot(slot) => Some(self.tree.slots[usize::from(slot.0)].kind),
            _ => None,
        }
    }
}

/// The world of one agent's leaves.
///
/// The methods that watch do nothing unless they are written, and cost nothing then.
pub trait World {
    /// Whether [`changed`](Self::changed) does something: only then is it told of every change.
    const WATCHES: bool = false;

    /// The simulated time.
    fn now(&self) -> SimTime;

    /// A number in [0, 1) from the agent's own stream.
    fn unit_random(&mut self) -> f64;

    /// An attribute of the agent or of what it perceives.
    fn attribute(&self, _attribute: AttributeIndex) -> Value {
        Value::Unset
    }

    /// How many others a source has.
    fn other_count(&self, _source: SourceIndex) -> usize {
        0
    }

    /// An attribute of one of them.
    fn other(&self, _source: SourceIndex, _position: usize, _attribute: AttributeIndex) -> Value {
        Value::Unset
    }

    /// Carries out a leaf.
    ///
    /// # Errors
    /// What is wrong with its ports; the tick ends there.
    fn tick_leaf(&mut self, call: LeafCall<'_, '_>) -> Result<Status, Fault>;

    /// A running leaf is interrupted.
    fn halt_leaf(&mut self, leaf: &LeafSpec);

    /// A node's status changed.
    #[inline]
    fn changed(&mut self, _node: NodeIndex, _from: Status, _to: Status) {}

    /// py_trees: a leaf begins.
    #[inline]
    fn initialised(&mut self, _node: NodeIndex) {}

    /// py_trees: a leaf ends or is interrupted.
    #[inline]
    fn terminated(&mut self, _node: NodeIndex, _from: Status, _to: Status) {}
}
