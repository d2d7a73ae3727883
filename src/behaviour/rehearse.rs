//! Tries a tree out without a world: stubs stand for its leaves, and everything is noted down.
//!
//! The notes are those of the recorded cases: for BehaviorTree.CPP the change of every node's
//! status, for py_trees who began, was ticked and ended.

use std::collections::BTreeMap;

use super::catalogue::Leaves;
use super::compile::Vocabulary;
use super::error::Fault;
use super::interpret::{LeafCall, Run, TickMode, World};
use super::state::States;
use super::status::{Dialect, Status};
use super::tree::{Kind, Leaf, LeafSpec, NodeIndex, Tree};
use super::value::Value;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::{SimTime, Tick};

/// What happened in one tick.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TickNotes {
    /// The status of the root; nothing if the tick failed.
    pub root: Option<Status>,
    /// Why it failed, in words.
    pub failure: Option<String>,
    /// What the stubs did.
    pub log: Vec<String>,
    /// Every change of a status: node, from, to.
    pub trace: Vec<(NodeIndex, Status, Status)>,
    /// py_trees: the deepest node that the tick reached.
    pub tip: Option<NodeIndex>,
    /// The status of every node after the tick.
    pub statuses: Vec<Status>,
}

/// A tree at rehearsal: one agent, no world.
pub struct Rehearsal<'t> {
    tree: &'t Tree,
    states: States,
    stage: Stage<'t>,
    tick: u32,
    tick_s: u32,
    seed: u64,
}

impl<'t> Rehearsal<'t> {
    /// A rehearsal in which a tick lasts `tick_s` simulated seconds.
    pub fn new(tree: &'t Tree, tick_s: u32, seed: u64) -> Self {
        let stage = Stage {
            tree,
            now: SimTime(0),
            stream: stream(seed, 0),
            positions: BTreeMap::new(),
            notes: TickNotes::default(),
        };
        Self { tree, states: States::new(tree, 1), stage, tick: 0, tick_s, seed }
    }

    /// Ticks the tree.
    pub fn tick(&mut self, mode: TickMode) -> TickNotes {
        self.stage.now = SimTime(self.tick.saturating_mul(self.tick_s));
        self.stage.stream = stream(self.seed, self.tick);
        self.tick += 1;
        let mut run = Run::new(self.tree, self.states.of(0), &mut self.stage);
        let result = run.tick(mode);
        let tip = run.tip();
        let mut notes = std::mem::take(&mut self.stage.notes);
        match result {
            Ok(status) => notes.root = Some(status),
            Err(error) => {
                let label = self.tree.label(error.node);
                let why = self.tree.explain(error);
                notes.failure = Some(format!("`{}` ({}): {why}", label.title, label.kind));
            }
        }
        notes.tip = tip.filter(|_| self.tree.dialect() == Dialect::PyTrees);
        let state = self.states.of(0);
        notes.statuses =
            (0..self.tree.node_count() as NodeIndex).map(|n| state.status(n)).collect();
        notes
    }

    /// Interrupts the tree; what that does to the leaves is told with the next tick.
    pub fn interrupt(&mut self) {
        Run::new(self.tree, self.states.of(0), &mut self.stage).interrupt();
    }

    /// What the blackboard holds: name and value of each slot.
    pub fn blackboard(&mut self) -> Vec<(&'t str, Value)> {
        let values = self.states.of(0).slots.to_vec();
        self.tree.slots().iter().map(|slot| slot.name.as_str()).zip(values).collect()
    }
}

fn stream(seed: u64, tick: u32) -> Stream {
    Stream::new(seed, AgentId(0), Tick(tick), Purpose::Decide)
}

/// What a rehearsed tree may name: the words of the recorded cases, and nothing of the world.
#[derive(Debug, Clone, Copy)]
pub struct StubWords;

impl Vocabulary for StubWords {
    fn word(&self, name: &str) -> Option<Value> {
        let words = [("RED", 1), ("BLUE", 2), ("GREEN", 3), ("THE_ANSWER", 42)];
        words.iter().find(|(word, _)| *word == name).map(|(_, value)| Value::Int(*value))
    }

    fn leaves(&self) -> Leaves {
        Leaves::Stubs
    }
}

/// The stubs and the notebook.
struct Stage<'t> {
    tree: &'t Tree,
    now: SimTime,
    stream: Stream,
    /// How often each stub was ticked.
    positions: BTreeMap<NodeIndex, usize>,
    notes: TickNotes,
}

impl Stage<'_> {
    fn title(&self, node: NodeIndex) -> &str {
        &self.tree.label(node).title
    }
}

impl Stage<'_> {
    /// The notes are about stubs, as in the recorded cases.
    fn is_stub(&self, node: NodeIndex) -> bool {
        matches!(self.tree.nodes[usize::from(node)].kind, Kind::Leaf(Leaf::Outside(_)))
    }
}

impl World for Stage<'_> {
    const WATCHES: bool = true;

    fn now(&self) -> SimTime {
        self.now
    }

    fn unit_random(&mut self) -> f64 {
        self.stream.unit_f64()
    }

    fn tick_leaf(&mut self, call: LeafCall<'_, '_>) -> Result<Status, Fault> {
        let input = match call.inputs.first() {
            None | Some(Value::Unset) => return Err(Fault::EmptyPort(0)),
            Some(value) => value.to_string(),
        };
        if call.leaf.kind != "Stub" {
            self.notes.log.push(format!("say {input}"));
            return Ok(Status::Success);
        }
        let node = call.leaf.node;
        let letters: Vec<&str> = input.split(',').map(str::trim).collect();
        let position = self.positions.entry(node).or_default();
        let letter = letters[(*position).min(letters.len() - 1)];
        *position += 1;
        let status = match letter {
            "S" => Status::Success,
            "F" => Status::Failure,
            "K" => Status::Skipped,
            _ => Status::Running,
        };
        let note = format!("tick {} -> {letter}", self.title(node));
        self.notes.log.push(note);
        Ok(status)
    }

    fn halt_leaf(&mut self, leaf: &LeafSpec) {
        if self.tree.dialect() == Dialect::BtCpp {
            let note = format!("halt {}", self.title(leaf.node));
            self.notes.log.push(note);
        }
    }

    fn changed(&mut self, node: NodeIndex, from: Status, to: Status) {
        self.notes.trace.push((node, from, to));
    }

    fn initialised(&mut self, node: NodeIndex) {
        if !self.is_stub(node) {
            return;
        }
        let note = format!("init {}", self.title(node));
        self.notes.log.push(note);
    }

    fn terminated(&mut self, node: NodeIndex, from: Status, to: Status) {
        if !self.is_stub(node) {
            return;
        }
        let (from, to) = (from.word(Dialect::PyTrees), to.word(Dialect::PyTrees));
        let note = format!("terminate {} {from}->{to}", self.title(node));
        self.notes.log.push(note);
    }
}
