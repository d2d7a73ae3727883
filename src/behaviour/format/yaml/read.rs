//! An outline to a document.

use super::super::outline::{Entry, Outline, Shape};
use super::super::problems::{Problems, STRUCTURE, nearest};
use super::super::slots::{self, text};
use super::shape::{MODEL, ONLY_TREE, PORT_MODEL, TOP, main_port, port_value};
use crate::behaviour::definition::{
    Document, NodeDefinition, NodeModel, PortDefinition, PortModel, TreeDefinition,
};
use crate::behaviour::status::Dialect;

/// Reads a document in our own form.
pub(in crate::behaviour::format) fn read(outline: &Outline, problems: &mut Problems) -> Document {
    let mut document = Document::default();
    let Some(entries) = outline.entries() else {
        let message = format!("expected a map ({}), not {}", TOP.join(", "), outline.word());
        problems.add(outline.at, STRUCTURE, message);
        return document;
    };
    known_keys(entries, &TOP, "a document", problems);
    if let Some(word) = outline.get("dialect") {
        document.dialect = dialect(word, problems);
    }
    document.main = outline.get("main").map(|main| text(main, "the id of a tree", problems));
    if let Some(blackboard) = outline.get("blackboard") {
        document.slots = slots::read(blackboard, problems);
    }
    if let Some(models) = outline.get("models") {
        document.models = list(models, "models", problems)
            .iter()
            .filter_map(|entry| model(entry, problems))
            .collect();
    }
    document.trees = trees(outline, document.dialect, &document.models, problems);
    document
}

fn dialect(word: &Outline, problems: &mut Problems) -> Dialect {
    let name = text(word, "a dialect", problems);
    Dialect::from_word(&name).unwrap_or_else(|| {
        let words = [Dialect::PyTrees, Dialect::BtCpp].map(Dialect::word);
        let hint = nearest(&name, words);
        let message = format!("dialect `{name}`; allowed: {}{hint}", words.join(", "));
        problems.add(word.at, STRUCTURE, message);
        Dialect::default()
    })
}

fn trees(
    outline: &Outline,
    dialect: Dialect,
    models: &[NodeModel],
    problems: &mut Problems,
) -> Vec<TreeDefinition> {
    let mut nodes = Nodes { dialect, models, problems };
    match (outline.get("tree"), outline.get("trees")) {
        (Some(root), None) => {
            let id = ONLY_TREE.to_owned();
            let tree = |root| TreeDefinition { id, root, at: outline.at };
            nodes.node(root).map(tree).into_iter().collect()
        }
        (None, Some(trees)) => {
            let Some(entries) = trees.entries() else {
                let message = format!("expected ids with their roots, not {}", trees.word());
                nodes.problems.add(trees.at, STRUCTURE, message);
                return Vec::new();
            };
            let tree = |entry: &Entry| {
                let root = nodes.node(&entry.value)?;
                Some(TreeDefinition { id: entry.key.clone(), root, at: entry.at })
            };
            entries.iter().filter_map(tree).collect()
        }
        (found, _) => {
            let what = if found.is_some() { "both" } else { "neither" };
            let message = format!("{what} of `tree` and `trees`; expected one of them");
            nodes.problems.add(outline.at, STRUCTURE, message);
            Vec::new()
        }
    }
}

/// Reads nodes.
struct Nodes<'d> {
    dialect: Dialect,
    models: &'d [NodeModel],
    problems: &'d mut Problems,
}

impl Nodes<'_> {
    fn node(&mut self, outline: &Outline) -> Option<NodeDefinition> {
        let leaf = |kind: &str| NodeDefinition {
            kind: kind.to_owned(),
            at: outline.at,
            ..NodeDefinition::default()
        };
        match &outline.shape {
            Shape::Text(kind) => Some(leaf(kind)),
            Shape::Map(entries) if entries.len() == 1 => {
                let mut node = leaf(&entries[0].key);
                self.fill(&mut node, &entries[0].value);
                Some(node)
            }
            Shape::Map(entries) => {
                let keys: Vec<_> = entries.iter().take(5).map(|entry| entry.key.as_str()).collect();
                let message = format!(
                    "a node is one kind with its ports below it; found {} keys: {}",
                    entries.len(),
                    keys.join(", ")
                );
                self.problems.add(outline.at, STRUCTURE, message);
                None
            }
            Shape::Nothing | Shape::List(_) => {
                let message = format!("expected a node, not {}", outline.word());
                self.problems.add(outline.at, STRUCTURE, message);
                None
            }
        }
    }

    /// What stands behind the kind of a node.
    fn fill(&mut self, node: &mut NodeDefinition, value: &Outline) {
        match &value.shape {
            Shape::Nothing => {}
            Shape::List(_) => node.children = self.children(value),
            Shape::Text(text) => match main_port(self.dialect, self.models, &node.kind) {
                Some(name) => node.ports.push(PortDefinition {
                    name: name.to_owned(),
                    value: text.clone(),
                    at: value.at,
                }),
                None => {
                    let kind = &node.kind;
                    let message = format!(
                        "`{kind}: {text}`: no port of `{kind}` is known; name it, or write a \
                         child in a list"
                    );
                    self.problems.add(value.at, STRUCTURE, message);
                }
            },
            Shape::Map(entries) => {
                for entry in entries {
                    self.entry(node, entry);
                }
                if value.get("child").is_some() && value.get("children").is_some() {
                    let message = "both of `child` and `children`; expected one of them";
                    self.problems.add(value.at, STRUCTURE, message);
                }
            }
        }
    }

    fn entry(&mut self, node: &mut NodeDefinition, entry: &Entry) {
        match entry.key.as_str() {
            "name" => node.name = Some(text(&entry.value, "a name", self.problems)),
            "child" => node.children.extend(self.node(&entry.value)),
            "children" => node.children.extend(self.children(&entry.value)),
            name => {
                let value = port_value(&entry.value, name, self.problems);
                let port = |value| PortDefinition { name: name.to_owned(), value, at: entry.at };
                node.ports.extend(value.map(port));
            }
        }
    }

    fn children(&mut self, outline: &Outline) -> Vec<NodeDefinition> {
        let items = list(outline, "nodes", self.problems);
        items.iter().filter_map(|item| self.node(item)).collect()
    }
}

fn model(outline: &Outline, problems: &mut Problems) -> Option<NodeModel> {
    let entries = map(outline, "a model", problems)?;
    known_keys(entries, &MODEL, "a model", problems);
    let mut field = |key| needed(outline, key, "a model", problems);
    let (category, id) = (field("category"), field("id"));
    let ports = outline.get("ports").map_or(&[][..], |ports| list(ports, "ports", problems));
    let ports = ports.iter().filter_map(|port| port_model(port, problems)).collect();
    Some(NodeModel { category: category?, id: id?, ports })
}

fn port_model(outline: &Outline, problems: &mut Problems) -> Option<PortModel> {
    let entries = map(outline, "a port", problems)?;
    known_keys(entries, &PORT_MODEL, "a port", problems);
    let mut field = |key| needed(outline, key, "a port", problems);
    let (direction, name) = (field("direction"), field("name"));
    let mut optional =
        |key| outline.get(key).map(|value: &Outline| text(value, "a text", problems));
    Some(PortModel {
        type_word: optional("type"),
        default: optional("default"),
        description: optional("description"),
        direction: direction?,
        name: name?,
    })
}

fn needed(outline: &Outline, key: &str, what: &str, problems: &mut Problems) -> Option<String> {
    let found = outline.get(key);
    if found.is_none() {
        problems.add(outline.at, STRUCTURE, format!("{what} needs `{key}`"));
    }
    found.map(|value| text(value, "a text", problems))
}

fn map<'o>(outline: &'o Outline, what: &str, problems: &mut Problems) -> Option<&'o [Entry]> {
    let entries = outline.entries();
    if entries.is_none() {
        let message = format!("{what} is a map, not {}", outline.word());
        problems.add(outline.at, STRUCTURE, message);
    }
    entries
}

fn list<'o>(outline: &'o Outline, what: &str, problems: &mut Problems) -> &'o [Outline] {
    if let Shape::List(items) = &outline.shape {
        return items;
    }
    let message = format!("expected a list of {what}, not {}", outline.word());
    problems.add(outline.at, STRUCTURE, message);
    &[]
}

fn known_keys(entries: &[Entry], allowed: &[&str], what: &str, problems: &mut Problems) {
    for entry in entries.iter().filter(|entry| !allowed.contains(&entry.key.as_str())) {
        let hint = nearest(&entry.key, allowed.iter().copied());
        let allowed = allowed.join(", ");
        let message = format!("`{}` of {what}; allowed: {allowed}{hint}", entry.key);
        problems.add(entry.at, STRUCTURE, message);
    }
}
