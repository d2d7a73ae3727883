//! A tree for Graphviz.

use std::fmt::Write;

use super::sign::{caption, category};
use crate::behaviour::catalogue::Category;
use crate::behaviour::definition::{Document, NodeDefinition};

/// The trees of a document as one directed graph in the DOT language; a cluster per tree.
pub fn dot(document: &Document) -> String {
    let mut graph = String::from(
        "digraph behaviour {\n  ordering=out;\n  node [fontname=\"sans-serif\", fontsize=10];\n",
    );
    let mut next = 0;
    for (index, tree) in document.trees.iter().enumerate() {
        let label = quoted(&tree.id);
        let _ = writeln!(graph, "  subgraph cluster_{index} {{\n    label={label};");
        node(document, &tree.root, None, &mut next, &mut graph);
        graph += "  }\n";
    }
    graph += "}\n";
    graph
}

fn node(
    document: &Document,
    definition: &NodeDefinition,
    parent: Option<usize>,
    next: &mut usize,
    graph: &mut String,
) {
    let own = *next;
    *next += 1;
    let (title, ports) = caption(definition);
    let label = quoted(&if ports.is_empty() { title } else { format!("{title}\n{ports}") });
    let shape = match category(document, definition) {
        Some(Category::Control) => "box",
        Some(Category::Decorator) => "hexagon",
        Some(Category::Condition) => "diamond",
        Some(Category::SubTree) => "folder",
        Some(Category::Action) | None => "ellipse",
    };
    let _ = writeln!(graph, "    n{own} [shape={shape}, label={label}];");
    if let Some(parent) = parent {
        let _ = writeln!(graph, "    n{parent} -> n{own};");
    }
    for child in &definition.children {
        node(document, child, Some(own), next, graph);
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control() && c != '\n', " ");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
