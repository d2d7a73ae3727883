//! An experiment of AgentSociety 2 becomes a scenario that runs; facts about its files are those
//! of release 2.9.3.

use std::path::Path;
use std::process::Output;

use crate::support::{RunDir, checks, populace, stderr};

const CASE: &str = "tests/cases/agentsociety_import";

fn import(init: &str, steps: &str, out: &Path) -> Output {
    let mut command = populace();
    command.args(["import", "agentsociety", init, steps, "--json", "--out"]).arg(out);
    command.output().expect("the command starts")
}

#[test]
fn the_pair_becomes_a_scenario_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("storm.yaml");
    let [init, steps] = ["init_config.json", "steps.yaml"].map(|file| format!("{CASE}/{file}"));
    let output = import(&init, &steps, &out);
    assert_eq!(output.status.code(), Some(1), "something is left out: {}", stderr(&output));
    let items: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let outcome = |what: &str| {
        let found = items.as_array().unwrap().iter().find(|item| item["what"] == what);
        found.map(|item| item["outcome"].as_str().unwrap().to_owned())
    };
    for (what, expected) in [
        ("steps[0] run", "mapped"),
        ("steps[1] intervene", "left out"),
        ("steps[3] questionnaire", "left out"),
        ("env_modules[] MobilitySpace", "left out"),
        ("env_modules[] EventSpace", "mapped"),
        ("agents[].kwargs.max_react_turns", "left out"),
        ("agents[].kwargs.default_activated_skill_ids", "mapped"),
        ("agents[] profile name", "kept"),
        ("agents[] age", "left out"),
    ] {
        assert_eq!(outcome(what).as_deref(), Some(expected), "{what}");
    }

    let scenario = populace::scenario::Scenario::load(&out, &[]).expect("a right scenario");
    let clock = &scenario.spec.clock;
    assert_eq!((clock.tick_s, clock.tick_count()), (300, 36), "12 + 24 steps of 300 s");
    assert_eq!(clock.start, jiff::civil::date(2024, 1, 1).at(8, 0, 0, 0));
    let persons = std::fs::read_to_string(folder.path().join("persons.csv")).unwrap();
    for row in ["1,1,34,female,full_time_worker", "2,2,68,male,retired"] {
        assert!(persons.contains(row), "{persons}");
    }
    for row in ["7,7,20,female,university_student", "9,9,40,other,part_time_worker"] {
        assert!(persons.contains(row), "{persons}");
    }
    assert!(persons.contains("王伟") && persons.contains("李娜"), "{persons}");
    let left = std::fs::read_to_string(folder.path().join("storm.unmapped.yaml")).unwrap();
    assert!(left.contains("activity_intention") && left.contains("A storm is coming"), "{left}");

    let run = RunDir::of(&[out.to_str().unwrap(), "--ticks", "3"]);
    checks::check_run(&run.path());
    let again = import(&init, &steps, &out);
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten by chance");
    assert!(stderr(&again).contains("--force"));
}

/// Rules of the source: each module once, each agent's number once, no empty lists.
#[test]
fn mistakes_are_named_with_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let out = folder.path().join("out.yaml");
    let good = format!("{CASE}/steps.yaml");
    let init = write(
        "init.yaml",
        "env_modules:\n- module_type: EventSpace\n- module_type: EventSpace\nagents:\n\
         - {agent_id: 1, agent_type: PersonAgent}\n- {agent_id: 1, agent_type: PersonAgent}\n",
    );
    let output = import(&init, &good, &out);
    assert_eq!(output.status.code(), Some(2));
    for said in ["init.yaml:3:", "`EventSpace` stands twice", "init.yaml:6:", "agent_id `1`"] {
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
    let init = write("empty.json", "{\"env_modules\": [],\n \"agents\": []}");
    let output = import(&init, &good, &out);
    assert_eq!(output.status.code(), Some(2));
    for said in ["empty.json:1:", "empty.json:2:", "at least 1 entry"] {
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
    let steps = write("steps.yaml", "start_t: soon\nsteps:\n- {type: run, num_steps: 0}\n");
    let output = import(&format!("{CASE}/init_config.json"), &steps, &out);
    assert_eq!(output.status.code(), Some(2));
    for said in ["steps.yaml:1:", "start_t", "steps.yaml:3:", "num_steps"] {
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
    let output = import("absent.json", &steps, &out);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(!out.exists());
}
