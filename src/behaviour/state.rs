//! What agents remember of a tree: plain columns, one row per agent, saved and restored as bytes.

use serde::{Deserialize, Serialize};

use super::error::Fault;
use super::expression::SlotIndex;
use super::status::Status;
use super::tree::{NodeIndex, Tree};
use super::value::Value;

/// The memory of one agent of one tree.
#[derive(Debug)]
pub struct State<'a> {
    pub(super) statuses: &'a mut [u8],
    pub(super) registers: &'a mut [u32],
    pub(super) slots: &'a mut [Value],
}

impl State<'_> {
    /// The status of a node.
    #[inline]
    pub fn status(&self, node: NodeIndex) -> Status {
        Status::from_byte(self.statuses[usize::from(node)])
    }

    /// What a slot of the blackboard holds.
    #[inline]
    pub fn slot(&self, slot: SlotIndex) -> Value {
        self.slots[usize::from(slot.0)]
    }

    /// Writes a slot of the blackboard. Numbers are fitted to the slot's type if nothing is lost.
    ///
    /// # Errors
    /// If the slot cannot hold the value.
    #[inline]
    pub fn write(&mut self, tree: &Tree, slot: SlotIndex, value: Value) -> Result<(), Fault> {
        let kind = tree.slots[usize::from(slot.0)].kind;
        let fits = if kind.holds(value) { Some(value) } else { kind.fit(value) };
        self.put(tree, slot, fits.ok_or(Fault::Misfit(slot))?);
        Ok(())
    }

    /// Forgets everything but the blackboard, and how often its slots were written.
    pub(super) fn forget(&mut self, tree: &Tree) {
        self.statuses.fill(0);
        let versions = tree.slots.iter().filter_map(|slot| slot.version).min();
        let own = versions.map_or(self.registers.len(), usize::from);
        self.registers[..own].fill(0);
    }

    /// Becomes what another remembers of the same tree.
    pub fn copy_from(&mut self, other: &State<'_>) {
        self.statuses.copy_from_slice(other.statuses);
        self.registers.copy_from_slice(other.registers);
        self.slots.copy_from_slice(other.slots);
    }

    /// Writes a value that the slot is known to hold.
    #[inline]
    pub(super) fn put(&mut self, tree: &Tree, slot: SlotIndex, value: Value) {
        self.slots[usize::from(slot.0)] = value;
        if let Some(version) = tree.slots[usize::from(slot.0)].version {
            let count = &mut self.registers[usize::from(version)];
            *count = count.wrapping_add(1);
        }
    }
}

/// How much of each column one agent takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Row {
    nodes: usize,
    registers: usize,
    slots: usize,
}

impl Row {
    /// The memory of the agent at `position` of some columns.
    #[inline]
    fn of<'s>(
        self,
        statuses: &'s mut [u8],
        registers: &'s mut [u32],
        slots: &'s mut [Value],
        position: usize,
    ) -> State<'s> {
        let part = |len: usize| position * len..(position + 1) * len;
        State {
            statuses: &mut statuses[part(self.nodes)],
            registers: &mut registers[part(self.registers)],
            slots: &mut slots[part(self.slots)],
        }
    }
}

/// The memories of many agents of one tree, in three columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct States {
    agent_count: usize,
    row: Row,
    statuses: Vec<u8>,
    registers: Vec<u32>,
    slots: Vec<Value>,
}

impl States {
    /// The memories of `agent_count` agents who never ticked the tree.
    pub fn new(tree: &Tree, agent_count: usize) -> Self {
        let initial: Vec<Value> = tree.slots().iter().map(|slot| slot.initial).collect();
        Self {
            agent_count,
            row: Row {
                nodes: tree.node_count(),
                registers: tree.register_count(),
                slots: initial.len(),
            },
            statuses: vec![0; agent_count * tree.node_count()],
            registers: vec![0; agent_count * tree.register_count()],
            slots: initial.repeat(agent_count),
        }
    }

    /// How many agents.
    pub const fn len(&self) -> usize {
        self.agent_count
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.agent_count == 0
    }

    /// The memory of the agent at `position`.
    #[inline]
    pub fn of(&mut self, position: usize) -> State<'_> {
        self.row.of(&mut self.statuses, &mut self.registers, &mut self.slots, position)
    }

    /// Makes the agent at `position` one who never ticked the tree.
    pub fn reset(&mut self, tree: &Tree, position: usize) {
        let state = self.of(position);
        state.statuses.fill(0);
        state.registers.fill(0);
        for (held, slot) in state.slots.iter_mut().zip(tree.slots()) {
            *held = slot.initial;
        }
    }

    /// The memories of these agents and of others of the same tree, these first.
    pub fn append(&mut self, others: &Self) {
        self.agent_count += others.agent_count;
        self.row = others.row;
        self.statuses.extend_from_slice(&others.statuses);
        self.registers.extend_from_slice(&others.registers);
        self.slots.extend_from_slice(&others.slots);
    }

    /// Makes the agents what those from `first` on of `others` are; says whether they are of the
    /// same tree and enough.
    #[must_use]
    pub fn copy_from(&mut self, others: &Self, first: usize) -> bool {
        let fits = self.row == others.row;
        fits && copy(&mut self.statuses, &others.statuses, first * self.row.nodes)
            && copy(&mut self.registers, &others.registers, first * self.row.registers)
            && copy(&mut self.slots, &others.slots, first * self.row.slots)
    }

    /// The memories in pieces of `len` agents, in order; the last may be shorter.
    ///
    /// # Panics
    /// If `len` is 0.
    pub fn chunks_mut(&mut self, len: usize) -> Vec<StatesChunk<'_>> {
        assert!(len > 0, "a chunk holds somebody");
        let Self { agent_count, row, .. } = *self;
        let mut rest = StatesChunk {
            row,
            statuses: &mut self.statuses,
            registers: &mut self.registers,
            slots: &mut self.slots,
        };
        let mut chunks = Vec::with_capacity(agent_count.div_ceil(len));
        for first in (0..agent_count).step_by(len) {
            let (chunk, others) = rest.split_at(len.min(agent_count - first));
            chunks.push(chunk);
            rest = others;
        }
        chunks
    }

    /// Bytes of all agents' memories.
    pub const fn bytes(&self) -> usize {
        self.statuses.len() + 4 * self.registers.len() + size_of::<Value>() * self.slots.len()
    }
}

/// Fills a column with part of another, if that is long enough.
pub(super) fn copy<T: Copy>(to: &mut [T], from: &[T], first: usize) -> bool {
    let part = from.get(first..first + to.len());
    part.is_some_and(|part| {
        to.copy_from_slice(part);
        true
    })
}

/// The memories of some of the agents, one after the other.
#[derive(Debug)]
pub struct StatesChunk<'a> {
    row: Row,
    statuses: &'a mut [u8],
    registers: &'a mut [u32],
    slots: &'a mut [Value],
}

impl<'a> StatesChunk<'a> {
    fn split_at(self, agents: usize) -> (Self, Self) {
        let (statuses, statuses_rest) = self.statuses.split_at_mut(agents * self.row.nodes);
        let (registers, registers_rest) = self.registers.split_at_mut(agents * self.row.registers);
        let (slots, slots_rest) = self.slots.split_at_mut(agents * self.row.slots);
        (
            Self { statuses, registers, slots, ..self },
            Self { statuses: statuses_rest, registers: registers_rest, slots: slots_rest, ..self },
        )
    }

    /// The memory of the agent at `position` of the chunk.
    #[inline]
    pub fn of(&mut self, position: usize) -> State<'_> {
        self.row.of(self.statuses, self.registers, self.slots, position)
    }
}
