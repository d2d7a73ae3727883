//! Puts persons, environment and skills into a bevy world.

use std::sync::Arc;

use bevy_ecs::world::World;

use crate::agent::activation::Activation;
use crate::agent::activity::Activity;
use crate::agent::hook::HookOutcome;
use crate::agent::intent::Intent;
use crate::agent::needs::{NEED_COUNT, Needs};
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::{Origin, Story};
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::SimTime;
use crate::environment::Environment;
use crate::environment::mailbox::Mailbox;
use crate::scenario::spec::{self, Spec, TableName};
use crate::skill::activation::SkillSets;
use crate::skill::registry::SkillRegistry;
use crate::step::decide::{Sight, enlist};
use crate::step::desk::EnvironmentDesk;
use crate::step::log::LastLogged;
use crate::step::serve::Answers;
use crate::step::state::{ChunkState, Chunks, LogPolicy, Mail, Rules, Skills, Town};

/// Most that a person's initial need level differs from the declared one (own choice, so that not
/// everybody gets hungry in the same tick).
const INITIAL_SPREAD: f32 = 0.15;

/// A world in which everybody is at home at the start of the run.
///
/// Persons are spawned in the order of their ids, all with the same components, so that their
/// columns are slices in that order.
pub fn build(
    spec: &Spec,
    chunk_len: usize,
    persons: &[Person],
    activations: &[Activation],
    environment: Arc<Environment>,
    (registry, sets): (Arc<SkillRegistry>, Arc<SkillSets>),
) -> World {
    let mut world = World::new();
    let initial = spec.behaviour.needs.initial_levels();
    let people =
        persons.iter().zip(activations).enumerate().map(|(index, (person, activation))| {
            let agent = AgentId::from_index(index);
            (
                (agent, *person, *activation),
                (initial_needs(spec.seed, agent, initial), Story::EMPTY),
                (at_home(person), Trip::NONE, Perception::at_home(person)),
                (HookOutcome::NONE, Intent::Continue, LastLogged::NOTHING),
            )
        });
    world.spawn_batch(people.collect::<Vec<_>>());
    let chunk_count = persons.len().div_ceil(chunk_len);
    let states = (0..chunk_count).map(|_| ChunkState::default()).collect();
    let mut chunks = Chunks { len: chunk_len, states };
    let rules = rules(spec);
    let forest = registry.forest();
    let is_traced = rules.trace != LogPolicy::None;
    enlist(&mut chunks, forest, &|_| None, (&sets, activations), is_traced);
    world.insert_resource(Sight::new(forest, persons, &environment));
    world.insert_resource(chunks);
    world.insert_resource(Town(environment));
    world.insert_resource(Skills { registry, sets });
    world.insert_resource(Mail(Mailbox::default()));
    world.insert_resource(rules);
    world.insert_resource(EnvironmentDesk::default());
    world.insert_resource(Answers(spec.skills.answers.clone()));
    world
}

fn rules(spec: &Spec) -> Rules {
    let records = &spec.records;
    let tables = records.tables();
    let policy = |table: TableName, policy: spec::LogPolicy| {
        if !tables.contains(&table) {
            return LogPolicy::None;
        }
        match policy {
            spec::LogPolicy::All => LogPolicy::All,
            spec::LogPolicy::Changed => LogPolicy::Changed,
            spec::LogPolicy::Sample => LogPolicy::Sample,
            spec::LogPolicy::None => LogPolicy::None,
        }
    };
    Rules {
        needs: spec.behaviour.needs.rates(),
        steps: policy(TableName::Steps, records.log),
        hooks: policy(TableName::Hooks, records.hooks_log()),
        levels: policy(TableName::Needs, records.log),
        trace: policy(TableName::BtTrace, records.bt_trace),
        sample_share: records.sample_share as f32,
    }
}

fn initial_needs(seed: u64, agent: AgentId, initial: [f32; NEED_COUNT]) -> Needs {
    let mut stream = Stream::of_index(seed, agent.0, Purpose::Needs);
    Needs(initial.map(|level| {
        let shift = (stream.unit_f32() * 2.0 - 1.0) * INITIAL_SPREAD;
        (level + shift).clamp(0.0, 1.0)
    }))
}

fn at_home(person: &Person) -> Whereabouts {
    Whereabouts {
        place: person.home,
        since: SimTime(0),
        activity: Activity::Home,
        purpose: Activity::Home,
        segment: 0,
        origin: Origin::Planned,
    }
}
