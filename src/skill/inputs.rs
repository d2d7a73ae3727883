//! Checks what a run of a skill begins with against the `inputs` that its SKILL.md declares.

use serde_json::{Map, Value};

/// What is wrong with `inputs`, one sentence each; nothing if they are as declared.
///
/// `declared` is the JSON schema of an object that the manifest holds, whatever form the file has.
/// Some skills declare what is no JSON schema (`type: str`): nothing is held against their inputs.
pub fn complaints(declared: &Value, inputs: &Map<String, Value>) -> Vec<String> {
    let Ok(validator) = jsonschema::validator_for(declared) else { return Vec::new() };
    let told = |error: jsonschema::ValidationError<'_>| {
        let path = error.instance_path().to_string();
        let name = path.trim_start_matches('/');
        if name.is_empty() { error.to_string() } else { format!("`{name}`: {error}") }
    };
    validator.iter_errors(&Value::Object(inputs.clone())).map(told).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Right values by JSON Schema (2020-12).
    #[test]
    fn inputs_are_held_against_the_schema() {
        let declared = json!({
            "type": "object",
            "properties": { "topic": { "type": "string" }, "rounds": { "type": "integer" } },
            "required": ["topic"],
        });
        let complain =
            |inputs: Value| complaints(&declared, inputs.as_object().unwrap()).join("; ");
        assert_eq!(complain(json!({ "topic": "x", "rounds": 3, "other": [] })), "");
        assert!(complain(json!({ "rounds": 3 })).contains("\"topic\" is a required property"));
        let wrong = complain(json!({ "topic": "x", "rounds": "3" }));
        assert_eq!(wrong, "`rounds`: \"3\" is not of type \"integer\"");
        assert_eq!(complaints(&json!({}), &Map::new()), [""; 0]);
        let no_schema = json!({ "type": "object", "properties": { "topic": { "type": "str" } } });
        assert_eq!(complaints(&no_schema, &Map::new()), [""; 0]);
    }
}
