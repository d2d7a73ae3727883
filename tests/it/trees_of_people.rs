//! Behaviour trees in runs: what the leaves of persons do, and a model written only as a tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use populace::record::{RunReader, TableId, manifest::Manifest};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{RunDir, checks::check_run, populace, stderr};

/// A small city, with skills beside it.
struct Town {
    folder: TempDir,
}

const SCENARIO: &str = "\
name: trees
clock: { start: 2026-03-02T03:00:00, tick_s: 600, ticks: 60 }
population: { source: synthetic, persons: 60 }
environment: { city: { source: grid, zones_x: 4, zones_y: 4, zone_m: 500 } }
";

impl Town {
    /// `skills` is the scenario's section of that name, without its roots.
    fn new(skills: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let text = format!("{SCENARIO}skills:\n  roots: [skills]\n{skills}");
        std::fs::write(folder.path().join("scenario.yaml"), text).unwrap();
        Self { folder }
    }

    fn skill(self, name: &str, fields: &str, files: &[(&str, &str)]) -> Self {
        let folder = self.folder.path().join("skills").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {name}\ndescription: a test\n{fields}---\n");
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        self
    }

    fn tree(self, name: &str, tree: &str) -> Self {
        self.skill(name, "execution: bt\ntree: tree.yaml\n", &[("tree.yaml", tree)])
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("scenario.yaml")
    }

    fn run(&self, more: &[&str]) -> RunDir {
        let path = self.path();
        RunDir::of(&[&[path.to_str().unwrap()], more].concat())
    }
}

/// Who ended which skill with what.
fn results(run: &Path) -> BTreeMap<(u32, String), Value> {
    let rows = RunReader::open(run).unwrap().table(TableId::SkillResults).unwrap().read().unwrap();
    let (agents, skills) = (rows.u32s("agent_id").unwrap(), rows.texts("skill_id").unwrap());
    let texts = rows.texts("result").unwrap();
    let one = |row: usize| {
        let key = (agents[row], skills[row].unwrap().to_owned());
        (key, serde_json::from_str(texts[row].unwrap()).unwrap())
    };
    (0..rows.len()).map(one).collect()
}

/// Ages of persons, and the numbers of the members of each one's household.
fn households(run: &Path) -> (Vec<i64>, Vec<Vec<u32>>) {
    let rows = RunReader::open(run).unwrap().table(TableId::Persons).unwrap().read().unwrap();
    let (agents, houses) = (rows.u32s("agent_id").unwrap(), rows.i64s("household_id").unwrap());
    let ages: Vec<i64> = rows.u32s("age").unwrap().into_iter().map(i64::from).collect();
    let members = houses.iter().map(|house| {
        let same = agents.iter().zip(&houses).filter(|(_, other)| *other == house);
        same.map(|(agent, _)| *agent).collect()
    });
    (ages, members.collect())
}

fn failures(run: &Path) -> Vec<(u32, String, String)> {
    let rows = RunReader::open(run).unwrap().table(TableId::Failures).unwrap().read().unwrap();
    let (agents, codes) = (rows.u32s("agent_id").unwrap(), rows.texts("code").unwrap());
    let messages = rows.texts("message").unwrap();
    let text = |texts: &[Option<&str>], row: usize| texts[row].unwrap().to_owned();
    (0..rows.len()).map(|row| (agents[row], text(&codes, row), text(&messages, row))).collect()
}

fn manifest(run: &Path) -> Manifest {
    RunReader::open(run).unwrap().manifest().clone()
}

/// Right values from table `persons`, by the definition of each aggregate.
#[test]
fn others_of_the_household_and_at_the_place_are_counted() {
    let town = Town::new("  default_activated: [look]\n").skill(
        "look",
        "execution: bt\ntree: tree.yaml\nrequired: [members, here, years]\n",
        &[(
            "tree.yaml",
            "\
dialect: py_trees
blackboard: { members: int, here: int, years: int, oldest: int, near: bool, told: number }
trees:
  Main:
    Sequence:
      - set: 'members := count(household, true); here := count(here, other.at_home)'
      - set: 'years := sum(household, other.age); near := any(neighbours, other.age >= 0)'
      - set: 'oldest := members > 0 ? max_of(household, other.age) : -1'
      - set: 'told := self.age + 0.5'
      # What others hold is seen as it was when the phase began: unset at first.
      - finish: { result: 'any(household, other.years > 0) ? 1 : 0' }
",
        )],
    );
    let text = std::fs::read_to_string(town.folder.path().join("skills/look/tree.yaml")).unwrap();
    let text = text.replace("years: int,", "years: { type: int, initial: 0 },");
    std::fs::write(town.folder.path().join("skills/look/tree.yaml"), text).unwrap();
    let run = town.run(&[]);
    let found = results(&run.path());
    let (ages, members) = households(&run.path());
    assert_eq!(found.len(), ages.len());
    for ((agent, skill), result) in found {
        assert_eq!(skill, "custom@look");
        let others: Vec<i64> = members[agent as usize]
            .iter()
            .filter(|member| **member != agent)
            .map(|member| ages[*member as usize])
            .collect();
        let row = |name: &str| result[name].as_i64();
        assert_eq!(row("members"), Some(others.len() as i64), "{result}");
        // In the first tick everybody is at home, where only the household lives.
        assert_eq!(row("here"), Some(others.len() as i64), "{result}");
        assert_eq!(row("years"), Some(others.iter().sum()), "{result}");
        assert_eq!(row("result"), Some(0), "{result}");
    }
    assert!(failures(&run.path()).is_empty());
}

const EVERY_LEAF: &str = "\
dialect: bt_cpp
blackboard:
  twice: int
  seen: text
  go: text
  called: int
  draws: { type: int, initial: 0 }
trees:
  Main:
    Sequence:
      - set_need: { need: hunger, to: 0.25 }
      - check: { if: 'abs(needs.hunger - 0.25) < 0.000001' }
      - run_script: { script: double.rhai, arguments: 'self.age', output: '{twice}' }
      - ask_environment: { tool: observe, answer: '{seen}' }
      - suspend: { question: 'May I?', answer: '{go}' }
      - check: { if: \"go == 'yes'\" }
      - call_skill: { skill: helper, result: '{called}' }
      - choose:
          weights: '0; self.age >= 0 ? 2 : 0'
          children:
            - AlwaysFailure
            - set: { code: 'draws := draws + 1' }
      - go_to: { to: near, for: shopping }
      - check: { if: \"here.kind == 'shop' && here.arrived\" }
      - do_activity: { activity: shopping, minutes: 25 }
      - go_to: home
      - check: here.at_home
      - send_message: { to: household, about: news }
      - finish: { result: 'time.minute' }
";

/// Right values: a double is twice the age; the helper waits 20 minutes, so that its result is two
/// ticks after its beginning; scripts, tools and answers take a tick each.
#[test]
fn every_leaf_does_what_the_catalogue_says() {
    let skills = "  default_activated: [every-leaf]\n  answers: { 'May I?': 'yes' }\n";
    let town = Town::new(skills)
        .skill(
            "every-leaf",
            "execution: bt\ntree: tree.yaml\n\
             outputs: { twice: {}, seen: {}, called: {}, draws: {} }\n",
            &[
                ("tree.yaml", EVERY_LEAF),
                ("double.rhai", "fn entrypoint(argv, person) { parse_int(argv[0]) * 2 }"),
            ],
        )
        .tree(
            "helper",
            "\
dialect: py_trees
blackboard: { begun: { type: int, initial: -1 } }
trees:
  Main:
    Sequence:
      - set: 'begun := begun < 0 ? time.minute : begun'
      - wait: 20
      - finish: { result: 'time.minute - begun' }
",
        );
    let run = town.run(&["--set", "records.tables=[default, messages]"]);
    assert_eq!(failures(&run.path()), []);
    let found = results(&run.path());
    let (ages, members) = households(&run.path());
    assert_eq!(found.len(), ages.len(), "everybody is done");
    for ((agent, _), result) in &found {
        assert_eq!(result["twice"].as_i64(), Some(2 * ages[*agent as usize]), "{result}");
        assert_eq!(result["called"].as_i64(), Some(20), "{result}");
        assert_eq!(result["draws"].as_i64(), Some(1), "{result}");
        assert!(result["seen"].as_str().is_some_and(|seen| seen.contains("home")), "{result}");
        // Three requests of a tick each and 20 minutes of waiting, then the shop and the way.
        assert!(result["result"].as_i64() >= Some(3 * 60 + 30 + 20 + 25), "{result}");
    }
    let reader = RunReader::open(&run.path()).unwrap();
    let letters = reader.table(TableId::Messages).unwrap().read().unwrap();
    let sent: usize = members.iter().map(|members| members.len() - 1).sum();
    assert_eq!(letters.len(), sent, "one to each other member");
    let trips = reader.table(TableId::Trips).unwrap().read().unwrap();
    assert_eq!(trips.len(), 2 * ages.len(), "there and back");
    let origins = reader.table(TableId::Stays).unwrap().read().unwrap();
    assert!(origins.texts("origin").unwrap().contains(&Some("tree")));
}

/// The rules of the model, followed by hand: food for 1 day at first and for 3 after a purchase is
/// used up in the nights before Tuesday and Friday.
#[test]
fn households_shop_on_tuesday_and_friday() {
    let run = RunDir::of(&["scenarios/shop_on_the_way", "--set", "records.bt_trace=sample"]);
    check_run(&run.path());
    assert_eq!(failures(&run.path()), []);
    let reader = RunReader::open(&run.path()).unwrap();
    let trips = reader.table(TableId::Trips).unwrap().read().unwrap();
    let (ages, members) = households(&run.path());
    let persons = reader.table(TableId::Persons).unwrap().read().unwrap();
    let works = persons.u32s("work_place").unwrap();
    let houses = persons.i64s("household_id").unwrap();
    let (agents, purposes) = (trips.u32s("agent_id").unwrap(), trips.texts("purpose").unwrap());
    let (departs, origins) =
        (trips.timestamps_ms("depart").unwrap(), trips.u32s("origin_place").unwrap());
    let mut bought: BTreeMap<(i64, i64), usize> = BTreeMap::new();
    let mut from_work = 0;
    for row in (0..trips.len()).filter(|row| purposes[*row] == Some("shopping")) {
        let agent = agents[row] as usize;
        assert!(ages[agent] >= 18, "a child shops");
        // Monday 2 March 2026 is day 20514 since 1970.
        let day = departs[row].div_euclid(86_400_000) - 20_514;
        *bought.entry((houses[agent], day)).or_default() += 1;
        from_work += usize::from(origins[row] == works[agent]);
    }
    let days: BTreeSet<i64> = bought.keys().map(|(_, day)| *day).collect();
    assert_eq!(days, BTreeSet::from([1, 4]));
    let with_adult: BTreeSet<i64> = (0..ages.len())
        .filter(|agent| members[*agent].iter().any(|member| ages[*member as usize] >= 18))
        .map(|agent| houses[agent])
        .collect();
    // Nearly all buy exactly once on each of the two days: only two who leave within one tick of
    // each other both do.
    let once = bought.values().filter(|count| **count == 1).count();
    assert!(once as f64 >= 0.9 * bought.len() as f64, "{once} of {}", bought.len());
    assert!(bought.len() >= 2 * with_adult.len() * 95 / 100, "{} purchases", bought.len());
    assert!(from_work as f64 >= 0.4 * bought.len() as f64, "{from_work} on the way");
    let trace = reader.table(TableId::BtTrace).unwrap().read().unwrap();
    let statuses: BTreeSet<_> = trace.texts("status").unwrap().into_iter().flatten().collect();
    assert!(["RUNNING", "SUCCESS", "FAILURE"].iter().all(|status| statuses.contains(status)));
}

#[test]
fn threads_and_chunks_change_nothing_in_trees() {
    let run = |more: &[&str]| {
        let mut args = vec!["scenarios/shop_on_the_way", "--ticks", "400", "--agents", "500"];
        args.extend(["--set", "records.bt_trace=changed"]);
        args.extend_from_slice(more);
        RunDir::of(&args).hash()
    };
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "2"]));
    assert_eq!(one, run(&["--threads", "2", "--chunk", "37"]));
}

/// A tree that holds the person keeps the Story waiting; then the Story goes on.
#[test]
fn a_tree_that_waits_holds_the_story() {
    let town = Town::new("  default_activated: [daily-guidance, late-riser]\n")
        .tree("late-riser", "trees: { Main: { Sequence: [ { stay_until: '11:00' }, finish ] } }");
    let run = town.run(&["--set", "records.tables=[default, messages]"]);
    let reader = RunReader::open(&run.path()).unwrap();
    let trips = reader.table(TableId::Trips).unwrap().read().unwrap();
    let departs = trips.timestamps_ms("depart").unwrap();
    let minute = |ms: &i64| ms.rem_euclid(86_400_000) / 60_000;
    assert!(departs.iter().all(|depart| minute(depart) >= 11 * 60));
    assert!(departs.iter().any(|depart| minute(depart) == 11 * 60), "all stay where they are");
    assert_eq!(results(&run.path()).len(), households(&run.path()).0.len());
}

#[test]
fn what_a_hook_says_is_on_the_blackboard() {
    let town = Town::new("  default_activated: [mood]\n").skill(
        "mood",
        "execution: bt\ntree: tree.yaml\nhooks: { pre_step: hook.rhai }\n\
         outputs: { hook.mood: {} }\n",
        &[
            ("hook.rhai", "fn pre_step(person, moment) { #{ mood: person.age / 2, x: 1 } }"),
            (
                "tree.yaml",
                "\
blackboard: { hook.mood: int }
trees:
  Main:
    Sequence:
      - check: { if: 'hook.mood >= 0' }
      - finish: { result: 'hook.mood * 2' }
",
            ),
        ],
    );
    let run = town.run(&["--ticks", "2"]);
    assert_eq!(failures(&run.path()), []);
    let ages = households(&run.path()).0;
    let found = results(&run.path());
    assert_eq!(found.len(), ages.len());
    for ((agent, _), result) in found {
        assert_eq!(result["hook.mood"].as_i64(), Some(ages[agent as usize] / 2));
    }
}

/// One bad skill stops no other, and says where it is wrong.
#[test]
fn bad_trees_are_told_and_stop_nothing() {
    let good = "trees: { Main: { Sequence: [ finish ] } }";
    let town = Town::new("  default_activated: [good, wrong, calls-wrong, circle, fails, owes]\n")
        .tree("good", good)
        .tree("wrong", "trees:\n  Main:\n    Sequence:\n      - go_to: { to: moon }\n      - fly\n")
        .tree("calls-wrong", "trees: { Main: { Sequence: [ { call_skill: wrong }, finish ] } }")
        .tree("circle", "trees: { Main: { Sequence: [ { call_skill: circle }, finish ] } }")
        .tree(
            "fails",
            "\
blackboard: { nothing: int }
trees:
  Main:
    Sequence:
      - check: { if: 'nothing > 1' }
",
        )
        .skill(
            "owes",
            "execution: bt\ntree: tree.yaml\nrequired: [owed]\n",
            &[(
                "tree.yaml",
                "blackboard: { owed: int }\ntrees: { Main: { Sequence: [ finish ] } }",
            )],
        );
    let run = town.run(&["--ticks", "3", "--set", "failures.allowed_share=1"]);
    let warnings = manifest(&run.path()).warnings.join("\n");
    for part in [
        "tree.yaml:4: bad-port: `to` is `moon`; it must be one of home, work, school",
        "tree.yaml:5: unknown-node: `fly` is no node",
        "the tree of custom@wrong cannot be used here",
        "calls itself",
    ] {
        assert!(warnings.contains(part), "{part:?} is not in\n{warnings}");
    }
    let found = results(&run.path());
    let count = households(&run.path()).0.len();
    assert_eq!(found.keys().filter(|(_, skill)| skill == "custom@good").count(), count);
    assert_eq!(found.len(), count);
    let told = failures(&run.path());
    let of = |code: &str| told.iter().filter(|(_, other, _)| other == code).count();
    assert_eq!(of("tree"), 3 * count, "a failing tree is tried in every tick");
    assert_eq!(of("missing-output"), count, "a skill ends once");
    let (.., message) = told.iter().find(|(_, code, _)| code == "tree").unwrap();
    assert!(message.contains("`nothing` is not set") && message.contains("line 5"), "{message}");
}

#[test]
fn a_tree_of_persons_is_linted_and_not_rehearsed() {
    let file = "scenarios/shop_on_the_way/skills/errands/tree.yaml";
    let lint = populace().args(["tree", "lint", file]).output().unwrap();
    assert!(lint.status.success(), "{}", stderr(&lint));
    let run = populace().args(["tree", "run", file, "--ticks", "1"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("`receive` is for persons"), "{}", stderr(&run));
}

/// Contract 2.7: a run of a skill leaks into no other. Each begins when it is begun and waits its
/// own 20 minutes.
#[test]
fn a_skill_that_is_active_and_called_runs_twice_apart() {
    let town = Town::new("  default_activated: [caller, nap]\n")
        .tree("nap", "trees: { Main: { Sequence: [ { wait: 20 }, { finish: time.minute } ] } }")
        .tree(
            "caller",
            "\
blackboard: { end: int }
trees:
  Main:
    Sequence:
      - wait: 10
      - call_skill: { skill: nap, result: '{end}' }
      - finish: end
",
        );
    let run = town.run(&["--ticks", "5"]);
    let found = results(&run.path());
    let of = |name: &str| -> BTreeSet<Option<i64>> {
        let own = found.iter().filter(|((_, skill), _)| skill == name);
        own.map(|(_, result)| result["result"].as_i64()).collect()
    };
    assert_eq!(of("custom@nap"), BTreeSet::from([Some(3 * 60 + 20)]));
    assert_eq!(of("custom@caller"), BTreeSet::from([Some(3 * 60 + 30)]));
}
