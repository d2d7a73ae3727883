//! One person who ticks trees.

use super::attributes::{Attribute, Others};
use super::crowd::Crowds;
use super::forest::Forest;
use super::letters::{Finished, Letters, Reply};
use super::memory::{Memories, Memory};
use super::reading::activity;
use crate::agent::activity::PlaceKind;
use crate::agent::intent::Intent;
use crate::agent::message::Message;
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::{Story, StoryPool};
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::SimTime;
use crate::behaviour::error::{Fault, TickError};
use crate::behaviour::expression::{AttributeIndex, SourceIndex};
use crate::behaviour::interpret::{LeafCall, Run, TickMode, World};
use crate::behaviour::state::State;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{LeafSpec, NodeIndex, SHOWN_FIRST};
use crate::behaviour::value::Value;

/// What all minds read: the state when the phase began. Columns hold all persons by number.
#[derive(Clone, Copy)]
pub struct Everybody<'c> {
    /// The moment.
    pub context: &'c StepContext,
    /// Who they are.
    pub persons: &'c [Person],
    /// What they perceive.
    pub perceptions: &'c [Perception],
    /// Their needs.
    pub needs: &'c [Needs],
    /// What each place is for.
    pub kinds: &'c [PlaceKind],
    /// Who is where.
    pub crowds: &'c Crowds,
    /// The trees.
    pub forest: &'c Forest,
    /// What others see of each tree's slots: a row a person, a column a shown slot.
    pub shown: &'c [Vec<Value>],
}

/// Where a person's Story stands.
#[derive(Clone, Copy)]
pub struct Planned<'c> {
    /// The segments of the chunk.
    pub pool: &'c StoryPool,
    /// The person's Story.
    pub story: &'c Story,
    /// The segment that the clock is in.
    pub cursor: u8,
}

/// One person in one tick. `WATCHES`: whether the statuses of nodes are noted.
pub struct Mind<'m, const WATCHES: bool> {
    pub(super) everybody: Everybody<'m>,
    planned: Planned<'m>,
    pub(super) inbox: &'m [Message],
    pub(super) replies: &'m [Reply],
    pub(super) letters: &'m mut Letters,
    pub(super) memories: &'m mut Memories,
    /// Row among all persons, and in the chunk.
    pub(super) row: usize,
    pub(super) chunk_row: usize,
    /// The tree that is ticked, and how many call it.
    pub(super) tree: usize,
    depth: u16,
    /// What the tree draws from, once it draws.
    stream: Option<Stream>,
    pub(super) needs: Needs,
    pub(super) needs_set: bool,
    /// What the person wants; the first wish of a tick counts.
    pub(super) wish: Option<Intent>,
    /// Whether the tree said that it is done, and the result.
    pub(super) finished: Option<Value>,
    /// The tree that was called and failed, and why.
    pub(super) cause: Option<(usize, TickError)>,
    /// Messages that the person wrote in this tick, once that is known.
    pub(super) written: Option<u16>,
    written_before: usize,
}

impl<'m, const WATCHES: bool> Mind<'m, WATCHES> {
    /// The person at `row` of all and `chunk_row` of the chunk. `inbox` and `replies` are the
    /// person's own; `written_before` of the letters' messages were written before the trees.
    pub fn new(
        everybody: Everybody<'m>,
        (row, chunk_row): (usize, usize),
        planned: Planned<'m>,
        (inbox, replies): (&'m [Message], &'m [Reply]),
        (letters, written_before): (&'m mut Letters, usize),
        memories: &'m mut Memories,
    ) -> Self {
        let needs = everybody.needs[row];
        Self {
            everybody,
            planned,
            inbox,
            replies,
            letters,
            memories,
            row,
            chunk_row,
            tree: 0,
            depth: 0,
            stream: None,
            needs,
            needs_set: false,
            wish: None,
            finished: None,
            cause: None,
            written: None,
            written_before,
        }
    }

    /// The person.
    pub(super) fn agent(&self) -> AgentId {
        AgentId(self.row as u32)
    }

    /// Ticks tree `index` of the forest.
    ///
    /// # Errors
    /// What ended the tick early, and where.
    pub fn tick(&mut self, index: usize, state: State<'_>) -> Result<Status, TickError> {
        let found = &self.everybody.forest.trees[index];
        let own = std::mem::replace(&mut self.tree, index);
        let stream = self.stream.take();
        if WATCHES && self.depth == 0 {
            self.letters.visited.clear();
            self.letters.visited.resize(found.tree.node_count(), 0);
        }
        self.depth += 1;
        let result = Run::new(&found.tree, state, self).tick(TickMode::ExactlyOnce);
        self.depth -= 1;
        (self.tree, self.stream) = (own, stream);
        result
    }

    /// Whether the tree that was ticked said that it is done. What it leaves goes to the letters.
    ///
    /// # Errors
    /// The names of the outputs that must be there and are not.
    pub fn take_end(&mut self, index: usize, state: &State<'_>) -> Option<Result<(), Vec<String>>> {
        let result = self.finished.take()?;
        let mut outputs = Vec::new();
        let mut missing = Vec::new();
        if result != Value::Unset {
            outputs.push(("result".to_owned(), result));
        }
        for (name, slot, required) in &self.everybody.forest.trees[index].outputs {
            match state.slot(*slot) {
                Value::Unset if *required => missing.push(name.clone()),
                Value::Unset => {}
                value => outputs.push((name.clone(), value)),
            }
        }
        if !missing.is_empty() {
            return Some(Err(missing));
        }
        self.letters.finished.push(Finished { agent: self.agent(), tree: index, outputs });
        Some(Ok(()))
    }

    /// The memory of tree `index`, if the person is its user at `position`.
    pub fn take_memory(&mut self, index: usize, position: usize) -> Option<Box<Memory>> {
        let row = self.chunk_row;
        let memory = &mut self.memories[index];
        let own = |memory: &Memory| position < memory.len() && memory.row(position) == row;
        if memory.as_deref().is_some_and(own) { memory.take() } else { None }
    }

    /// Gives it back.
    pub fn put_memory(&mut self, index: usize, memory: Box<Memory>) {
        self.memories[index] = Some(memory);
    }

    /// Which called tree failed first, and why.
    pub fn take_cause(&mut self) -> Option<(usize, TickError)> {
        self.cause.take()
    }

    /// The statuses that the nodes of the last tree had in its tick; 0 for those not reached.
    pub fn visited(&self) -> &[u8] {
        &self.letters.visited
    }

    /// The number of the next message: those of hooks were written before.
    pub(super) fn next_seq(&mut self) -> u16 {
        let agent = self.agent();
        let outbox = &self.letters.outbox[..self.written_before];
        let written = self.written.get_or_insert_with(|| {
            outbox.iter().filter(|letter| letter.from == agent).count() as u16
        });
        let seq = *written;
        *written = seq.saturating_add(1);
        seq
    }

    /// What the person wants, after all trees; levels of needs that were set go to the letters.
    pub fn close(self) -> Option<Intent> {
        if self.needs_set {
            self.letters.needs.push((self.chunk_row as u32, self.needs));
        }
        self.wish
    }

    /// Makes `intent` the person's wish, if nothing else is wanted yet.
    pub(super) fn want(&mut self, intent: Intent) {
        self.wish.get_or_insert(intent);
    }

    fn planned_activity(&self) -> Value {
        let segments = self.planned.pool.of(self.planned.story);
        let segment = segments.get(usize::from(self.planned.cursor));
        segment.map_or(Value::Unset, |segment| activity(segment.activity))
    }

    /// The row of one of the others.
    fn other_row(&self, source: SourceIndex, position: usize) -> Option<usize> {
        let person = &self.everybody.persons[self.row];
        match Others::of(source) {
            Others::Household => {
                let member = person.household_first as usize + position;
                Some(if member < self.row { member } else { member + 1 })
            }
            Others::Here => {
                let place = self.everybody.perceptions[self.row].place;
                let there = self.everybody.crowds.here.at(place);
                let found = *there.get(position)? as usize;
                if found < self.row {
                    Some(found)
                } else {
                    Some(*there.get(position + 1)? as usize)
                }
            }
            Others::Neighbours => self.everybody.crowds.neighbour(person.home, position),
        }
    }
}

impl<const WATCHES: bool> World for Mind<'_, WATCHES> {
    const WATCHES: bool = WATCHES;

    #[inline]
    fn now(&self) -> SimTime {
        self.everybody.context.time
    }

    #[inline]
    fn unit_random(&mut self) -> f64 {
        let Everybody { context, forest, .. } = self.everybody;
        let (agent, seed) = (self.agent(), context.seed ^ forest.trees[self.tree].salt);
        let new = || Stream::new(seed, agent, context.tick, Purpose::Tree);
        self.stream.get_or_insert_with(new).unit_f64()
    }

    #[inline]
    fn attribute(&self, attribute: AttributeIndex) -> Value {
        match Attribute::of(attribute) {
            Attribute::StoryActivity => self.planned_activity(),
            attribute => self.everybody.read(self.row, &self.needs, attribute),
        }
    }

    fn other_count(&self, source: SourceIndex) -> usize {
        let person = &self.everybody.persons[self.row];
        match Others::of(source) {
            Others::Household => usize::from(person.household_size).saturating_sub(1),
            Others::Here => {
                let place = self.everybody.perceptions[self.row].place;
                self.everybody.crowds.here.at(place).len().saturating_sub(1)
            }
            Others::Neighbours => self.everybody.crowds.neighbour_count(person.home),
        }
    }

    fn other(&self, source: SourceIndex, position: usize, attribute: AttributeIndex) -> Value {
        let Some(row) = self.other_row(source, position) else { return Value::Unset };
        match attribute.0.checked_sub(SHOWN_FIRST) {
            Some(shown) => {
                let columns = self.everybody.forest.trees[self.tree].tree.shown().len();
                self.everybody.shown[self.tree][row * columns + usize::from(shown)]
            }
            None => {
                let attribute = Attribute::of(attribute);
                self.everybody.read(row, &self.everybody.needs[row], attribute)
            }
        }
    }

    #[inline]
    fn tick_leaf(&mut self, call: LeafCall<'_, '_>) -> Result<Status, Fault> {
        self.act(call)
    }

    /// What was asked for and is no longer waited for is not listened to.
    fn halt_leaf(&mut self, _: &LeafSpec) {}

    fn changed(&mut self, node: NodeIndex, _: Status, to: Status) {
        if self.depth == 1 && to != Status::Idle {
            self.letters.visited[usize::from(node)] = to as u8;
        }
    }
}
