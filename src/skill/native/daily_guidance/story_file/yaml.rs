//! YAML text in and out, so that YAML 1.1 readers (PyYAML) and ours see the same document.
//!
//! Two traps of YAML 1.1 are met here: an unquoted `12:00` is the base-60 integer 720 to it, and
//! an unquoted `no` is false. Whatever a 1.1 reader could take for something else than text is
//! quoted by the serialiser; times of day are quoted always.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::timeline::minute_of;

/// Deepest nesting read; a Story needs six levels.
const DEPTH_MAX: usize = 64;
/// Most nodes read; a Story of 64 segments has about 3,000.
const NODES_MAX: usize = 100_000;

/// Reads one document. An empty text, or one of comments only, gives null.
///
/// What PyYAML leaves unquoted because it is text to it is read as text: `y`, `08`, `12:00`, words
/// such as `yes` too. Only a float without a point, `1e3`, is a number here and text there.
///
/// # Errors
/// The parser's message with line and column, on one line.
pub fn read(text: &str) -> Result<Value, String> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! { max_depth: DEPTH_MAX, max_nodes: NODES_MAX },
        with_snippet: false,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        non_finite_float_policy: serde_yaml::NonFiniteFloatPolicy::AsString,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let message = error.to_string();
        message.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// Writes one document in block style: keys in their order, non-ASCII text as it is.
pub fn write(value: &Value) -> String {
    let options = serde_yaml::ser_options! { prefer_block_scalars: false };
    serde_yaml::to_string_with_options(&Quoting(value), options)
        .expect("a JSON value has only text keys and nothing that YAML cannot say")
}

/// A value whose times of day are quoted.
struct Quoting<'a>(&'a Value);

impl Serialize for Quoting<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) if minute_of(text).is_some() => {
                serde_yaml::SingleQuoted(text).serialize(serializer)
            }
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Quoting(item))?;
                }
                list.end()
            }
            Value::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, &Quoting(value))?;
                }
                map.end()
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Contract: PyYAML reads an unquoted 12:00 as 720, so times must be quoted.
    #[test]
    fn times_and_words_of_yaml_1_1_are_quoted() {
        let text = write(&json!({"a": "07:00", "b": "24:00", "c": "no", "d": "2026-03-02"}));
        assert_eq!(text, "a: '07:00'\nb: '24:00'\nc: \"no\"\nd: \"2026-03-02\"\n");
    }

    /// Contract: block style, keys in insertion order, non-ASCII unescaped.
    #[test]
    fn the_style_is_block_with_keys_in_order() {
        let value = json!({"z": [{"k": "工作", "e": []}], "a": {"m": {}, "x": null}});
        assert_eq!(write(&value), "z:\n- k: 工作\n  e: []\na:\n  m: {}\n  x: null\n");
    }

    #[test]
    fn unquoted_times_are_read_as_text() {
        assert_eq!(read("a: 07:00\nb: 12:00\n").unwrap(), json!({"a": "07:00", "b": "12:00"}));
        // PyYAML writes these four texts without quotes.
        assert_eq!(read("[y, N, 08, 1:00]").unwrap(), json!(["y", "N", "08", "1:00"]));
        assert_eq!(read("# nothing yet\n").unwrap(), Value::Null);
        assert!(read("a: [").unwrap_err().contains("line 1"));
    }

    proptest! {
        #[test]
        fn any_text_survives(key in ".{0,12}", text in any::<String>()) {
            let value = json!({key: [text]});
            prop_assert_eq!(read(&write(&value)).unwrap(), value);
        }
    }
}
