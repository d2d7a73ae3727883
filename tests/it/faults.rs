//! The whole engine on a host that delays, drops, doubles and garbles answers by seed, with
//! invariants checked at the end of every tick (the idea of TigerBeetle's simulator).
//!
//! `FAULT_SEEDS=0..100000 cargo test --test it faults` runs other seeds than the 1,000 of every
//! test run; what fails says how to run it alone.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use populace::agent::needs::Needs;
use populace::agent::whereabouts::{Trip, Whereabouts};
use populace::base::context::StepContext;
use populace::base::ids::{AgentId, PlaceId};
use populace::base::rng::{Purpose, Stream};
use populace::base::time::Tick;
use populace::host::workspace::Workspaces;
use populace::scenario::Scenario;
use populace::simulation::assemble::{AssembleOptions, Assembly, assemble};
use populace::simulation::tick::Phases;
use populace::skill::script::script_hooks;
use populace::step::serve::hooks::Scripts;
use populace::step::state::{Chunks, Rows};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tempfile::TempDir;

use crate::support::faulty::Faulty;
use crate::support::invariants::Watch;

const TICKS: u32 = 36;
/// From here on nothing goes wrong any more, and everything must come to its end.
const WELL_FROM: u32 = 26;

const SCENARIO: &str = "\
name: faults
clock: { start: 2026-03-02T05:00:00, tick_s: 1200, ticks: 36 }
population: { source: synthetic, persons: 14 }
environment: { city: { source: grid, zones_x: 3, zones_y: 3, zone_m: 700 } }
skills:
  roots: [skills]
  default_activated: [daily-guidance, speaks, asks]
  answers: { 'May I?': 'yes' }
records: { tables: [default, workspace], log: all, workspace: changes }
failures: { allowed_share: 1 }
";

/// Asks a script, the environment, another skill and somebody, and begins again until all answered.
const ASKS: &str = "\
dialect: bt_cpp
blackboard:
  seven: number
  seen: text
  go: text
  hook.mood: { type: int, initial: 0 }
trees:
  Main:
    RetryUntilSuccessful:
      num_attempts: -1
      child:
        Sequence:
          - run_script: { script: seven.sh, output: '{seven}' }
          - check: { if: 'seven == 7' }
          - ask_environment: { tool: observe, answer: '{seen}' }
          - suspend: { question: 'May I?', answer: '{go}' }
          - check: { if: \"go == 'yes'\" }
          - finish: seven
";

fn skill(roots: &Path, name: &str, head: &str, files: &[(&str, &str)]) {
    let folder = roots.join(name);
    fs::create_dir_all(&folder).unwrap();
    let text = format!("---\nname: {name}\ndescription: d\n{head}---\n");
    fs::write(folder.join("SKILL.md"), text).unwrap();
    files.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
}

/// The scenario, whose scripts are never run. Every tenth seed has a tree in Python beside: an
/// interpreter is then started, which takes longer than all the rest.
struct Stage {
    _folder: TempDir,
    scenario: Scenario,
    with_python: Scenario,
}

impl Stage {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path();
        let skills = root.join("skills");
        let hooks = "hooks: { pre_step: say.sh, post_step: say.sh }\n";
        skill(&skills, "speaks", hooks, &[("say.sh", "#!/bin/sh\n")]);
        let bt = "execution: bt\ntree: tree.yaml\n";
        skill(&skills, "asks", bt, &[("tree.yaml", ASKS), ("seven.sh", "#!/bin/sh\n")]);
        // An input that is declared keeps Python from being asked what the tree is.
        let built = "execution: bt\ninputs: { age: { type: integer } }\n";
        skill(&root.join("python"), "built", built, &[("tree.py", "")]);
        let path = root.join("scenario.yaml");
        fs::write(&path, SCENARIO).unwrap();
        let load = |overrides: &[(&str, &str)]| {
            let owned = |(path, value): &(&str, &str)| ((*path).to_owned(), (*value).to_owned());
            let overrides: Vec<_> = overrides.iter().map(owned).collect();
            Scenario::load(&path, &overrides).unwrap()
        };
        let with_python = load(&[
            ("skills.roots", "[skills, python]"),
            ("skills.default_activated", "[daily-guidance, speaks, asks, built]"),
        ]);
        let scenario = load(&[]);
        Self { _folder: folder, scenario, with_python }
    }

    /// A world whose scripts the faulty host of `seed` answers.
    fn assemble(&self, seed: u64, chunk_len: usize) -> Assembly {
        let is_tenth = seed.is_multiple_of(10);
        let scenario = if is_tenth { &self.with_python } else { &self.scenario };
        let mut scenario = scenario.clone();
        scenario.spec.seed = seed;
        let none: &[PathBuf] = &[];
        let options =
            AssembleOptions { chunk_len, skill_roots: none, overrides: Vec::new(), watch: false };
        let mut assembly = assemble(&scenario, &options).unwrap();
        assert!(assembly.warnings.is_empty(), "{:?}", assembly.warnings);
        let workspaces = Workspaces::create().unwrap();
        let host = Faulty::new(seed, workspaces.root().to_owned(), WELL_FROM);
        let (hooks, count) = (script_hooks(&assembly.registry), assembly.person_count);
        let scripts = Scripts::new(Box::new(host), Some(workspaces), hooks, count, true);
        assembly.world.insert_resource(scripts);
        assembly
    }
}

/// What is left of a run: failures, results by skill, and where everybody is.
#[derive(Debug, PartialEq)]
struct Ending {
    failures: usize,
    results: BTreeMap<String, usize>,
    state: Vec<(Whereabouts, Needs)>,
}

/// Runs one seed; every broken invariant is an error.
fn simulate(stage: &Stage, seed: u64) -> Result<Ending, String> {
    let chunk_len = 1 + Stream::of_index(seed, 0, Purpose::ModelSetup).below(16) as usize;
    simulate_in_chunks(stage, seed, chunk_len)
}

fn simulate_in_chunks(stage: &Stage, seed: u64, chunk_len: usize) -> Result<Ending, String> {
    let mut assembly = stage.assemble(seed, chunk_len);
    let (clock, persons) = (assembly.clock, assembly.person_count);
    let (mut phases, mut watch) = (Phases::default(), Watch::default());
    let (mut failures, mut results) = (0, BTreeMap::new());
    for tick in (0..TICKS).map(Tick) {
        let context = StepContext::new(seed, clock, tick);
        phases.step(&mut assembly.world, context, |_, _| {});
        let mut faults = watch.faults(&mut assembly.world, persons, context.time);
        let mut rows = Rows::default();
        for state in &mut assembly.world.resource_mut::<Chunks>().states {
            let mut own = std::mem::take(&mut state.rows);
            rows.steps.append(&mut own.steps);
            for row in 0..own.results.len() {
                let id = own.results.skill_id.get(row).unwrap_or_default().to_owned();
                *results.entry(id).or_insert(0) += 1;
            }
            failures += state.failures.drain(..).count();
            state.hook_texts.clear();
            state.tally = Default::default();
        }
        if rows.steps.len() != persons {
            faults.push(format!("{} rows of steps for {persons} persons", rows.steps.len()));
        }
        if !faults.is_empty() {
            return Err(format!("tick {}: {}", tick.0, faults.join("; ")));
        }
    }
    let mut people = assembly.world.query::<(&Whereabouts, &Needs)>();
    let state = people.iter(&assembly.world).map(|(at, needs)| (*at, *needs)).collect();
    // The host was well in the end: everybody's tree has come to its end, once.
    let ended = |skill: &str| results.get(skill).copied().unwrap_or(0);
    if ended("custom@asks") != persons || ended("custom@built") > persons {
        return Err(format!("of {persons} persons' trees these ended: {results:?}"));
    }
    Ok(Ending { failures, results, state })
}

/// The seeds of `FAULT_SEEDS`, or the usual ones.
fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("FAULT_SEEDS") else { return 0..1_000 };
    let number = |text: &str| text.trim().parse::<u64>().expect("FAULT_SEEDS is A..B or a number");
    match text.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => number(&text)..number(&text) + 1,
    }
}

#[test]
fn a_thousand_seeds_of_faults_break_nothing() {
    let stage = Stage::new();
    let told = |seed| {
        let told = catch_unwind(AssertUnwindSafe(|| simulate(&stage, seed)));
        let told = told.unwrap_or_else(|_| Err("a panic, shown above".to_owned()));
        told.map(|ending| ending.failures).map_err(|why| {
            format!("seed {seed}: {why}\nreproduce: FAULT_SEEDS={seed} cargo test --test it faults")
        })
    };
    let failures: Result<usize, String> = seeds().into_par_iter().map(told).sum();
    let failures = failures.unwrap_or_else(|why| panic!("{why}"));
    assert!(failures > 0, "a host that fails was never heard of");
}

/// The same seed in other chunks comes to the same end.
#[test]
fn faults_are_the_same_in_any_chunks() {
    let stage = Stage::new();
    for seed in 0..20 {
        let [one, other] = [1, 14].map(|len| simulate_in_chunks(&stage, seed, len).unwrap());
        assert_eq!(one, other, "seed {seed}");
    }
}

/// The checkers can fail: a person is put on a trip that ends where it began, and needs too much.
#[test]
fn a_broken_world_is_told() {
    let stage = Stage::new();
    let mut assembly = stage.assemble(0, 5);
    let context = StepContext::new(0, assembly.clock, Tick(0));
    Phases::default().step(&mut assembly.world, context, |_, _| {});
    let count = assembly.person_count;
    let world = &mut assembly.world;
    let mut people = world.query::<(&AgentId, &mut Whereabouts, &mut Trip, &mut Needs)>();
    for (agent, mut at, mut trip, mut needs) in people.iter_mut(world) {
        match agent.0 {
            3 => {
                at.place = PlaceId::NONE;
                trip.arrive = trip.depart;
            }
            4 => needs.0[0] = 1.5,
            5 => at.since.0 += 100_000,
            _ => {}
        }
    }
    let told = Watch::default().faults(world, count, context.time).join("\n");
    for part in ["agent 3: travels without end", "agent 4: needs", "agent 5: came at"] {
        assert!(told.contains(part), "{part:?} is not in\n{told}");
    }
    assert!(
        Watch::default().faults(world, count + 1, context.time).join("").contains("persons of")
    );
}
