//! A compiled tree: flat, shared by all who follow it, never changed.
//!
//! The nodes stand in pre-order: the first child of a node is the next one, and `end` says where
//! its descendants stop, so that its next sibling begins there. What one agent remembers of a tree
//! lies outside, in [`State`](super::state::State): a byte per node and a few numbers.

use ustr::Ustr;

use super::catalogue::{Catalogue, PersonAction, PortManifest, PortType};
use super::definition::Position;
use super::error::{Fault, TickError};
use super::expression::{Program, SlotIndex, SourceIndex};
use super::status::{Dialect, Status};
use super::value::{Value, ValueType};

/// The most nodes of a tree, called trees included.
pub const NODES_MAX: usize = 10_000;
/// The deepest nesting of nodes, called trees included.
pub const DEPTH_MAX: usize = 256;

/// The attribute of others from which on attributes are slots that others see.
pub(super) const SHOWN_FIRST: u16 = 1 << 8;

/// The index of a node in pre-order.
pub type NodeIndex = u16;

/// A compiled tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    pub(super) dialect: Dialect,
    pub(super) nodes: Box<[Node]>,
    pub(super) labels: Box<[Label]>,
    pub(super) rules: Box<[Rules]>,
    pub(super) programs: Box<[Program]>,
    pub(super) parallels: Box<[(Param, Param)]>,
    pub(super) selections: Box<[Box<[NodeIndex]>]>,
    pub(super) switches: Box<[Switch]>,
    pub(super) lists: Box<[List]>,
    /// The weights of choices: programs, one for each child.
    pub(super) choices: Box<[Box<[u16]>]>,
    /// Slots that others see.
    pub(super) shown: Box<[SlotIndex]>,
    /// A bit for each source of others that it names.
    pub(super) sources: u16,
    pub(super) writes: Box<[Source]>,
    pub(super) weights: Box<[[f32; 3]]>,
    pub(super) leaves: Box<[LeafSpec]>,
    pub(super) slots: Box<[Slot]>,
    pub(super) register_count: u16,
}

/// One node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub kind: Kind,
    /// One past its last descendant.
    pub end: NodeIndex,
    /// The first of its registers.
    pub register: u16,
    /// Its pre- and postconditions; [`Node::NO_RULES`] if it has none.
    pub rules: u16,
    /// Whether it is a decorator.
    pub is_decorator: bool,
    /// Whether all its children are leaves.
    pub has_only_leaves: bool,
}

const _: () = assert!(size_of::<Node>() <= 24);

impl Node {
    pub const NO_RULES: u16 = u16::MAX;
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Leaf(Leaf),
    Cpp(Cpp),
    Py(Py),
}

/// A whole number that is written in the tree or lies on the blackboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Param {
    Const(i32),
    Slot(SlotIndex),
}

/// Leaves of both dialects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Leaf {
    Constant(Status),
    /// Carried out by the world: an index of `leaves`.
    Outside(u16),
    /// The same with a register: what people do.
    Action(u16),
    /// An index of `programs`.
    Script(u16),
    Check(u16),
    WaitFor(u16),
    Set {
        slot: SlotIndex,
        write: u16,
        overwrite: bool,
    },
    Unset(SlotIndex),
    IsSet(SlotIndex),
    WaitSet(SlotIndex),
    StatusOf(SlotIndex),
    /// Runs for so many simulated milliseconds; `beyond` means longer than that.
    Pause {
        duration: Param,
        beyond: bool,
    },
    WasUpdated(SlotIndex),
    Periodic(i32),
    /// An index of `lists`, and what comes after it.
    Queue {
        list: u16,
        eventually: Option<Status>,
    },
    EveryN(i32),
    TickCounter {
        ticks: i32,
        then: Status,
    },
    /// An index of `weights`: success, failure, running.
    Chance(u16),
}

/// Controls and decorators of BehaviorTree.CPP.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cpp {
    Sequence {
        yields: bool,
    },
    SequenceWithMemory,
    ReactiveSequence,
    Fallback {
        yields: bool,
    },
    ReactiveFallback,
    /// An index of `parallels`: successes, failures.
    Parallel(u16),
    ParallelAll(Param),
    IfThenElse,
    WhileDoElse,
    Switch(u16),
    TryCatch {
        catch_on_halt: bool,
    },
    Inverter,
    Force(Status),
    Repeat(Param),
    Retry(Param),
    KeepRunningUntilFailure,
    Timeout(Param),
    Delay(Param),
    RunOnce {
        then_skip: bool,
    },
    Precondition {
        program: u16,
        otherwise: Status,
    },
    /// An index of `lists`; the slot for the entry, if any.
    Loop {
        list: u16,
        value: Option<SlotIndex>,
        if_empty: Status,
    },
    SkipUnlessUpdated(SlotIndex),
    WaitUpdate(SlotIndex),
    SubTree,
    /// An index of `choices`.
    Choose(u16),
}

/// Composites and decorators of py_trees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Py {
    Sequence {
        memory: bool,
    },
    Selector {
        memory: bool,
    },
    Parallel {
        policy: Policy,
        synchronise: bool,
    },
    Repeat(i32),
    Retry(i32),
    StatusToSlot(SlotIndex),
    Guard(u16),
    /// Simulated milliseconds.
    Timeout(i32),
    Count,
    OneShot {
        on_failure: bool,
    },
    Map {
        from: Status,
        to: Status,
    },
    Inverter,
    Condition(Status),
    PassThrough,
    ForEach {
        list: u16,
        target: SlotIndex,
    },
    /// An index of `choices`.
    Choose(u16),
}

/// When a parallel of py_trees succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    All,
    One,
    /// An index of `selections`.
    Selected(u16),
}

/// A switch: what is compared with what.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Switch {
    pub variable: Source,
    pub cases: Box<[Source]>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source {
    Const(Value),
    Slot(SlotIndex),
    Program(u16),
}

/// A list of values: written in the tree, or a text with `;` on the blackboard.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum List {
    Const(Box<[Value]>),
    Slot(SlotIndex, ValueType),
}

/// The pre- and postconditions of a node: indices of `programs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Rules {
    pub failure_if: Option<u16>,
    pub success_if: Option<u16>,
    pub skip_if: Option<u16>,
    pub while_true: Option<u16>,
    pub on_halted: Option<u16>,
    pub on_failure: Option<u16>,
    pub on_success: Option<u16>,
    pub post: Option<u16>,
}

/// What a node is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name of its manifest.
    pub kind: &'static str,
    /// What it is called in logs: its own name, or its kind with a number, after the path of the
    /// called trees (`Sub::3/Sequence::4`).
    pub title: String,
    /// Where it is written.
    pub at: Position,
    /// Its depth; the root is 0.
    pub depth: u16,
}

/// A leaf that the world carries out.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafSpec {
    /// Its node.
    pub node: NodeIndex,
    /// The name of its manifest.
    pub kind: &'static str,
    /// What a person does, if it is a leaf of people.
    pub action: Option<PersonAction>,
    /// Its ports in the order of the manifest, defaults filled in.
    pub(super) ports: Box<[Source]>,
    /// Their values, if all of them are written.
    pub(super) constants: Option<Box<[Value]>>,
    /// The names of its arguments, if they have any.
    pub(super) names: Box<[Ustr]>,
    /// What it is given beside its ports: programs.
    pub(super) arguments: Box<[u16]>,
}

impl LeafSpec {
    /// What a port says, if that is a written text.
    pub fn written_text(&self, port: usize) -> Option<&'static str> {
        match self.ports.get(port)? {
            Source::Const(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        }
    }
}

/// One slot of the blackboard.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Its name; a slot of a called tree begins with the path of the call.
    pub name: String,
    /// What it may hold.
    pub kind: ValueType,
    /// What it holds at first.
    pub initial: Value,
    /// The register that counts how often it was written, if a node asks.
    pub(super) version: Option<u16>,
}

impl Tree {
    /// Whose rules it follows.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How many nodes it has, called trees included.
    pub const fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many numbers an agent remembers of it, beside a byte per node.
    pub const fn register_count(&self) -> usize {
        self.register_count as usize
    }

    /// The slots of its blackboard.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What a node is called.
    pub fn label(&self, node: NodeIndex) -> &Label {
        &self.labels[usize::from(node)]
    }

    /// The leaves that the world carries out.
    pub fn leaves(&self) -> &[LeafSpec] {
        &self.leaves
    }

    /// The slots that others see, in the order of their indices among the attributes of others.
    pub fn shown(&self) -> &[SlotIndex] {
        &self.shown
    }

    /// Whether an expression names a source of others.
    pub const fn looks_at(&self, source: SourceIndex) -> bool {
        self.sources >> source.0 & 1 == 1
    }

    /// What ended a tick, as a sentence with the names of the tree.
    pub fn explain(&self, error: TickError) -> String {
        let name = |slot: SlotIndex| self.slots[usize::from(slot.0)].name.as_str();
        match error.fault {
            Fault::Expression { program, error } => {
                self.programs[usize::from(program)].explain(error)
            }
            Fault::Unset(slot) => format!("`{}` is not set", name(slot)),
            Fault::EmptyPort(index) => {
                let leaf = self.leaves.iter().find(|leaf| leaf.node == error.node);
                let source = leaf.and_then(|leaf| leaf.ports.get(usize::from(index)));
                match source {
                    Some(Source::Slot(slot)) => format!("`{}` is not set", name(*slot)),
                    _ => error.fault.to_string(),
                }
            }
            Fault::BadPort(index) => {
                let kind = self.labels[usize::from(error.node)].kind;
                let port = Catalogue::full(self.dialect).find(kind);
                let port = port.and_then(|found| found.ports.get(usize::from(index)));
                format!("`{}` {}", port.map_or("?", |port| port.name), wanted(port))
            }
            Fault::NotAStatus(slot) => format!("`{}` does not hold a status", name(slot)),
            Fault::Misfit(slot) => {
                let kind = self.slots[usize::from(slot.0)].kind.word();
                format!("`{}` holds a {kind} and cannot hold what is written", name(slot))
            }
            other => other.to_string(),
        }
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeIndex) -> Children<'_> {
        Children { tree: self, next: node + 1, end: self.nodes[usize::from(node)].end }
    }

    /// The bytes that one agent needs to remember: statuses, registers and slots.
    pub fn bytes_per_agent(&self) -> usize {
        self.nodes.len() + 4 * self.register_count() + size_of::<Value>() * self.slots.len()
    }
}

/// The children of a node, in order.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    next: NodeIndex,
    end: NodeIndex,
}

impl Iterator for Children<'_> {
    type Item = NodeIndex;

    #[inline]
    fn next(&mut self) -> Option<NodeIndex> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        self.next = self.tree.nodes[usize::from(child)].end;
        Some(child)
    }
}

impl Kind {
    /// How many registers a node with so many children needs.
    pub const fn register_count(self, children: u16) -> u16 {
        match self {
            Self::Leaf(leaf) => leaf.register_count(),
            Self::Cpp(cpp) => cpp.register_count(children),
            Self::Py(py) => py.register_count(),
        }
    }
}

impl Leaf {
    const fn register_count(self) -> u16 {
        match self {
            Self::Pause { .. }
            | Self::Action(_)
            | Self::WasUpdated(_)
            | Self::Queue { .. }
            | Self::EveryN(_)
            | Self::TickCounter { .. } => 1,
            Self::Periodic(_) => 2,
            _ => 0,
        }
    }
}

impl Cpp {
    pub const fn register_count(self, children: u16) -> u16 {
        match self {
            Self::Sequence { .. } | Self::SequenceWithMemory | Self::Fallback { .. } => 2,
            // A bit per child that is done, and one per child that succeeded.
            Self::Parallel(_) | Self::ParallelAll(_) => 2 * children.div_ceil(32),
            Self::TryCatch { .. } => 3,
            Self::Loop { .. } | Self::SkipUnlessUpdated(_) | Self::WaitUpdate(_) => 2,
            Self::IfThenElse
            | Self::Switch(_)
            | Self::Repeat(_)
            | Self::Retry(_)
            | Self::Timeout(_)
            | Self::Delay(_)
            | Self::RunOnce { .. }
            | Self::Choose(_)
            | Self::Precondition { .. } => 1,
            _ => 0,
        }
    }
}

impl Py {
    const fn register_count(self) -> u16 {
        match self {
            Self::Sequence { .. }
            | Self::Selector { .. }
            | Self::Parallel { .. }
            | Self::Repeat(_)
            | Self::Retry(_)
            | Self::Timeout(_)
            | Self::Choose(_)
            | Self::OneShot { .. } => 1,
            Self::ForEach { .. } => 2,
            // Ticks, then how often it ran, succeeded, failed and was interrupted.
            Self::Count => 5,
            _ => 0,
        }
    }
}

/// What a port of a leaf must hold, for messages.
fn wanted(port: Option<&PortManifest>) -> String {
    let kind = port.map(|port| port.kind);
    format!("does not hold {}", kind.map_or_else(|| "what it needs".to_owned(), PortType::wanted))
}
