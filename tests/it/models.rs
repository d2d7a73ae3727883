//! Standard models through the command: tables, logs, threads, and what is refused.

use std::collections::BTreeMap;

use populace::record::{RunReader, TableId};

use crate::support::{RunDir, populace, stderr};

/// Every model, in a size that several threads share.
const SMALL: [&[&str]; 5] = [
    &["scenarios/random_walk", "--agents", "50000"],
    &["scenarios/schelling", "--set", "model.schelling.activation=simultaneous"],
    &["scenarios/flocking", "--set", "model.flocking.activation=simultaneous"],
    &["scenarios/wolf_sheep"],
    &["scenarios/forest_fire", "--set", "model.forest_fire.height=300"],
];

fn run(args: &[&str], more: &[&str]) -> RunDir {
    RunDir::of(&[args, &["--ticks", "5"], more].concat())
}

#[test]
fn threads_change_nothing_and_a_seed_changes_everything() {
    for args in SMALL {
        let with = |more: &[&str]| run(args, more).hash();
        let one = with(&["--threads", "1"]);
        assert_eq!(one, with(&["--threads", "2"]), "{args:?}");
        assert_eq!(one, with(&["--threads", "8"]), "{args:?}");
        assert_ne!(one, with(&["--seed", "2"]), "{args:?}");
    }
}

/// Hooks are another way to the same tables, and so is nothing else.
#[test]
fn hooks_of_walkers_change_nothing_and_a_generator_does() {
    let with = |more: &[&str]| run(SMALL[0], more).hash();
    let columns = with(&[]);
    assert_eq!(columns, with(&["--set", "model.random_walk.hooks=true"]));
    assert_ne!(columns, with(&["--set", "model.random_walk.generator=mixer"]));
}

/// Rows of `model_agents` by agent: tick, position, state.
fn agents(run: &RunDir) -> BTreeMap<u32, Vec<(u32, f64, f64, String)>> {
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let rows = reader.table(TableId::ModelAgents).expect("a table").read().expect("rows");
    let (ticks, ids) = (rows.u32s("tick").expect("ticks"), rows.u32s("agent_id").expect("ids"));
    let (x, y) = (rows.f64s("x").expect("x"), rows.f64s("y").expect("y"));
    let states = rows.texts("state").expect("states");
    let mut all: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for row in 0..ticks.len() {
        let state = states[row].expect("a state").to_owned();
        let found = (ticks[row], x[row], y[row], state);
        all.entry(ids[row]).or_default().push(found);
    }
    all
}

/// With `changed` a row is written whenever it differs from the one before: filled up, that is
/// what `all` writes, for animals that are born and die too. `sample` keeps whole lives.
#[test]
fn a_log_of_changes_says_what_a_full_one_says() {
    // Animals move in every tick.
    for (scenario, some_stay) in [("scenarios/wolf_sheep", false), ("scenarios/schelling", true)] {
        let small = |log: &str| {
            let log = format!("records.log={log}");
            let size = ["width", "height"].map(|side| {
                format!("model.{}.{side}=60", scenario.trim_start_matches("scenarios/"))
            });
            let mut args = vec![scenario, "--ticks", "12", "--set", &log];
            size.iter().for_each(|size| args.extend(["--set", size]));
            if scenario.ends_with("schelling") {
                args.extend(["--agents", "3000"]);
            }
            agents(&RunDir::of(&args))
        };
        let (all, changed, sample) = (small("all"), small("changed"), small("sample"));
        assert!(all.len() > 1_000);
        let count = |agents: &BTreeMap<u32, Vec<_>>| agents.values().map(Vec::len).sum::<usize>();
        assert_eq!(count(&changed) < count(&all), some_stay, "{scenario}");
        for (agent, rows) in &all {
            let changes = &changed[agent];
            let filled = rows.iter().map(|(tick, ..)| {
                let last = changes.iter().rfind(|change| change.0 <= *tick).expect("a row");
                (*tick, last.1, last.2, last.3.clone())
            });
            assert_eq!(&filled.collect::<Vec<_>>(), rows, "{scenario}: agent {agent}");
        }
        assert!(!sample.is_empty() && sample.len() < all.len() / 20, "{}", sample.len());
        assert!(sample.iter().all(|(agent, rows)| all[agent] == *rows));
    }
}

/// What the command says of a scenario with these overrides.
fn refusal(scenario: &str, overrides: &[&str]) -> String {
    let mut command = populace();
    command.args(["validate", scenario]);
    overrides.iter().for_each(|one| {
        command.args(["--set", one]);
    });
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn what_does_not_go_together_is_refused_with_a_reason() {
    for (scenario, setting, expected) in [
        ("random_walk", "behaviour={}", "`behaviour` does not go with `model`"),
        ("random_walk", "skills={}", "`skills` does not go with `model`"),
        ("random_walk", "model.schelling={}", "`model` names more than one model"),
        ("random_walk", "model={}", "`model` names no model"),
        ("random_walk", "model.random_walk.agent=5", "did you mean `agents`?"),
        ("random_walk", "model.random_walk.agents=0", "expected 1 to 100000000"),
        ("random_walk", "records.tables=[steps]", "the table `steps` is one of persons"),
        ("synthetic_city", "model={random_walk: {}}", "`population` does not go with `model`"),
        ("synthetic_city", "records.tables=[model_agents]", "is one of models"),
        ("schelling", "model.schelling.agents=1000001", "1000001 agents on 1000000 cells"),
        ("schelling", "model.schelling.wanted=25", "25 of 24 neighbours are wanted"),
        ("flocking", "model.flocking.vision=120", "birds see 120 far in a world of 240"),
        ("wolf_sheep", "model.wolf_sheep.activation=simultaneous", "no `simultaneous` activation"),
        ("forest_fire", "model.forest_fire.activation=sequential", "no `sequential` activation"),
    ] {
        let said = refusal(&format!("scenarios/{scenario}"), &[setting]);
        assert!(said.contains(expected), "{scenario} {setting}: {said}");
    }
}

#[test]
fn commands_for_persons_say_that_a_model_has_none() {
    let output = populace()
        .args(["skills", "run", "env:City@mobility", "--scenario", "scenarios/schelling"])
        .args(["--", "get_time"])
        .output()
        .expect("the command starts");
    assert!(!output.status.success());
    assert!(stderr(&output).contains("is a model without persons"), "{}", stderr(&output));
}
