//! A tree to nodes and edges, laid out so that no two nodes cover each other.

use serde_json::{Map, Value, json};

use super::super::check;
use super::super::problems::{Problems, UNSAYABLE};
use super::super::slots::literal;
use super::words::{FIELDS, POLICIES, RENAMED, Renamed, STATE};
use crate::behaviour::catalogue::{Catalogue, Category, NodeManifest, PortDirection};
use crate::behaviour::definition::{Document, NodeDefinition, Position, SlotDefinition};
use crate::behaviour::status::Dialect;

/// From one leaf to the next, and from a node to its children.
const STEP: (f64, f64) = (220.0, 140.0);

/// Writes a document of one tree. Nodes that no editor knows go under py_trees' names.
pub(in crate::behaviour::format) fn write(document: &Document, problems: &mut Problems) -> Value {
    let whole = Position::default();
    let [tree] = document.trees.as_slice() else {
        let message = format!("a workflow holds exactly 1 tree, not {}", document.trees.len());
        problems.add(whole, UNSAYABLE, message);
        return Value::Null;
    };
    if let Some(main) = document.main.as_deref().filter(|main| *main != tree.id) {
        let message =
            format!("a workflow runs the tree that it holds, `{}`, not `{main}`", tree.id);
        problems.add(whole, UNSAYABLE, message);
    }
    if !document.models.is_empty() {
        problems.add(whole, UNSAYABLE, "a workflow has no place for models of nodes");
    }
    let mut sheet = Sheet { nodes: Vec::new(), edges: Vec::new(), leaves: 0, problems };
    sheet.draw(&tree.root, 0);
    let Sheet { nodes, edges, .. } = sheet;
    let fields: Vec<Value> = document.slots.iter().map(|slot| field(slot, problems)).collect();
    json!({
        "version": "1.0",
        "name": tree.id,
        "nodes": nodes,
        "edges": edges,
        "state": { "schema_name": "State", "fields": fields },
        "resources": { "memories": [] },
        "settings": {},
    })
}

struct Sheet<'p> {
    nodes: Vec<Value>,
    edges: Vec<Value>,
    /// How many leaves stand left of what comes next.
    leaves: u32,
    problems: &'p mut Problems,
}

impl Sheet<'_> {
    /// Draws a node and all below it; gives its id and x. Leaves stand side by side, everything
    /// else over the middle of its children.
    fn draw(&mut self, node: &NodeDefinition, depth: u32) -> (String, f64) {
        let index = self.nodes.len();
        let id = format!("n{}", index + 1);
        self.nodes.push(Value::Null);
        let mut ends: Option<(f64, f64)> = None;
        for child in &node.children {
            let (target, x) = self.draw(child, depth + 1);
            ends = Some((ends.map_or(x, |(first, _)| first), x));
            let edge = format!("e{}", self.edges.len() + 1);
            self.edges.push(json!({
                "id": edge, "source": id, "target": target, "type": "default",
            }));
        }
        let x = ends.map_or_else(|| self.next_leaf(), |(first, last)| (first + last) / 2.0);
        let y = f64::from(depth) * STEP.1;
        self.nodes[index] = self.node(node, &id, (x, y));
        (id, x)
    }

    fn next_leaf(&mut self) -> f64 {
        self.leaves += 1;
        f64::from(self.leaves - 1) * STEP.0
    }

    fn node(&mut self, node: &NodeDefinition, id: &str, (x, y): (f64, f64)) -> Value {
        let manifest = Catalogue::full(Dialect::PyTrees).find(&node.kind);
        let mut refuse = |message: String| self.problems.add(node.at, UNSAYABLE, message);
        match manifest {
            Some(found) if found.category == Category::SubTree => {
                refuse("a workflow holds one tree, so no call of another (SubTree)".to_owned());
            }
            Some(_) => {}
            None => refuse(format!("a workflow knows no node `{}`", node.kind)),
        }
        if let Some(policy) = node.port("policy").filter(|policy| {
            manifest.is_some_and(|found| found.kind == "Parallel") && !POLICIES.contains(policy)
        }) {
            let allowed = POLICIES.join(", ");
            refuse(format!("a workflow's Parallel has no policy {policy:?}, only {allowed}"));
        }
        let kind = manifest.map_or(node.kind.as_str(), |found| found.kind);
        let renamed = renamed(node, kind);
        let (mut config, mut inputs, mut outputs) = (Map::new(), Map::new(), Map::new());
        for port in &node.ports {
            if port.name.starts_with('_') {
                refuse(format!("a workflow has no `{}`", port.name));
            }
            let theirs = renamed.filter(|renamed| renamed.port.1 == port.name);
            let name = theirs.map_or(port.name.as_str(), |renamed| renamed.port.0).to_owned();
            match slot_of(&port.value) {
                None => config.insert(name, literal(&port.value)),
                Some(slot) if is_output(manifest, &port.name) => {
                    outputs.insert(name, json!(format!("{STATE}{slot}")))
                }
                Some(slot) => inputs.insert(name, json!(format!("{STATE}{slot}"))),
            };
        }
        let mut drawn = json!({
            "id": id,
            "type": renamed.map_or(kind, |renamed| renamed.theirs),
            "position": { "x": x, "y": y },
            "config": config,
            "input_bindings": inputs,
            "output_bindings": outputs,
        });
        if let Some(name) = &node.name {
            drawn["label"] = json!(name);
        }
        drawn
    }
}

/// The other name under which a node is written. It keeps its own where the port that has another
/// name too is not given, as the other type begins with another value, or is not the only one.
fn renamed(node: &NodeDefinition, kind: &str) -> Option<&'static Renamed> {
    let has = |port: &str| node.port(port).is_some();
    let found = RENAMED.iter().find(|renamed| renamed.ours == kind)?;
    let (theirs, ours) = found.port;
    (has(ours) && (theirs == ours || !has(theirs))).then_some(found)
}

fn is_output(manifest: Option<&NodeManifest>, port: &str) -> bool {
    let port = manifest.and_then(|manifest| manifest.port(port));
    port.is_some_and(|port| port.direction == PortDirection::Out)
}

/// The slot that a value `{slot}` means.
fn slot_of(value: &str) -> Option<&str> {
    let slot = value.strip_prefix('{')?.strip_suffix('}')?;
    check::slot_fault(slot).is_none().then_some(slot)
}

fn field(slot: &SlotDefinition, problems: &mut Problems) -> Value {
    let SlotDefinition { name, type_word, words, initial, description, at } = slot;
    let theirs = FIELDS.iter().find(|(_, ours)| ours == type_word);
    if theirs.is_none() || !words.is_empty() {
        let message = format!("a workflow's state has no type `{type_word}`, as of slot `{name}`");
        problems.add(*at, UNSAYABLE, message);
    }
    let mut field = json!({
        "name": name,
        "type": theirs.map_or("str", |(theirs, _)| theirs),
        "default": initial.as_deref().map(literal),
        "is_action": false,
    });
    if let Some(description) = description {
        field["description"] = json!(description);
    }
    field
}
