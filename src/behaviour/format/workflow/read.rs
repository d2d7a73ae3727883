//! Nodes and edges to a tree.

use std::collections::BTreeMap;

use super::super::bounds::{DEPTH_MAX, NODES_MAX};
use super::super::check;
use super::super::outline::{Entry, Outline, Shape};
use super::super::problems::{BOUNDS, Problems, STRUCTURE, nearest};
use super::super::slots::text;
use super::super::yaml::port_value;
use super::words::{FIELDS, MEMORY, POLICIES, REFUSED, RENAMED, STATE};
use crate::behaviour::catalogue::Catalogue;
use crate::behaviour::definition::{
    Document, NodeDefinition, PortDefinition, Position, SlotDefinition, TreeDefinition,
};
use crate::behaviour::status::Dialect;

/// The id of a tree whose workflow has none that can be one.
const TREE: &str = "Main";

/// Whether an outline is a workflow.
pub(in crate::behaviour::format) fn is_workflow(outline: &Outline) -> bool {
    let list = |key| outline.get(key).is_some_and(|value| matches!(value.shape, Shape::List(_)));
    list("nodes") && outline.get("tree").is_none()
}

/// Reads a workflow.
pub(in crate::behaviour::format) fn read(outline: &Outline, problems: &mut Problems) -> Document {
    let mut document = Document { dialect: Dialect::PyTrees, ..Document::default() };
    if !is_workflow(outline) {
        let message = "expected a workflow: a map with a list of `nodes` and one of `edges`";
        problems.add(outline.at, STRUCTURE, message);
        return document;
    }
    let mut graph = Graph::default();
    for node in items(outline, "nodes").take(NODES_MAX + 1) {
        graph.add(node, problems);
    }
    if graph.nodes.len() > NODES_MAX {
        problems.add(outline.at, BOUNDS, format!("more than {NODES_MAX} nodes"));
        return document;
    }
    for edge in items(outline, "edges") {
        graph.connect(edge, problems);
    }
    let name = outline.get("name").and_then(Outline::text);
    let id = name.filter(|name| check::kind_fault(name).is_none()).unwrap_or(TREE).to_owned();
    let tree = |root| TreeDefinition { id, root, at: outline.at };
    document.trees.extend(graph.root(outline.at, problems).map(tree));
    if let Some(state) = outline.get("state") {
        document.slots = items(state, "fields").filter_map(|field| slot(field, problems)).collect();
    }
    document
}

/// The items of a list; none if there is no list.
fn items<'o>(outline: &'o Outline, key: &str) -> std::slice::Iter<'o, Outline> {
    match outline.get(key).map(|value| &value.shape) {
        Some(Shape::List(items)) => items.iter(),
        _ => [].iter(),
    }
}

/// One node before it is put under its parent.
#[derive(Default)]
struct Drawn {
    id: String,
    definition: NodeDefinition,
    /// x and y on the sheet.
    position: (f64, f64),
    parent: Option<usize>,
    children: Vec<usize>,
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Drawn>,
    by_id: BTreeMap<String, usize>,
}

impl Graph {
    fn add(&mut self, outline: &Outline, problems: &mut Problems) {
        let mut field = |key: &str| {
            let found = outline.get(key);
            if found.is_none() {
                problems.add(outline.at, STRUCTURE, format!("a node has no `{key}`"));
            }
            found.map(|value| text(value, "a text", problems))
        };
        let (Some(id), Some(word)) = (field("id"), field("type")) else { return };
        let mut definition = NodeDefinition { at: outline.at, ..NodeDefinition::default() };
        definition.name = outline.get("label").and_then(Outline::text).map(str::to_owned);
        definition.ports = ports(outline, &id, problems);
        definition.kind = kind(&word, &id, &mut definition, problems);
        let position = position(outline, &id, problems);
        if self.by_id.insert(id.clone(), self.nodes.len()).is_some() {
            problems.add(outline.at, STRUCTURE, format!("two nodes have the id `{id}`"));
        }
        self.nodes.push(Drawn { id, definition, position, ..Drawn::default() });
    }

    fn connect(&mut self, edge: &Outline, problems: &mut Problems) {
        let mut end = |key: &str| {
            let id = edge.get(key).and_then(Outline::text);
            let found = id.and_then(|id| self.by_id.get(id)).copied();
            if found.is_none() {
                let message = format!("the {key} of an edge is {id:?}, which is no node's id");
                problems.add(edge.at, STRUCTURE, message);
            }
            found
        };
        let (Some(parent), Some(child)) = (end("source"), end("target")) else { return };
        if self.nodes[child].parent.is_some() {
            let message = format!("node `{}` has two parents", self.nodes[child].id);
            problems.add(edge.at, STRUCTURE, message);
            return;
        }
        self.nodes[child].parent = Some(parent);
        self.nodes[parent].children.push(child);
    }

    /// The tree below the only node without a parent.
    fn root(mut self, at: Position, problems: &mut Problems) -> Option<NodeDefinition> {
        let without = |(_, node): &(usize, &Drawn)| node.parent.is_none();
        let roots: Vec<usize> =
            self.nodes.iter().enumerate().filter(without).map(|(index, _)| index).collect();
        let [root] = roots.as_slice() else {
            let names = roots.iter().take(5).map(|index| self.nodes[*index].id.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let message = format!(
                "{} nodes have no parent ({names}); expected exactly 1, the root",
                roots.len()
            );
            problems.add(at, STRUCTURE, message);
            return None;
        };
        let mut placed = 0;
        let tree = self.take(*root, 1, &mut placed, problems);
        if tree.is_some() && placed < self.nodes.len() {
            let message =
                format!("{} nodes hang in a circle and not on the root", self.nodes.len() - placed);
            problems.add(at, STRUCTURE, message);
        }
        tree
    }

    /// Takes a node and all below it; children go by x, then by y, then as they stand in the file.
    fn take(
        &mut self,
        index: usize,
        depth: usize,
        placed: &mut usize,
        problems: &mut Problems,
    ) -> Option<NodeDefinition> {
        *placed += 1;
        let mut definition = std::mem::take(&mut self.nodes[index].definition);
        if depth > DEPTH_MAX {
            let message = format!("more than {DEPTH_MAX} nodes within one another");
            problems.add(definition.at, BOUNDS, message);
            return None;
        }
        let mut children = std::mem::take(&mut self.nodes[index].children);
        children.sort_by(|a, b| {
            let ((ax, ay), (bx, by)) = (self.nodes[*a].position, self.nodes[*b].position);
            ax.total_cmp(&bx).then(ay.total_cmp(&by))
        });
        for child in children {
            definition.children.push(self.take(child, depth + 1, placed, problems)?);
        }
        Some(definition)
    }
}

/// The kind of a type. Types with other names take the names of their ports along.
fn kind(word: &str, id: &str, definition: &mut NodeDefinition, problems: &mut Problems) -> String {
    let at = definition.at;
    if let Some(renamed) = RENAMED.iter().find(|renamed| renamed.theirs == word) {
        let (theirs, ours) = renamed.port;
        for port in definition.ports.iter_mut().filter(|port| port.name == theirs) {
            port.name = ours.to_owned();
        }
        if let Some(value) = renamed.default.filter(|_| definition.port(ours).is_none()) {
            let (name, value) = (ours.to_owned(), value.to_owned());
            definition.ports.push(PortDefinition { name, value, at });
        }
        return renamed.ours.to_owned();
    }
    let catalogue = Catalogue::full(Dialect::PyTrees);
    if let Some(known) = catalogue.find(word) {
        let policy = definition.port("policy").filter(|_| known.kind == "Parallel");
        if let Some(policy) = policy.filter(|policy| !POLICIES.contains(policy)) {
            let allowed = POLICIES.join(", ");
            let message = format!("node `{id}`: policy {policy:?}; py_trees has {allowed}");
            problems.add(at, STRUCTURE, message);
        }
        return known.kind.to_owned();
    }
    let refused = REFUSED.iter().find(|(theirs, _)| *theirs == word);
    let message = match refused.or((word.contains(MEMORY.0)).then_some(&MEMORY)) {
        Some((_, why)) => format!("node `{id}`: `{word}` has no counterpart; {why}"),
        None => {
            let ours = catalogue.nodes().map(|node| node.kind);
            let hint = nearest(word, ours.chain(RENAMED.iter().map(|renamed| renamed.theirs)));
            format!("node `{id}`: type `{word}` is not known{hint}")
        }
    };
    problems.add(at, STRUCTURE, message);
    word.to_owned()
}

/// Values of `config`, and slots of the bindings.
fn ports(outline: &Outline, id: &str, problems: &mut Problems) -> Vec<PortDefinition> {
    let entries = |key: &str| outline.get(key).and_then(Outline::entries).unwrap_or_default();
    let mut ports = Vec::new();
    for Entry { key, at, value } in entries("config") {
        if !matches!(value.shape, Shape::Nothing) {
            let port = |value| PortDefinition { name: key.clone(), value, at: *at };
            ports.extend(port_value(value, key, problems).map(port));
        }
    }
    for Entry { key, at, value } in
        entries("input_bindings").iter().chain(entries("output_bindings"))
    {
        let slot = value.text().and_then(|text| text.strip_prefix(STATE));
        match slot.filter(|slot| check::slot_fault(slot).is_none()) {
            Some(slot) => ports.push(PortDefinition {
                name: key.clone(),
                value: format!("{{{slot}}}"),
                at: *at,
            }),
            None => {
                let found = value.text().unwrap_or(value.word());
                let message =
                    format!("node `{id}`: `{key}` is bound to {found:?}; expected \"state.key\"");
                problems.add(value.at, STRUCTURE, message);
            }
        }
    }
    ports
}

fn position(outline: &Outline, id: &str, problems: &mut Problems) -> (f64, f64) {
    let mut axis = |key: &str| {
        let Some(value) = outline.get("position").and_then(|position| position.get(key)) else {
            return 0.0;
        };
        let number = value.text().and_then(|text| text.parse::<f64>().ok());
        number.filter(|number| number.is_finite()).unwrap_or_else(|| {
            let message = format!("node `{id}`: position `{key}` is not a number");
            problems.add(value.at, STRUCTURE, message);
            0.0
        })
    };
    (axis("x"), axis("y"))
}

fn slot(field: &Outline, problems: &mut Problems) -> Option<SlotDefinition> {
    let Some(name) = field.get("name").and_then(Outline::text) else {
        problems.add(field.at, STRUCTURE, "a field of the state has no `name`");
        return None;
    };
    let word = field.get("type").and_then(Outline::text).unwrap_or("str");
    let Some((_, type_word)) = FIELDS.iter().find(|(theirs, _)| *theirs == word) else {
        let words = FIELDS.map(|(theirs, _)| theirs);
        let hint = nearest(word, words);
        let message = format!("field `{name}`: type `{word}`; allowed: {}{hint}", words.join(", "));
        problems.add(field.at, STRUCTURE, message);
        return None;
    };
    let initial = match field.get("default").map(|value| (value, &value.shape)) {
        Some((_, Shape::Text(text))) => Some(text.clone()),
        // An empty list or map is a state before anything happened.
        Some((_, Shape::List(items))) if items.is_empty() => None,
        Some((_, Shape::Map(entries))) if entries.is_empty() => None,
        None | Some((_, Shape::Nothing)) => None,
        Some((value, _)) => {
            let message = format!("field `{name}`: {} cannot be what it begins with", value.word());
            problems.add(value.at, STRUCTURE, message);
            None
        }
    };
    Some(SlotDefinition {
        name: name.to_owned(),
        type_word: (*type_word).to_owned(),
        words: Vec::new(),
        initial,
        description: field.get("description").and_then(Outline::text).map(str::to_owned),
        at: field.at,
    })
}
