//! Calls of the environment's tools: by the desk in a running world, and from the command line.

use populace::agent::activity::PlaceKind;
use populace::agent::environment_call::{AnswerStatus, EnvironmentAnswer};
use populace::agent::whereabouts::{Trip, Whereabouts};
use populace::base::context::StepContext;
use populace::base::ids::{AgentId, PlaceId};
use populace::base::parallel;
use populace::base::time::Tick;
use populace::environment::tools::{TOOLS, ToolKind, read_call};
use populace::scenario::Scenario;
use populace::simulation::assemble::{AssembleOptions, Assembly, assemble};
use populace::simulation::tick::Phases;
use populace::step::desk::EnvironmentDesk;
use populace::step::state::Town;

use crate::support::{populace, root, stderr};

/// A city of 50 persons in chunks of 8, so that asking persons lie in different chunks.
fn city() -> Assembly {
    let agents = ("population.agents".to_owned(), "50".to_owned());
    let scenario = Scenario::load(&root().join("scenarios/synthetic_city"), &[agents]).unwrap();
    let options =
        AssembleOptions { chunk_len: 8, skill_roots: &[], overrides: Vec::new(), watch: false };
    assemble(&scenario, &options).unwrap()
}

fn ask(assembly: &mut Assembly, agent: u32, argv: &[&str]) {
    let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
    let call = read_call(AgentId(agent), &argv, false).unwrap();
    assembly.world.resource_mut::<EnvironmentDesk>().ask(call);
}

fn step(assembly: &mut Assembly, phases: &mut Phases, tick: u32) -> Vec<EnvironmentAnswer> {
    let context = StepContext::new(assembly.seed, assembly.clock, Tick(tick));
    phases.step(&mut assembly.world, context, |_, _| {});
    assembly.world.resource_mut::<EnvironmentDesk>().take_answers()
}

fn body_of(assembly: &mut Assembly, agent: u32) -> (Whereabouts, Trip) {
    let mut people = assembly.world.query::<(&AgentId, &Whereabouts, &Trip)>();
    let found = people.iter(&assembly.world).find(|(id, ..)| id.0 == agent);
    found.map(|(_, at, trip)| (*at, *trip)).unwrap()
}

fn first_shop(assembly: &Assembly) -> PlaceId {
    let places = &assembly.world.resource::<Town>().0.places;
    let mut all = (0..places.len()).map(PlaceId::from_index);
    all.find(|place| places.kind(*place) == PlaceKind::Shop).unwrap()
}

/// What two persons, in different chunks, are told and do in the first two ticks.
fn two_ticks(threads: usize) -> (Vec<EnvironmentAnswer>, Trip) {
    parallel::with_threads(threads, || {
        let (mut assembly, mut phases) = (city(), Phases::default());
        let shop = first_shop(&assembly);
        ask(&mut assembly, 40, &["send_message", "--to", "3"]);
        ask(&mut assembly, 40, &["observe", "--person", "3"]);
        ask(&mut assembly, 3, &["move_to", "--place", &shop.to_string()]);
        ask(&mut assembly, 3, &["observe"]);
        let mut answers = step(&mut assembly, &mut phases, 0);
        let (at, trip) = body_of(&mut assembly, 3);
        assert!(at.travelling() && trip.destination == shop, "{at:?} {trip:?}");
        ask(&mut assembly, 3, &["receive_messages"]);
        ask(&mut assembly, 3, &["move_to", "--place", "0"]);
        answers.extend(step(&mut assembly, &mut phases, 1));
        (answers, trip)
    })
    .unwrap()
}

/// DESIGN, the two-buffer rule: answers by agent, from before anybody acted; the move begins a
/// trip in the same tick, the letter is read in the next.
#[test]
fn answers_come_by_agent_and_acts_in_the_act_phase() {
    let (answers, trip) = two_ticks(1);
    let who: Vec<u32> = answers.iter().map(|answer| answer.agent.0).collect();
    assert_eq!(who, [3, 3, 40, 40, 3, 3]);
    assert_eq!(answers[0].status, AnswerStatus::InProgress);
    // Both see person 3 still at home, although the move was asked for before.
    for told in [&answers[1], &answers[3]] {
        assert_eq!(told.value["place_kind"], "home", "{}", told.text);
    }
    assert_eq!(answers[4].value, serde_json::json!([{"from": 40, "kind": "chat"}]));
    assert_eq!(answers[5].status, AnswerStatus::Fail);
    assert_eq!(two_ticks(8), (answers, trip));
}

/// Who asks twice to leave does so once; the second is a failure in the tables.
#[test]
fn a_second_move_in_one_tick_is_a_failure_of_the_person() {
    let (mut assembly, mut phases) = (city(), Phases::default());
    let shop = first_shop(&assembly).to_string();
    ask(&mut assembly, 3, &["move_to", "--place", &shop]);
    ask(&mut assembly, 3, &["stop_event"]);
    step(&mut assembly, &mut phases, 0);
    let chunks = assembly.world.resource::<populace::step::state::Chunks>();
    let failures: Vec<_> = chunks.states.iter().flat_map(|state| &state.failures).collect();
    assert_eq!(failures.len(), 1);
    assert_eq!((failures[0].agent, failures[0].code), (AgentId(3), "asked-under-way"));
    assert_eq!(body_of(&mut assembly, 3).1.count, 1);
}

fn run_skill(extra: &[&str]) -> (i32, serde_json::Value) {
    let scenario = ["--scenario", "scenarios/synthetic_city", "--agents", "50"];
    let output = populace()
        .args(["skills", "run", "env:City@mobility"])
        .args(scenario)
        .args(extra)
        .output()
        .unwrap();
    let result = serde_json::from_slice(&output.stdout);
    (output.status.code().unwrap(), result.unwrap_or_else(|_| panic!("{}", stderr(&output))))
}

/// Contracts 1.4 (the five fields, in order) and 1.8 (`redirected_to`).
#[test]
fn the_command_asks_the_environment_of_a_scenario() {
    let (code, result) = run_skill(&["--agent", "3", "--tick", "2", "--", "get_time"]);
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["ok", "exit_code", "stdout", "stderr", "error_type"]);
    assert_eq!((code, &result["ok"]), (0, &serde_json::json!(true)));
    let told: serde_json::Value = serde_json::from_str(result["stdout"].as_str().unwrap()).unwrap();
    assert_eq!((&told["redirected_to"], &told["status"]), (&"ask_env".into(), &"success".into()));
    // The second tick of a run that starts at 03:00 with ticks of 300 s.
    assert_eq!(told["value"]["time"], "2026-03-02T03:05:00");

    let (code, result) = run_skill(&["--agent", "3", "--readonly", "--", "stop_event"]);
    assert_eq!((code, &result["error_type"]), (1, &"validation".into()));
    assert!(result["stderr"].as_str().unwrap().contains("read-only"));
    let (code, result) = run_skill(&["--agent", "50"]);
    assert_eq!(code, 1);
    assert!(result["stderr"].as_str().unwrap().contains("allowed is 0 to 49"));
}

/// The built-in document lists the tools as they are.
#[test]
fn the_document_of_the_built_in_skill_lists_every_tool() {
    let text = std::fs::read_to_string(root().join("skills/mobility/SKILL.md")).unwrap();
    let listed: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let row = |tool: &populace::environment::tools::Tool| {
        let kind = match tool.kind {
            ToolKind::Observe => "observe",
            ToolKind::Statistics => "statistics",
            ToolKind::Act => "act",
        };
        format!("| `{}` | {kind} | {} |", tool.signature(), tool.about)
    };
    assert_eq!(listed, TOOLS.iter().map(row).collect::<Vec<_>>());
}
