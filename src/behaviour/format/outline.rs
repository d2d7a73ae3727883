//! YAML and JSON as an outline of texts, lists and maps that know where they stand.
//!
//! Values stay as they are written (`5.0` is not `5`): what a port means is for the compiler to
//! say. JSON is read as the YAML that it is, after a check that it is JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_yaml::granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span};

use super::bounds::{DEPTH_MAX, NODES_MAX};
use super::problems::{BOUNDS, Problems, STRUCTURE, SYNTAX};
use crate::behaviour::definition::Position;

/// Lists and maps within one another: a node takes up to four.
const LEVELS_MAX: usize = 4 * DEPTH_MAX + 16;
/// Texts, lists and maps of a file.
const VALUES_MAX: usize = 40 * NODES_MAX;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) at: Position,
    pub(super) shape: Shape,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Shape {
    /// Nothing: an empty place, `~` or `null`.
    Nothing,
    /// A text, a number or a truth value, as written.
    Text(String),
    /// A list.
    List(Vec<Outline>),
    /// A map; its keys differ.
    Map(Vec<Entry>),
}

/// One entry of a map.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Where the key stands.
    pub(super) at: Position,
    pub(super) value: Outline,
}

impl Outline {
    /// The entries, if it is a map.
    pub(super) fn entries(&self) -> Option<&[Entry]> {
        match &self.shape {
            Shape::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key, if it is a map that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let found = self.entries()?.iter().find(|entry| entry.key == key);
        found.map(|entry| &entry.value)
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(super) fn word(&self) -> &'static str {
        match self.shape {
            Shape::Nothing => "nothing",
            Shape::Text(_) => "a text",
            Shape::List(_) => "a list",
            Shape::Map(_) => "a map",
        }
    }
}

/// Reads a JSON text.
pub(super) fn parse_json(text: &str, problems: &mut Problems) -> Option<Outline> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let place = |number: usize| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
        let at = Position { line: place(error.line()), column: place(error.column()) };
        let tail = format!(" at line {} column {}", error.line(), error.column());
        problems.add(at, SYNTAX, error.to_string().trim_end_matches(&tail));
        return None;
    }
    parse(&escape_odd(text), problems)
}

/// JSON without what it may hold but YAML and XML may not: it stands in texts only.
pub(super) fn escape_odd(json: &str) -> Cow<'_, str> {
    let odd = |c: char| is_odd(c) && !matches!(c, '\n' | '\r' | '\t');
    if !json.contains(odd) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if odd(letter) {
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// What YAML does not hold as it is, or an editor does not show; all below U+10000.
pub(super) fn is_odd(letter: char) -> bool {
    let odd_space = letter.is_whitespace() && letter != ' ';
    letter.is_control() || odd_space || matches!(letter, '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Reads a text to its end, or to the first mistake after which the rest means nothing.
pub(super) fn parse(text: &str, problems: &mut Problems) -> Option<Outline> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut builder = Builder { open: Vec::new(), whole: None, values: 0, problems };
    let mut options = Options::default();
    options.flow_nesting_limit = LEVELS_MAX;
    options.block_nesting_limit = LEVELS_MAX;
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => builder.take(event, span)?,
            Err(error) if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) => {
                builder.too_deep(place_of(&error));
                return None;
            }
            Err(error) => {
                builder.problems.add(place_of(&error), SYNTAX, error.info());
                return None;
            }
        }
    }
    if builder.whole.is_none() {
        let start = Position { line: 1, column: 1 };
        builder.problems.add(start, STRUCTURE, "the file holds nothing");
    }
    builder.whole
}

fn place_of(error: &ScanError) -> Position {
    let marker = error.marker();
    position(marker.line(), marker.col())
}

fn position(line: usize, column_before: usize) -> Position {
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position { line: small(line.max(1)), column: small(column_before.saturating_add(1)) }
}

/// A list or map that is not closed yet.
struct Open {
    at: Position,
    /// Nothing for a list; for a map, the key whose value comes next.
    key: Option<Option<(String, Position)>>,
    items: Vec<Outline>,
    entries: Vec<Entry>,
}

struct Builder<'p> {
    open: Vec<Open>,
    whole: Option<Outline>,
    values: usize,
    problems: &'p mut Problems,
}

impl Builder<'_> {
    /// Takes one event; nothing if reading must end.
    fn take(&mut self, event: Event<'_>, span: Span) -> Option<()> {
        let at = position(span.start.line(), span.start.col());
        match event {
            Event::Scalar(text, style, _, tag) => {
                self.no_tag(tag.is_some(), at)?;
                self.scalar(text, style, at)
            }
            Event::SequenceStart(_, _, tag) => {
                self.no_tag(tag.is_some(), at)?;
                self.begin(at, None)
            }
            Event::MappingStart(_, _, tag) => {
                self.no_tag(tag.is_some(), at)?;
                self.begin(at, Some(None))
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(_) => {
                let message = "an alias (`*name`) is not read; call a tree by SubTree instead";
                self.problems.add(at, STRUCTURE, message);
                None
            }
            Event::DocumentStart(..) if self.whole.is_some() => {
                let message = "a second document (`---`); a file holds one";
                self.problems.add(at, STRUCTURE, message);
                None
            }
            _ => Some(()),
        }
    }

    fn no_tag(&mut self, tagged: bool, at: Position) -> Option<()> {
        if tagged {
            self.problems.add(at, STRUCTURE, "a tag (`!name`) means nothing here");
        }
        (!tagged).then_some(())
    }

    fn scalar(&mut self, text: Cow<'_, str>, style: ScalarStyle, at: Position) -> Option<()> {
        if let Some(Open { key: Some(key @ None), .. }) = self.open.last_mut() {
            *key = Some((text.into_owned(), at));
            return Some(());
        }
        let plain = style == ScalarStyle::Plain;
        let shape = match &*text {
            "" | "~" | "null" | "Null" | "NULL" if plain => Shape::Nothing,
            "True" | "TRUE" if plain => Shape::Text("true".to_owned()),
            "False" | "FALSE" if plain => Shape::Text("false".to_owned()),
            _ => Shape::Text(text.into_owned()),
        };
        self.value(Outline { at, shape })
    }

    fn begin(&mut self, at: Position, key: Option<Option<(String, Position)>>) -> Option<()> {
        if let Some(Open { key: Some(None), .. }) = self.open.last() {
            self.problems.add(at, STRUCTURE, "a list or map as a key; a key is a text");
            return None;
        }
        if self.open.len() >= LEVELS_MAX {
            self.too_deep(at);
            return None;
        }
        self.open.push(Open { at, key, items: Vec::new(), entries: Vec::new() });
        Some(())
    }

    fn too_deep(&mut self, at: Position) {
        let message = format!("more than {DEPTH_MAX} nodes within one another");
        self.problems.add(at, BOUNDS, message);
    }

    fn end(&mut self) -> Option<()> {
        let Open { at, key, items, entries } = self.open.pop()?;
        let shape = match key {
            None => Shape::List(items),
            Some(_) => Shape::Map(self.without_repeats(entries)),
        };
        self.value(Outline { at, shape })
    }

    fn value(&mut self, value: Outline) -> Option<()> {
        self.values += 1;
        if self.values > VALUES_MAX {
            self.problems.add(value.at, BOUNDS, format!("more than {VALUES_MAX} values"));
            return None;
        }
        match self.open.last_mut() {
            None => self.whole = Some(value),
            Some(Open { key: None, items, .. }) => items.push(value),
            Some(Open { key: Some(key), entries, .. }) => {
                let (key, at) = key.take()?;
                entries.push(Entry { key, at, value });
            }
        }
        Some(())
    }

    fn without_repeats(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let mut first = BTreeMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            if let Some(line) = first.insert(entry.key.clone(), entry.at.line) {
                let message = format!("`{}` stands twice, first in line {line}", entry.key);
                self.problems.add(entry.at, STRUCTURE, message);
            } else {
                kept.push(entry);
            }
        }
        kept
    }
}
