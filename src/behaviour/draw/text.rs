//! A tree as indented text.

use super::sign::{caption, sign};
use crate::behaviour::definition::{Document, NodeDefinition};

/// Which characters a drawing may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// ASCII alone.
    Ascii,
    /// Lines and signs of Unicode.
    Unicode,
}

/// The trees of a document, one below the other; no line ends with a space.
pub fn text(document: &Document, style: TextStyle) -> String {
    let mut drawing = String::new();
    for tree in &document.trees {
        let is_main = document.main.as_deref() == Some(&tree.id) && document.trees.len() > 1;
        drawing += &tree.id;
        drawing += if is_main { " (main)\n" } else { "\n" };
        node(document, &tree.root, style, "", true, &mut drawing);
    }
    drawing
}

fn node(
    document: &Document,
    definition: &NodeDefinition,
    style: TextStyle,
    indent: &str,
    is_last: bool,
    drawing: &mut String,
) {
    let (branch, more) = match (style, is_last) {
        (TextStyle::Ascii, true) => ("`-- ", "    "),
        (TextStyle::Ascii, false) => ("|-- ", "|   "),
        (TextStyle::Unicode, true) => ("└── ", "    "),
        (TextStyle::Unicode, false) => ("├── ", "│   "),
    };
    let (title, ports) = caption(definition);
    let sign = match style {
        TextStyle::Ascii => ascii(sign(document, definition)),
        TextStyle::Unicode => sign(document, definition),
    };
    let line = format!("{indent}{branch}{sign} {title}  {ports}");
    *drawing += &line.replace(char::is_control, " ");
    drawing.truncate(drawing.trim_end().len());
    drawing.push('\n');
    let indent = format!("{indent}{more}");
    for (index, child) in definition.children.iter().enumerate() {
        let is_last = index + 1 == definition.children.len();
        node(document, child, style, &indent, is_last, drawing);
    }
}

fn ascii(sign: &'static str) -> &'static str {
    match sign {
        "→" => "->",
        "⇉" => "||",
        "⑂" => "<>",
        "δ" => "^",
        "◇" => "[?]",
        "⤷" => "=>",
        "•" => "*",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::definition::{PortDefinition, Position, TreeDefinition};

    #[test]
    fn children_are_joined_to_their_parent() {
        let leaf = |kind: &str| NodeDefinition { kind: kind.to_owned(), ..Default::default() };
        let port = |name: &str, value: &str| PortDefinition {
            name: name.to_owned(),
            value: value.to_owned(),
            at: Position::default(),
        };
        let root = NodeDefinition {
            kind: "Sequence".to_owned(),
            name: Some("day".to_owned()),
            ports: vec![port("memory", "true")],
            children: vec![
                NodeDefinition { children: vec![leaf("Success")], ..leaf("Inverter") },
                leaf("Failure"),
            ],
            at: Position::default(),
        };
        let tree = TreeDefinition { id: "Main".to_owned(), root, at: Position::default() };
        let document = Document { trees: vec![tree], ..Default::default() };
        let expected = "Main\n\
                        `-- -> day (Sequence)  memory=true\n    \
                        |-- ^ Inverter\n    \
                        |   `-- * Success\n    \
                        `-- * Failure\n";
        assert_eq!(text(&document, TextStyle::Ascii), expected);
    }
}
