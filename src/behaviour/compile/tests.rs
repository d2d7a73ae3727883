//! Hostile and odd documents. Bounds and errors are this crate's own; that a script's enumeration
//! has a fixed list of words, and what is literal, are of contract `skills.md`, section 3.2.

use std::path::Path;

use super::{Vocabulary, compile};
use crate::behaviour::definition::{
    Document, NodeDefinition, PortDefinition, Position, SlotDefinition, TreeDefinition,
};
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::expression::AttributeIndex;
use crate::behaviour::interpret::TickMode;
use crate::behaviour::rehearse::{Rehearsal, StubWords};
use crate::behaviour::status::{Dialect, Status};
use crate::behaviour::tree::Tree;
use crate::behaviour::value::{Value, ValueType};

const AT: Position = Position { line: 1, column: 1 };

fn node(kind: &str, ports: &[(&str, &str)], children: Vec<NodeDefinition>) -> NodeDefinition {
    let port = |(name, value): &(&str, &str)| PortDefinition {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
        at: AT,
    };
    let ports = ports.iter().map(port).collect();
    NodeDefinition { kind: kind.to_owned(), name: None, ports, children, at: AT }
}

fn tree(id: &str, root: NodeDefinition) -> TreeDefinition {
    TreeDefinition { id: id.to_owned(), root, at: AT }
}

fn of(dialect: Dialect, root: NodeDefinition) -> Document {
    Document { dialect, trees: vec![tree("Main", root)], ..Default::default() }
}

fn slot(name: &str, type_word: &str, words: &[&str]) -> SlotDefinition {
    SlotDefinition {
        name: name.to_owned(),
        type_word: type_word.to_owned(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        initial: None,
        description: None,
        at: AT,
    }
}

fn made(document: &Document) -> Result<Tree, Vec<TreeProblem>> {
    made_with(document, &StubWords)
}

fn made_with(document: &Document, words: &dyn Vocabulary) -> Result<Tree, Vec<TreeProblem>> {
    compile(document, Path::new("test"), words).map_err(|error| match error {
        TreeError::Invalid { problems, .. } => problems,
        other => panic!("{other}"),
    })
}

fn codes(document: &Document) -> Vec<&'static str> {
    made(document).unwrap_err().iter().map(|problem| problem.code).collect()
}

fn roots(tree: &Tree, ticks: usize) -> Vec<Option<Status>> {
    let mut rehearsal = Rehearsal::new(tree, 1, 0);
    (0..ticks).map(|_| rehearsal.tick(TickMode::ExactlyOnce).root).collect()
}

#[test]
fn no_number_of_a_tree_overflows() {
    // 72,000 conditions: more than an index of 16 bits can say.
    let conditions = [
        "_failureIf",
        "_successIf",
        "_skipIf",
        "_while",
        "_onHalted",
        "_onFailure",
        "_onSuccess",
        "_post",
    ]
    .map(|name| (name, "1"));
    let leaves = vec![node("AlwaysSuccess", &conditions, vec![]); 9_000];
    assert_eq!(codes(&of(Dialect::BtCpp, node("Sequence", &[], leaves))), ["too-large"]);
    // As many slots, declared and as ports of a call.
    let mut document = of(Dialect::BtCpp, node("AlwaysSuccess", &[], vec![]));
    document.slots = (0..70_000).map(|n| slot(&format!("s{n}"), "int", &[])).collect();
    assert_eq!(codes(&document), ["too-large"]);
    let names: Vec<String> = (0..70_000).map(|n| format!("s{n}")).collect();
    let mut ports: Vec<_> = names.iter().map(|name| (name.as_str(), "1")).collect();
    ports.push(("ID", "Sub"));
    let mut document = of(Dialect::BtCpp, node("SubTree", &ports, vec![]));
    document.main = Some("Main".to_owned());
    document.trees.push(tree("Sub", node("AlwaysSuccess", &[], vec![])));
    assert_eq!(codes(&document), ["too-large"]);
    // 70,000 leaves.
    let leaves = vec![node("AlwaysSuccess", &[], vec![]); 70_000];
    assert!(codes(&of(Dialect::BtCpp, node("Sequence", &[], leaves))).contains(&"too-large"));
}

/// Trees that call one another: each the next one, `times` times, below nodes of a kind.
fn chain(dialect: Dialect, length: usize, kind: Option<&str>, times: usize) -> Document {
    let id = |n: usize| format!("T{n}");
    let call = |n: usize| node("SubTree", &[("ID", &id(n + 1))], vec![]);
    let root = |n: usize| match kind {
        Some(kind) => node(kind, &[], vec![call(n); times]),
        None => call(n),
    };
    let mut trees: Vec<_> = (0..length).map(|n| tree(&id(n), root(n))).collect();
    let last = if dialect == Dialect::BtCpp { "AlwaysSuccess" } else { "Success" };
    trees.push(tree(&id(length), node(last, &[], vec![])));
    Document { dialect, main: Some(id(0)), trees, ..Default::default() }
}

#[test]
fn calls_neither_fill_the_stack_nor_double_for_ever() {
    for dialect in [Dialect::BtCpp, Dialect::PyTrees] {
        assert_eq!(codes(&chain(dialect, 9_000, None, 1)), ["too-large"], "{dialect:?}");
        // 2^60 calls, below nodes that are not laid out and below nodes that are.
        assert!(codes(&chain(dialect, 60, Some("Nonsense"), 2)).len() <= 201);
        assert!(codes(&chain(dialect, 60, Some("Sequence"), 2)).contains(&"too-large"));
    }
    // The deepest that is allowed can be ticked.
    let tree = made(&chain(Dialect::BtCpp, 127, Some("Inverter"), 1)).unwrap();
    assert_eq!(tree.node_count(), 255);
    assert_eq!(roots(&tree, 1), [Some(Status::Failure)]);
}

#[test]
fn a_long_list_of_names_is_cut() {
    let calls = vec![node("SubTree", &[("ID", "Nobody")], vec![]); 1_000];
    let mut document = of(Dialect::BtCpp, node("Sequence", &[], calls));
    document.main = Some("Main".to_owned());
    let others = (0..1_000).map(|n| tree(&format!("Tree{n}"), node("AlwaysSuccess", &[], vec![])));
    document.trees.extend(others);
    let problems = made(&document).unwrap_err();
    assert_eq!(problems.len(), 200);
    assert!(problems[0].message.ends_with("Tree18 and 981 more"), "{}", problems[0].message);
}

#[test]
fn a_parallel_has_as_many_children_as_it_likes() {
    for count in [31, 32, 33, 64, 65, 1_000, 9_000] {
        let mut leaves = vec![node("Stub", &[("results", "S,F")], vec![]); count - 1];
        leaves.push(node("Stub", &[("results", "R,S")], vec![]));
        // Whoever succeeded is not ticked again: the second tick would fail.
        let tree = made(&of(Dialect::BtCpp, node("Parallel", &[], leaves.clone()))).unwrap();
        let expected = [Some(Status::Running), Some(Status::Success)];
        assert_eq!(roots(&tree, 2), expected, "{count}");
        let tree = made(&of(Dialect::BtCpp, node("ParallelAll", &[], leaves))).unwrap();
        assert_eq!(roots(&tree, 2), expected, "{count}");
    }
}

#[test]
fn odd_keys_are_refused() {
    let ats = "@".repeat(1 << 20);
    for key in ["", "{}", "{ }", "{{a}}", "{a}{b}", "@", "\u{7}", &ats] {
        let ports = [("value", "1"), ("output_key", key)];
        let document = of(Dialect::BtCpp, node("SetBlackboard", &ports, vec![]));
        assert_eq!(codes(&document), ["unknown-name"], "{key:.9}");
    }
    // `{=}` is the port's own name, and a cycle of bindings swaps names once.
    let call = node("SubTree", &[("ID", "Sub"), ("x", "{y}"), ("y", "{x}"), ("z", "{=}")], vec![]);
    let script = node("Script", &[("code", "x := 1; y := 2; z := 3")], vec![]);
    let mut document = of(Dialect::BtCpp, call);
    document.main = Some("Main".to_owned());
    document.trees.push(tree("Sub", script));
    let tree = made(&document).unwrap();
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    rehearsal.tick(TickMode::ExactlyOnce);
    let mut board = rehearsal.blackboard();
    board.sort_by_key(|(name, _)| *name);
    assert_eq!(board, [("x", Value::Int(2)), ("y", Value::Int(1)), ("z", Value::Int(3))]);
}

#[test]
fn a_slot_of_words_takes_no_other_word() {
    let with = |root: NodeDefinition| {
        let mut document = of(Dialect::BtCpp, root);
        let slots = [slot("mood", "enum", &["happy", "sad"]), slot("count", "int", &[])];
        document.slots = slots.into();
        document
    };
    for code in ["mood := 'hapy'", "mood := true ? 'sad' : 'hapy'", "count := mood == 'hapy'"] {
        let problems = made(&with(node("Script", &[("code", code)], vec![]))).unwrap_err();
        assert_eq!(problems[0].code, "bad-value", "{code}");
        assert!(problems[0].message.contains("did you mean `happy`"), "{}", problems[0].message);
    }
    let set = |key: &str, value: &str| {
        with(node("SetBlackboard", &[("output_key", key), ("value", value)], vec![]))
    };
    assert_eq!(codes(&set("{mood}", "hapy")), ["bad-value"]);
    assert_eq!(codes(&set("{count}", "many")), ["bad-port"]);
    for good in [set("{mood}", "sad"), set("{count}", "2.0")] {
        assert_eq!(roots(&made(&good).unwrap(), 1), [Some(Status::Success)]);
    }
    let good = with(node("Script", &[("code", "mood := 'sad'; mood := happy")], vec![]));
    assert_eq!(roots(&made(&good).unwrap(), 1), [Some(Status::Success)]);
}

/// A vocabulary with one attribute, `hour`.
struct Hours;

impl Vocabulary for Hours {
    fn attribute(&self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        (name == "hour").then_some((AttributeIndex(0), ValueType::Int))
    }
    fn known(&self) -> Vec<String> {
        vec!["hour".to_owned()]
    }
}

#[test]
fn what_is_perceived_is_no_slot() {
    let set = node("SetBlackboard", &[("output_key", "{hour}"), ("value", "1")], vec![]);
    let problems = made_with(&of(Dialect::BtCpp, set), &Hours).unwrap_err();
    assert_eq!(problems[0].code, "unknown-name");
    assert!(problems[0].message.contains("perceived"));
    let call = node("SubTree", &[("ID", "Sub"), ("hour", "1")], vec![]);
    let mut document = of(Dialect::BtCpp, call);
    document.main = Some("Main".to_owned());
    document.trees.push(tree("Sub", node("AlwaysSuccess", &[], vec![])));
    assert_eq!(made_with(&document, &Hours).unwrap_err()[0].code, "duplicate-slot");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let child = || vec![node("AlwaysSuccess", &[], vec![])];
    for (kind, port) in [("Timeout", "msec"), ("Delay", "delay_msec")] {
        for value in ["-1", "4000000000", "1e3", "nan", "{}"] {
            let document = of(Dialect::BtCpp, node(kind, &[(port, value)], child()));
            assert_eq!(codes(&document), ["bad-port"], "{kind} {value}");
        }
    }
    for weights in ["1;1e300;1", "0;0;0", "1;-1;1", "nan;1;1", "1;1"] {
        let chance = node("ProbabilisticBehaviour", &[("weights", weights)], vec![]);
        assert_eq!(codes(&of(Dialect::PyTrees, chance)), ["bad-port"], "{weights}");
    }
    let call = node("SubTree", &[("ID", "Sub"), ("_autoremap", "maybe")], vec![]);
    let mut document = of(Dialect::BtCpp, call);
    document.main = Some("Main".to_owned());
    document.trees.push(tree("Sub", node("AlwaysSuccess", &[], vec![])));
    assert_eq!(codes(&document), ["bad-port"]);
}
