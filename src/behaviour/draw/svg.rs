//! A tree as a picture.

use std::fmt::Write;

use super::sign::{caption, category, sign};
use crate::behaviour::catalogue::Category;
use crate::behaviour::definition::{Document, NodeDefinition};

const ROW: f32 = 84.0;
const GAP: f32 = 18.0;
const BOX_HEIGHT: f32 = 46.0;
const MARGIN: f32 = 24.0;
/// The width of a character at the size of the font, roughly.
const CHARACTER: f32 = 6.8;
const WIDTH_MAX: usize = 34;

/// The trees of a document as one SVG picture, side by side.
pub fn svg(document: &Document) -> String {
    let mut picture =
        Picture { document, shapes: String::new(), lines: String::new(), bottom: 0.0 };
    let mut left = MARGIN;
    for tree in &document.trees {
        let title = escaped(&tree.id);
        let y = MARGIN + 4.0;
        let _ = writeln!(
            picture.shapes,
            "<text class=\"tree\" x=\"{left:.1}\" y=\"{y:.1}\">{title}</text>"
        );
        let (_, right) = picture.node(&tree.root, left, 0);
        left = right + 2.0 * GAP;
    }
    let (width, height) = (left - 2.0 * GAP + MARGIN, picture.bottom + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n\
         text {{ font: 12px sans-serif; fill: #1d2733; text-anchor: middle; }}\n\
         .tree {{ font-weight: bold; text-anchor: start; }}\n\
         .ports {{ font-size: 10px; fill: #5a6b7b; }}\n\
         .box {{ stroke: #3d4f60; stroke-width: 1.2; }}\n\
         path {{ fill: none; stroke: #8796a5; stroke-width: 1.4; }}\n\
         </style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{}</svg>\n",
        picture.lines, picture.shapes
    )
}

struct Picture<'d> {
    document: &'d Document,
    shapes: String,
    lines: String,
    bottom: f32,
}

impl Picture<'_> {
    /// Draws a node and what is below it, no further left than `left`; gives the middle of the node
    /// and the right end of everything drawn.
    fn node(&mut self, definition: &NodeDefinition, left: f32, depth: u16) -> (f32, f32) {
        let (title, ports) = caption(definition);
        let title = format!("{} {}", sign(self.document, definition), cut(&title));
        let ports = cut(&ports);
        let longest = title.chars().count().max(ports.chars().count());
        let width = (longest as f32 * CHARACTER + 20.0).max(70.0);
        let mut middles = Vec::new();
        let mut next = left;
        for child in &definition.children {
            let (middle, right) = self.node(child, next, depth + 1);
            middles.push(middle);
            next = right + GAP;
        }
        let below = (next - GAP).max(left);
        let middle = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => ((first + last) / 2.0).max(left + width / 2.0),
            _ => left + width / 2.0,
        };
        let top = MARGIN + 16.0 + f32::from(depth) * ROW;
        for child in middles {
            let (from, to) = (top + BOX_HEIGHT, top + ROW);
            let turn = (from + to) / 2.0;
            let _ = writeln!(
                self.lines,
                "<path d=\"M{middle:.1} {from:.1} C{middle:.1} {turn:.1} {child:.1} {turn:.1} \
                 {child:.1} {to:.1}\"/>"
            );
        }
        self.draw_box(definition, middle, top, width, &title, &ports);
        self.bottom = self.bottom.max(top + BOX_HEIGHT);
        (middle, below.max(middle + width / 2.0))
    }

    fn draw_box(
        &mut self,
        definition: &NodeDefinition,
        middle: f32,
        top: f32,
        width: f32,
        title: &str,
        ports: &str,
    ) {
        let (fill, radius) = match category(self.document, definition) {
            Some(Category::Control) => ("#dbe9f6", 3),
            Some(Category::Decorator) => ("#efe3f5", 10),
            Some(Category::Condition) => ("#fdf3d6", 23),
            Some(Category::SubTree) => ("#e3e7ea", 3),
            Some(Category::Action) | None => ("#dff0e0", 23),
        };
        let x = middle - width / 2.0;
        let y = top + if ports.is_empty() { 27.0 } else { 20.0 };
        let _ = writeln!(
            self.shapes,
            "<rect class=\"box\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{BOX_HEIGHT}\" rx=\"{radius}\" fill=\"{fill}\"/>\n\
             <text x=\"{middle:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(title)
        );
        if !ports.is_empty() {
            let y = top + 36.0;
            let _ = writeln!(
                self.shapes,
                "<text class=\"ports\" x=\"{middle:.1}\" y=\"{y:.1}\">{}</text>",
                escaped(ports)
            );
        }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDTH_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(WIDTH_MAX - 1).collect();
    format!("{kept}…")
}

fn escaped(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
