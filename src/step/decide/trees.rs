//! Ticks the trees of one chunk of persons.

use crate::agent::hook::{HookOutcome, HookText};
use crate::agent::message::Message;
use crate::agent::plan::Story;
use crate::base::ids::AgentId;
use crate::behaviour::error::TickError;
use crate::behaviour::people::{Everybody, Memory, Mind, PersonTree, Planned, Reply};
use crate::behaviour::status::Status;
use crate::behaviour::value::Value;
use crate::record::tables::trees::{BtTraceRow, SkillResultRow};
use crate::step::state::{ChunkState, LogPolicy, Rows, Rules, Skills, StepFailure, sampled};

/// What the trees of a chunk are ticked with.
pub(super) struct Grove<'a> {
    pub everybody: Everybody<'a>,
    pub rules: &'a Rules,
    pub skills: &'a Skills,
    pub ids: &'a [AgentId],
    pub stories: &'a [Story],
    pub outcomes: &'a [HookOutcome],
    /// The messages that the chunk can read.
    pub inbox: &'a [Message],
}

impl Grove<'_> {
    /// Ticks every tree of every person of the chunk; what they want is left in the chunk's
    /// wishes.
    pub fn tick(&self, state: &mut ChunkState) {
        if state.trees.memories.iter().all(Option::is_none) {
            return;
        }
        let wishes = &mut state.trees.wishes;
        wishes.clear();
        wishes.resize(self.ids.len(), None);
        let before = state.outbox.len();
        state.trees.letters.outbox = std::mem::take(&mut state.outbox);
        let replies = std::mem::take(&mut state.trees.replies);
        if self.rules.trace == LogPolicy::None {
            self.tick_all::<false>(state, &replies, before);
        } else {
            self.tick_all::<true>(state, &replies, before);
        }
        state.outbox = std::mem::take(&mut state.trees.letters.outbox);
        let questions = &mut state.trees.letters.questions;
        state.trees.questions.append(questions);
        self.write_results(state);
    }

    fn tick_all<const WATCHES: bool>(
        &self,
        state: &mut ChunkState,
        replies: &[Reply],
        written_before: usize,
    ) {
        let count = self.everybody.forest.trees.len();
        let mut cursors = vec![0; count];
        for row in 0..self.ids.len() {
            let mine = |index: usize, cursor: usize, state: &ChunkState| {
                let memory = state.trees.memories[index].as_ref();
                memory.is_some_and(|m| cursor < m.len() && m.row(cursor) == row)
            };
            if !(0..count).any(|index| mine(index, cursors[index], state)) {
                continue;
            }
            self.tick_person::<WATCHES>(state, row, &mut cursors, replies, written_before);
        }
    }

    /// Ticks the trees of one person, in the order of their skills.
    fn tick_person<const WATCHES: bool>(
        &self,
        state: &mut ChunkState,
        row: usize,
        cursors: &mut [usize],
        replies: &[Reply],
        written_before: usize,
    ) {
        let agent = self.ids[row];
        let ChunkState { pool, trees, failures, rows, hook_texts, .. } = state;
        let planned =
            Planned { pool, story: &self.stories[row], cursor: self.outcomes[row].segment };
        let own = |message: &&Message| message.to == agent;
        let inbox = match self.everybody.perceptions[agent.index()].message_count {
            0 => &[][..],
            _ => {
                let start = self.inbox.partition_point(|message| message.to < agent);
                let count = self.inbox[start..].iter().take_while(own).count();
                &self.inbox[start..start + count]
            }
        };
        let start = replies.partition_point(|reply| reply.agent < agent);
        let count = replies[start..].iter().take_while(|reply| reply.agent == agent).count();
        let replies = &replies[start..start + count];
        let (letters, memories) = (&mut trees.letters, &mut trees.memories);
        let mut mind = Mind::<WATCHES>::new(
            self.everybody,
            (agent.index(), row),
            planned,
            (inbox, replies),
            (letters, written_before),
            memories,
        );
        for (index, cursor) in cursors.iter_mut().enumerate() {
            let Some(mut memory) = mind.take_memory(index, *cursor) else { continue };
            let position = std::mem::replace(cursor, *cursor + 1);
            if memory.runs(position) {
                let found = &self.everybody.forest.trees[index];
                hear(found, hook_texts, agent, &mut memory, position, |why| {
                    failures.push(failure(agent, found, "bad-hook-value", why));
                });
                let ended = mind.tick(index, memory.state(position));
                match ended {
                    Ok(_) => self.end(&mut mind, index, &mut memory, position, failures),
                    Err(error) => {
                        let why = self.explain(&mut mind, index, error);
                        failures.push(failure(agent, found, "tree", why));
                    }
                }
                if WATCHES {
                    self.trace(mind.visited(), index, agent, &mut memory, position, rows);
                }
            }
            mind.put_memory(index, memory);
        }
        trees.wishes[row] = mind.close();
    }

    /// Ends the skill if its tree said so.
    fn end<const WATCHES: bool>(
        &self,
        mind: &mut Mind<'_, WATCHES>,
        index: usize,
        memory: &mut Memory,
        position: usize,
        failures: &mut Vec<StepFailure>,
    ) {
        let Some(missing) = mind.take_end(index, &memory.state(position)) else { return };
        memory.end(position);
        if let Err(names) = missing {
            let found = &self.everybody.forest.trees[index];
            let agent = self.ids[memory.row(position)];
            let why = format!("it ended without its outputs {}", names.join(", "));
            failures.push(failure(agent, found, "missing-output", why));
        }
    }

    /// What ended a tick early, with the names of the trees.
    fn explain<const WATCHES: bool>(
        &self,
        mind: &mut Mind<'_, WATCHES>,
        index: usize,
        error: TickError,
    ) -> String {
        let told = |index: usize, error: TickError| {
            let tree = &self.everybody.forest.trees[index].tree;
            let label = tree.label(error.node);
            let at =
                if label.at.line > 0 { format!(", line {}", label.at.line) } else { String::new() };
            format!("`{}` ({}{at}): {}", label.title, label.kind, tree.explain(error))
        };
        match mind.take_cause() {
            Some((callee, cause)) => format!("{}: {}", told(index, error), told(callee, cause)),
            None => told(index, error),
        }
    }

    /// Writes the statuses of nodes that the policy keeps.
    fn trace(
        &self,
        visited: &[u8],
        index: usize,
        agent: AgentId,
        memory: &mut Memory,
        position: usize,
        rows: &mut Rows,
    ) {
        let context = self.everybody.context;
        if self.rules.trace == LogPolicy::Sample
            && !sampled(context.seed, agent, self.rules.sample_share)
        {
            return;
        }
        let found = &self.everybody.forest.trees[index];
        let skill_id = &self.skills.registry.skills()[found.skill_index].id;
        let dialect = found.tree.dialect();
        let before = memory.traced_mut(position, visited.len());
        for (node, (now, before)) in visited.iter().zip(before).enumerate() {
            let changed = std::mem::replace(before, *now) != *now;
            if *now == 0 || (self.rules.trace == LogPolicy::Changed && !changed) {
                continue;
            }
            rows.trace.push(BtTraceRow {
                tick: context.tick,
                agent_id: agent,
                skill_id,
                node: node as u16,
                name: &found.tree.label(node as u16).title,
                status: Status::from_byte(*now).word(dialect),
            });
        }
    }

    /// Writes the results of the skills that ended.
    fn write_results(&self, state: &mut ChunkState) {
        let forest = self.everybody.forest;
        for finished in state.trees.letters.finished.drain(..) {
            let skill = &self.skills.registry.skills()[forest.trees[finished.tree].skill_index];
            let outputs = finished.outputs.into_iter().map(|(name, value)| (name, value.json()));
            let result = serde_json::Value::Object(outputs.collect()).to_string();
            state.rows.results.push(SkillResultRow {
                tick: self.everybody.context.tick,
                agent_id: finished.agent,
                skill_id: &skill.id,
                result: &result,
            });
        }
    }
}

fn failure(agent: AgentId, found: &PersonTree, code: &'static str, message: String) -> StepFailure {
    let skill_index = Some(found.skill_index);
    StepFailure { agent, phase: "decide", skill_index, code, message }
}

/// Writes what script hooks said in this tick to the tree's `hook.` slots: fields of JSON objects,
/// in the order of the skills. `refuse` is told of values that a slot does not hold.
fn hear(
    found: &PersonTree,
    texts: &[HookText],
    agent: AgentId,
    memory: &mut Memory,
    position: usize,
    mut refuse: impl FnMut(String),
) {
    if found.hook_slots.is_empty() {
        return;
    }
    let own = texts.iter().filter(|text| text.agent == agent && text.result.ok);
    for text in own {
        let said: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text.result.stdout).unwrap_or_default();
        for (name, slot) in &found.hook_slots {
            let Some(value) = said.get(name) else { continue };
            let value = match value {
                serde_json::Value::Null => Value::Unset,
                serde_json::Value::Bool(yes) => Value::Bool(*yes),
                serde_json::Value::String(text) => Value::Text(text.as_str().into()),
                serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                    (Some(whole), _) => Value::Int(whole),
                    (None, number) => number.map_or(Value::Unset, Value::Number),
                },
                other => Value::Text(other.to_string().as_str().into()),
            };
            if let Err(error) = memory.state(position).write(&found.tree, *slot, value) {
                refuse(format!("`hook.{name}` is {value}: {error}"));
            }
        }
    }
}
