//! Frontmatter text to fields, with repair: one bad field costs that field only.
//!
//! What is not YAML as a whole is cut at its top-level keys, and each piece is read by itself: as
//! it is; else with its plain values in quotes and with spaces for tabs (real files have unquoted
//! colons above all); else as plain text.

use super::diagnostic::Findings;
use super::yaml::{Content, Node, Problem, compose};

/// One top-level field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub key: String,
    /// Line of its key in the file.
    pub line: u32,
    pub node: Node,
}

/// The fields of a frontmatter in file order; keys are unique.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fields {
    all: Vec<Field>,
    /// Whether all of it was YAML, if need be after quoting.
    pub clean: bool,
}

impl Fields {
    /// The field with this key, unless it is null.
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.all.iter().find(|field| field.key == key).filter(|field| !field.node.is_null())
    }

    /// All fields in file order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> {
        self.all.iter()
    }
}

/// Reads the text between the fences, whose first line is line `first_line` of the file.
pub(super) fn read_fields(text: &str, first_line: u32, found: &mut Findings<'_>) -> Fields {
    match compose(text, first_line) {
        Ok((None, _)) => Fields { all: Vec::new(), clean: true },
        Ok((Some(Node { content: Content::Map(entries), .. }), problems)) => {
            report(problems, found);
            let lines = key_lines(text, first_line);
            let field = |(key, node): (String, Node)| {
                let line = lines.iter().rev().find(|(known, _)| *known == key);
                Field { line: line.map_or(node.line, |(_, line)| *line), key, node }
            };
            Fields { all: entries.into_iter().map(field).collect(), clean: true }
        }
        Ok((Some(node), _)) if node.is_null() => Fields { all: Vec::new(), clean: true },
        Ok((Some(node), _)) => {
            let kind = match node.content {
                Content::List(_) => "a list",
                _ => "plain text",
            };
            let message = format!("the frontmatter is {kind}, not 'key: value' lines; ignored");
            found.warn(node.line, "not-a-mapping", message);
            Fields::default()
        }
        Err(problem) => read_pieces(text, first_line, problem, found),
    }
}

fn report(problems: Vec<Problem>, found: &mut Findings<'_>) {
    for Problem { line, code, message } in problems {
        found.warn(line, code, message);
    }
}

/// Top-level keys with their lines, as far as they can be seen without a parser.
fn key_lines(text: &str, first_line: u32) -> Vec<(String, u32)> {
    let keys = (first_line..).zip(text.lines());
    keys.filter_map(|(line, text)| Some((key_of(text)?.0.to_owned(), line))).collect()
}

/// Key and value of a line `key: value` at column 0. A key is one word, in quotes or not.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let colon = line.match_indices(':').find(|(at, _)| {
        let after = &line[at + 1..];
        after.is_empty() || after.starts_with([' ', '\t'])
    });
    let (key, value) = line.split_at(colon?.0);
    let bare = key.trim_matches(['"', '\'']);
    let word = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let is_key = !bare.is_empty() && bare.chars().all(word) && !bare.starts_with("- ");
    is_key.then(|| (bare, value[1..].trim()))
}

/// A top-level key with the lines up to the next.
struct Piece<'t> {
    key: &'t str,
    line: u32,
    text: String,
}

fn read_pieces(text: &str, first_line: u32, problem: Problem, found: &mut Findings<'_>) -> Fields {
    let mut fields = Fields { all: Vec::new(), clean: true };
    let mut told = false;
    for piece in pieces(text, first_line) {
        let (read, code) = read_piece(&piece);
        if let Some(code) = code {
            let how = match code {
                "repaired-yaml" => "read as if its text were in quotes",
                _ => "kept as plain text",
            };
            let why = &problem.message;
            let at = if read.error_line == 0 { piece.line } else { read.error_line };
            let why = if read.error.is_empty() { why } else { &read.error };
            found.warn(at, code, format!("'{}' is not YAML ({why}); {how}", piece.key));
            fields.clean &= code == "repaired-yaml";
            told = true;
        }
        told |= !read.problems.is_empty();
        report(read.problems, found);
        let field = Field { key: piece.key.to_owned(), line: piece.line, node: read.node };
        match fields.all.iter_mut().find(|other| other.key == field.key) {
            Some(first) => {
                let message = format!("'{}' was given before; this one counts", field.key);
                found.warn(field.line, "duplicate-key", message);
                told = true;
                *first = field;
            }
            None => fields.all.push(field),
        }
    }
    if fields.all.is_empty() || !told {
        let kept = if fields.all.is_empty() { "nothing of it" } else { "what can be read" };
        fields.clean &= !fields.all.is_empty();
        found.warn(problem.line, "bad-yaml", format!("{}; {kept} is kept", problem.message));
    }
    fields
}

fn pieces(text: &str, first_line: u32) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for (line, full) in (first_line..).zip(text.split_inclusive('\n')) {
        if let Some((key, _)) = key_of(full.trim_end()) {
            pieces.push(Piece { key, line, text: full.to_owned() });
        } else if let Some(last) = pieces.last_mut() {
            last.text.push_str(full);
        }
    }
    pieces
}

struct ReadPiece {
    node: Node,
    problems: Vec<Problem>,
    error: String,
    error_line: u32,
}

/// The piece's value, and what had to be done for it.
fn read_piece(piece: &Piece<'_>) -> (ReadPiece, Option<&'static str>) {
    let value = |text: &str| {
        let (node, problems) = compose(text, piece.line)?;
        let content = node.map(|node| node.content);
        let Some(Content::Map(mut entries)) = content.filter(|c| is_single(c, piece.key)) else {
            let message = "it is no single field".to_owned();
            return Err(Problem { line: piece.line, code: "bad-yaml", message });
        };
        entries.pop().map(|(_, node)| (node, problems)).ok_or_else(|| Problem {
            line: piece.line,
            code: "bad-yaml",
            message: String::new(),
        })
    };
    let problem = match value(&piece.text) {
        Ok((node, problems)) => {
            let read = ReadPiece { node, problems, error: String::new(), error_line: 0 };
            return (read, None);
        }
        Err(problem) => problem,
    };
    let Problem { line: error_line, message: error, .. } = problem;
    match value(&quoted(&piece.text)) {
        Ok((node, problems)) => {
            (ReadPiece { node, problems, error, error_line }, Some("repaired-yaml"))
        }
        Err(_) => {
            let node = Node::text(piece.line, plain_text(&piece.text));
            let problems = Vec::new();
            (ReadPiece { node, problems, error, error_line }, Some("plain-field"))
        }
    }
}

fn is_single(content: &Content, key: &str) -> bool {
    matches!(content, Content::Map(entries) if entries.len() == 1 && entries[0].0 == key)
}

/// The piece with tabs of its indentation as spaces and every value that is no block scalar in
/// single quotes; a value that runs on over indented lines becomes one line.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(spaces_for_tabs).collect();
    let first = lines.first().map_or("", String::as_str);
    let Some((key, value)) = key_of(first) else { return lines.join("\n") };
    let rest = lines.get(1..).unwrap_or_default();
    if value.is_empty() {
        let inner = rest.iter().map(|line| quoted_inner(line));
        return std::iter::once(first.to_owned()).chain(inner).collect::<Vec<_>>().join("\n");
    }
    if value.starts_with(['|', '>']) {
        return lines.join("\n");
    }
    if rest.iter().any(|line| !line.is_empty() && !line.starts_with([' ', '#'])) {
        return text.to_owned();
    }
    let parts = std::iter::once(value).chain(rest.iter().map(|line| line.trim()));
    let whole: Vec<&str> = parts.map(without_comment).filter(|part| !part.is_empty()).collect();
    format!("{key}: {}\n", in_quotes(&whole.join(" ")))
}

fn spaces_for_tabs(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = &line[..line.len() - rest.len()];
    format!("{}{rest}", indent.replace('\t', "  "))
}

/// A nested `key: value` or `- key: value` line with its plain value in quotes.
fn quoted_inner(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '-']);
    let indent = &line[..line.len() - rest.len()];
    let Some((key, value)) = key_of(rest) else { return line.to_owned() };
    let structured = value.is_empty() || value.starts_with(['|', '>', '[', '{', '"', '\'']);
    if structured {
        return line.to_owned();
    }
    format!("{indent}{key}: {}", in_quotes(without_comment(value)))
}

/// A value without a comment, which a space and `#` begin.
fn without_comment(value: &str) -> &str {
    if value.starts_with('#') {
        return "";
    }
    value.split(" #").next().unwrap_or_default().trim_end()
}

fn in_quotes(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// The text after the key, lines joined by spaces, without a pair of quotes around it.
fn plain_text(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().and_then(key_of).map_or("", |(_, value)| value);
    let parts = std::iter::once(first).chain(lines.map(str::trim));
    let joined = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let bare = ['"', '\''].iter().find_map(|quote| {
        joined.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote)).map(str::to_owned)
    });
    bare.unwrap_or(joined)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;

    fn fields(text: &str) -> (Value, Vec<(&'static str, u32)>, bool) {
        let mut found = Findings::new(Path::new("SKILL.md"));
        let fields = read_fields(text, 2, &mut found);
        let values = fields.iter().map(|field| (field.key.clone(), field.node.value())).collect();
        let codes = found.into_inner().iter().map(|d| (d.code, d.line)).collect();
        (Value::Object(values), codes, fields.clean)
    }

    /// The client guide of the open standard: retry with values that hold `: ` in quotes.
    #[test]
    fn an_unquoted_colon_costs_nothing() {
        let text = "name: a\ndescription: Two things: this,\n  and it's that # note\nn: 1\n";
        let (values, codes, clean) = fields(text);
        let whole = "Two things: this, and it's that";
        assert_eq!(values, json!({"name": "a", "description": whole, "n": 1}));
        assert_eq!((codes, clean), (vec![("repaired-yaml", 3)], true));
    }

    #[test]
    fn tabs_and_nested_colons_are_repaired_too() {
        let text = "a: x: y\nmetadata:\n\tauthor: x\n\tnote: b: c\n";
        let (values, codes, clean) = fields(text);
        assert_eq!(values["metadata"], json!({"author": "x", "note": "b: c"}));
        assert_eq!(codes, [("repaired-yaml", 2), ("repaired-yaml", 4)]);
        assert!(clean);
    }

    #[test]
    fn a_field_beyond_repair_is_text_and_its_neighbours_are_whole() {
        let text = "name: x\nbad:\n  - [1, 2\nstray\ntags: [a, b]\ntags: [c]\n";
        let (values, codes, clean) = fields(text);
        assert_eq!(values, json!({"name": "x", "bad": "- [1, 2 stray", "tags": ["c"]}));
        assert_eq!(codes.iter().map(|c| c.0).collect::<Vec<_>>(), ["plain-field", "duplicate-key"]);
        assert!(!clean);
    }

    #[test]
    fn what_holds_no_field_gives_none() {
        assert_eq!(fields("- a\n- b\n"), (json!({}), vec![("not-a-mapping", 2)], false));
        assert_eq!(fields("# nothing\n"), (json!({}), vec![], true));
        assert_eq!(fields("\"\n"), (json!({}), vec![("bad-yaml", 2)], false));
    }

    #[test]
    fn lines_are_those_of_the_keys() {
        let mut found = Findings::new(Path::new("SKILL.md"));
        let fields = read_fields("a: 1\n'b':\n  - x\n\nc: >\n  t\n", 2, &mut found);
        let lines: Vec<u32> = fields.iter().map(|field| field.line).collect();
        assert_eq!(lines, [2, 3, 6]);
    }
}
