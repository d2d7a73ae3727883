//! What the persons of one chunk remember of their trees.

use serde::{Deserialize, Serialize};

use crate::behaviour::expression::SlotIndex;
use crate::behaviour::state::{State, States, copy};
use crate::behaviour::tree::Tree;
use crate::behaviour::value::Value;

/// Memories of each tree of the forest: first of persons whose own skill it is, then, from
/// [`Forest::called`](super::Forest::called) on, of those for whom another skill calls it, so that
/// neither run of a skill can leak into the other. Nothing where nobody in the chunk uses it, and
/// while it is being ticked.
pub type Memories = Vec<Option<Box<Memory>>>;

/// The memories of one tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Rows of the chunk whose persons use the tree, rising.
    rows: Vec<u32>,
    /// Whether the skill has ended for good.
    done: Vec<bool>,
    /// Status of each node when it was last written down; empty if that is not asked for.
    traced: Vec<u8>,
    states: States,
}

impl Memory {
    /// Fresh memories of the persons at these rows, which rise.
    pub fn new(tree: &Tree, rows: Vec<u32>, is_traced: bool) -> Self {
        let states = States::new(tree, rows.len());
        let done = vec![false; rows.len()];
        let traced = if is_traced { vec![0; rows.len() * tree.node_count()] } else { Vec::new() };
        Self { rows, done, traced, states }
    }

    /// How many persons use the tree.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nobody does.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row of the person at `position`.
    #[inline]
    pub fn row(&self, position: usize) -> usize {
        self.rows[position] as usize
    }

    /// Whether the skill has not ended for the person at `position`.
    #[inline]
    pub fn runs(&self, position: usize) -> bool {
        !self.done[position]
    }

    /// The position of a row.
    pub(super) fn position(&self, row: usize) -> Option<usize> {
        self.rows.binary_search(&(row as u32)).ok()
    }

    /// Ends the skill for the person at `position`, for good.
    pub fn end(&mut self, position: usize) {
        self.done[position] = true;
    }

    /// The statuses that were last written down of the person at `position`.
    pub fn traced_mut(&mut self, position: usize, node_count: usize) -> &mut [u8] {
        &mut self.traced[position * node_count..(position + 1) * node_count]
    }

    /// Copies slots to a table with a row for each person of the chunk.
    pub fn show(&mut self, slots: &[SlotIndex], table: &mut [Value]) {
        for position in 0..self.rows.len() {
            let row = self.row(position) * slots.len();
            let state = self.states.of(position);
            for (shown, slot) in table[row..row + slots.len()].iter_mut().zip(slots) {
                *shown = state.slot(*slot);
            }
        }
    }

    /// The memory of the person at `position`.
    #[inline]
    pub fn state(&mut self, position: usize) -> State<'_> {
        self.states.of(position)
    }

    /// Makes the person at `position` one who never ticked the tree.
    pub(super) fn reset(&mut self, tree: &Tree, position: usize) {
        self.states.reset(tree, position);
    }

    /// Appends the memories of a later chunk, whose rows begin at `first_row` of these.
    pub fn append(&mut self, chunk: &Self, first_row: u32) {
        self.rows.extend(chunk.rows.iter().map(|row| first_row + row));
        self.done.extend_from_slice(&chunk.done);
        self.traced.extend_from_slice(&chunk.traced);
        self.states.append(&chunk.states);
    }

    /// The persons of a chunk, whose rows begin at `first_row` of `all`, remember what is said of
    /// them there. Says whether `all` is of the same tree and of them.
    #[must_use]
    pub fn recall(&mut self, all: &Self, first_row: u32) -> bool {
        let first = all.rows.partition_point(|row| *row < first_row);
        let node_count = self.traced.len().checked_div(self.len()).unwrap_or_default();
        let rows = self.rows.iter().map(|row| first_row + row);
        rows.eq(all.rows[first..].iter().copied().take(self.len()))
            && copy(&mut self.done, &all.done, first)
            && copy(&mut self.traced, &all.traced, first * node_count)
            && self.states.copy_from(&all.states, first)
    }

    /// What the persons at these rows remember goes over to `new`, where they still use the tree.
    pub fn hand_over(mut self, new: &mut Self) {
        for position in 0..self.rows.len() {
            let Some(there) = new.position(self.row(position)) else { continue };
            new.done[there] = self.done[position];
            new.states.of(there).copy_from(&self.states.of(position));
        }
    }
}
