//! What chunks own of persons: segments of Stories, and ways of trips. Saved by person, so that the
//! length of the chunks may change.

use bevy_ecs::world::{Mut, World};

use super::sections::{chunk_of, from_bytes, same_count, to_bytes};
use crate::agent::plan::{Segment, Story};
use crate::base::ids::AgentId;
use crate::base::units::Point;
use crate::step::state::Chunks;

/// Saves each person's Story with its segments.
pub fn save(world: &mut World) -> Result<Vec<u8>, String> {
    let mut people = world.query::<(&AgentId, &Story)>();
    let chunks = world.resource::<Chunks>();
    let stories: Vec<(&Story, &[Segment])> = people
        .iter(world)
        .map(|(agent, story)| (story, chunks.states[agent.index() / chunks.len].pool.of(story)))
        .collect();
    to_bytes(&stories)
}

/// Puts the Stories into the pools of the chunks.
pub fn restore(world: &mut World, bytes: &[u8]) -> Result<(), String> {
    let saved: Vec<(Story, Vec<Segment>)> = from_bytes(bytes)?;
    let mut people = world.query::<(&AgentId, &mut Story)>();
    same_count(saved.len(), people.iter(world).count())?;
    world.resource_scope(|world, mut chunks: Mut<'_, Chunks>| {
        let chunks = &mut *chunks;
        for ((agent, mut story), (saved, segments)) in people.iter_mut(world).zip(saved) {
            let mut placed = Story::EMPTY;
            chunks.states[agent.index() / chunks.len].pool.replace(&mut placed, &segments);
            *story = Story { head: placed.head, len: placed.len, ..saved };
        }
    });
    Ok(())
}

/// Saves the ways of the trips that go along a network.
pub fn save_paths(world: &mut World) -> Result<Vec<u8>, String> {
    let Chunks { len, states } = world.resource::<Chunks>();
    let paths: Vec<(AgentId, &[Point])> = states
        .iter()
        .enumerate()
        .flat_map(|(chunk, state)| {
            let agent = move |row: u32| AgentId::from_index(chunk * len + row as usize);
            state.paths.iter().map(move |(row, path)| (agent(*row), path.as_slice()))
        })
        .collect();
    to_bytes(&paths)
}

/// Gives the ways to the chunks.
pub fn restore_paths(world: &mut World, bytes: &[u8]) -> Result<(), String> {
    let paths: Vec<(AgentId, Vec<Point>)> = from_bytes(bytes)?;
    let chunks = &mut *world.resource_mut::<Chunks>();
    for (agent, path) in paths {
        let row = (agent.index() % chunks.len) as u32;
        chunk_of(chunks, agent)?.paths.insert(row, path);
    }
    Ok(())
}
