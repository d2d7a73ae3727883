//! A field's node to the type that the field has, whatever dialect wrote it.

use serde_json::{Map, Value, json};

use super::diagnostic::Findings;
use super::frontmatter::{Field, Fields};
use super::yaml::{Content, Node};

/// Text of a scalar as written, without white space around it.
pub(super) fn scalar(node: &Node) -> Option<&str> {
    match &node.content {
        Content::Scalar { text, .. } => Some(text.trim()),
        Content::List(_) | Content::Map(_) => None,
    }
}

/// The text of a field; `None` if it is not there or empty, or, with a warning, no text.
pub(super) fn text(fields: &Fields, key: &str, found: &mut Findings<'_>) -> Option<String> {
    let field = fields.get(key)?;
    match scalar(&field.node) {
        Some(text) => (!text.is_empty()).then(|| text.to_owned()),
        None => {
            wrong_type(field, "a text", found);
            None
        }
    }
}

pub(super) fn wrong_type(field: &Field, wanted: &str, found: &mut Findings<'_>) {
    let value = field.node.value().to_string();
    let message = format!("'{}' must be {wanted}, not {value:.60}; ignored", field.key);
    found.warn(field.line, "wrong-type", message);
}

/// A flag: true, yes, on, 1 or false, no, off, 0, in any case (contract 1.8, rule 4).
pub(super) fn flag(fields: &Fields, key: &str, default: bool, found: &mut Findings<'_>) -> bool {
    let Some(field) = fields.get(key) else { return default };
    let word = scalar(&field.node).map(str::to_lowercase);
    match word.as_deref() {
        Some("true" | "yes" | "on" | "1") => true,
        Some("false" | "no" | "off" | "0") => false,
        Some("") => default,
        _ => {
            wrong_type(field, "true or false", found);
            default
        }
    }
}

/// Texts of a list, or of a text that commas, or else white space, divide. `None` if it is
/// neither or holds something that is no text.
pub(super) fn texts(node: &Node) -> Option<Vec<String>> {
    let keep = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    match &node.content {
        Content::Scalar { text, .. } => {
            let text = text.trim().trim_start_matches('[').trim_end_matches(']');
            let parts: Vec<&str> = if text.contains(',') {
                text.split(',').map(str::trim).collect()
            } else {
                text.split_whitespace().collect()
            };
            Some(parts.into_iter().filter_map(keep).collect())
        }
        Content::List(items) => {
            let all: Option<Vec<&str>> = items.iter().map(scalar).collect();
            Some(all?.into_iter().filter_map(keep).collect())
        }
        Content::Map(_) => None,
    }
}

/// The texts of a field, as [`texts`]; empty, with a warning, if it is something else.
pub(super) fn list(fields: &Fields, key: &str, found: &mut Findings<'_>) -> Vec<String> {
    let Some(field) = fields.get(key) else { return Vec::new() };
    texts(&field.node).unwrap_or_else(|| {
        wrong_type(field, "a list of texts", found);
        Vec::new()
    })
}

/// The mapping of a field as JSON; `{}` if it is not there or, with a warning, no mapping.
pub(super) fn object(fields: &Fields, key: &str, found: &mut Findings<'_>) -> Value {
    let Some(field) = fields.get(key) else { return json!({}) };
    match field.node.value() {
        Value::Object(map) => Value::Object(map),
        _ => {
            wrong_type(field, "a mapping", found);
            json!({})
        }
    }
}

/// `metadata`: a mapping of any depth; a text that is a JSON object is that object; anything else
/// stands under `_raw`.
pub(super) fn metadata(fields: &Fields) -> Value {
    let Some(field) = fields.get("metadata") else { return json!({}) };
    match field.node.value() {
        Value::Object(map) => Value::Object(map),
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(map)) => Value::Object(map),
            _ => json!({ "_raw": text }),
        },
        other => json!({ "_raw": other }),
    }
}

/// Tools of `allowed-tools`, whatever its spelling: a list, or a text divided by commas or white
/// space outside parentheses, so that `Bash(git add:*)` is one tool.
pub(super) fn allowed_tools(fields: &Fields, found: &mut Findings<'_>) -> Vec<String> {
    let keys = ["allowed-tools", "allowedTools", "allowed_tools"];
    let Some(field) = keys.iter().find_map(|key| fields.get(key)) else { return Vec::new() };
    match &field.node.content {
        Content::Scalar { text, .. } => outside_parentheses(text),
        _ => list(fields, &field.key, found),
    }
}

fn outside_parentheses(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let divides = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    };
    text.split(divides).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// `inputs` or `outputs` as a JSON schema of an object: a schema as it is; a mapping of names to
/// types or schemas; a list of names or of `{name, type, required, default, …}`.
pub(super) fn schema(fields: &Fields, key: &str, found: &mut Findings<'_>) -> Value {
    let Some(field) = fields.get(key) else { return json!({}) };
    match field.node.value() {
        Value::Object(map) if is_schema(&map) => Value::Object(map),
        Value::Object(map) => {
            let mut required = Vec::new();
            let properties: Map<String, Value> = map
                .into_iter()
                .map(|(name, about)| {
                    let mut about = property(about);
                    let marks = about.as_object_mut().filter(|map| has_mark(map));
                    if marks.and_then(|map| map.remove("required")) == Some(Value::Bool(true)) {
                        required.push(name.clone());
                    }
                    (name, about)
                })
                .collect();
            let mut schema = json!({"type": "object", "properties": properties});
            if !required.is_empty() {
                schema["required"] = required.into();
            }
            schema
        }
        Value::Array(items) => schema_of_list(items).unwrap_or_else(|| {
            wrong_type(field, "a schema, or a list of {name, type}", found);
            json!({})
        }),
        _ => {
            wrong_type(field, "a schema, or a list of {name, type}", found);
            json!({})
        }
    }
}

/// Whether a property says of itself that it must be given, which a JSON schema says elsewhere.
fn has_mark(map: &Map<String, Value>) -> bool {
    map.get("required").is_some_and(Value::is_boolean)
}

fn is_schema(map: &Map<String, Value>) -> bool {
    map.get("type").is_some_and(|kind| kind == "object")
        || map.get("properties").is_some_and(Value::is_object)
        || map.contains_key("$ref")
        || map.contains_key("$schema")
}

fn property(about: Value) -> Value {
    match about {
        Value::String(kind) => json!({ "type": kind }),
        Value::Object(map) => Value::Object(map),
        _ => json!({}),
    }
}

fn schema_of_list(items: Vec<Value>) -> Option<Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for item in items {
        match item {
            Value::String(name) => {
                properties.insert(name, json!({}));
            }
            Value::Object(mut about) => {
                let name = about.remove("name")?.as_str()?.to_owned();
                if let Some(Value::Bool(true)) = about.remove("required") {
                    required.push(name.clone());
                }
                properties.insert(name, Value::Object(about));
            }
            _ => return None,
        }
    }
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    Some(schema)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::frontmatter::read_fields;
    use super::*;

    fn with<T>(
        text: &str,
        read: impl Fn(&Fields, &mut Findings<'_>) -> T,
    ) -> (T, Vec<&'static str>) {
        let mut found = Findings::new(Path::new("SKILL.md"));
        let fields = read_fields(text, 2, &mut found);
        let value = read(&fields, &mut found);
        (value, found.into_inner().iter().map(|d| d.code).collect())
    }

    /// Contract 1.8, rule 4.
    #[test]
    fn flags_and_lists_are_read_in_every_spelling() {
        let flags = |word: &str| with(&format!("a: {word}"), |f, found| flag(f, "a", false, found));
        for word in ["true", "True", "yes", "ON", "1", "'1'"] {
            assert_eq!(flags(word), (true, vec![]), "{word}");
        }
        for word in ["false", "No", "off", "0", "", "null"] {
            assert_eq!(flags(word), (false, vec![]), "{word}");
        }
        assert_eq!(flags("perhaps"), (false, vec!["wrong-type"]));
        let lists = |value: &str| with(&format!("a: {value}"), |f, found| list(f, "a", found));
        for value in ["[x y, z]", "x y, z", "'[x y, z]'", "\n- x y\n- z"] {
            assert_eq!(lists(value), (vec!["x y".to_owned(), "z".to_owned()], vec![]), "{value}");
        }
        assert_eq!(lists("x  y").0, ["x", "y"]);
        assert_eq!(lists("[1.10, yes]").0, ["1.10", "yes"]);
        assert_eq!(lists("{x: 1}"), (vec![], vec!["wrong-type"]));
    }

    /// Conflict table of contract 1.8: `allowed-tools`.
    #[test]
    fn allowed_tools_are_divided_outside_parentheses() {
        let tools = ["Bash(git add:*)", "Bash(jq:*)", "Read"];
        for text in [
            "allowed-tools: Bash(git add:*) Bash(jq:*) Read",
            "allowed-tools: Bash(git add:*), Bash(jq:*),Read",
            "allowedTools: [Bash(git add:*), Bash(jq:*), Read]",
            "allowed_tools:\n- Bash(git add:*)\n- Bash(jq:*)\n- Read",
        ] {
            assert_eq!(with(text, allowed_tools).0, tools, "{text}");
        }
    }

    /// Conflict table of contract 1.8: `metadata`.
    #[test]
    fn metadata_is_always_an_object() {
        let metadata = |text: &str| with(text, |fields, _| metadata(fields)).0;
        assert_eq!(metadata("metadata: {a: {b: 1}}"), json!({"a": {"b": 1}}));
        assert_eq!(metadata("metadata: '{\"tier\":2}'"), json!({"tier": 2}));
        assert_eq!(metadata("metadata: 'not json'"), json!({"_raw": "not json"}));
        assert_eq!(metadata("metadata: [1]"), json!({"_raw": [1]}));
        assert_eq!(metadata("metadata:"), json!({}));
    }

    /// Conflict table of contract 1.8: `inputs` and `outputs`.
    #[test]
    fn every_shape_of_inputs_is_an_object_schema() {
        let schema = |text: &str| with(text, |f, found| schema(f, "inputs", found)).0;
        let full = json!({"type": "object", "properties": {"topic": {"type": "string"}}});
        assert_eq!(schema("inputs: {type: object, properties: {topic: {type: string}}}"), full);
        assert_eq!(schema("inputs: {topic: string}"), full);
        assert_eq!(schema("inputs: {topic: {type: string}}"), full);
        assert_eq!(schema("inputs: [{name: topic, type: string}]"), full);
        let two = schema("inputs:\n- name: a\n  required: true\n  default: 3\n- b\n");
        let properties = json!({"a": {"default": 3}, "b": {}});
        assert_eq!(two, json!({"type": "object", "properties": properties, "required": ["a"]}));
        let marked = schema("inputs: {a: {default: 3, required: true}, b: {required: false}}");
        assert_eq!(marked, two);
        assert_eq!(schema("inputs: 3"), json!({}));
    }
}
