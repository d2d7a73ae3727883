//! Trees to XML, two spaces a level, so that Groot2 or py_trees opens it.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::problems::{Problems, UNSAYABLE};
use super::read::EXPLICIT;
use super::{names, py_trees, slots};
use crate::behaviour::catalogue::{Catalogue, Category, Leaves, NodeManifest};
use crate::behaviour::definition::{
    Document, NodeDefinition, NodeModel, PortModel, Position, TreeDefinition,
};
use crate::behaviour::status::Dialect;

/// Elements that mean something else than a node of their name.
const TAKEN: [&str; 3] = ["BehaviorTree", "TreeNodesModel", "include"];

/// Writes a document in its own dialect.
pub(in crate::behaviour::format) fn write(document: &Document, problems: &mut Problems) -> String {
    let models = models(document);
    let mut writer = Writer { dialect: document.dialect, out: String::new(), problems };
    writer.out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    writer.out.push_str(&slots::write(&document.slots));
    let says = match document.dialect {
        Dialect::BtCpp => ("BTCPP_format", "4"),
        Dialect::PyTrees => ("dialect", document.dialect.word()),
    };
    let main = document.main.as_deref().map(|main| ("main_tree_to_execute", main));
    writer.open(0, "root", [says].into_iter().chain(main), false, Position::default());
    for tree in &document.trees {
        writer.tree(tree, &models);
    }
    writer.models(&models);
    writer.out.push_str("</root>\n");
    writer.out
}

struct Writer<'p> {
    dialect: Dialect,
    out: String,
    problems: &'p mut Problems,
}

impl Writer<'_> {
    fn tree(&mut self, tree: &TreeDefinition, models: &[NodeModel]) {
        let own = models.iter().filter(|model| is_call(model) && model.id == tree.id);
        // py_trees takes the defaults of a tree's ports from here, not from models.
        let with_defaults = self.dialect == Dialect::PyTrees;
        let ports = own.filter(|_| with_defaults).flat_map(|own| &own.ports);
        let defaults =
            ports.filter_map(|port| Some((port.name.as_str(), port.default.as_deref()?)));
        let attributes = [("ID", tree.id.as_str())].into_iter().chain(defaults);
        self.open(1, "BehaviorTree", attributes, false, tree.at);
        self.node(&tree.root, 2);
        self.close(1, "BehaviorTree");
    }

    fn node(&mut self, node: &NodeDefinition, level: usize) {
        let (tag, id) = self.tag(node);
        let ports: Vec<(&str, &str)> = match self.dialect {
            Dialect::PyTrees => py_trees::to_xml(node),
            Dialect::BtCpp => {
                node.ports.iter().map(|port| (port.name.as_str(), port.value.as_str())).collect()
            }
        };
        let name = node.name.as_deref().map(|name| ("name", name));
        let attributes = id.map(|id| ("ID", id)).into_iter().chain(name).chain(ports);
        self.open(level, tag, attributes, node.children.is_empty(), node.at);
        if !node.children.is_empty() {
            node.children.iter().for_each(|child| self.node(child, level + 1));
            self.close(level, tag);
        }
    }

    /// The element of a node, and its `ID` where the kind cannot be an element itself.
    fn tag<'n>(&mut self, node: &'n NodeDefinition) -> (&'n str, Option<&'n str>) {
        let kind = node.kind.as_str();
        let taken =
            TAKEN.contains(&kind) || (self.dialect == Dialect::BtCpp && EXPLICIT.contains(&kind));
        if names::is_name(kind) && !taken {
            return (kind, None);
        }
        if self.dialect == Dialect::PyTrees {
            let message = format!("`{kind}` cannot be the name of an XML element");
            self.problems.add(node.at, UNSAYABLE, message);
        }
        let category = match node.children.len() {
            0 => Category::Action,
            1 => Category::Decorator,
            _ => Category::Control,
        };
        (category.word(), Some(kind))
    }

    fn models(&mut self, models: &[NodeModel]) {
        if models.is_empty() {
            return;
        }
        self.open(1, "TreeNodesModel", [], false, Position::default());
        for model in models {
            let NodeModel { category, id, ports } = model;
            self.open(2, category, [("ID", id.as_str())], ports.is_empty(), Position::default());
            if !ports.is_empty() {
                ports.iter().for_each(|port| self.port_model(port));
                self.close(2, category);
            }
        }
        self.close(1, "TreeNodesModel");
    }

    fn port_model(&mut self, port: &PortModel) {
        let PortModel { direction, name, type_word, default, description } = port;
        let type_word = type_word.as_deref().map(|word| ("type", word));
        let default = default.as_deref().map(|value| ("default", value));
        let attributes = [("name", name.as_str())].into_iter().chain(type_word).chain(default);
        let at = Position::default();
        self.open(3, direction, attributes, description.is_none(), at);
        if let Some(description) = description {
            self.out.pop();
            self.escaped(description, at);
            let _ = writeln!(self.out, "</{direction}>");
        }
    }

    fn open<'a>(
        &mut self,
        level: usize,
        tag: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
        empty: bool,
        at: Position,
    ) {
        let _ = write!(self.out, "{:1$}<{tag}", "", 2 * level);
        for (name, value) in attributes {
            if !names::is_name(name) {
                let message = format!("`{name}` cannot be the name of an XML attribute");
                self.problems.add(at, UNSAYABLE, message);
            }
            let _ = write!(self.out, " {name}=\"");
            self.escaped(value, at);
            self.out.push('"');
        }
        self.out.push_str(if empty { "/>\n" } else { ">\n" });
    }

    fn close(&mut self, level: usize, tag: &str) {
        let _ = writeln!(self.out, "{:1$}</{tag}>", "", 2 * level);
    }

    /// A text as it stands in an attribute or an element. Line ends and tabs are escaped too: in
    /// an attribute they would be read as spaces.
    fn escaped(&mut self, text: &str, at: Position) {
        for letter in text.chars() {
            match letter {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\t' | '\n' | '\r' => {
                    let _ = write!(self.out, "&#{};", u32::from(letter));
                }
                letter if names::is_character(letter) => self.out.push(letter),
                letter => {
                    let message = format!("XML cannot hold the character {letter:?}");
                    self.problems.add(at, UNSAYABLE, message);
                }
            }
        }
    }
}

fn is_call(model: &NodeModel) -> bool {
    model.category == Category::SubTree.word()
}

/// The document's own models, and for editors those of nodes in use that are not built in where
/// the file goes, and of trees that are called with ports.
fn models(document: &Document) -> Vec<NodeModel> {
    let built_in = Catalogue::new(document.dialect, Leaves::None);
    let mut added: BTreeMap<(&str, &str), NodeModel> = BTreeMap::new();
    for node in document.trees.iter().flat_map(|tree| nodes(&tree.root)) {
        if built_in.find(&node.kind).is_some_and(|found| found.category == Category::SubTree) {
            called(node, &mut added);
        } else if built_in.find(&node.kind).is_none()
            && let Some(manifest) = Catalogue::full(document.dialect).find(&node.kind)
        {
            let model = of_manifest(manifest);
            added.entry((manifest.category.word(), manifest.kind)).or_insert(model);
        }
    }
    let mut models = document.models.clone();
    let known = |model: &NodeModel| {
        document.models.iter().any(|own| own.category == model.category && own.id == model.id)
    };
    models.extend(added.into_values().filter(|model| !known(model)));
    models
}

/// Adds what a call says of the tree that it calls.
fn called<'n>(node: &'n NodeDefinition, added: &mut BTreeMap<(&'n str, &'n str), NodeModel>) {
    let Some(id) = node.port("ID") else { return };
    let category = Category::SubTree.word();
    let ports = node.ports.iter().filter(|port| port.name != "ID" && !port.name.starts_with('_'));
    for port in ports {
        let model = added.entry((category, id)).or_insert_with(|| NodeModel {
            category: category.to_owned(),
            id: id.to_owned(),
            ports: Vec::new(),
        });
        if !model.ports.iter().any(|known| known.name == port.name) {
            // Which way the value goes is not known.
            model.ports.push(PortModel {
                direction: "inout_port".to_owned(),
                name: port.name.clone(),
                type_word: None,
                default: None,
                description: None,
            });
        }
    }
}

fn of_manifest(manifest: &NodeManifest) -> NodeModel {
    let port = |port: &crate::behaviour::catalogue::PortManifest| PortModel {
        direction: port.direction.word().to_owned(),
        name: port.name.to_owned(),
        type_word: None,
        default: port.default.map(str::to_owned),
        description: None,
    };
    NodeModel {
        category: manifest.category.word().to_owned(),
        id: manifest.kind.to_owned(),
        ports: manifest.ports.iter().map(port).collect(),
    }
}

/// A node and all below it.
fn nodes(root: &NodeDefinition) -> Box<dyn Iterator<Item = &NodeDefinition> + '_> {
    Box::new(std::iter::once(root).chain(root.children.iter().flat_map(nodes)))
}
