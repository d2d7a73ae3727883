//! Right values: the form as the module of formats describes it, YAML 1.2 for what is a text, and
//! the shape of recorded cases of py_trees.

use std::path::Path;

use super::super::{Format, read_text, write, yaml_schema};
use crate::behaviour::definition::{Document, NodeDefinition};
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::status::Dialect;

const DAY: &str = r#"dialect: py_trees
main: Day
blackboard:
  target: place
  mood:
    type: enum
    words:
      - calm
      - "on"
    initial: calm
    description: "how: a person feels"
  count:
    type: int
    initial: 3
trees:
  Day:
    Selector:
      name: day
      memory: false
      children:
        - Sequence:
            - CheckBlackboardVariableExists: target
            - Success
        - Retry:
            name: "5"
            num_failures: 3
            child: Failure
        - Timer: 5.0
        - SubTree:
            ID: Walk
            to: "{target}"
  Walk:
    Inverter:
      - 早餐: "true "
models:
  - category: Action
    id: 早餐
    ports:
      - direction: input_port
        name: size
        default: 1.50
"#;

fn parse(format: Format, text: &str) -> Result<Document, TreeError> {
    read_text(format, text, Path::new("tree.yaml"))
}

fn problems(format: Format, text: &str) -> Vec<TreeProblem> {
    match parse(format, text) {
        Err(TreeError::Invalid { problems, .. }) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

fn places(text: &str) -> Vec<(u32, u32, &'static str)> {
    let found = problems(Format::Yaml, text);
    found.iter().map(|problem| (problem.line, problem.column, problem.code)).collect()
}

fn ports(node: &NodeDefinition) -> Vec<(&str, &str)> {
    node.ports.iter().map(|port| (port.name.as_str(), port.value.as_str())).collect()
}

#[test]
fn every_short_form_reads_and_the_canonical_one_is_written() {
    let document = parse(Format::Yaml, DAY).unwrap();
    let slots: Vec<_> = document
        .slots
        .iter()
        .map(|slot| (slot.name.as_str(), slot.type_word.as_str(), slot.initial.as_deref()))
        .collect();
    let expected =
        [("target", "place", None), ("mood", "enum", Some("calm")), ("count", "int", Some("3"))];
    assert_eq!(slots, expected);
    assert_eq!(document.slots[1].words, ["calm", "on"]);
    let day = &document.trees[0].root;
    assert_eq!((day.title(), ports(day)), ("day", vec![("memory", "false")]));
    assert_eq!((day.at.line, day.at.column), (17, 5));
    assert_eq!((day.ports[0].at.line, day.ports[0].at.column), (19, 7));
    let [sequence, retry, timer, call] = day.children.as_slice() else { panic!() };
    assert_eq!(ports(&sequence.children[0]), [("variable_name", "target")]);
    assert_eq!(sequence.children[1].kind, "Success");
    assert_eq!((retry.title(), retry.children[0].kind.as_str()), ("5", "Failure"));
    assert_eq!(ports(timer), [("duration", "5.0")], "as written, not 5");
    assert_eq!(ports(call), [("ID", "Walk"), ("to", "{target}")]);
    let breakfast = &document.trees[1].root.children[0];
    assert_eq!(ports(breakfast), [("size", "true ")], "the first port of its model");
    assert_eq!(document.models[0].ports[0].default.as_deref(), Some("1.50"));
    let written = write(&document, Format::Yaml).unwrap();
    assert_eq!(written, DAY.replace("default: 1.50", "default: \"1.50\""));
    let json = write(&document, Format::Json).unwrap();
    assert_eq!(write(&parse(Format::Json, &json).unwrap(), Format::Yaml).unwrap(), written);
}

#[test]
fn a_single_tree_is_main_and_the_dialect_py_trees() {
    let document = parse(Format::Yaml, "tree: {Sequence: [Success, {Inverter: }]}").unwrap();
    assert_eq!((document.dialect, document.main.as_deref()), (Dialect::PyTrees, None));
    assert_eq!(document.trees[0].id, "Main");
    assert_eq!(
        document.trees[0].root.children[1],
        NodeDefinition {
            kind: "Inverter".to_owned(),
            at: document.trees[0].root.children[1].at,
            ..NodeDefinition::default()
        }
    );
    let list = parse(Format::Yaml, "tree: {StatusQueue: {queue: [SUCCESS, FAILURE]}}").unwrap();
    assert_eq!(list.trees[0].root.port("queue"), Some("SUCCESS;FAILURE"));
}

#[test]
fn all_mistakes_of_shape_are_told_at_once() {
    let text = "dialekt: x\nblackboard: {a: {kind: int}, b: []}\nmain: [a]\ntrees:\n  A:\n    \
        Sequence:\n      children: [{A: 1, B: 2}, ~, [], {Inverter: Success}]\n      \
        child: Success\n      memory: {a: b}\n  A.b: Success\nmodels:\n  \
        - {category: Actio, id: x}\n";
    let found = problems(Format::Yaml, text);
    let codes: Vec<_> = found.iter().map(|problem| (problem.line, problem.code)).collect();
    let expected = [
        (1, "structure"),
        (2, "structure"),
        (2, "structure"),
        (3, "structure"),
        (7, "structure"),
        (7, "structure"),
        (7, "structure"),
        (7, "structure"),
        (7, "structure"),
        (9, "structure"),
    ];
    assert_eq!(codes, expected, "{found:#?}");
    assert!(found[0].message.ends_with("did you mean `dialect`?"), "{}", found[0].message);
    let names = problems(Format::Yaml, "trees: {A.b: Success}\nmodels: [{category: Actio, id: x}]");
    assert_eq!(
        names.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        ["structure", "names"]
    );
}

#[test]
fn what_is_not_yaml_or_json_is_told_with_its_place() {
    let broken = places("tree: [a\nb: c");
    assert_eq!((broken[0].0, broken[0].2), (2, "syntax"));
    assert_eq!(places("tree: &a Success\nx: *a")[0].2, "structure");
    assert_eq!(places("tree: !x Success"), [(1, 10, "structure")]);
    assert_eq!(places("tree: A\n---\ntree: B")[0], (2, 1, "structure"));
    assert_eq!(places("tree: A\ntree: B"), [(2, 1, "structure")]);
    assert_eq!(places(""), [(1, 1, "structure")]);
    let found = problems(Format::Json, "{\"tree\":\n Success}");
    assert_eq!((found[0].line, found[0].code), (2, "syntax"));
    let error = write(&Document::default(), Format::Yaml).unwrap();
    assert_eq!(places(&error)[0].2, "structure", "no tree");
}

/// 256 nodes within one another in both forms, and no stack that runs over.
#[test]
fn bounds_are_kept() {
    let lists = |depth: usize| {
        format!("tree: {}A{}", "{Inverter: [".repeat(depth - 1), "]}".repeat(depth - 1))
    };
    let maps = |depth: usize| {
        let open = "{\"Inverter\": {\"name\": \"n\", \"children\": [".repeat(depth - 1);
        format!("{{\"tree\": {open}\"A\"{}}}", "]}}".repeat(depth - 1))
    };
    for text in [lists(256), maps(256)] {
        let document = parse(Format::Json, &text.replacen("tree: ", "", 1))
            .or_else(|_| parse(Format::Yaml, &text));
        let written = write(&document.unwrap(), Format::Yaml).unwrap();
        parse(Format::Yaml, &written).unwrap();
    }
    for depth in [257, 1_000, 100_000] {
        assert_eq!(places(&lists(depth))[0].2, "bounds");
        assert_eq!(places(&maps(depth))[0].2, "bounds");
    }
    let wide = |nodes: usize| format!("tree: {{Sequence: [{}]}}", "A,".repeat(nodes - 1));
    parse(Format::Yaml, &wide(10_000)).unwrap();
    assert_eq!(places(&wide(10_001))[0].2, "bounds");
    assert_eq!(places(&wide(1_000_000))[0].2, "bounds");
}

/// Made in the shape of the cases recorded from py_trees.
#[test]
fn a_recorded_case_reads_with_or_without_what_is_around_it() {
    let tree = r#"{"type": "Sequence", "children": [
        {"type": "Stub", "name": "a", "results": "R,S"},
        {"type": "Repeat", "num_success": -1, "children": [{"type": "Success"}]}
    ], "memory": true, "name": "😀"}"#;
    let case = format!(r#"{{"dialect": "py_trees 2.6.0", "tree": {tree}, "expected": [{{}}]}}"#);
    for text in [tree, &case] {
        let document = parse(Format::Json, text).unwrap();
        assert_eq!(document.dialect, Dialect::PyTrees);
        let root = &document.trees[0].root;
        assert_eq!((root.title(), ports(root)), ("😀", vec![("memory", "true")]));
        assert_eq!(ports(&root.children[0]), [("results", "R,S")]);
        assert_eq!(ports(&root.children[1]), [("num_success", "-1")]);
        assert_eq!(root.children[1].children[0].kind, "Success");
    }
    let escaped = parse(Format::Json, r#"{"type": "A", "name": "\ud83d\ude00\/"}"#).unwrap();
    assert_eq!(escaped.trees[0].root.title(), "😀/");
    let broken = problems(Format::Json, r#"{"type": "A", "children": [{}, 1]}"#);
    assert_eq!(broken.len(), 2);
}

#[test]
fn the_schema_accepts_what_is_written_and_refuses_what_is_not_read() {
    let schema = yaml_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let json = |text: &str| {
        let document = parse(Format::Yaml, text).unwrap();
        serde_json::from_str(&write(&document, Format::Json).unwrap()).unwrap()
    };
    assert!(validator.is_valid(&json(DAY)));
    assert!(
        validator.is_valid(&json("dialect: bt_cpp\ntree: {Repeat: {num_cycles: 2, child: A}}"))
    );
    let refused = [
        r#"{"tree": "Success", "trees": {}}"#,
        r#"{"tree": "Success", "x": 1}"#,
        r#"{"tree": {"A": 1, "B": 2}}"#,
        r#"{"tree": {"Sequence": {"memery": true}}}"#,
        r#"{"dialect": "bt_cpp", "tree": {"Sequence": {"memory": true}}}"#,
        r#"{"tree": {"Success": 1}}"#,
        r#"{"tree": {"Success": ["Success"]}}"#,
        r#"{"tree": "Success", "blackboard": {"a": "integer"}}"#,
    ];
    for text in refused {
        assert!(!validator.is_valid(&serde_json::from_str(text).unwrap()), "{text}");
    }
}
