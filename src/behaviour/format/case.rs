//! Trees of py_trees in JSON, as they stand in recorded cases: `type`, `name`, `children`, and
//! ports beside them.

use super::outline::{Entry, Outline, Shape};
use super::problems::{Problems, STRUCTURE};
use super::slots::text;
use super::yaml::port_value;
use crate::behaviour::definition::{Document, NodeDefinition, PortDefinition, TreeDefinition};
use crate::behaviour::status::Dialect;

/// The id of the tree.
const TREE: &str = "Main";

/// The root, if the outline is a case or a node of one.
pub(super) fn root(outline: &Outline) -> Option<&Outline> {
    let is_node = |outline: &&Outline| outline.get("type").is_some();
    outline.get("tree").filter(is_node).or_else(|| Some(outline).filter(is_node))
}

/// Reads a case: its tree and, if it says one, its dialect (`py_trees 2.6.0`).
pub(super) fn read(outline: &Outline, root: &Outline, problems: &mut Problems) -> Document {
    let mut document = Document::default();
    let said = outline.get("dialect").filter(|_| !std::ptr::eq(outline, root));
    if let Some(said) = said {
        let words = text(said, "a dialect", problems);
        let word = words.split(' ').next().unwrap_or_default();
        match Dialect::from_word(word) {
            Some(dialect) => document.dialect = dialect,
            None => {
                let message = format!("dialect `{words}`; allowed: py_trees, bt_cpp");
                problems.add(said.at, STRUCTURE, message);
            }
        }
    }
    let tree = |root| TreeDefinition { id: TREE.to_owned(), root, at: outline.at };
    document.trees.extend(node(root, problems).map(tree));
    document
}

fn node(outline: &Outline, problems: &mut Problems) -> Option<NodeDefinition> {
    let mut found = NodeDefinition { at: outline.at, ..NodeDefinition::default() };
    let Some(kind) = outline.get("type") else {
        let message = format!("expected a node (a map with `type`), not {}", outline.word());
        problems.add(outline.at, STRUCTURE, message);
        return None;
    };
    found.kind = text(kind, "the kind of a node", problems);
    for entry in outline.entries().unwrap_or_default() {
        let Entry { key, at, value } = entry;
        match (key.as_str(), &value.shape) {
            ("type", _) => {}
            ("name", Shape::Nothing) => {}
            ("name", _) => found.name = Some(text(value, "a name", problems)),
            ("children", Shape::List(items)) => {
                found.children = items.iter().filter_map(|item| node(item, problems)).collect();
            }
            ("children", _) => {
                let message = format!("expected a list of nodes, not {}", value.word());
                problems.add(value.at, STRUCTURE, message);
            }
            (name, _) => {
                let port = |value| PortDefinition { name: name.to_owned(), value, at: *at };
                found.ports.extend(port_value(value, name, problems).map(port));
            }
        }
    }
    Some(found)
}
