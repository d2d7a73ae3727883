//! `populace tree`: what is drawn, tried out, written and doubted, and how it ends.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{populace, stderr};

fn case(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/behaviour");
    data.join(name)
}

/// Exit code, standard output, standard error.
fn tree(arguments: &[&str]) -> (i32, String, String) {
    let output = populace().arg("tree").args(arguments).output().unwrap();
    let out = String::from_utf8(output.stdout.clone()).unwrap();
    (output.status.code().unwrap(), out, stderr(&output))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The recorded roots and notes of a case, in the shape of `--json`.
#[test]
fn a_run_tells_what_was_recorded() {
    let folder = case("bt_xml/retry_exhausted");
    let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let file = folder.join("tree.xml");
    let (code, out, _) = tree(&["run", text(&file), "--ticks", "8", "--json"]);
    let got: Value = serde_json::from_str(&out).unwrap();
    let ticks = expected["tickExactlyOnce"].as_array().unwrap();
    let column = |key: &str| ticks.iter().map(|tick| tick[key].clone()).collect::<Vec<_>>();
    assert_eq!(code, 0);
    assert_eq!(got["roots"], Value::from(column("root")));
    assert_eq!(got["log"], Value::from(column("log")));
    assert_eq!(got["trace"], Value::from(column("trace")));
    let once = ["run", text(&file), "--ticks", "8", "--mode", "once", "--json"];
    let got: Value = serde_json::from_str(&tree(&once).1).unwrap();
    assert_eq!(got["roots"], expected["tickOnce_roots"]);
}

#[test]
fn mistakes_end_with_2_and_their_line_and_faults_of_a_tick_with_1() {
    let broken = case("bt_xml/two_children_decorator_error/tree.xml");
    let (code, _, error) = tree(&["run", text(&broken)]);
    assert_eq!(code, 2);
    assert!(error.contains("tree.xml:3:1: `Inverter` must have exactly 1 child"), "{error}");
    let faulty = case("bt_xml/subtree_isolated_blackboard/tree.xml");
    let (code, out, error) = tree(&["run", text(&faulty), "--json"]);
    assert_eq!(code, 1);
    let got: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(got["roots"], serde_json::json!(["exception"]));
    assert!(error.contains("`Sub::3/msg` is not set"), "{error}");
    assert_eq!(tree(&["show", "no-such-tree.xml"]).0, 3);
    assert_eq!(tree(&["show", "tree.txt"]).0, 2);
}

#[test]
fn a_tree_goes_through_every_format_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let original = case("bt_xml/subtree_remap/tree.xml");
    let steps = [
        (original.clone(), at("a.yaml")),
        (at("a.yaml"), at("b.json")),
        (at("b.json"), at("c.xml")),
        (at("c.xml"), at("d.yaml")),
    ];
    for (from, to) in &steps {
        let (code, _, error) = tree(&["convert", text(from), text(to)]);
        assert_eq!(code, 0, "{error}");
    }
    let read = |name: &str| fs::read_to_string(at(name)).unwrap();
    assert_eq!(read("a.yaml"), read("d.yaml").replace(&models(&read("d.yaml")), ""));
    let roots = |path: &Path| tree(&["run", text(path), "--json"]).1;
    assert_eq!(roots(&original), roots(&at("c.xml")));
}

/// The section of models, which XML brings along.
fn models(yaml: &str) -> String {
    yaml.find("\nmodels:").map_or(String::new(), |start| yaml[start + 1..].to_owned())
}

#[test]
fn doubts_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.yaml");
    let doubtful = "dialect: py_trees\ntree:\n  Selector:\n    memory: false\n    children:\n      \
                    - Sequence:\n          - Running\n          - Success\n      \
                    - Success\n      - Failure\n";
    fs::write(&file, doubtful).unwrap();
    let (code, out, _) = tree(&["lint", text(&file)]);
    assert_eq!(code, 1);
    let told: Vec<_> = out.lines().filter_map(|line| line.rsplit_once(" [")).collect();
    let codes: Vec<_> = told.iter().map(|(_, code)| code.trim_end_matches(']')).collect();
    assert_eq!(codes, ["async-before-reactive", "unreachable", "unreachable"], "{out}");
    assert!(out.contains("tree.yaml:8:"), "{out}");
    fs::write(&file, "tree:\n  Sequence:\n    - Success\n    - Running\n").unwrap();
    assert_eq!(tree(&["lint", text(&file)]).0, 0);
}

#[test]
fn drawings_hold_every_node() {
    let file = case("py_trees/nested_priority_interrupt.json");
    for kind in ["text", "ascii", "dot", "svg"] {
        let (code, out, _) = tree(&["show", text(&file), "--as", kind]);
        assert_eq!(code, 0);
        for name in ["emergency", "danger", "flee", "job", "goto", "work"] {
            assert!(out.contains(name), "{kind} lacks {name}");
        }
    }
}
