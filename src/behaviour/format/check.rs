//! What holds for every document, read or to be written: the names that BehaviorTree.CPP allows
//! since 4.9, and bounds.

use std::collections::BTreeSet;

use super::bounds::{DEPTH_MAX, NAME_CHARS_MAX, NODES_MAX};
use super::problems::{BOUNDS, NAMES, Problems, STRUCTURE, nearest};
use crate::behaviour::catalogue::{Category, PortDirection};
use crate::behaviour::definition::{Document, NodeDefinition, NodeModel, Position};

/// Characters that no id and no name of a port has.
const FORBIDDEN: &str = "<>&\"'/\\:*?|.";
/// What a port cannot be called: these say what a node is called and what is in it.
const RESERVED_PORTS: [&str; 3] = ["name", "child", "children"];
/// Kinds of nodes that have a port `ID`; in all others the word names their kind.
const CALLS: [&str; 2] = ["SubTree", "SubTreePlus"];

/// The categories of a model.
pub(super) const CATEGORIES: [&str; 5] = [
    Category::Action.word(),
    Category::Condition.word(),
    Category::Control.word(),
    Category::Decorator.word(),
    Category::SubTree.word(),
];
/// Which way the ports of a model go.
pub(super) const DIRECTIONS: [&str; 3] =
    [PortDirection::In.word(), PortDirection::Out.word(), PortDirection::InOut.word()];

/// Checks names and bounds.
pub(super) fn document(document: &Document, problems: &mut Problems) {
    let mut nodes = 0;
    for tree in &document.trees {
        report(problems, tree.at, "the id of a tree", &tree.id, kind_fault(&tree.id));
        node(&tree.root, 1, &mut nodes, problems);
    }
    if nodes > NODES_MAX {
        let at = document.trees.first().map_or(Position::default(), |tree| tree.at);
        problems.add(at, BOUNDS, format!("more than {NODES_MAX} nodes"));
    }
    let mut seen = BTreeSet::new();
    for slot in &document.slots {
        report(problems, slot.at, "the name of a slot", &slot.name, slot_fault(&slot.name));
        if !seen.insert(&slot.name) {
            problems.add(slot.at, STRUCTURE, format!("slot `{}` is declared twice", slot.name));
        }
    }
    document.models.iter().for_each(|entry| model(entry, problems));
}

/// Checks a node and what is in it; counts nodes and goes no further than the bounds.
fn node(definition: &NodeDefinition, depth: usize, nodes: &mut usize, problems: &mut Problems) {
    *nodes += 1;
    if depth > DEPTH_MAX {
        let message = format!("more than {DEPTH_MAX} nodes within one another");
        problems.add(definition.at, BOUNDS, message);
        return;
    }
    if *nodes > NODES_MAX {
        return;
    }
    let NodeDefinition { kind, ports, children, at, .. } = definition;
    report(problems, *at, "the kind of a node", kind, kind_fault(kind));
    let mut seen = BTreeSet::new();
    for port in ports {
        let fault = port_fault(&port.name, kind);
        report(problems, port.at, "the name of a port", &port.name, fault);
        if port.name == "ID" && CALLS.contains(&kind.as_str()) {
            let fault = kind_fault(&port.value);
            report(problems, port.at, "the id of a called tree", &port.value, fault);
        }
        if !seen.insert(&port.name) {
            problems.add(port.at, STRUCTURE, format!("port `{}` is given twice", port.name));
        }
    }
    children.iter().for_each(|child| node(child, depth + 1, nodes, problems));
}

fn model(model: &NodeModel, problems: &mut Problems) {
    let at = Position::default();
    report(problems, at, "the id of a model", &model.id, kind_fault(&model.id));
    word(problems, &model.id, "category", &model.category, &CATEGORIES);
    let mut seen = BTreeSet::new();
    for port in &model.ports {
        let fault = id_fault(&port.name);
        report(problems, at, "the name of a port", &port.name, fault);
        word(problems, &model.id, "direction", &port.direction, &DIRECTIONS);
        if !seen.insert(&port.name) {
            let message = format!("model `{}` has port `{}` twice", model.id, port.name);
            problems.add(at, STRUCTURE, message);
        }
    }
}

fn word(problems: &mut Problems, id: &str, what: &str, word: &str, allowed: &[&str]) {
    if !allowed.contains(&word) {
        let hint = nearest(word, allowed.iter().copied());
        let allowed = allowed.join(", ");
        let message = format!("{what} `{word}` in the model `{id}`; allowed: {allowed}{hint}");
        problems.add(Position::default(), STRUCTURE, message);
    }
}

fn report(problems: &mut Problems, at: Position, what: &str, name: &str, fault: Option<String>) {
    if let Some(fault) = fault {
        let shown: String = name.chars().take(60).collect();
        problems.add(at, NAMES, format!("{what} is {shown:?}; {fault}"));
    }
}

/// What is wrong with an id.
fn id_fault(name: &str) -> Option<String> {
    let bad = |c: &char| c.is_whitespace() || c.is_control() || FORBIDDEN.contains(*c);
    if name.is_empty() {
        return Some("it must not be empty".to_owned());
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return Some(format!("at most {NAME_CHARS_MAX} characters are allowed"));
    }
    let found = name.chars().find(bad)?;
    Some(format!("{found:?} is not allowed in it, nor white space, nor any of {FORBIDDEN}"))
}

/// What is wrong with an id of a tree or the kind of a node.
pub(super) fn kind_fault(name: &str) -> Option<String> {
    let root = name.eq_ignore_ascii_case("root");
    id_fault(name).or_else(|| root.then(|| "that word means the root of a file".to_owned()))
}

fn port_fault(name: &str, kind: &str) -> Option<String> {
    let reserved = RESERVED_PORTS.contains(&name) || (name == "ID" && !CALLS.contains(&kind));
    id_fault(name)
        .or_else(|| {
            let digit = name.starts_with(|c: char| c.is_ascii_digit());
            digit.then(|| "it must not begin with a digit".to_owned())
        })
        .or_else(|| reserved.then(|| "that word has another meaning in a node".to_owned()))
}

/// Slots are named in `{...}`, and by py_trees with paths.
pub(super) fn slot_fault(name: &str) -> Option<String> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || c == '{' || c == '}';
    if name.is_empty() {
        return Some("it must not be empty".to_owned());
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return Some(format!("at most {NAME_CHARS_MAX} characters are allowed"));
    }
    let found = name.chars().find(|c| bad(*c))?;
    Some(format!("{found:?} is not allowed in it"))
}
