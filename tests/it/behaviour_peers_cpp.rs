//! Trees against BehaviorTree.CPP.

use std::fmt::Write as _;
use std::path::Path;

use populace::base::rng::{Purpose, Stream};
use populace::behaviour::compile::compile;
use populace::behaviour::format::{Format, read_text};
use populace::behaviour::interpret::TickMode;
use populace::behaviour::rehearse::{Rehearsal, StubWords};
use populace::behaviour::status::{Dialect, Status};
use serde_json::{Map, Value, json};

use crate::behaviour_peers::drive;
use crate::support::python::bt_cpp;

const TREES: u32 = 300;
const TICKS: usize = 12;

/// 300 random trees of every control and decorator that the binding of BehaviorTree.CPP has, but
/// for those that look at the clock; random results of their leaves, random halts, half of them
/// ticked until nothing wakes them. Roots and the log of the leaves are the same in every tick.
#[test]
fn random_trees_do_what_behavior_tree_cpp_does() {
    let python = match bt_cpp() {
        Ok(python) => python,
        Err(reason) => return eprintln!("SKIPPED, BehaviorTree.CPP cannot be had: {reason}"),
    };
    let cases: Vec<Value> = (0..TREES).map(|index| Gardener::new(index).case(index)).collect();
    let expected = drive(python, "bt_cpp_peer", &cases);
    assert_eq!(expected.len(), cases.len());
    let differ: Vec<_> = cases
        .iter()
        .zip(&expected)
        .filter_map(|(case, want)| {
            let got = play(case);
            (got != *want).then(|| format!("{}\nours   {got}\ntheirs {want}", case["ours"]))
        })
        .collect();
    assert!(differ.is_empty(), "{} trees differ:\n{}", differ.len(), differ.join("\n\n"));
}

fn play(case: &Value) -> Value {
    let (text, path) = (case["ours"].as_str().unwrap(), Path::new("random.xml"));
    let document = read_text(Format::Xml, text, path).unwrap();
    let tree = compile(&document, path, &StubWords).unwrap_or_else(|error| panic!("{error}"));
    let once = case["once"] == json!(true);
    let mode = if once { TickMode::Once } else { TickMode::ExactlyOnce };
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    let mut ticks = Vec::new();
    for tick in 0..TICKS {
        if case["interrupts"].as_array().unwrap().contains(&json!(tick)) {
            rehearsal.interrupt();
        }
        let notes = rehearsal.tick(mode);
        let Some(root): Option<Status> = notes.root else {
            ticks.push(json!({"root": "exception"}));
            break;
        };
        ticks.push(json!({"root": root.word(Dialect::BtCpp), "log": notes.log}));
    }
    ticks.into()
}

/// Grows random trees as XML; `ours` says in a port what `theirs` learns beside the tree.
struct Gardener {
    stream: Stream,
    stubs: Map<String, Value>,
}

impl Gardener {
    fn new(index: u32) -> Self {
        Self { stream: Stream::of_index(11, index, Purpose::Script), stubs: Map::new() }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.stream.below(n)
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    fn case(&mut self, index: u32) -> Value {
        let root = self.node(0);
        let ours = format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">\
             {root}</BehaviorTree></root>"
        );
        let mut theirs = ours.clone();
        for results in self.stubs.values().filter_map(Value::as_str) {
            theirs = theirs.replace(&format!(" results=\"{results}\""), "");
        }
        let interrupts: Vec<_> = (1..TICKS).filter(|_| self.below(8) == 0).collect();
        json!({
            "ours": ours,
            "theirs": theirs,
            "stubs": self.stubs,
            "ticks": TICKS,
            "interrupts": interrupts,
            "once": index % 2 == 1,
        })
    }

    fn node(&mut self, depth: u32) -> String {
        let share = self.below(10);
        match depth {
            0 | 1 if share < 7 => self.control(depth),
            4.. => self.leaf(),
            _ if share < 3 => self.control(depth),
            _ if share < 6 => self.decorator(depth),
            _ => self.leaf(),
        }
    }

    fn element(&mut self, kind: &str, ports: &str, depth: u32, children: u32) -> String {
        let mut text = format!("<{kind}{ports}>");
        for _ in 0..children {
            let _ = write!(text, "{}", self.node(depth + 1));
        }
        format!("{text}</{kind}>")
    }

    fn control(&mut self, depth: u32) -> String {
        let kind = self.one_of(&[
            "Sequence",
            "AsyncSequence",
            "SequenceWithMemory",
            "ReactiveSequence",
            "Fallback",
            "AsyncFallback",
            "ReactiveFallback",
            "Parallel",
            "ParallelAll",
            "IfThenElse",
            "WhileDoElse",
            "Switch2",
        ]);
        let (ports, children) = match kind {
            "Parallel" => {
                let children = 1 + self.below(4);
                let (wanted, allowed) = (self.threshold(children), self.threshold(children));
                let ports = format!(" success_count=\"{wanted}\" failure_count=\"{allowed}\"");
                (ports, children)
            }
            "ParallelAll" => {
                let children = 1 + self.below(4);
                (format!(" max_failures=\"{}\"", self.threshold(children)), children)
            }
            "IfThenElse" | "WhileDoElse" => return self.choice(kind, depth),
            "Switch2" => {
                let value = self.one_of(&["a", "b", "c"]);
                (format!(" variable=\"{value}\" case_1=\"a\" case_2=\"b\""), 3)
            }
            _ => (String::new(), 1 + self.below(4)),
        };
        self.element(kind, &ports, depth, children)
    }

    /// The leaves of the binding are not ticked again before they are reset, which these two do not
    /// do to their condition while a branch runs; an inverter does it for them.
    fn choice(&mut self, kind: &str, depth: u32) -> String {
        let condition = self.element("Inverter", "", depth + 1, 1);
        let branches = 1 + self.below(2);
        let branches: String = (0..branches).map(|_| self.node(depth + 1)).collect();
        format!("<{kind}>{condition}{branches}</{kind}>")
    }

    fn threshold(&mut self, children: u32) -> i64 {
        i64::from(self.below(children + 2)) - 1
    }

    fn decorator(&mut self, depth: u32) -> String {
        let kind = self.one_of(&[
            "Inverter",
            "ForceSuccess",
            "ForceFailure",
            "Repeat",
            "RetryUntilSuccessful",
            "KeepRunningUntilFailure",
            "RunOnce",
            "Precondition",
            "LoopString",
        ]);
        let ports = match kind {
            "Repeat" => format!(" num_cycles=\"{}\"", self.one_of(&[1, 2, 3])),
            "RetryUntilSuccessful" => format!(" num_attempts=\"{}\"", self.one_of(&[1, 2, 3])),
            "RunOnce" => format!(" then_skip=\"{}\"", self.one_of(&["true", "false"])),
            "Precondition" => {
                let condition = self.one_of(&["true", "false"]);
                let otherwise = self.one_of(&["SUCCESS", "FAILURE", "SKIPPED"]);
                format!(" if=\"{condition}\" else=\"{otherwise}\"")
            }
            "LoopString" => {
                let queue = self.one_of(&["a", "a;b", "a;b;c"]);
                format!(" queue=\"{queue}\" if_empty=\"SUCCESS\" value=\"{{entry}}\"")
            }
            _ => String::new(),
        };
        self.element(kind, &ports, depth, 1)
    }

    fn leaf(&mut self) -> String {
        match self.below(6) {
            0 => return "<AlwaysSuccess/>".to_owned(),
            1 => return "<AlwaysFailure/>".to_owned(),
            _ => {}
        }
        let count = 1 + self.below(6);
        let letters: Vec<_> = (0..count).map(|_| self.one_of(&["S", "F", "R"])).collect();
        let (name, results) = (format!("stub-{}", self.stubs.len()), letters.join(","));
        let text = format!("<Stub name=\"{name}\" results=\"{results}\"/>");
        self.stubs.insert(name, results.into());
        text
    }
}
