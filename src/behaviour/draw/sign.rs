//! What a node looks like at a glance.

use crate::behaviour::catalogue::{Catalogue, Category};
use crate::behaviour::definition::{Document, NodeDefinition, PortDefinition};

/// The sign of a node: what its kind is at a glance.
pub(super) fn sign(document: &Document, node: &NodeDefinition) -> &'static str {
    match node.kind.as_str() {
        "Sequence" | "SequenceWithMemory" | "ReactiveSequence" | "AsyncSequence" => "→",
        "Selector" | "Fallback" | "ReactiveFallback" | "AsyncFallback" => "?",
        "Parallel" | "ParallelAll" => "⇉",
        _ => match category(document, node) {
            Some(Category::Control) => "⑂",
            Some(Category::Decorator) => "δ",
            Some(Category::Condition) => "◇",
            Some(Category::SubTree) => "⤷",
            Some(Category::Action) | None => "•",
        },
    }
}

pub(super) fn category(document: &Document, node: &NodeDefinition) -> Option<Category> {
    let catalogue = Catalogue::full(document.dialect);
    catalogue.find(&node.kind).map(|manifest| manifest.category)
}

/// What a node is, in a line: its name, its kind if that is another, its ports.
pub(super) fn caption(node: &NodeDefinition) -> (String, String) {
    let title = match &node.name {
        Some(name) if *name != node.kind => format!("{name} ({})", node.kind),
        _ => node.kind.clone(),
    };
    let port = |port: &PortDefinition| format!("{}={}", port.name, port.value);
    let ports: Vec<String> = node.ports.iter().map(port).collect();
    (title, ports.join(" "))
}
