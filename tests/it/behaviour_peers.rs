//! Trees against the libraries whose rules they follow.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use populace::base::rng::{Purpose, Stream};
use populace::behaviour::compile::compile;
use populace::behaviour::format::{Format, read_text};
use populace::behaviour::interpret::TickMode;
use populace::behaviour::rehearse::{Rehearsal, StubWords};
use populace::behaviour::status::{Dialect, Status};
use serde_json::{Map, Value, json};

use crate::support::python::py_trees;

const TREES: u32 = 500;
const TICKS: usize = 12;

/// 500 random trees of every node of py_trees that can be compared, random results of their leaves
/// and random interruptions: status, tip, log and the status of every node are those of the PyPI
/// package in every tick.
#[test]
fn random_trees_do_what_py_trees_does() {
    let python = match py_trees() {
        Ok(python) => python,
        Err(reason) => return eprintln!("SKIPPED, py_trees cannot be had: {reason}"),
    };
    let cases: Vec<Value> = (0..TREES).map(|index| Gardener::new(index).case()).collect();
    let expected = drive(python, "py_trees_peer", &cases);
    assert_eq!(expected.len(), cases.len());
    for (case, ticks) in cases.iter().zip(&expected) {
        let text = case["tree"].to_string();
        let document = read_text(Format::Json, &text, Path::new("random.json")).unwrap();
        let tree = compile(&document, Path::new("random.json"), &StubWords).unwrap();
        let mut rehearsal = Rehearsal::new(&tree, 1, 0);
        for (tick, want) in ticks.as_array().unwrap().iter().enumerate() {
            if case["interrupts"].as_array().unwrap().contains(&json!(tick)) {
                rehearsal.interrupt();
            }
            let notes = rehearsal.tick(TickMode::ExactlyOnce);
            let word = |status: Status| status.word(Dialect::PyTrees);
            let title = |node| tree.label(node).title.as_str();
            let nodes = 0..tree.node_count() as u16;
            let statuses: Map<_, _> = nodes
                .map(|node| {
                    (title(node).to_owned(), json!(word(notes.statuses[usize::from(node)])))
                })
                .collect();
            let got = json!({
                "root": notes.root.map(word),
                "tip": notes.tip.map(title),
                "log": notes.log,
                "statuses": statuses,
            });
            assert_eq!(&got, want, "tick {tick} of {text}");
        }
    }
}

/// What the `drive.py` of a folder of `tests/cases` says of the cases.
pub fn drive(python: &Path, folder: &str, cases: &[Value]) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let script = folder.join("drive.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = serde_json::to_vec(cases).unwrap();
    let writer = std::thread::spawn(move || input.write_all(&text).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Grows random trees.
struct Gardener {
    stream: Stream,
    nodes: u32,
}

impl Gardener {
    fn new(index: u32) -> Self {
        Self { stream: Stream::of_index(7, index, Purpose::Script), nodes: 0 }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.stream.below(n)
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    fn case(&mut self) -> Value {
        let tree = self.node(0);
        let interrupts: Vec<_> = (1..TICKS).filter(|_| self.below(8) == 0).collect();
        json!({"tree": tree, "ticks": TICKS, "interrupts": interrupts})
    }

    fn node(&mut self, depth: u32) -> Value {
        let share = self.below(10);
        match depth {
            0 | 1 if share < 7 => self.composite(depth),
            4.. => self.leaf(),
            _ if share < 3 => self.composite(depth),
            _ if share < 6 => self.decorator(depth),
            _ => self.leaf(),
        }
    }

    /// A node; its name is its own among all of its tree.
    fn make(&mut self, kind: &str, ports: Value, children: Vec<Value>) -> Value {
        self.nodes += 1;
        let mut node = json!({"type": kind, "name": format!("{kind}-{}", self.nodes)});
        let fields = node.as_object_mut().unwrap();
        fields.extend(ports.as_object().unwrap().clone());
        if !children.is_empty() {
            fields.insert("children".to_owned(), children.into());
        }
        node
    }

    fn composite(&mut self, depth: u32) -> Value {
        let count = self.one_of(&[0, 1, 2, 2, 3, 3, 4]);
        let children: Vec<Value> = (0..count).map(|_| self.node(depth + 1)).collect();
        let kind = self.one_of(&["Sequence", "Selector", "Parallel"]);
        if kind != "Parallel" {
            let memory = self.yes();
            return self.make(kind, json!({"memory": memory}), children);
        }
        let policies = ["SuccessOnAll", "SuccessOnOne", "SuccessOnSelected"];
        let known = if count == 0 { 2 } else { 3 };
        let policy = self.one_of(&policies[..known]);
        let mut ports = json!({"policy": policy, "synchronise": self.yes()});
        if policy == "SuccessOnSelected" {
            let names: Vec<_> = children.iter().map(|c| c["name"].as_str().unwrap()).collect();
            let first = self.one_of(&names);
            let second = self.one_of(&names);
            let both = format!("{first};{second}");
            ports["selected"] = json!(if first == second { first } else { &both });
        }
        self.make("Parallel", ports, children)
    }

    fn decorator(&mut self, depth: u32) -> Value {
        let child = vec![self.node(depth + 1)];
        let kind = self.one_of(&[
            "Repeat",
            "Retry",
            "StatusToBlackboard",
            "Timeout",
            "Count",
            "OneShot",
            "Inverter",
            "RunningIsFailure",
            "RunningIsSuccess",
            "FailureIsSuccess",
            "FailureIsRunning",
            "SuccessIsFailure",
            "SuccessIsRunning",
            "Condition",
            "PassThrough",
        ]);
        let ports = match kind {
            "Repeat" => json!({"num_success": self.one_of(&[-1, 1, 2, 3])}),
            "Retry" => json!({"num_failures": self.one_of(&[1, 2, 3])}),
            "StatusToBlackboard" => json!({"variable_name": self.one_of(&["a", "b"])}),
            "Timeout" => json!({"duration": self.one_of(&[0.0, 1.0, 2.5])}),
            "OneShot" => {
                json!({"policy": self.one_of(&["ON_COMPLETION", "ON_SUCCESSFUL_COMPLETION"])})
            }
            "Condition" => {
                let words = ["SUCCESS", "FAILURE", "RUNNING", "INVALID"];
                json!({"status": self.one_of(&words)})
            }
            _ => json!({}),
        };
        self.make(kind, ports, child)
    }

    fn leaf(&mut self) -> Value {
        if self.below(3) > 0 {
            let count = 1 + self.below(6);
            let letters: Vec<_> = (0..count).map(|_| self.one_of(&["S", "F", "R"])).collect();
            return self.make("Stub", json!({"results": letters.join(",")}), vec![]);
        }
        let kind = self.one_of(&[
            "Success",
            "Failure",
            "Running",
            "Dummy",
            "Periodic",
            "StatusQueue",
            "SuccessEveryN",
            "TickCounter",
            "Timer",
            "SetBlackboardVariable",
            "UnsetBlackboardVariable",
            "CheckBlackboardVariableExists",
            "WaitForBlackboardVariable",
        ]);
        let ports = match kind {
            "Periodic" => json!({"n": self.below(4)}),
            "StatusQueue" => {
                let words = ["SUCCESS", "FAILURE", "RUNNING"];
                let count = 1 + self.below(4);
                let queue: Vec<_> = (0..count).map(|_| self.one_of(&words)).collect();
                let eventually = self.one_of(&["", "SUCCESS", "FAILURE"]);
                json!({"queue": queue.join(";"), "eventually": eventually})
            }
            "SuccessEveryN" => json!({"n": 1 + self.below(4)}),
            "TickCounter" => json!({
                "duration": self.below(4),
                "completion_status": self.one_of(&["SUCCESS", "FAILURE"]),
            }),
            "Timer" => json!({"duration": self.one_of(&[0.0, 1.0, 2.5])}),
            "SetBlackboardVariable" => json!({
                "variable_name": self.one_of(&["a", "b"]),
                "variable_value": 1,
                "overwrite": self.yes(),
            }),
            "UnsetBlackboardVariable" => json!({"key": self.one_of(&["a", "b"])}),
            "CheckBlackboardVariableExists" | "WaitForBlackboardVariable" => {
                json!({"variable_name": self.one_of(&["a", "b"])})
            }
            _ => json!({}),
        };
        self.make(kind, ports, vec![])
    }
}
