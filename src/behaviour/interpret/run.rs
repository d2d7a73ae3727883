//! One tick of one agent.

use crate::behaviour::error::{Fault, TickError};
use crate::behaviour::expression::{AttributeIndex, Program, Scope, SlotIndex, SourceIndex};
use crate::behaviour::state::State;
use crate::behaviour::status::{Dialect, Status};
use crate::behaviour::tree::{NodeIndex, Param, Source, Tree};
use crate::behaviour::value::Value;

use super::world::World;

/// How often at most a tick of mode [`TickMode::Once`] begins again.
pub const WAKE_UPS_MAX: u32 = 10_000;

/// How much one tick does. Only trees of BehaviorTree.CPP differ: there some nodes ask to be ticked
/// again at once (a retry after a failure, say).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TickMode {
    /// One traversal (`tickExactlyOnce`): the work of a tick is bounded.
    #[default]
    ExactlyOnce,
    /// Traversals until no node asks to be ticked again (`tickOnce`).
    Once,
}

/// The sign, passed up through the nodes, that a tick ends early; the error lies in the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop;

/// What a node gives back, or the sign that the tick ends early.
pub(super) type Flow = Result<Status, Stop>;

/// A tick of one agent: the tree, the agent's memory of it and the world around.
pub struct Run<'a, W> {
    pub(super) tree: &'a Tree,
    pub(super) state: State<'a>,
    pub(super) world: &'a mut W,
    pub(super) woken: bool,
    error: Option<TickError>,
    /// Everything is being halted: what fails then has nobody left to tell and stops nothing.
    interrupting: bool,
}

impl<'a, W: World> Run<'a, W> {
    /// A tick to come.
    #[inline]
    pub const fn new(tree: &'a Tree, state: State<'a>, world: &'a mut W) -> Self {
        Self { tree, state, world, woken: false, error: None, interrupting: false }
    }

    /// Ticks the tree and gives the status of its root.
    ///
    /// # Errors
    /// If an expression or a leaf fails; the agent's memory is then as if the tree had never been
    /// ticked, but for the blackboard.
    #[inline]
    pub fn tick(&mut self, mode: TickMode) -> Result<Status, TickError> {
        let flow = match self.tree.dialect {
            Dialect::PyTrees => self.tick_py(0),
            Dialect::BtCpp => self.tick_cpp_root(mode),
        };
        flow.map_err(|Stop| {
            let error = self.error.take().expect("a stop has an error");
            self.interrupt();
            self.state.forget(self.tree);
            error
        })
    }

    /// Interrupts whatever runs: leaves are halted and all nodes are idle again.
    pub fn interrupt(&mut self) {
        self.interrupting = true;
        match self.tree.dialect {
            Dialect::PyTrees => self.stop_py(0, Status::Idle),
            Dialect::BtCpp => {
                let halted = self.halt_cpp(0);
                debug_assert!(halted.is_ok(), "nothing stops an interruption");
            }
        }
        self.interrupting = false;
        self.error = None;
        self.state.statuses.fill(0);
    }

    /// Lets the rest be halted, whatever fails on the way.
    pub(super) fn unless_interrupting(&self, result: Result<(), Stop>) -> Result<(), Stop> {
        if self.interrupting { Ok(()) } else { result }
    }

    #[inline]
    pub(super) fn status(&self, node: NodeIndex) -> Status {
        self.state.status(node)
    }

    /// Sets a status and tells who watches.
    #[inline]
    pub(super) fn set_status(&mut self, node: NodeIndex, to: Status) {
        let byte = &mut self.state.statuses[usize::from(node)];
        let from = Status::from_byte(*byte);
        if from != to {
            *byte = to as u8;
            if W::WATCHES {
                self.world.changed(node, from, to);
            }
        }
    }

    /// A register of a node: `offset` from its first.
    #[inline]
    pub(super) fn register(&mut self, node: NodeIndex, offset: u16) -> &mut u32 {
        let first = self.tree.nodes[usize::from(node)].register;
        &mut self.state.registers[usize::from(first + offset)]
    }

    #[inline]
    pub(super) fn end(&self, node: NodeIndex) -> NodeIndex {
        self.tree.nodes[usize::from(node)].end
    }

    /// Ends the tick because of `error` at `node`.
    #[cold]
    pub(super) fn fail(&mut self, node: NodeIndex, fault: Fault) -> Stop {
        self.error = Some(TickError { node, fault });
        Stop
    }

    /// Milliseconds since the start of the run.
    #[inline]
    pub(super) fn now_ms(&self) -> u64 {
        u64::from(self.world.now().0) * 1_000
    }

    /// Evaluates a program of `node`.
    #[inline]
    pub(super) fn evaluate(&mut self, node: NodeIndex, program: u16) -> Result<Value, Stop> {
        let tree = self.tree;
        let compiled: &Program = &tree.programs[usize::from(program)];
        compiled
            .evaluate(self)
            .map_err(|error| self.fail(node, Fault::Expression { program, error }))
    }

    /// Whether a program of `node` is true.
    #[inline]
    pub(super) fn is_true(&mut self, node: NodeIndex, program: u16) -> Result<bool, Stop> {
        let tree = self.tree;
        let compiled: &Program = &tree.programs[usize::from(program)];
        compiled
            .is_true(self)
            .map_err(|error| self.fail(node, Fault::Expression { program, error }))
    }

    /// A whole number of `node`.
    #[inline]
    pub(super) fn whole(&mut self, node: NodeIndex, param: Param) -> Result<i32, Stop> {
        match param {
            Param::Const(number) => Ok(number),
            Param::Slot(slot) => self.whole_of_slot(node, slot),
        }
    }

    #[cold]
    fn whole_of_slot(&mut self, node: NodeIndex, slot: SlotIndex) -> Result<i32, Stop> {
        let value = self.state.slot(slot);
        if value == Value::Unset {
            return Err(self.fail(node, Fault::Unset(slot)));
        }
        let text_number = |text: &str| text.trim().parse().ok();
        let number = match value {
            Value::Text(text) => text_number(text.as_str()),
            other => other.as_number(),
        };
        number
            .filter(|number: &f64| number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX))
            .map(|number| number as i32)
            .ok_or_else(|| self.fail(node, Fault::NotWhole))
    }

    /// Draws one of the children by its weight; nothing if all weigh nothing.
    pub(super) fn draw_child(
        &mut self,
        node: NodeIndex,
        choice: u16,
    ) -> Result<Option<NodeIndex>, Stop> {
        let tree = self.tree;
        let weights: &[u16] = &tree.choices[usize::from(choice)];
        let (mut total, mut drawn) = (0.0, None);
        for (child, program) in tree.children(node).zip(weights) {
            let weight = self.evaluate(node, *program)?.as_number();
            let weight = weight.filter(|weight| *weight >= 0.0 && weight.is_finite());
            let weight = weight.ok_or_else(|| self.fail(node, Fault::Weight))?;
            // Each takes the place of those before with its share of the weight so far, so that no
            // weight has to be kept.
            total += weight;
            if weight > 0.0 && self.world.unit_random() * total < weight {
                drawn = Some(child);
            }
        }
        Ok(drawn)
    }

    /// The value of a source; unset if it is an unset slot.
    #[inline]
    pub(super) fn value(&mut self, node: NodeIndex, source: Source) -> Result<Value, Stop> {
        match source {
            Source::Const(value) => Ok(value),
            Source::Slot(slot) => Ok(self.state.slot(slot)),
            Source::Program(program) => self.evaluate(node, program),
        }
    }

    /// Writes a slot.
    #[inline]
    pub(super) fn write(
        &mut self,
        node: NodeIndex,
        slot: SlotIndex,
        value: Value,
    ) -> Result<(), Stop> {
        let tree = self.tree;
        self.state.write(tree, slot, value).map_err(|error| self.fail(node, error))
    }
}

impl<W: World> Scope for Run<'_, W> {
    #[inline]
    fn get(&self, slot: SlotIndex) -> Value {
        self.state.slot(slot)
    }

    #[inline]
    fn set(&mut self, slot: SlotIndex, value: Value) {
        self.state.put(self.tree, slot, value);
    }

    #[inline]
    fn attribute(&self, attribute: AttributeIndex) -> Value {
        self.world.attribute(attribute)
    }

    #[inline]
    fn unit_random(&mut self) -> f64 {
        self.world.unit_random()
    }

    #[inline]
    fn other_count(&self, source: SourceIndex) -> usize {
        self.world.other_count(source)
    }

    #[inline]
    fn other(&self, source: SourceIndex, position: usize, attribute: AttributeIndex) -> Value {
        self.world.other(source, position, attribute)
    }
}
