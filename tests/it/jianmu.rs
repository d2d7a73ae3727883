//! Trees in Python as Jianmu's document on skills shows them: its examples, and what it promises of
//! runs (contract 2.1 to 2.8 of the SKILL.md dialects). With py_trees 2.6.0 and without.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{populace, python, root, stderr};

const QUESTION: &str = "请确认研究范围：只看国内方案，还是包含海外方案？";

/// Interpreters to try: the usual one, which need not have py_trees, and one that has it. None
/// where there is no Python: the test says so and is skipped.
fn interpreters() -> Vec<String> {
    let mut found = Vec::new();
    if std::process::Command::new("python3").arg("--version").output().is_ok() {
        found.push("python3".to_owned());
    } else {
        eprintln!("SKIPPED: no python3");
        return found;
    }
    match python::py_trees() {
        Ok(path) => found.push(path.display().to_string()),
        Err(why) => eprintln!("SKIPPED with py_trees: {why}"),
    }
    found
}

fn call(skills: &Path, python: &str, skill: &str, rest: &[&str]) -> Output {
    let mut command = populace();
    command.args(["skills", "run", skill, "--python", python, "--skills"]).arg(skills);
    command.args(rest).output().unwrap()
}

/// A call of one of the document's examples.
fn seed(python: &str, skill: &str, rest: &[&str]) -> Output {
    call(&root().join("tests/cases/jianmu_seed"), python, skill, rest)
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// A skill with this tree and these lines of frontmatter.
fn skill(tree: &str, fields: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("own");
    fs::create_dir(&dir).unwrap();
    let head = "name: own\ndescription: A tree.\nexecution: bt\norchestration: direct\n";
    fs::write(dir.join("SKILL.md"), format!("---\n{head}{fields}---\nText.\n")).unwrap();
    fs::write(dir.join("tree.py"), tree).unwrap();
    folder
}

/// The document: a BT skill reads the latest message and says so; `react`, the default, needs a
/// model.
#[test]
fn the_echo_answers() {
    for python in interpreters() {
        let output = seed(&python, "bt-echo", &["--direct", "--", "one", "hello 你好"]);
        assert_eq!(said(&output), "BT skill handled the request: hello 你好");
        let output = seed(&python, "bt-echo", &["--", "hello"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--direct"), "{}", stderr(&output));
    }
}

/// The document: a tree awaits a tool of its host and writes both results.
#[test]
fn the_tree_with_a_tool_computes() {
    for python in interpreters() {
        let output = seed(&python, "bt-with-tool", &[]);
        assert_eq!(said(&output), "2 + 3 = 5\n{\"result\":\"5\"}");
        let told = json_of(&seed(&python, "bt-with-tool", &["--json"]));
        assert_eq!((&told["ok"], &told["error_type"]), (&json!(true), &json!("none")));
        let answer: Value = serde_json::from_str(told["stdout"].as_str().unwrap()).unwrap();
        assert_eq!(answer["status"], "SUCCESS");
        assert_eq!(answer["done"], true);
        assert_eq!(answer["skill_result"], json!({"result": "5"}));
    }
}

/// The document: a tree suspends itself, and goes on with the answer. Contract 2.5.
#[test]
fn the_tree_that_asks_waits_for_the_answer() {
    for python in interpreters() {
        let workspace = TempDir::new().unwrap();
        let there = ["--workspace", workspace.path().to_str().unwrap()];
        let run = |rest: &[&str]| seed(&python, "bt-interaction", &[&there[..], rest].concat());
        let kept = workspace.path().join(".populace/suspended.json");
        // An answer that is blank is none: it asks again.
        for rest in [&[][..], &["--resume", " "]] {
            assert!(said(&run(rest)).starts_with(&format!("suspended: {QUESTION}")));
            assert!(kept.exists());
        }
        assert_eq!(said(&run(&["--resume", "国内"])), "范围：国内");
        assert!(!kept.exists());
        let again = run(&["--resume", "国内"]);
        assert!(stderr(&again).contains("no run is suspended here"), "{}", stderr(&again));
    }
}

/// Contract 2.8: of a run that goes on, nodes that were done are not run again.
#[test]
fn nodes_that_were_done_stay_done() {
    let tree = "\
import py_trees
from jianmu.node.base import Node
from jianmu.interaction import SuspensionReason
from jianmu.tree import Status
class Note(Node):
    def update(self):
        seen = self.state_manager.get('seen', namespace='n', default=[])
        self.state_manager.update({'seen': seen + [self.name]}, namespace='n')
        board = py_trees.blackboard.Blackboard
        if self.name == 'last':
            result = {'seen': seen, 'board': board.get('key')}
            self.state_manager.update({'skill_result': result}, namespace='own')
        board.set('key', 7)
        return Status.SUCCESS
class Ask(Node):
    def update(self):
        if self.interaction.read_resume_payload() is not None:
            return Status.SUCCESS
        self.interaction.suspend(reason=SuspensionReason.AWAITING_USER_INPUT, message='?')
        return Status.RUNNING
def build_tree(ctx):
    inner = py_trees.composites.Sequence('inner', memory=True, children=[Note('b'), Ask('ask')])
    return py_trees.composites.Sequence(
        'all', memory=True, children=[Note('a'), inner, Note('last')])
";
    let python = match python::py_trees() {
        Ok(path) => path.display().to_string(),
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let folder = skill(tree, "");
    let workspace = TempDir::new().unwrap();
    let there = ["--workspace", workspace.path().to_str().unwrap()];
    let run = |rest: &[&str]| call(folder.path(), &python, "own", &[&there[..], rest].concat());
    assert!(said(&run(&[])).starts_with("suspended: ?"));
    let output = said(&run(&["--resume", "x"]));
    assert_eq!(
        serde_json::from_str::<Value>(&output).unwrap(),
        json!({"seen": ["a", "b"], "board": 7})
    );
}

/// What cannot be carried out is refused with what was found and what is allowed, and a tree that
/// never ends does so after as many ticks as its skill allows.
#[test]
fn trees_that_cannot_run_say_why() {
    let leaf = "\
from jianmu.node.base import Node
from jianmu.tree import Status
class Leaf(Node):
    def update(self):
        return Status[self.name]
def build_tree(ctx):
    return Leaf(ctx.inputs.get('status', 'SUCCESS'))
";
    let hangs = "\
import asyncio
from jianmu.engine.behaviour import AsyncBehaviour
class Leaf(AsyncBehaviour):
    async def update_async(self):
        await asyncio.sleep(600)
def build_tree(ctx):
    return Leaf('leaf')
";
    let spins = leaf.replace("return Status[self.name]", "while True: pass");
    let second = "constraints:\n  timeout: 1\n";
    let failing = ["--", r#"{"status": "FAILURE"}"#];
    let running = ["--", r#"{"status": "RUNNING"}"#];
    let cases: [(&str, &str, &[&str], &str, &str); 9] = [
        ("x = 1\n", "", &[], "validation", "no function build_tree(ctx)"),
        ("def build_tree(ctx):\n    return 7\n", "", &[], "validation", "gave a int"),
        ("import nowhere\n", "", &[], "runtime", "No module named 'nowhere'"),
        (
            leaf,
            "tools:\n  builtin: [bash]\n",
            &[],
            "validation",
            "no tool bash here; there are: calculator",
        ),
        (leaf, "required: [report]\n", &[], "validation", "outputs are missing: report"),
        (leaf, "", &failing, "runtime", "the tree ended with FAILURE"),
        (
            leaf,
            "constraints:\n  max_iterations: 3\n",
            &running,
            "runtime",
            "still ran after 3 ticks",
        ),
        (hangs, second, &[], "timeout", "timed out after 1s"),
        (&spins, second, &[], "timeout", "timed out after 1s"),
    ];
    let Some(python) = interpreters().into_iter().next() else { return };
    for (tree, fields, rest, error_type, part) in cases {
        let folder = skill(tree, fields);
        let output = call(folder.path(), &python, "own", &[&["--json"], rest].concat());
        assert_eq!(output.status.code(), Some(1), "{part}: {}", stderr(&output));
        let told = json_of(&output);
        assert_eq!(told["error_type"], error_type, "{told}");
        assert!(told["stderr"].as_str().unwrap().contains(part), "{told}");
    }
}

/// Tools that a skill brings along, called without waiting; arithmetic that would never end.
#[test]
fn a_skill_brings_tools_of_its_own() {
    let tree = "\
from jianmu.node.base import Node
from jianmu.tree import Status
class Leaf(Node):
    def update(self):
        tools = self.tools
        try:
            tools['calculator'].execute({'input': '9 ** 9 ** 9'})
        except ValueError as error:
            said = str(error)
        six = tools['calculator'].execute({'input': '(7 - 1) / 2 * -2 // 1'})
        result = [tools['twice'].execute({'n': 4}), six, said, sorted(tools)]
        self.state_manager.update({'skill_result': result}, namespace=self.namespace)
        return Status.SUCCESS
def build_tree(ctx):
    leaf = Leaf('leaf')
    leaf.tools, leaf.namespace = ctx.tools, ctx.namespace
    return leaf
";
    let Some(python) = interpreters().into_iter().next() else { return };
    let folder = skill(tree, "tools:\n  builtin: [calculator]\ntools_entry: [mine.py]\n");
    let own = "class Twice:\n    name = 'twice'\n    def execute(self, given):\n        \
               return 2 * given['n']\n";
    fs::write(folder.path().join("own/mine.py"), own).unwrap();
    let output = said(&call(folder.path(), &python, "own", &[]));
    let said = "the calculator does not compute powers so large";
    let expected = json!([8, -6.0, said, ["calculator", "twice"]]);
    assert_eq!(serde_json::from_str::<Value>(&output).unwrap(), expected);
}

/// A tree of py_trees' own nodes becomes one that the engine runs; py_trees' documents of
/// `Sequence`, `TickCounter` and `Retry` say what it does.
#[test]
fn trees_of_py_trees_alone_become_native() {
    let tree = "\
import operator
import py_trees
from py_trees import behaviours, common, composites, decorators
def build_tree(ctx):
    return composites.Sequence('all', memory=True, children=[
        behaviours.TickCounter('wait', duration=2, completion_status=common.Status.SUCCESS),
        behaviours.SetBlackboardVariable('set', 'k', 7, overwrite=True),
        behaviours.CheckBlackboardVariableValue(
            'check', common.ComparisonExpression('k', 7, operator.eq)),
        decorators.Retry('retry', behaviours.Success('fine'), num_failures=2),
        composites.Parallel('both', common.ParallelPolicy.SuccessOnAll(), [
            behaviours.Success('one'), behaviours.StatusQueue(
                'queue', [common.Status.RUNNING, common.Status.SUCCESS], None)])])
";
    let python = match python::py_trees() {
        Ok(path) => path.display().to_string(),
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let folder = TempDir::new().unwrap();
    let [source, native] = ["tree.py", "out.yaml"].map(|name| folder.path().join(name));
    fs::write(&source, tree).unwrap();
    let command = |args: &[&str]| populace().arg("tree").args(args).output().unwrap();
    let [source, native] = [&source, &native].map(|path| path.to_str().unwrap());
    said(&command(&["convert", source, native, "--python", &python]));
    let run = |file: &str| -> Value {
        let told = command(&["run", file, "--ticks", "4", "--json", "--python", &python]);
        serde_json::from_str(&said(&told)).unwrap()
    };
    assert_eq!(run(native)["roots"], json!(["RUNNING", "RUNNING", "RUNNING", "SUCCESS"]));
    assert_eq!(run(source), run(native));
    let shown = said(&command(&["show", source, "--python", &python]));
    assert!(shown.contains("wait") && shown.contains("queue"), "{shown}");
    assert!(said(&command(&["lint", source, "--python", &python])).contains(" 0 doubts"));
    // What is doubted stands in no line of the file.
    let doubtful = tree.replace("'all', memory=True", "'all', memory=False");
    fs::write(source, doubtful).unwrap();
    let output = command(&["lint", source, "--python", &python]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("tree.py: `wait` may take several ticks"), "{told}");
    // A node of the skill's own has no native twin.
    let echo = "tests/cases/jianmu_seed/bt-echo/tree.py";
    let output = command(&["show", echo, "--python", &python]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a _EchoSkillNode of the skill's own"));
}
