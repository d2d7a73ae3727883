//! YAML to a JSON value that remembers the line and column of every key and value.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_yaml::Spanned;
use serde_yaml::options::DuplicateKeyPolicy;

/// Deepest nesting of maps and lists.
const DEPTH_MAX: usize = 24;
/// Most values in one file, with aliases written out.
const NODES_MAX: usize = 50_000;

/// A stretch of a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// Which text: 0 is the file, 1 … are the overrides.
    pub(super) source: usize,
    /// Line, from 1.
    pub(super) line: u32,
    /// Column in characters, from 1.
    pub(super) column: u32,
    /// Length in characters, at least 1; may reach past the line.
    pub(super) width: u32,
}

/// Where a value stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Its key; that of the whole for an element of a list and for the root.
    pub(super) key: Spot,
    /// The value itself.
    pub(super) value: Spot,
}

/// A key that stands twice in one map.
#[derive(Debug, Clone)]
pub(super) struct Repeat {
    pub(super) key: String,
    pub(super) first: Spot,
    pub(super) second: Spot,
}

/// A parsed YAML text.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) value: Value,
    /// JSON pointer to place.
    pub(super) places: BTreeMap<String, Place>,
    pub(super) repeats: Vec<Repeat>,
}

/// Why a text is not YAML that we read.
#[derive(Debug, Clone)]
pub(super) struct SyntaxError {
    pub(super) spot: Spot,
    pub(super) message: String,
}

impl Tree {
    /// A tree of nothing but one text.
    pub(super) fn of_text(text: &str, source: usize) -> Self {
        let width = u32::try_from(text.chars().count()).unwrap_or(u32::MAX).max(1);
        let spot = Spot { source, line: 1, column: 1, width };
        let places = BTreeMap::from([(String::new(), Place { key: spot, value: spot })]);
        Self { value: Value::from(text), places, repeats: Vec::new() }
    }

    /// Where the value at `pointer` stands, or the nearest value around it.
    pub(super) fn place(&self, pointer: &str) -> Place {
        let mut pointer = pointer;
        loop {
            if let Some(place) = self.places.get(pointer) {
                return *place;
            }
            match pointer.rfind('/') {
                Some(end) => pointer = &pointer[..end],
                None => {
                    let start = Spot { source: 0, line: 1, column: 1, width: 1 };
                    return Place { key: start, value: start };
                }
            }
        }
    }
}

/// `pointer` with one more step, escaped as RFC 6901 says.
pub(super) fn join(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// Parses one YAML document. `source` is the number of the text in every [`Spot`].
///
/// Key order is kept; keys are text whatever they look like; of a repeated key the first value
/// counts. Depth, number of values and aliases are bounded, so a small file that unfolds into a
/// huge one is refused quickly.
pub(super) fn parse(text: &str, source: usize) -> Result<Tree, SyntaxError> {
    parse_within(text, source, NODES_MAX)
}

/// As [`parse`], with another limit for the number of values.
pub(super) fn parse_within(
    text: &str,
    source: usize,
    nodes_max: usize,
) -> Result<Tree, SyntaxError> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: DEPTH_MAX,
            max_nodes: nodes_max,
            max_events: 4 * nodes_max,
            max_aliases: 1_000,
            max_anchors: 1_000,
            max_documents: 1,
        },
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: NODES_MAX,
            max_replay_stack_depth: DEPTH_MAX,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        strict_booleans: true,
        null_as_string: true,
        with_snippet: false,
    };
    let root: Spanned<Node> = serde_yaml::from_str_with_options(text, options)
        .map_err(|error| syntax_error(&error, source))?;
    let mut tree = Tree { value: Value::Null, places: BTreeMap::new(), repeats: Vec::new() };
    let key = spot(&root.referenced, source);
    tree.value = flatten(root, key, String::new(), source, &mut tree);
    Ok(tree)
}

fn syntax_error(error: &serde_yaml::Error, source: usize) -> SyntaxError {
    let at = error.location().unwrap_or(serde_yaml::Location::UNKNOWN);
    let mut spot = spot(&at, source);
    spot.width = 1;
    let full = error.without_snippet().to_string();
    let tail = format!(" at line {}, column {}", at.line(), at.column());
    SyntaxError { spot, message: full.trim_end().trim_end_matches(&tail).replace('\n', "; ") }
}

fn spot(at: &serde_yaml::Location, source: usize) -> Spot {
    let small = |number: u64| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
    Spot {
        source,
        line: small(at.line()),
        column: small(at.column()),
        width: small(at.span().len()),
    }
}

/// Turns a node into a value, noting places and repeats.
fn flatten(node: Spanned<Node>, key: Spot, at: String, source: usize, tree: &mut Tree) -> Value {
    tree.places.insert(at.clone(), Place { key, value: spot(&node.referenced, source) });
    match node.value {
        Node::Scalar(value) => value,
        Node::List(items) => {
            let item = |(index, item): (usize, Spanned<Node>)| {
                let spot = spot(&item.referenced, source);
                flatten(item, spot, format!("{at}/{index}"), source, tree)
            };
            Value::Array(items.into_iter().enumerate().map(item).collect())
        }
        Node::Map(entries) => {
            let mut map = Map::new();
            for (name, item) in entries {
                let key = spot(&name.referenced, source);
                let below = join(&at, &name.value);
                if map.contains_key(&name.value) {
                    let first = tree.place(&below).key;
                    tree.repeats.push(Repeat { key: name.value, first, second: key });
                } else {
                    let value = flatten(item, key, below, source, tree);
                    map.insert(name.value, value);
                }
            }
            Value::Object(map)
        }
    }
}

/// Any YAML value whose parts know where they stand.
enum Node {
    Scalar(Value),
    List(Vec<Spanned<Node>>),
    Map(Vec<(Spanned<String>, Spanned<Node>)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

/// Whole numbers below 2^53 written as `1e3` or `5.0` count as whole.
fn number(value: f64) -> Value {
    let whole = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
    if whole {
        Value::from(value as i64)
    } else {
        Number::from_f64(value).map_or(Value::Null, Value::Number)
    }
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map, a list, text, a number, true, false or nothing")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(Value::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(Value::from(value)))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
        Ok(Node::Scalar(number(value as f64)))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
        Ok(Node::Scalar(number(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Scalar(Value::from(value)))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Scalar(Value::Null))
    }

    fn visit_some<D: serde::Deserializer<'de>>(self, value: D) -> Result<Node, D::Error> {
        Node::deserialize(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Lines and columns counted by hand in the text below.
    #[test]
    fn keys_and_values_know_where_they_stand() {
        let text = "name: a\nclock:\n  tick_s: 300\n  on: [1, ü, {x: 2.5}]\n3: yes\n";
        let tree = parse(text, 0).unwrap();
        let expected = json!({
            "name": "a", "clock": {"tick_s": 300, "on": [1, "ü", {"x": 2.5}]}, "3": "yes"
        });
        assert_eq!(tree.value, expected);
        let at = |pointer: &str| {
            let place = tree.places[pointer];
            [place.key, place.value].map(|spot| (spot.line, spot.column, spot.width))
        };
        assert_eq!(at("/name"), [(1, 1, 4), (1, 7, 1)]);
        assert_eq!(at("/clock/tick_s"), [(3, 3, 6), (3, 11, 3)]);
        assert_eq!(at("/clock/on/1")[1], (4, 11, 1));
        assert_eq!(at("/clock/on/2/x"), [(4, 15, 1), (4, 18, 3)]);
        assert_eq!(at("/3"), [(5, 1, 1), (5, 4, 3)]);
        assert_eq!(tree.place("/clock/tick_s/deeper").value.line, 3);
    }

    #[test]
    fn repeated_keys_are_noted_with_both_places() {
        let tree = parse("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 4\n", 0).unwrap();
        let lines: Vec<_> =
            tree.repeats.iter().map(|r| (r.key.as_str(), r.first.line, r.second.line)).collect();
        assert_eq!(lines, [("c", 3, 5), ("a", 1, 6)]);
        assert_eq!(tree.value["b"]["c"], 1);
    }

    #[test]
    fn broken_yaml_says_where() {
        for (text, line) in [("a: 1\n b: 2\n", 2), ("a: [1, 2\nb: 3\n", 2), ("a: 1\n\tb: 2\n", 2)] {
            let error = parse(text, 0).unwrap_err();
            assert!((1..=line).contains(&error.spot.line), "{text:?}: {error:?}");
            assert!(!error.message.contains("line "), "{error:?}");
        }
    }

    /// Nine levels of nine aliases would be 387 million values; and a thousand open brackets.
    #[test]
    fn a_text_that_unfolds_into_a_huge_one_is_refused() {
        let mut laughs = "a0: &a0 [x]\n".to_owned();
        for level in 1..10 {
            let below = vec![format!("*a{}", level - 1); 9].join(", ");
            laughs.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        parse(&laughs, 0).unwrap_err();
        parse(&"[".repeat(1_000), 0).unwrap_err();
        let nested = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        parse(&nested, 0).unwrap_err();
    }
}
