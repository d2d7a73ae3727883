//! Trees that Python builds, in runs: taken over where the engine knows every leaf, run by Python
//! else. Right values: the document's own examples, contract 2.2 to 2.10 of the SKILL.md dialects.

use std::collections::BTreeSet;
use std::process::Command;

use populace::record::{RunReader, TableId};
use serde_json::{Value, json};

use crate::support::town::{Town, failures, households, results};
use crate::support::{RunDir, python, root};

/// The usual interpreter, which need not have py_trees. None where there is no Python: the test
/// says so and is skipped.
fn plain_python() -> Option<()> {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: no python3");
    }
    found.then_some(())
}

/// The values of one skill, of all persons.
fn values(run: &RunDir, skill: &str) -> Vec<Value> {
    let found = results(&run.path());
    found.into_iter().filter(|((_, id), _)| id == skill).map(|(_, value)| value).collect()
}

#[test]
fn the_examples_of_the_document_run_for_every_person() {
    let Some(()) = plain_python() else { return };
    let seeds = root().join("tests/cases/jianmu_seed");
    let skills = "  default_activated: [bt-echo, bt-with-tool, bt-interaction]\n";
    let question = "请确认研究范围：只看国内方案，还是包含海外方案？";
    let answers = format!("  answers: {{ '{question}': 国内 }}\n");
    let small = ["--agents", "7", "--ticks", "6"];
    for answer in [None, Some(answers.as_str())] {
        let town = Town::new(&format!("{skills}{}", answer.unwrap_or_default()));
        let path = town.path();
        let text = std::fs::read_to_string(&path).unwrap();
        let roots = format!("roots: [{}]", seeds.display());
        std::fs::write(&path, text.replace("roots: [skills]", &roots)).unwrap();
        let run = town.run(&small);
        let answer_of = |skill: &str| -> Vec<Value> {
            values(&run, skill).into_iter().map(|value| value["final_answer"].clone()).collect()
        };
        assert_eq!(answer_of("custom@bt-echo"), vec![json!("BT skill handled the request: "); 7]);
        assert_eq!(answer_of("custom@bt-with-tool"), vec![json!("2 + 3 = 5"); 7]);
        let scope = if answer.is_some() { vec![json!("范围：国内"); 7] } else { Vec::new() };
        assert_eq!(answer_of("custom@bt-interaction"), scope);
        assert_eq!(failures(&run.path()), []);
    }
}

const TAKEN_OVER: &str = r#"
from populace import leaf
import py_trees

BLACKBOARD = {"doubled": "int"}


def build_tree(ctx):
    return py_trees.composites.Sequence("both", memory=True, children=[
        leaf("wait", minutes=20),
        leaf("check", if_="self.age >= 0"),
        leaf("set", code="doubled := 2 * self.age", name="double"),
        leaf("finish", result="doubled"),
    ])
"#;

#[test]
fn a_tree_of_known_leaves_is_the_engines_own() {
    let python = match python::py_trees() {
        Ok(path) => path.display().to_string(),
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let town = Town::new("  default_activated: [built]\n").skill(
        "built",
        "execution: bt\n",
        &[("tree.py", TAKEN_OVER)],
    );
    let set = [format!("scripts.python={python}"), "records.bt_trace=changed".to_owned()];
    let run = town.run(&["--ticks", "6", "--set", &set[0], "--set", &set[1]]);
    assert_eq!(failures(&run.path()), []);
    let ages = households(&run.path()).0;
    let doubled: Vec<Value> = ages.iter().map(|age| json!({ "result": 2 * age })).collect();
    assert_eq!(values(&run, "custom@built"), doubled);
    let table = RunReader::open(&run.path()).unwrap().table(TableId::BtTrace).unwrap();
    let rows = table.read().unwrap();
    let names: BTreeSet<_> = rows.texts("name").unwrap().into_iter().flatten().collect();
    assert_eq!(names, BTreeSet::from(["both", "check", "double", "finish", "wait"]));
}

const OF_A_PERSON: &str = "
from jianmu.node.base import Node
from jianmu.tree import Status


class Judge(Node):
    def __init__(self, ctx):
        super().__init__(name='judge')
        self.ctx = ctx

    def update(self):
        if self.ctx.inputs['age'] < 40:
            raise ValueError('too young')
        self.state_manager.update(
            {'done': True, self.ctx.skill_result_key: {'old': self.ctx.inputs}},
            namespace=self.ctx.namespace, signal=False,
        )
        return Status.SUCCESS


def build_tree(ctx):
    return Judge(ctx)
";

/// A run that fails is over for its person, told once, and stops nobody else; who is called by
/// another tree says so to that one.
#[test]
fn a_run_in_python_has_its_persons_attributes_and_fails_alone() {
    let Some(()) = plain_python() else { return };
    let fields = "execution: bt\ninputs: { age: { type: integer } }\n";
    let town = Town::new("  default_activated: [judge, caller]\n")
        .skill("judge", fields, &[("tree.py", OF_A_PERSON)])
        .tree(
            "caller",
            "\
blackboard: { told: text }
trees:
  Main:
    Fallback:
      - Sequence:
          - call_skill: { skill: judge, result: '{told}' }
          - finish: told
      - finish: \"'young'\"
",
        );
    let more = ["--ticks", "8", "--set", "failures.allowed_share=1"];
    let run = town.run(&[&more[..], &["--set", "scripts.failures_max=100"]].concat());
    let ages = households(&run.path()).0;
    let old: Vec<i64> = ages.iter().copied().filter(|age| *age >= 40).collect();
    assert!(!old.is_empty() && old.len() < ages.len(), "the city has both");
    let judged = values(&run, "custom@judge");
    let age = |value: &Value| value["skill_result"]["old"]["age"].as_i64();
    assert_eq!(judged.iter().filter_map(age).collect::<Vec<_>>(), old);
    let young = |value: &Value| value["result"] == "young";
    let called = values(&run, "custom@caller");
    assert_eq!(called.iter().filter(|value| young(value)).count(), ages.len() - old.len());
    let told = failures(&run.path());
    // Once for the skill itself, once for the call of it.
    assert_eq!(told.len(), 2 * (ages.len() - old.len()));
    assert!(told.iter().all(|(_, _, why)| why.contains("too young")), "{told:?}");
    let persons: BTreeSet<u32> = told.iter().map(|(agent, ..)| *agent).collect();
    assert_eq!(persons.len(), ages.len() - old.len());
    // Whatever the threads and chunks.
    let other =
        town.run(&[&more[..], &["--set", "scripts.failures_max=100", "--threads", "1"]].concat());
    assert_eq!(run.hash(), other.hash());
}
