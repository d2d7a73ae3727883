//! `<TreeNodesModel>`: what a file says of nodes that are not built in.

use super::super::check::{CATEGORIES, DIRECTIONS};
use super::super::problems::{Problems, STRUCTURE, nearest};
use super::element::Element;
use crate::behaviour::definition::{NodeModel, PortModel};

/// What editors keep beside the ports for themselves.
const REMARKS: [&str; 2] = ["MetadataFields", "description"];

/// Reads all models of one `<TreeNodesModel>`.
pub(super) fn read(element: &Element, problems: &mut Problems) -> Vec<NodeModel> {
    element.children.iter().filter_map(|entry| model(entry, problems)).collect()
}

fn model(entry: &Element, problems: &mut Problems) -> Option<NodeModel> {
    let category = entry.name.as_str();
    if !CATEGORIES.contains(&category) {
        let hint = nearest(category, CATEGORIES);
        let allowed = CATEGORIES.join(", ");
        let message = format!("<{category}> in <TreeNodesModel>; allowed: {allowed}{hint}");
        problems.add(entry.at, STRUCTURE, message);
        return None;
    }
    let Some(id) = entry.attribute("ID") else {
        let message = format!("<{category}> in <TreeNodesModel> has no ID");
        problems.add(entry.at, STRUCTURE, message);
        return None;
    };
    let ports = entry.children.iter().filter_map(|port| port_model(port, id, problems));
    Some(NodeModel { category: category.to_owned(), id: id.to_owned(), ports: ports.collect() })
}

fn port_model(port: &Element, id: &str, problems: &mut Problems) -> Option<PortModel> {
    let direction = port.name.as_str();
    if REMARKS.contains(&direction) {
        return None;
    }
    if !DIRECTIONS.contains(&direction) {
        let hint = nearest(direction, DIRECTIONS);
        let allowed = DIRECTIONS.join(", ");
        let message = format!("<{direction}> in the model `{id}`; allowed: {allowed}{hint}");
        problems.add(port.at, STRUCTURE, message);
        return None;
    }
    let Some(name) = port.attribute("name") else {
        let message = format!("<{direction}> in the model `{id}` has no name");
        problems.add(port.at, STRUCTURE, message);
        return None;
    };
    let text = |name: &str| port.attribute(name).map(str::to_owned);
    Some(PortModel {
        direction: direction.to_owned(),
        name: name.to_owned(),
        type_word: text("type"),
        default: text("default"),
        description: (!port.text.is_empty()).then(|| port.text.clone()),
    })
}
