//! The file, and that nothing of a person is forgotten.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bevy_ecs::schedule::{Schedule, Schedules};
use bevy_ecs::system::Query;
use bevy_ecs::world::{EntityRef, World};

use super::*;
use crate::agent::activation::Activation;
use crate::agent::hook::HookOutcome;
use crate::agent::intent::Intent;
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::Story;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::time::Tick;
use crate::scenario::Scenario;
use crate::simulation::assemble::{AssembleOptions, Assembly, assemble};
use crate::simulation::tick::Phases;
use crate::step::decide::Sight;
use crate::step::desk::EnvironmentDesk;
use crate::step::log::LastLogged;
use crate::step::serve::Answers;
use crate::step::serve::hooks::Scripts;
use crate::step::state::{Chunks, Mail, Moment, Rules, Skills, Town};

/// A city of three.
fn assembly() -> Assembly {
    let text = "name: three\nclock: {start: 2026-03-02T06:00:00, tick_s: 300, ticks: 9}\n\
                population: {source: synthetic, persons: 3}\n\
                environment: {city: {source: grid, zones_x: 2, zones_y: 2, zone_m: 750}}\n";
    let scenario = Scenario::from_bytes(text.as_bytes(), Path::new("scenario.yaml"), &[]).unwrap();
    let options =
        AssembleOptions { chunk_len: 2, skill_roots: &[], overrides: Vec::new(), watch: false };
    assemble(&scenario, &options).unwrap()
}

fn state(assembly: &Assembly) -> RunState {
    RunState {
        populace_version: "0".to_owned(),
        scenario_hash: assembly.scenario.hash.clone(),
        registry_hash: assembly.registry.content_hash(),
        ticks_done: 4,
        tables: Vec::new(),
        failed: vec![2],
        generations: Vec::new(),
        wall: std::time::Duration::from_nanos(17),
    }
}

/// The bytes of a checkpoint of three persons.
fn bytes() -> Vec<u8> {
    let mut assembly = assembly();
    let dir = tempfile::tempdir().unwrap();
    let path = folder::path(dir.path(), 4);
    file::write(&path, &state(&assembly), &mut assembly.world).unwrap();
    fs::read(path).unwrap()
}

/// Who adds a component to persons decides what becomes of it in a checkpoint: it is saved by one
/// of [`sections::SECTIONS`] (and listed first here), or the engine makes it again.
#[test]
fn every_component_of_a_person_is_saved_or_made_again() {
    let saved = [
        TypeId::of::<Needs>(),
        TypeId::of::<Whereabouts>(),
        TypeId::of::<Trip>(),
        TypeId::of::<Story>(),
        TypeId::of::<HookOutcome>(),
        TypeId::of::<Intent>(),
        TypeId::of::<LastLogged>(),
    ];
    let made_again = [
        TypeId::of::<AgentId>(),
        TypeId::of::<Person>(),
        TypeId::of::<Activation>(),
        TypeId::of::<Perception>(),
    ];
    let mut assembly = assembly();
    let world = &mut assembly.world;
    let mut people = world.query::<(EntityRef<'_>, &AgentId)>();
    let (person, _) = people.iter(world).next().unwrap();
    let components = person.archetype().components().iter();
    let types: BTreeSet<TypeId> = components
        .filter_map(|id| world.components().get_info(*id).and_then(|info| info.type_id()))
        .collect();
    assert_eq!(types, saved.into_iter().chain(made_again).collect());
}

/// The same for resources, which hold what is not a person's alone.
#[test]
fn every_resource_is_saved_or_made_again() {
    let saved = [
        TypeId::of::<Chunks>(),
        TypeId::of::<Mail>(),
        TypeId::of::<EnvironmentDesk>(),
        TypeId::of::<Scripts>(),
    ];
    let made_again = [
        TypeId::of::<Answers>(),
        TypeId::of::<Moment>(),
        TypeId::of::<Rules>(),
        TypeId::of::<Sight>(),
        TypeId::of::<Skills>(),
        TypeId::of::<Town>(),
    ];
    let mut assembly = assembly();
    let context = StepContext::new(1, assembly.clock, Tick(0));
    Phases::default().step(&mut assembly.world, context, |_, _| {});
    // What a world of the engine's library holds without us is not ours.
    let mut empty = World::new();
    empty.init_resource::<Schedules>();
    let mut idle = Schedule::default();
    idle.add_systems(|_: Query<'_, '_, EntityRef<'_>>| {});
    idle.run(&mut empty);
    let types = |world: &World| -> BTreeSet<TypeId> {
        world.iter_resources().filter_map(|(_, info, _)| info.type_id()).collect()
    };
    let own: BTreeSet<TypeId> = &types(&assembly.world) - &types(&empty);
    assert_eq!(own, saved.into_iter().chain(made_again).collect());
}

#[test]
fn a_checkpoint_is_read_as_it_was_written() {
    let assembly = assembly();
    let checkpoint = Checkpoint::parse(bytes()).unwrap();
    assert_eq!(checkpoint.run, state(&assembly));
    assert_eq!(bytes(), bytes(), "equal states, equal bytes");
}

/// Contract: half a checkpoint and a damaged one are noticed, wherever it is cut or changed.
#[test]
fn any_cut_and_any_changed_bit_is_noticed() {
    let whole = bytes();
    for len in 0..whole.len() {
        assert!(Checkpoint::parse(whole[..len].to_vec()).is_err(), "cut after {len} bytes");
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        let read = Checkpoint::parse(changed);
        assert!(read.is_err(), "a bit of byte {at} of {} changed", whole.len());
    }
    let longer = [&whole[..], b"x"].concat();
    assert_eq!(Checkpoint::parse(longer).unwrap_err(), "1 bytes follow its end");
}

/// A checkpoint of other persons does not fit, and says where.
#[test]
fn other_persons_are_refused() {
    let text = "name: four\nclock: {start: 2026-03-02T06:00:00, tick_s: 300, ticks: 9}\n\
                population: {source: synthetic, persons: 40}\n\
                environment: {city: {source: grid, zones_x: 2, zones_y: 2, zone_m: 750}}\n";
    let scenario = Scenario::from_bytes(text.as_bytes(), Path::new("scenario.yaml"), &[]).unwrap();
    let options =
        AssembleOptions { chunk_len: 2, skill_roots: &[], overrides: Vec::new(), watch: false };
    let mut other = assemble(&scenario, &options).unwrap();
    let refused = Checkpoint::parse(bytes()).unwrap().restore(&mut other.world).unwrap_err();
    assert!(refused.starts_with("section needs: "), "{refused}");
    assert!(refused.contains(" persons"), "{refused}");
}

#[test]
fn two_checkpoints_are_kept_and_what_is_unfinished_goes() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path();
    assert!(!folder::is_there(run));
    let whole = bytes();
    fs::create_dir(run.join("checkpoints")).unwrap();
    for ticks in [4, 100, 20, 9] {
        fs::write(folder::path(run, ticks), &whole).unwrap();
    }
    fs::write(run.join("checkpoints/tick-0000000101.checkpoint.tmp"), "half").unwrap();
    folder::tidy(run).unwrap();
    let kept = fs::read_dir(run.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    let kept: BTreeSet<_> = kept.collect();
    assert_eq!(kept, BTreeSet::from([folder::path(run, 20), folder::path(run, 100)]));
    fs::write(folder::path(run, 100), "half").unwrap();
    let found = folder::find(run).unwrap();
    assert!(found.checkpoint.is_some());
    assert_eq!(found.damaged.len(), 1);
    folder::clear(run).unwrap();
    folder::clear(run).unwrap();
    assert!(!run.join("checkpoints").exists());
}

#[test]
fn the_timer_counts_ticks_or_minutes() {
    use crate::scenario::spec::Checkpoint as Every;
    let due = |every_ticks, every_min| {
        let timer = Timer::start(Some(Every { every_ticks, every_min }));
        (1..=12).filter(|ticks| timer.is_due(*ticks)).collect::<Vec<_>>()
    };
    assert!(!Timer::start(None).is_due(12));
    assert_eq!(due(Some(5), None), [5, 10]);
    assert_eq!(due(None, Some(1_000.0)), [0; 0]);
    assert_eq!(due(None, Some(0.0)).len(), 12, "no time at all has always passed");
}
