//! What py_trees 2.6 writes differently in XML: tags match in either case, a parallel succeeds with
//! one child unless it says otherwise, and trees carry the defaults of their ports.

use super::element::{Attribute, Element};
use crate::behaviour::catalogue::{Catalogue, Category};
use crate::behaviour::definition::{NodeDefinition, NodeModel, PortDefinition, PortModel};
use crate::behaviour::status::Dialect;

/// The policies of a parallel: py_trees' word in XML, and ours.
const POLICIES: [(&str, &str); 3] = [
    ("success_on_all", "SuccessOnAll"),
    ("success_on_one", "SuccessOnOne"),
    ("success_on_selected", "SuccessOnSelected"),
];
/// The policy where none is written, in XML and everywhere else.
const POLICY_DEFAULTS: (&str, &str) = ("SuccessOnOne", "SuccessOnAll");

/// Whether a file that does not say whose it is can only be of py_trees: it holds a composite or
/// decorator that BehaviorTree.CPP does not know.
pub(super) fn recognise(root: &Element) -> bool {
    let [ours, theirs] = [Dialect::PyTrees, Dialect::BtCpp].map(Catalogue::full);
    let trees = root.children.iter().filter(|child| child.name == "BehaviorTree");
    let mut nodes = trees.flat_map(|tree| tree.children.iter()).flat_map(Element::walk);
    nodes.any(|node| {
        let inner = |category| matches!(category, Category::Control | Category::Decorator);
        let known = ours.find(&node.name).is_some_and(|found| inner(found.category));
        let explicit = node.name == "Condition" && node.attribute("ID").is_some();
        known && !explicit && theirs.find(&node.name).is_none()
    })
}

/// The name of a kind as the catalogue has it.
pub(super) fn canonical(tag: &str) -> &str {
    if tag.eq_ignore_ascii_case("SubTreePlus") {
        return "SubTree";
    }
    let known = Catalogue::full(Dialect::PyTrees).find(tag);
    known.map_or(tag, |known| known.kind)
}

/// Turns ports as py_trees reads them into what they mean here.
pub(super) fn from_xml(node: &mut NodeDefinition) {
    for port in &mut node.ports {
        let truth = ["true", "false"].iter().find(|word| port.value.eq_ignore_ascii_case(word));
        if let (true, Some(word)) = (port.name == "memory", truth) {
            port.value = (*word).to_owned();
        }
    }
    if node.kind != "Parallel" {
        return;
    }
    match node.ports.iter_mut().find(|port| port.name == "policy") {
        Some(port) => {
            if let Some((_, ours)) = POLICIES.iter().find(|(theirs, _)| *theirs == port.value) {
                port.value = (*ours).to_owned();
            }
        }
        None => node.ports.push(PortDefinition {
            name: "policy".to_owned(),
            value: POLICY_DEFAULTS.0.to_owned(),
            at: node.at,
        }),
    }
}

/// The ports of a node as py_trees reads them.
pub(super) fn to_xml(node: &NodeDefinition) -> Vec<(&str, &str)> {
    let word =
        |ours: &str| POLICIES.iter().find(|(_, other)| *other == ours).map(|(word, _)| *word);
    let parallel = node.kind == "Parallel";
    let mut ports = Vec::with_capacity(node.ports.len() + 1);
    for port in &node.ports {
        let theirs = (parallel && port.name == "policy").then(|| word(&port.value)).flatten();
        ports.push((port.name.as_str(), theirs.unwrap_or(&port.value)));
    }
    if parallel && node.port("policy").is_none() {
        ports.extend(word(POLICY_DEFAULTS.1).map(|word| ("policy", word)));
    }
    ports
}

/// Attributes of `<BehaviorTree>` are defaults of the tree's ports: they join its model.
pub(super) fn defaults(id: &str, attributes: &[Attribute], models: &mut Vec<NodeModel>) {
    let ports = attributes.iter().filter(|port| !matches!(port.name.as_str(), "ID" | "name"));
    for Attribute { name, value, .. } in ports {
        let category = Category::SubTree.word();
        let same = |model: &NodeModel| model.category == category && model.id == id;
        let index = models.iter().position(same).unwrap_or_else(|| {
            let (category, id) = (category.to_owned(), id.to_owned());
            models.push(NodeModel { category, id, ports: Vec::new() });
            models.len() - 1
        });
        let known = &mut models[index].ports;
        match known.iter_mut().find(|port| port.name == *name) {
            Some(port) => port.default = Some(value.clone()),
            None => known.push(PortModel {
                direction: "input_port".to_owned(),
                name: name.clone(),
                type_word: None,
                default: Some(value.clone()),
                description: None,
            }),
        }
    }
}
