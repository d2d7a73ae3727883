//! YAML events to a tree: bounded, with lines, and with the text of every scalar as written.
//!
//! The library's own typed reading would lose what a lenient loader needs: the text of a plain
//! scalar (`1.10`), the line of each key, the first of two equal keys, and a cheap stop at an
//! alias that grows out of hand. So the tree is built here, from the library's parser events.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};
use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StructureStyle};

/// Most nodes of one frontmatter, aliases expanded (contract 1.8, rule 3).
pub(super) const NODES_MAX: usize = 10_000;
/// Deepest nesting, aliases expanded (contract 1.8, rule 3).
pub(super) const DEPTH_MAX: usize = 32;
/// Most bytes of text that aliases may repeat: nodes alone would not bound memory.
const REPEATED_BYTES_MAX: usize = 1 << 20;

/// A value and the line in the file on which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub line: u32,
    pub content: Content,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// Text, and whether its type is to be guessed from it (a plain scalar without `!!str`).
    Scalar { text: String, plain: bool },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in file order, keys unique.
    Map(Vec<(String, Node)>),
}

/// Something odd that the tree survives, or the reason why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub line: u32,
    pub code: &'static str,
    pub message: String,
}

impl Node {
    /// A text on a line.
    pub fn text(line: u32, text: impl Into<String>) -> Self {
        Self { line, content: Content::Scalar { text: text.into(), plain: false } }
    }

    /// The value by YAML 1.2's core schema. What JSON cannot hold (`.nan`, integers beyond 64
    /// bits) stays text.
    pub fn value(&self) -> Value {
        match &self.content {
            Content::Scalar { text, plain: true } => plain_value(text),
            Content::Scalar { text, plain: false } => Value::String(text.clone()),
            Content::List(items) => items.iter().map(Self::value).collect(),
            Content::Map(entries) => {
                let entries = entries.iter().map(|(key, node)| (key.clone(), node.value()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }

    /// Whether it is YAML's null.
    pub fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar { text, plain: true }
            if plain_value(text) == Value::Null)
    }

    fn size(&self) -> Size {
        match &self.content {
            Content::Scalar { text, .. } => Size { nodes: 1, bytes: text.len(), depth: 0 },
            Content::List(items) => Size::around(items.iter().map(Self::size)),
            Content::Map(entries) => Size::around(entries.iter().map(|(key, node)| {
                let size = node.size();
                Size { nodes: size.nodes + 1, bytes: size.bytes + key.len(), ..size }
            })),
        }
    }
}

/// How much a node is, itself included.
#[derive(Debug, Clone, Copy)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Size {
    fn around(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self { nodes: 1, bytes: 0, depth: 1 }, |all, part| Self {
            nodes: all.nodes + part.nodes,
            bytes: all.bytes + part.bytes,
            depth: all.depth.max(part.depth + 1),
        })
    }
}

/// A plain scalar by YAML 1.2's core schema (section 10.3.2 of its specification).
fn plain_value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).ok().map(Number::from);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let number = if let Some(digits) = text.strip_prefix("0o") {
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| radix(digits, 8)).flatten()
    } else if let Some(digits) = text.strip_prefix("0x") {
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| radix(digits, 16)).flatten()
    } else if !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit()) {
        let digits = text.strip_prefix('+').unwrap_or(text);
        digits
            .parse::<i64>()
            .map(Number::from)
            .or_else(|_| digits.parse::<u64>().map(Into::into))
            .ok()
    } else if is_float(unsigned) {
        text.parse::<f64>().ok().and_then(Number::from_f64)
    } else {
        None
    };
    number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

/// Digits with at most one point and an exponent; `inf` and `nan` are not.
fn is_float(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
}

/// Builds the tree of `text`, whose first line is line `first_line` of the file. `None` for an
/// empty document.
///
/// # Errors
/// The first thing that is not YAML, or too much of it: more than [`NODES_MAX`] nodes or deeper
/// than [`DEPTH_MAX`].
pub(super) fn compose(
    text: &str,
    first_line: u32,
) -> Result<(Option<Node>, Vec<Problem>), Problem> {
    let options = serde_yaml::granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: DEPTH_MAX,
        block_nesting_limit: DEPTH_MAX,
    };
    let mut composer = Composer { text, first_line, ..Composer::default() };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| composer.not_yaml(&error))?;
        if !composer.take(event, span)? {
            break;
        }
    }
    Ok((composer.root, composer.problems))
}

/// What of legal YAML is beyond the plain kind that the open standard's reader takes: code, line
/// (of a text whose first line is line 1 of the file), and what it is. Each kind once.
pub(super) fn beyond_plain(text: &str) -> Vec<(&'static str, u32, &'static str)> {
    let mut found: Vec<(&'static str, u32, &'static str)> = Vec::new();
    for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
        let flow = matches!(
            event,
            Event::SequenceStart(StructureStyle::Flow, ..)
                | Event::MappingStart(StructureStyle::Flow, ..)
        );
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(_, anchor, tag)
            | Event::MappingStart(_, anchor, tag) => (*anchor != 0, tag.is_some()),
            Event::Alias(_) => (true, false),
            _ => (false, false),
        };
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        for (is, code, what) in [
            (flow, "strict-flow", "a list or mapping in brackets"),
            (anchor, "strict-anchor", "an anchor or alias"),
            (tag, "strict-tag", "a tag"),
        ] {
            if is && found.iter().all(|(known, ..)| *known != code) {
                found.push((code, line, what));
            }
        }
    }
    if let Ok((_, problems)) = compose(text, 1) {
        let twice = problems.iter().find(|problem| problem.code == "duplicate-key");
        found.extend(twice.map(|twice| ("strict-duplicate-key", twice.line, "a key given twice")));
    }
    found
}

/// A collection that is not closed yet.
struct Open {
    line: u32,
    anchor: usize,
    content: Content,
    /// Key that waits for its value, with its line.
    key: Option<(String, u32)>,
    /// Where each key of a mapping stands.
    places: HashMap<String, usize>,
}

#[derive(Default)]
struct Composer<'t> {
    text: &'t str,
    first_line: u32,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, Size)>,
    nodes: usize,
    repeated_bytes: usize,
    root: Option<Node>,
    problems: Vec<Problem>,
}

impl Composer<'_> {
    fn line(&self, parser_line: usize) -> u32 {
        let offset = u32::try_from(parser_line.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first_line.saturating_add(offset)
    }

    fn not_yaml(&self, error: &ScanError) -> Problem {
        let line = self.line(error.marker().line());
        Problem { line, code: "bad-yaml", message: error.info() }
    }

    /// Takes one event; `false` once the first document is complete.
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<bool, Problem> {
        let line = self.line(span.start.line());
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let forced = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let plain = style == ScalarStyle::Plain && !forced;
                let content = Content::Scalar { text: text.into_owned(), plain };
                self.count(line)?;
                self.complete(Node { line, content }, anchor);
            }
            Event::SequenceStart(_, anchor, _) => {
                self.begin(line, anchor, Content::List(Vec::new()))?;
            }
            Event::MappingStart(_, anchor, _) => {
                self.begin(line, anchor, Content::Map(Vec::new()))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(id) => self.alias(line, Some(id), span),
            Event::UnresolvedAlias(_) => self.alias(line, None, span),
            Event::DocumentStart(..) if self.root.is_some() => {
                let message = "a second YAML document begins here; only the first is read".into();
                self.problems.push(Problem { line, code: "second-document", message });
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    fn count(&mut self, line: u32) -> Result<(), Problem> {
        self.nodes += 1;
        let message = || format!("more than {NODES_MAX} values in one frontmatter");
        let problem = || Problem { line, code: "bad-yaml", message: message() };
        if self.nodes > NODES_MAX { Err(problem()) } else { Ok(()) }
    }

    fn begin(&mut self, line: u32, anchor: usize, content: Content) -> Result<(), Problem> {
        self.count(line)?;
        self.open.push(Open { line, anchor, content, key: None, places: HashMap::new() });
        Ok(())
    }

    fn end(&mut self) {
        if let Some(Open { line, anchor, content, .. }) = self.open.pop() {
            self.complete(Node { line, content }, anchor);
        }
    }

    /// Puts a copy of what the alias means, or its own text where that is unknown, holds itself
    /// or would grow beyond the bounds.
    fn alias(&mut self, line: u32, id: Option<usize>, span: Span) {
        let written = span.slice(self.text).unwrap_or("*").to_owned();
        let Some((node, size)) = id.and_then(|id| self.anchors.get(&id)) else {
            let message = format!("{written} means nothing here; kept as text");
            self.problems.push(Problem { line, code: "unknown-alias", message });
            return self.complete(Node::text(line, written), 0);
        };
        let fits = self.nodes + size.nodes <= NODES_MAX
            && self.open.len() + size.depth <= DEPTH_MAX
            && self.repeated_bytes + size.bytes <= REPEATED_BYTES_MAX;
        if fits {
            self.nodes += size.nodes;
            self.repeated_bytes += size.bytes;
            let node = Node { line, ..node.clone() };
            return self.complete(node, 0);
        }
        if self.problems.iter().all(|problem| problem.code != "alias-bound") {
            let message = format!(
                "{written} repeats too much (at most {NODES_MAX} values, {DEPTH_MAX} levels, \
                 {REPEATED_BYTES_MAX} bytes); it and what follows like it are kept as text"
            );
            self.problems.push(Problem { line, code: "alias-bound", message });
        }
        self.nodes += 1;
        self.complete(Node::text(line, written), 0);
    }

    /// Hangs a finished node where it belongs.
    fn complete(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), node.size()));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match (&mut open.content, open.key.take()) {
            (Content::List(items), _) => items.push(node),
            (Content::Map(entries), Some((key, line))) => {
                if let Some(place) = open.places.get(&key) {
                    let message = format!("'{key:.60}' was given before; this one counts");
                    self.problems.push(Problem { line, code: "duplicate-key", message });
                    entries[*place].1 = node;
                } else {
                    open.places.insert(key.clone(), entries.len());
                    entries.push((key, node));
                }
            }
            (Content::Map(_), None) => open.key = Some((key_text(&node), node.line)),
            (Content::Scalar { .. }, _) => {}
        }
    }
}

/// A key as text; a key that is a collection as JSON.
fn key_text(node: &Node) -> String {
    match &node.content {
        Content::Scalar { text, .. } => text.clone(),
        _ => node.value().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tree(text: &str) -> (Value, Vec<&'static str>) {
        let (node, problems) = compose(text, 2).unwrap();
        (node.unwrap().value(), problems.iter().map(|problem| problem.code).collect())
    }

    /// YAML 1.2.2, example 10.3 (core schema), and the words of YAML 1.1 that are only text now.
    #[test]
    fn plain_scalars_have_the_core_types_of_yaml_1_2() {
        let text = "a: [null, ~, Null, true, True, FALSE, 0, 0o7, 0x3A, -19, 0., -0.0, .5, +12e03]";
        let values =
            json!([null, null, null, true, true, false, 0, 7, 58, -19, 0.0, -0.0, 0.5, 12000.0]);
        assert_eq!(tree(text).0["a"], values);
        let text = "a: [yes, no, on, 1.2.3, 0b1, 1e, .inf, '1', !!str 1, 99999999999999999999]";
        let texts = json!([
            "yes",
            "no",
            "on",
            "1.2.3",
            "0b1",
            "1e",
            ".inf",
            "1",
            "1",
            "99999999999999999999"
        ]);
        assert_eq!(tree(text).0["a"], texts);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_at_any_depth() {
        let (value, codes) = tree("a: 1\nb: {c: 1, c: 2}\na: 3\n");
        assert_eq!(value, json!({"a": 3, "b": {"c": 2}}));
        assert_eq!(codes, ["duplicate-key", "duplicate-key"]);
    }

    #[test]
    fn aliases_repeat_within_bounds_and_otherwise_stay_text() {
        assert_eq!(tree("a: &x [1]\nb: *x\n").0, json!({"a": [1], "b": [1]}));
        assert_eq!(tree("a: *x\n"), (json!({"a": "*x"}), vec!["unknown-alias"]));
        assert_eq!(tree("a: &x [*x]\n"), (json!({"a": ["*x"]}), vec!["unknown-alias"]));
        let long = format!("a: &x {}\nb: [{}]\n", "y".repeat(500_000), "*x,".repeat(1_000));
        let (value, codes) = tree(&long);
        assert_eq!(codes, ["alias-bound"]);
        assert_eq!(value["b"][999], "*x");
        let deep = (1..100).map(|n| format!("k{n}: &a{n} [*a{}]\n", n - 1)).collect::<String>();
        assert_eq!(tree(&format!("k0: &a0 x\n{deep}")).1, ["alias-bound"]);
    }

    #[test]
    fn too_many_or_too_deep_values_are_refused() {
        let wide = format!("a: [{}]", "1,".repeat(NODES_MAX));
        assert!(compose(&wide, 1).unwrap_err().message.contains("more than 10000 values"));
        assert!(compose(&"[".repeat(100_000), 1).is_err());
        assert!(compose(&"- ".repeat(100_000), 1).is_err());
    }
}
