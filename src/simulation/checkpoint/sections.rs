//! What of a world is saved: the list, and how columns and resources become bytes.

use std::fmt::Display;

use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{stories, trees};
use crate::agent::hook::HookOutcome;
use crate::agent::intent::Intent;
use crate::agent::needs::Needs;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::ids::AgentId;
use crate::step::desk::EnvironmentDesk;
use crate::step::log::LastLogged;
use crate::step::serve::hooks::Scripts;
use crate::step::state::{ChunkState, Chunks, Mail};

/// A part of the state of a world.
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// Raised when its bytes change their meaning.
    pub version: u16,
    /// Its bytes, the same whatever the threads and chunks.
    pub save: fn(&mut World) -> Result<Vec<u8>, String>,
    /// Makes the world, fresh from `assemble`, what it was.
    pub restore: fn(&mut World, &[u8]) -> Result<(), String>,
}

/// All that is saved, in file order.
///
/// Of the columns of persons, `AgentId`, `Person` and `Activation` are assembled again, and
/// `Perception` is written anew in each tick before anybody reads it. Of the chunks, outboxes,
/// rows, tallies and answers to trees are empty at the border of a tick.
pub const SECTIONS: &[Section] = &[
    column::<Needs>("needs", 1),
    column::<Whereabouts>("whereabouts", 1),
    column::<Trip>("trips", 1),
    column::<HookOutcome>("hook_outcomes", 1),
    column::<Intent>("intents", 1),
    column::<LastLogged>("last_logged", 1),
    Section { name: "stories", version: 1, save: stories::save, restore: stories::restore },
    Section {
        name: "paths",
        version: 1,
        save: stories::save_paths,
        restore: stories::restore_paths,
    },
    Section { name: "trees", version: 1, save: trees::save, restore: trees::restore },
    resource::<Mail>("mail", 1),
    Section { name: "environment_desk", version: 1, save: save_desk, restore: restore_desk },
    Section { name: "scripts", version: 1, save: save_scripts, restore: restore_scripts },
];

/// A column of all persons.
const fn column<C>(name: &'static str, version: u16) -> Section
where
    C: Component<Mutability = Mutable> + Serialize + DeserializeOwned,
{
    Section { name, version, save: save_column::<C>, restore: restore_column::<C> }
}

/// A resource that is saved as it is.
const fn resource<R>(name: &'static str, version: u16) -> Section
where
    R: Resource + Serialize + DeserializeOwned,
{
    Section { name, version, save: save_resource::<R>, restore: restore_resource::<R> }
}

fn save_column<C: Component + Serialize>(world: &mut World) -> Result<Vec<u8>, String> {
    let mut people = world.query::<&C>();
    to_bytes(&people.iter(world).collect::<Vec<_>>())
}

fn restore_column<C>(world: &mut World, bytes: &[u8]) -> Result<(), String>
where
    C: Component<Mutability = Mutable> + DeserializeOwned,
{
    let column: Vec<C> = from_bytes(bytes)?;
    let mut people = world.query::<&mut C>();
    same_count(column.len(), people.iter(world).count())?;
    for (mut cell, saved) in people.iter_mut(world).zip(column) {
        *cell = saved;
    }
    Ok(())
}

fn save_resource<R: Resource + Serialize>(world: &mut World) -> Result<Vec<u8>, String> {
    to_bytes(world.resource::<R>())
}

fn restore_resource<R>(world: &mut World, bytes: &[u8]) -> Result<(), String>
where
    R: Resource + DeserializeOwned,
{
    world.insert_resource(from_bytes::<R>(bytes)?);
    Ok(())
}

/// In JSON: arguments of calls are JSON values, which describe themselves.
fn save_desk(world: &mut World) -> Result<Vec<u8>, String> {
    serde_json::to_vec(world.resource::<EnvironmentDesk>()).map_err(text)
}

fn restore_desk(world: &mut World, bytes: &[u8]) -> Result<(), String> {
    world.insert_resource(serde_json::from_slice::<EnvironmentDesk>(bytes).map_err(text)?);
    Ok(())
}

fn save_scripts(world: &mut World) -> Result<Vec<u8>, String> {
    let memory = world.resource::<Scripts>().memory();
    to_bytes(&memory.map_err(|error| format!("the workspaces cannot be read: {error}"))?)
}

fn restore_scripts(world: &mut World, bytes: &[u8]) -> Result<(), String> {
    let memory = from_bytes(bytes)?;
    let recalled = world.resource_mut::<Scripts>().recall(memory);
    recalled.map_err(|error| format!("the workspaces cannot be made again: {error}"))
}

/// Plain bytes of a value.
pub(super) fn to_bytes(value: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(value).map_err(text)
}

/// The value of plain bytes, all of them.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(text)?;
    if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes too many", rest.len())) }
}

/// Refuses a column that is not of these persons.
pub(super) fn same_count(rows: usize, persons: usize) -> Result<(), String> {
    if rows == persons { Ok(()) } else { Err(format!("{rows} rows for {persons} persons")) }
}

/// The chunk of a person.
pub(super) fn chunk_of(chunks: &mut Chunks, agent: AgentId) -> Result<&mut ChunkState, String> {
    let state = chunks.states.get_mut(agent.index() / chunks.len);
    state.ok_or_else(|| format!("there is no agent {agent}"))
}

fn text(error: impl Display) -> String {
    error.to_string()
}
