//! JSON values as YAML in blocks, texts quoted only where they would mean something else.

use std::fmt::Write;

use serde_json::Value;

use super::super::outline::is_odd;

/// Words that some reader of YAML takes for a truth value or for nothing.
const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
/// Characters that mean nothing inside a plain text.
const HARMLESS: &str = " _-./()+=<>!&*,;%'|^$@?~";

/// The text of a map.
pub(in crate::behaviour::format) fn emit(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

/// A map or list in lines of its own, each indented.
fn block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let _ = write!(out, "{:indent$}{}:", "", text(key));
                if is_block(value) {
                    out.push('\n');
                    block(value, indent + 2, out);
                } else {
                    let _ = writeln!(out, " {}", inline(value));
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                if is_block(item) {
                    let start = out.len();
                    block(item, indent + 2, out);
                    // The dash takes the place of the first line's indentation.
                    out.replace_range(start + indent..start + indent + 1, "-");
                } else {
                    let _ = writeln!(out, "{:indent$}- {}", "", inline(item));
                }
            }
        }
        scalar => {
            let _ = writeln!(out, "{}", inline(scalar));
        }
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(entries) => !entries.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        other => other.to_string(),
    }
}

/// A text, plain or quoted.
fn text(value: &str) -> String {
    let starts_well = value.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let ends_well = !value.ends_with(' ');
    let harmless = |c: char| c.is_alphanumeric() || HARMLESS.contains(c);
    let word = WORDS.iter().any(|word| value.eq_ignore_ascii_case(word));
    if starts_well && ends_well && !word && value.chars().all(harmless) {
        return value.to_owned();
    }
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter if is_odd(letter) => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
