//! Right values: the contract's section 2.9 (one root, children by x then y, `memory` true where
//! nothing is said, bindings to `state.key`).

use std::path::Path;

use super::super::{Format, read_text, write};
use crate::behaviour::definition::{Document, NodeDefinition};
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::status::Dialect;

const WORKFLOW: &str = r#"{
  "version": "1.0", "name": "my flow",
  "nodes": [
    {"id": "b", "type": "Wait", "position": {"x": 9, "y": 5}, "label": "second"},
    {"id": "r", "type": "Sequence", "position": {"x": 0, "y": 0}, "config": {"memory": false}},
    {"id": "c", "type": "LoopUntilSuccess", "position": {"x": 9, "y": 7}, "config": {}},
    {"id": "a", "type": "SetBlackboardVariable", "position": {"x": -3.5, "y": 100},
     "config": {"overwrite": true, "note": null},
     "input_bindings": {"variable_value": "state.mood"},
     "output_bindings": {"variable_name": "state.target"}},
    {"id": "d", "type": "Log", "config": {"message": "hi"}}
  ],
  "edges": [
    {"id": "1", "source": "r", "target": "b"}, {"id": "2", "source": "r", "target": "c"},
    {"id": "3", "source": "r", "target": "a"}, {"id": "4", "source": "c", "target": "d"}
  ],
  "state": {"schema_name": "S", "fields": [
    {"name": "mood", "type": "str", "default": "calm", "is_action": false},
    {"name": "past", "type": "list", "default": [], "description": "what was"}
  ]},
  "resources": {}, "settings": {}
}"#;

fn parse(text: &str) -> Result<Document, TreeError> {
    read_text(Format::Workflow, text, Path::new("workflow.json"))
}

fn problems(result: Result<Document, TreeError>) -> Vec<TreeProblem> {
    match result {
        Err(TreeError::Invalid { problems, .. }) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

fn outline(node: &NodeDefinition) -> String {
    let ports = node.ports.iter().map(|port| format!(" {}={}", port.name, port.value));
    let children: Vec<_> = node.children.iter().map(outline).collect();
    format!("{}{}({})", node.kind, ports.collect::<String>(), children.join(", "))
}

#[test]
fn children_go_by_place_and_words_become_ours() {
    let document = parse(WORKFLOW).unwrap();
    assert_eq!(document.dialect, Dialect::PyTrees);
    let tree = &document.trees[0];
    assert_eq!(tree.id, "Main", "`my flow` cannot be an id");
    let expected = "Sequence memory=false(\
        SetBlackboardVariable overwrite=true variable_value={mood} variable_name={target}(), \
        Timer duration=1.0(), Retry num_failures=10(SaySomething message=hi()))";
    assert_eq!(outline(&tree.root), expected);
    assert_eq!(tree.root.children[1].title(), "second");
    let slots: Vec<_> = document
        .slots
        .iter()
        .map(|slot| (slot.name.as_str(), slot.type_word.as_str(), slot.initial.as_deref()))
        .collect();
    assert_eq!(slots, [("mood", "text", Some("calm")), ("past", "any", None)]);
    let json = read_text(Format::Json, WORKFLOW, Path::new("a.json")).unwrap();
    assert_eq!(json, document, "a .json file says by its shape that it is a workflow");
}

#[test]
fn what_is_written_reads_back_in_the_same_order() {
    let document = parse(WORKFLOW).unwrap();
    let written = write(&document, Format::Workflow).unwrap();
    let again = parse(&written).unwrap();
    assert_eq!(outline(&again.trees[0].root), outline(&document.trees[0].root));
    assert_eq!(write(&again, Format::Workflow).unwrap(), written);
    let json: serde_json::Value = serde_json::from_str(&written).unwrap();
    let place = |index: usize| {
        let position = &json["nodes"][index]["position"];
        [&position["x"], &position["y"]].map(|number| number.as_f64().unwrap())
    };
    let places: Vec<_> = (0..5).map(place).collect();
    // The three children stand 220 apart, the root over their middle, the last one's child below.
    assert_eq!(places, [[220., 0.], [0., 140.], [220., 140.], [440., 140.], [440., 280.]]);
    for word in ["LoopUntilSuccess", "max_iterations", "\"Wait\"", "\"Log\"", "state.target"] {
        assert!(written.contains(word), "{word} in {written}");
    }
}

#[test]
fn what_has_no_counterpart_is_refused_by_id() {
    let node = |id: &str, kind: &str| format!(r#"{{"id": "{id}", "type": "{kind}"}}"#);
    let kinds = ["Sequence", "ToolNode", "AgentLLMNode", "MemorySearch", "Sequense", "ParserNode"];
    let nodes: Vec<_> =
        kinds.iter().enumerate().map(|(index, kind)| node(&format!("x{index}"), kind)).collect();
    let edge = |index: usize| format!(r#"{{"source": "x0", "target": "x{index}"}}"#);
    let edges: Vec<_> = (1..kinds.len()).map(edge).collect();
    let text = format!(r#"{{"nodes": [{}], "edges": [{}]}}"#, nodes.join(","), edges.join(","));
    let found = problems(parse(&text));
    assert_eq!(found.len(), 5, "{found:#?}");
    for (index, problem) in found.iter().enumerate() {
        assert!(problem.message.contains(&format!("`x{}`", index + 1)), "{}", problem.message);
    }
    assert!(found[3].message.ends_with("did you mean `Sequence`?"), "{}", found[3].message);
    let policy = r#"{"nodes": [{"id": "p", "type": "Parallel",
        "config": {"policy": "FailureOnOne"}}], "edges": []}"#;
    assert!(problems(parse(policy))[0].message.contains("SuccessOnAll, SuccessOnOne"));
}

#[test]
fn what_is_no_tree_is_refused() {
    let node = |id: &str| format!(r#"{{"id": "{id}", "type": "Sequence"}}"#);
    let text = |edges: &[(&str, &str)]| {
        let edges: Vec<_> =
            edges.iter().map(|(a, b)| format!(r#"{{"source": "{a}", "target": "{b}"}}"#)).collect();
        let nodes = [node("a"), node("b"), node("c")].join(",");
        format!(r#"{{"nodes": [{nodes}], "edges": [{}]}}"#, edges.join(","))
    };
    parse(&text(&[("a", "b"), ("b", "c")])).unwrap();
    let told = |edges: &[(&str, &str)]| {
        let found = problems(parse(&text(edges)));
        found.into_iter().map(|problem| problem.message).collect::<String>()
    };
    assert!(told(&[]).contains("3 nodes have no parent (a, b, c)"));
    assert!(told(&[("a", "b"), ("b", "c"), ("c", "a")]).contains("0 nodes have no parent"));
    assert!(told(&[("b", "c"), ("c", "b")]).contains("2 nodes hang in a circle"));
    assert!(told(&[("a", "c"), ("b", "c")]).contains("two parents"));
    assert!(told(&[("a", "b"), ("b", "z")]).contains("no node's id"));
    let chain = |length: usize| {
        let nodes: Vec<_> = (0..length).map(|index| node(&index.to_string())).collect();
        let edges: Vec<_> = (1..length)
            .map(|index| format!(r#"{{"source": "{}", "target": "{index}"}}"#, index - 1))
            .collect();
        format!(r#"{{"nodes": [{}], "edges": [{}]}}"#, nodes.join(","), edges.join(","))
    };
    parse(&chain(256)).unwrap();
    assert_eq!(problems(parse(&chain(9_000)))[0].code, "bounds");
}

#[test]
fn what_a_workflow_cannot_say_is_refused() {
    let yaml = |text: &str| read_text(Format::Yaml, text, Path::new("a.yaml")).unwrap();
    let refused = [
        ("trees: {A: Success, B: Success}", "exactly 1 tree"),
        ("tree: {SubTree: Main}", "call of another"),
        ("tree: Dance", "no node `Dance`"),
        ("tree: {Success: {_skipIf: a}}", "no `_skipIf`"),
        ("tree: Success\nblackboard: {a: place}", "type `place`"),
        ("tree: {Parallel: {policy: SuccessOnSelected}}", "policy"),
        ("dialect: bt_cpp\ntree: AlwaysSuccess", "rules differ"),
        ("main: Other\ntree: Success", "not `Other`"),
    ];
    for (text, why) in refused {
        let error = write(&yaml(text), Format::Workflow).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("[unsayable]"), "{text}: {error}");
    }
}

/// Found by fuzzing: a `Timer` of 5 seconds, py_trees' default, came back as a `Wait` of 1 second,
/// and the other renamed nodes with ports that they did not have.
#[test]
fn what_is_not_said_is_not_made_up() {
    for (node, written) in [
        ("Timer", "\"Timer\""),
        ("{Timer: {duration: 5}}", "\"Wait\""),
        ("{SaySomething: {messa: hi}}", "\"SaySomething\""),
        ("{Retry: {child: Success}}", "\"Retry\""),
        ("{Retry: {num_failures: 2, max_iterations: 3, child: Success}}", "\"Retry\""),
    ] {
        let yaml = format!("tree: {node}");
        let document = read_text(Format::Yaml, &yaml, Path::new("a.yaml")).unwrap();
        let text = write(&document, Format::Workflow).unwrap();
        assert!(text.contains(written), "{text}");
        assert_eq!(parse(&text).unwrap().without_places(), document.without_places(), "{text}");
    }
}

#[test]
fn a_name_that_no_tree_can_have_is_none() {
    for name in ["root", "a b", ""] {
        let text = format!(r#"{{"name": "{name}", "nodes": [{{"id": "a", "type": "Success"}}]}}"#);
        assert_eq!(parse(&text).unwrap().trees[0].id, "Main");
    }
}
