//! Walks a document and lays its nodes out in pre-order.

use std::path::Path;

use super::ports::{listed, nearest, truth_of};
use super::scope::{Scope, Vocabulary};
use crate::behaviour::catalogue::{Catalogue, Category, NodeManifest, PersonAction, PortType};
use crate::behaviour::definition::{Document, NodeDefinition, Position, TreeDefinition, key_of};
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::expression::{Program, SlotIndex};
use crate::behaviour::status::{Dialect, Status};
use crate::behaviour::tree::{
    DEPTH_MAX, Kind, Label, Leaf, LeafSpec, List, NODES_MAX, Node, NodeIndex, Param, Rules, Slot,
    Source, Switch, Tree,
};
use crate::behaviour::value::{Value, ValueType};

/// Conditions and remarks that any node of BehaviorTree.CPP may have.
const CONDITIONS: [&str; 8] = [
    "_failureIf",
    "_successIf",
    "_skipIf",
    "_while",
    "_onHalted",
    "_onFailure",
    "_onSuccess",
    "_post",
];

/// The most mistakes that are looked for: a file that is wrong in more places is wrong throughout.
const PROBLEMS_MAX: usize = 200;
/// The most bytes of the path of nested calls, which is part of every name below.
const PATH_BYTES_MAX: usize = 8_192;

/// Compiles a document. `path` is for messages only.
///
/// # Errors
/// [`TreeError::Invalid`] with everything that is wrong: an unknown node, a wrong number of
/// children, a port that is missing, unknown or unreadable, an unknown name, a tree that is
/// missing, that calls itself or is there twice, and bounds.
pub fn compile(
    document: &Document,
    path: &Path,
    vocabulary: &dyn Vocabulary,
) -> Result<Tree, TreeError> {
    let catalogue = Catalogue::new(document.dialect, vocabulary.leaves());
    let mut builder = Builder::new(document, catalogue, vocabulary);
    builder.declare_slots();
    if let Some(main) = builder.main_tree() {
        builder.tree(main, 0, "", 0);
    }
    builder.finish(path)
}

/// A node at work: what is written, what the catalogue says of it, and where its names live.
#[derive(Clone, Copy)]
pub(super) struct Place<'d> {
    pub definition: &'d NodeDefinition,
    pub manifest: &'static NodeManifest,
    pub scope: usize,
    /// Its own index.
    pub node: NodeIndex,
}

pub(super) struct Builder<'d> {
    pub document: &'d Document,
    pub vocabulary: &'d dyn Vocabulary,
    catalogue: Catalogue,
    pub problems: Vec<TreeProblem>,
    pub scopes: Vec<Scope>,
    /// The trees that are being called, outermost first.
    calls: Vec<&'d str>,
    pub nodes: Vec<Node>,
    labels: Vec<Label>,
    rules: Vec<Rules>,
    pub programs: Vec<Program>,
    pub parallels: Vec<(Param, Param)>,
    pub selections: Vec<Box<[NodeIndex]>>,
    pub switches: Vec<Switch>,
    pub lists: Vec<List>,
    pub writes: Vec<Source>,
    pub weights: Vec<[f32; 3]>,
    pub leaves: Vec<LeafSpec>,
    pub slots: Vec<Slot>,
    pub choices: Vec<Box<[u16]>>,
    pub watched: Vec<SlotIndex>,
    /// Slots that others see.
    pub shown: Vec<SlotIndex>,
    /// A bit for each source of others that is named.
    pub sources: u16,
    register_count: usize,
    /// Nodes seen, also unknown ones and calls that are not laid out.
    visited: usize,
    too_large: bool,
}

impl<'d> Builder<'d> {
    fn new(document: &'d Document, catalogue: Catalogue, vocabulary: &'d dyn Vocabulary) -> Self {
        Self {
            document,
            vocabulary,
            catalogue,
            problems: Vec::new(),
            scopes: vec![Scope::root()],
            calls: Vec::new(),
            nodes: Vec::new(),
            labels: Vec::new(),
            rules: Vec::new(),
            programs: Vec::new(),
            parallels: Vec::new(),
            selections: Vec::new(),
            switches: Vec::new(),
            lists: Vec::new(),
            writes: Vec::new(),
            weights: Vec::new(),
            leaves: Vec::new(),
            slots: Vec::new(),
            choices: Vec::new(),
            watched: Vec::new(),
            shown: Vec::new(),
            sources: 0,
            register_count: 0,
            visited: 0,
            too_large: false,
        }
    }

    pub(super) fn problem(&mut self, at: Position, code: &'static str, message: String) {
        let Position { line, column } = at;
        self.problems.push(TreeProblem { line, column, code, message });
    }

    /// Notes once that the tree is too large; nothing more is laid out then.
    pub(super) fn too_large(&mut self, at: Position, what: &str) {
        if !std::mem::replace(&mut self.too_large, true) {
            self.problem(at, "too-large", format!("the tree has more than {what}"));
        }
    }

    /// The tree to run: the one that the document names, or its only one.
    fn main_tree(&mut self) -> Option<&'d TreeDefinition> {
        let trees = &self.document.trees;
        for (index, tree) in trees.iter().enumerate() {
            if trees[..index].iter().any(|other| other.id == tree.id) {
                let message = format!("there are two trees with the id `{}`", tree.id);
                self.problem(tree.at, "duplicate-id", message);
            }
        }
        match (&self.document.main, trees.as_slice()) {
            (Some(main), _) => self.find_tree(main, Position::default()),
            (None, [only]) => Some(only),
            (None, []) => {
                let message = "the document has no tree".to_owned();
                self.problem(Position::default(), "no-tree", message);
                None
            }
            (None, several) => {
                let ids: Vec<_> = several.iter().map(|tree| tree.id.as_str()).collect();
                let message =
                    format!("the document does not say which to run of: {}", ids.join(", "));
                self.problem(Position::default(), "no-main", message);
                None
            }
        }
    }

    fn find_tree(&mut self, id: &str, at: Position) -> Option<&'d TreeDefinition> {
        let found = self.document.trees.iter().find(|tree| tree.id == id);
        if found.is_none() {
            let ids: Vec<_> = self.document.trees.iter().map(|tree| tree.id.as_str()).collect();
            let near = nearest(id, ids.iter().copied());
            let message = format!("there is no tree `{id}`{near}; there are: {}", listed(&ids));
            self.problem(at, "unknown-tree", message);
        }
        found
    }

    /// Lays out a tree below the node that is being made.
    fn tree(&mut self, tree: &'d TreeDefinition, scope: usize, path: &str, depth: usize) {
        self.calls.push(&tree.id);
        self.node(&tree.root, scope, path, depth);
        self.calls.pop();
    }

    /// Lays out a node and what is below it.
    fn node(&mut self, definition: &'d NodeDefinition, scope: usize, path: &str, depth: usize) {
        if self.too_large || self.problems.len() >= PROBLEMS_MAX {
            return;
        }
        if depth >= DEPTH_MAX || self.visited >= NODES_MAX {
            let what = format!("{NODES_MAX} nodes, or {DEPTH_MAX} within one another");
            return self.too_large(definition.at, &what);
        }
        self.visited += 1;
        let Some(manifest) = self.catalogue.find(&definition.kind) else {
            self.unknown_node(definition);
            for child in &definition.children {
                self.node(child, scope, path, depth + 1);
            }
            return;
        };
        let count = definition.children.len();
        if !manifest.children.allows(count) {
            let (kind, wanted) = (manifest.kind, manifest.children.words());
            let message = format!("`{kind}` must have {wanted}, not {count}");
            self.problem(definition.at, "wrong-child-count", message);
        }
        let is_call = manifest.category == Category::SubTree;
        if is_call && self.document.dialect == Dialect::PyTrees {
            return self.call(definition, scope, path, depth);
        }
        let node = self.nodes.len() as NodeIndex;
        let title = title(definition, manifest, path, node, self.document.dialect);
        let kind = Kind::Leaf(Leaf::Constant(Status::Idle));
        self.nodes.push(Node {
            kind,
            end: node + 1,
            register: 0,
            rules: Node::NO_RULES,
            is_decorator: is_call || manifest.category == Category::Decorator,
            has_only_leaves: false,
        });
        let (at, depth_here) = (definition.at, depth as u16);
        self.labels.push(Label { kind: manifest.kind, title, at, depth: depth_here });
        let place = Place { definition, manifest, scope, node };
        self.check_ports(&place, is_call);
        if is_call {
            self.call(definition, scope, path, depth + 1);
        }
        for child in &definition.children {
            self.node(child, scope, path, depth + 1);
        }
        let rules = self.rules_of(&place);
        let kind = match self.document.dialect {
            _ if self.is_of_people(&place) => self.people_kind(&place),
            Dialect::BtCpp => self.cpp_kind(&place),
            Dialect::PyTrees => self.py_kind(&place),
        };
        let children = self.children_of(node);
        let is_leaf =
            |child: &NodeIndex| matches!(self.nodes[usize::from(*child)].kind, Kind::Leaf(_));
        let has_only_leaves = children.iter().all(is_leaf);
        let end = self.nodes.len() as NodeIndex;
        let register = self.register_count as u16;
        let made = &mut self.nodes[usize::from(node)];
        made.end = end;
        made.register = register;
        made.rules = rules;
        made.has_only_leaves = has_only_leaves;
        if let Some(kind) = kind {
            made.kind = kind;
            self.register_count += usize::from(kind.register_count(children.len() as u16));
        }
    }

    /// The children that have been laid out below a node, with their own names.
    pub(super) fn children_of(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let (mut children, mut child) = (Vec::new(), node + 1);
        while usize::from(child) < self.nodes.len() {
            children.push(child);
            child = self.nodes[usize::from(child)].end;
        }
        children
    }

    fn unknown_node(&mut self, definition: &NodeDefinition) {
        let kind = &definition.kind;
        let dialect = self.document.dialect.word();
        let near = nearest(kind, self.catalogue.nodes().map(|node| node.kind));
        let message = format!("`{kind}` is no node of dialect {dialect}{near}");
        self.problem(definition.at, "unknown-node", message);
    }

    /// Lays out a called tree, with a blackboard of its own.
    fn call(&mut self, definition: &'d NodeDefinition, scope: usize, path: &str, depth: usize) {
        let at = definition.at;
        let Some(id) = definition.port("ID") else {
            let message = "`SubTree` needs the port `ID`".to_owned();
            return self.problem(at, "missing-port", message);
        };
        let Some(tree) = self.find_tree(id, at) else { return };
        if self.calls.contains(&tree.id.as_str()) {
            let chain = [self.calls.as_slice(), &[id]].concat().join(" -> ");
            let message = format!("tree `{id}` calls itself: {chain}");
            return self.problem(at, "recursive-tree", message);
        }
        if self.calls.len() >= DEPTH_MAX {
            return self.too_large(at, &format!("{DEPTH_MAX} calls within one another"));
        }
        let number = match self.document.dialect {
            Dialect::BtCpp => self.nodes.len(),
            Dialect::PyTrees => self.nodes.len() + 1,
        };
        let own = definition.name.clone().filter(|name| name != id);
        let inner_path = format!("{path}{}/", own.unwrap_or_else(|| format!("{id}::{number}")));
        if inner_path.len() > PATH_BYTES_MAX {
            return self.too_large(at, &format!("{PATH_BYTES_MAX} bytes of names of nested calls"));
        }
        let autoremap = self.autoremap(definition);
        let inner = self.scopes.len();
        self.scopes.push(Scope::call(scope, &inner_path, autoremap));
        for (name, value, at) in self.call_ports(definition, id) {
            if self.vocabulary.attribute(&name).is_some() {
                let message = format!("the name `{name}` is taken: it is perceived");
                self.problem(at, "duplicate-slot", message);
                continue;
            }
            match key_of(&name, &value) {
                Some(key) => {
                    if let Some(slot) = self.slot_at(scope, key, at) {
                        self.bind(inner, &name, slot);
                    }
                }
                None if !self.has_room(at) => return,
                None => {
                    let initial = Value::of_literal(&value);
                    self.add_slot(inner, &name, ValueType::Any, initial);
                }
            }
        }
        self.tree(tree, inner, &inner_path, depth);
    }

    /// Whether a call shares all names with its caller.
    fn autoremap(&mut self, definition: &NodeDefinition) -> bool {
        let Some(port) = definition.ports.iter().find(|port| port.name == "_autoremap") else {
            return false;
        };
        truth_of(&port.value).unwrap_or_else(|| {
            let word = port.value.trim();
            let message = format!("`_autoremap` is `{word}`; it must be true or false");
            self.problem(port.at, "bad-port", message);
            false
        })
    }

    /// The ports of a call, with the defaults that the document's model of the tree gives.
    fn call_ports(&self, definition: &NodeDefinition, id: &str) -> Vec<(String, String, Position)> {
        let given =
            definition.ports.iter().filter(|port| port.name != "ID" && !port.name.starts_with('_'));
        let mut ports: Vec<_> =
            given.map(|port| (port.name.clone(), port.value.clone(), port.at)).collect();
        let models = self.document.models.iter();
        let model = models.filter(|model| model.category == "SubTree" && model.id == id);
        for port in model.flat_map(|model| &model.ports) {
            let is_given = ports.iter().any(|(name, ..)| *name == port.name);
            if let (false, Some(default)) = (is_given, &port.default) {
                ports.push((port.name.clone(), default.clone(), definition.at));
            }
        }
        ports
    }

    /// Ports that the node does not have.
    fn check_ports(&mut self, place: &Place<'d>, is_call: bool) {
        let dialect = self.document.dialect;
        for port in &place.definition.ports {
            let remark = port.name.starts_with('_') && dialect == Dialect::BtCpp;
            if is_call || remark || place.manifest.port(&port.name).is_some() {
                continue;
            }
            let (kind, name) = (place.manifest.kind, &port.name);
            let known: Vec<_> = place.manifest.ports.iter().map(|port| port.name).collect();
            let near = nearest(name, known.iter().copied());
            let allowed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let message = format!("`{kind}` has no port `{name}`{near}; its ports: {allowed}");
            self.problem(port.at, "unknown-port", message);
        }
    }

    /// The pre- and postconditions of a node.
    fn rules_of(&mut self, place: &Place<'d>) -> u16 {
        if self.document.dialect == Dialect::PyTrees {
            return Node::NO_RULES;
        }
        let programs = CONDITIONS.map(|name| {
            let port = place.definition.ports.iter().find(|port| port.name == name)?;
            self.program_of(place.scope, &port.value, port.at)
        });
        if programs.iter().all(Option::is_none) {
            return Node::NO_RULES;
        }
        let [failure_if, success_if, skip_if, while_true, on_halted, on_failure, on_success, post] =
            programs;
        self.rules.push(Rules {
            failure_if,
            success_if,
            skip_if,
            while_true,
            on_halted,
            on_failure,
            on_success,
            post,
        });
        self.rules.len() as u16 - 1
    }

    /// A leaf that the world carries out.
    pub(super) fn outside(&mut self, place: &Place<'d>) -> Option<Kind> {
        let (mut ports, mut arguments) = (Vec::new(), None);
        for port in place.manifest.ports {
            ports.push(self.source(place, port.name)?);
            if matches!(port.kind, PortType::Expressions | PortType::Arguments) {
                arguments = Some(self.arguments(place, port)?);
            }
        }
        let (names, arguments) = arguments.unwrap_or_default();
        let constant = |source: &Source| match source {
            Source::Const(value) => Some(*value),
            Source::Slot(_) | Source::Program(_) => None,
        };
        let constants = ports.iter().map(constant).collect();
        let constants = if arguments.is_empty() { constants } else { None };
        let (node, kind) = (place.node, place.manifest.kind);
        let action = PersonAction::from_word(kind);
        let ports = ports.into();
        self.leaves.push(LeafSpec { node, kind, action, ports, constants, names, arguments });
        let index = self.leaves.len() as u16 - 1;
        Some(Kind::Leaf(match action {
            Some(_) => Leaf::Action(index),
            None => Leaf::Outside(index),
        }))
    }

    fn finish(mut self, path: &Path) -> Result<Tree, TreeError> {
        self.watched.sort_unstable();
        self.watched.dedup();
        for slot in std::mem::take(&mut self.watched) {
            self.slots[usize::from(slot.0)].version = Some(self.register_count as u16);
            self.register_count += 1;
        }
        if self.register_count > usize::from(u16::MAX) {
            let message = "the tree remembers too much".to_owned();
            self.problem(Position::default(), "too-large", message);
        }
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|problem| (problem.line, problem.column));
            let (path, problems) = (path.to_owned(), self.problems);
            return Err(TreeError::Invalid { path, problems });
        }
        Ok(Tree {
            dialect: self.document.dialect,
            nodes: self.nodes.into(),
            labels: self.labels.into(),
            rules: self.rules.into(),
            programs: self.programs.into(),
            parallels: self.parallels.into(),
            selections: self.selections.into(),
            switches: self.switches.into(),
            lists: self.lists.into(),
            choices: self.choices.into(),
            shown: self.shown.into(),
            sources: self.sources,
            writes: self.writes.into(),
            weights: self.weights.into(),
            leaves: self.leaves.into(),
            slots: self.slots.into(),
            register_count: self.register_count as u16,
        })
    }
}

/// What a node is called in logs: as each of the two libraries has it.
fn title(
    definition: &NodeDefinition,
    manifest: &NodeManifest,
    path: &str,
    node: NodeIndex,
    dialect: Dialect,
) -> String {
    if dialect == Dialect::PyTrees {
        return format!("{path}{}", definition.name.as_deref().unwrap_or(manifest.kind));
    }
    let kind = match manifest.category {
        Category::SubTree => definition.port("ID").unwrap_or(manifest.kind),
        _ => manifest.kind,
    };
    match definition.name.as_deref() {
        Some(name) if name != kind => format!("{path}{name}"),
        _ => format!("{path}{kind}::{}", node + 1),
    }
}
