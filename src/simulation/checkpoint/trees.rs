//! What persons remember of their behaviour trees, and what these have asked for. Saved by tree and
//! person, so that the length of the chunks may change; interned texts are saved as texts.

use std::sync::Arc;

use bevy_ecs::world::{Mut, World};
use serde::{Deserialize, Serialize};

use super::sections::{chunk_of, from_bytes, to_bytes};
use crate::base::ids::AgentId;
use crate::behaviour::people::{Memory, Question, Request};
use crate::step::decide::Sight;
use crate::step::state::{Chunks, Skills};

/// What is under way between trees and the outside, by person.
#[derive(Default, Serialize, Deserialize)]
struct Pending {
    requests: Vec<Request>,
    questions: Vec<Question>,
    /// Whose tree wanted something in the tick before.
    held: Vec<AgentId>,
}

/// Saves the memories, tree by tree, and what is under way.
pub fn save(world: &mut World) -> Result<Vec<u8>, String> {
    let Chunks { len, states } = world.resource::<Chunks>();
    let tree_count = states.first().map_or(0, |state| state.trees.memories.len());
    let mut memories = vec![Memory::default(); tree_count];
    let mut pending = Pending::default();
    for (state, first) in states.iter().zip((0_u32..).step_by(*len)) {
        let trees = &state.trees;
        for (all, memory) in memories.iter_mut().zip(&trees.memories) {
            memory.iter().for_each(|memory| all.append(memory, first));
        }
        pending.requests.extend_from_slice(&trees.letters.requests);
        pending.questions.extend_from_slice(&trees.questions);
        let held = (first..).zip(&trees.held).filter(|(_, held)| **held);
        pending.held.extend(held.map(|(agent, _)| AgentId(agent)));
    }
    // Within a chunk they come tick by tick; by person they are the same for any chunks.
    pending.questions.sort_by_key(|question| question.agent);
    to_bytes(&(memories, pending))
}

/// Gives all that back to the chunks, and shows what others may see of it.
pub fn restore(world: &mut World, bytes: &[u8]) -> Result<(), String> {
    let (memories, pending): (Vec<Memory>, Pending) = from_bytes(bytes)?;
    let forest = Arc::clone(world.resource::<Skills>().registry.forest());
    world.resource_scope(|world, mut chunks: Mut<'_, Chunks>| {
        recall(&mut chunks, &memories)?;
        take_up(&mut chunks, pending)?;
        world.resource_mut::<Sight>().show(&forest, &mut chunks);
        Ok(())
    })
}

fn recall(chunks: &mut Chunks, memories: &[Memory]) -> Result<(), String> {
    for (state, first) in chunks.states.iter_mut().zip((0_u32..).step_by(chunks.len)) {
        let own = &mut state.trees.memories;
        if own.len() != memories.len() {
            return Err(format!("{} trees for {}", memories.len(), own.len()));
        }
        for (index, (own, all)) in own.iter_mut().zip(memories).enumerate() {
            if own.as_mut().is_some_and(|own| !own.recall(all, first)) {
                return Err(format!("tree {index} is another, or other persons use it"));
            }
        }
    }
    Ok(())
}

fn take_up(chunks: &mut Chunks, pending: Pending) -> Result<(), String> {
    for request in pending.requests {
        chunk_of(chunks, request.agent)?.trees.letters.requests.push(request);
    }
    for question in pending.questions {
        chunk_of(chunks, question.agent)?.trees.questions.push(question);
    }
    let len = chunks.len;
    for agent in pending.held {
        let held = chunk_of(chunks, agent)?.trees.held.get_mut(agent.index() % len);
        *held.ok_or_else(|| format!("agent {agent} has no tree"))? = true;
    }
    Ok(())
}
