//! What persons see of others while they decide: who is where, and the slots that trees show.

use bevy_ecs::resource::Resource;

use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::base::parallel;
use crate::behaviour::people::{Crowd, Crowds, Forest, NEAR_HOMES, Others, PersonTree};
use crate::behaviour::value::Value;
use crate::environment::Environment;
use crate::environment::vicinity::nearest_homes;
use crate::step::state::{ChunkState, Chunks};

/// What everybody sees of others; made only as far as some tree looks.
#[derive(Resource, Default)]
pub struct Sight {
    /// Who is where.
    pub(super) crowds: Crowds,
    /// For each tree of the forest the slots that others see: a row a person.
    pub(super) shown: Vec<Vec<Value>>,
}

impl Sight {
    /// The sight of a run: the slots as they are at first, and who lives where.
    pub fn new(forest: &Forest, persons: &[Person], town: &Environment) -> Self {
        let initial = |tree: &PersonTree| {
            let slots = tree.tree.slots();
            let row: Vec<Value> =
                tree.tree.shown().iter().map(|slot| slots[usize::from(slot.0)].initial).collect();
            row.repeat(persons.len())
        };
        let mut crowds = Crowds::default();
        if looks_at(forest, Others::Neighbours) {
            let homes = persons.iter().map(|person| person.home);
            crowds.homes = Crowd::of(town.places.len(), homes);
            crowds.near = nearest_homes(&town.places, NEAR_HOMES);
        }
        Self { crowds, shown: forest.trees.iter().map(initial).collect() }
    }

    /// Looks around: who is where now.
    pub(super) fn look(&mut self, forest: &Forest, perceptions: &[Perception], places: usize) {
        if looks_at(forest, Others::Here) {
            let here = perceptions.iter().map(|perception| perception.place);
            self.crowds.here = Crowd::of(places, here);
        }
    }

    /// Takes over the slots as all persons hold them now.
    pub fn show(&mut self, forest: &Forest, chunks: &mut Chunks) {
        self.show_all(forest, chunks.len, &mut chunks.states);
    }

    pub(super) fn show_all(&mut self, forest: &Forest, len: usize, states: &mut [ChunkState]) {
        for (index, (found, shown)) in forest.trees.iter().zip(&mut self.shown).enumerate() {
            let slots = found.tree.shown();
            if slots.is_empty() {
                continue;
            }
            let work = states.iter_mut().zip(shown.chunks_mut(len * slots.len())).collect();
            parallel::for_each(work, |(state, shown): (&mut ChunkState, &mut [Value])| {
                if let Some(memory) = &mut state.trees.memories[index] {
                    memory.show(slots, shown);
                }
            });
        }
    }
}

fn looks_at(forest: &Forest, others: Others) -> bool {
    forest.trees.iter().any(|tree| tree.tree.looks_at(others.source()))
}
