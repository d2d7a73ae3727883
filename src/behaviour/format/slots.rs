//! The declared slots of a blackboard, in the shape that YAML, JSON and our word in XML share.

use serde_json::{Map, Value, json};

use super::outline::{Outline, Shape};
use super::problems::{Problems, STRUCTURE, nearest};
use crate::behaviour::definition::SlotDefinition;

/// What a slot may say of itself.
const KEYS: [&str; 4] = ["type", "words", "initial", "description"];
/// The type of a slot that names none.
const TYPE_DEFAULT: &str = "any";

/// Reads a map of names to types or descriptions.
pub(super) fn read(outline: &Outline, problems: &mut Problems) -> Vec<SlotDefinition> {
    let Some(entries) = outline.entries() else {
        let message = format!("a blackboard is a map of slots, not {}", outline.word());
        problems.add(outline.at, STRUCTURE, message);
        return Vec::new();
    };
    let slot = |entry: &super::outline::Entry| SlotDefinition {
        name: entry.key.clone(),
        at: entry.at,
        ..slot(&entry.value, problems)
    };
    entries.iter().map(slot).collect()
}

fn slot(outline: &Outline, problems: &mut Problems) -> SlotDefinition {
    let mut slot = SlotDefinition {
        name: String::new(),
        type_word: TYPE_DEFAULT.to_owned(),
        words: Vec::new(),
        initial: None,
        description: None,
        at: outline.at,
    };
    match &outline.shape {
        Shape::Nothing => {}
        Shape::Text(word) => slot.type_word = word.clone(),
        Shape::List(_) => {
            let message = format!("a slot is a type or a map ({}), not a list", KEYS.join(", "));
            problems.add(outline.at, STRUCTURE, message);
        }
        Shape::Map(entries) => {
            for entry in entries {
                match entry.key.as_str() {
                    "type" => slot.type_word = text(&entry.value, "a type", problems),
                    "words" => slot.words = words(&entry.value, problems),
                    "initial" => slot.initial = Some(text(&entry.value, "a value", problems)),
                    "description" => {
                        slot.description = Some(text(&entry.value, "a text", problems));
                    }
                    other => {
                        let hint = nearest(other, KEYS);
                        let allowed = KEYS.join(", ");
                        let message = format!("`{other}` of a slot; allowed: {allowed}{hint}");
                        problems.add(entry.at, STRUCTURE, message);
                    }
                }
            }
        }
    }
    slot
}

/// A text; anything else is a problem.
pub(super) fn text(outline: &Outline, what: &str, problems: &mut Problems) -> String {
    let found = outline.text().map(str::to_owned);
    found.unwrap_or_else(|| {
        problems.add(outline.at, STRUCTURE, format!("expected {what}, not {}", outline.word()));
        String::new()
    })
}

fn words(outline: &Outline, problems: &mut Problems) -> Vec<String> {
    let Shape::List(items) = &outline.shape else {
        problems.add(outline.at, STRUCTURE, "expected a list of words");
        return Vec::new();
    };
    items.iter().map(|item| text(item, "a word", problems)).collect()
}

/// The same in JSON: a type alone where nothing else is said.
pub(super) fn write(slots: &[SlotDefinition]) -> Map<String, Value> {
    slots.iter().map(|slot| (slot.name.clone(), write_slot(slot))).collect()
}

fn write_slot(slot: &SlotDefinition) -> Value {
    let SlotDefinition { type_word, words, initial, description, .. } = slot;
    if words.is_empty() && initial.is_none() && description.is_none() {
        return json!(type_word);
    }
    let mut map = Map::new();
    map.insert("type".to_owned(), json!(type_word));
    if !words.is_empty() {
        map.insert("words".to_owned(), json!(words));
    }
    if let Some(initial) = initial {
        map.insert("initial".to_owned(), literal(initial));
    }
    if let Some(description) = description {
        map.insert("description".to_owned(), json!(description));
    }
    Value::Object(map)
}

/// A number or truth value where the text is just what JSON would write for one; otherwise a text.
/// Either way it reads back as the same text.
pub(super) fn literal(text: &str) -> Value {
    let scalar = match serde_json::from_str::<Value>(text) {
        Ok(scalar @ (Value::Number(_) | Value::Bool(_))) => scalar,
        _ => return Value::from(text),
    };
    let written = scalar.to_string();
    if written == text { scalar } else { Value::from(text) }
}
