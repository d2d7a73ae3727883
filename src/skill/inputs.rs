//! Checks what a run of a skill begins with against the `inputs` that its SKILL.md declares.

use serde_json::{Map, Value, json};

/// What is wrong with `inputs`, one sentence each; nothing if they are as declared.
///
/// `declared` is a JSON schema of an object, or the short form: a map of names, each with its own
/// schema and, if it must be given, `required: true`. Inputs that are not declared are allowed, as
/// in Jianmu.
pub fn complaints(declared: &Value, inputs: &Map<String, Value>) -> Vec<String> {
    let Value::Object(declared) = declared else { return Vec::new() };
    if declared.is_empty() {
        return Vec::new();
    }
    match jsonschema::validator_for(&schema(declared)) {
        Err(error) => vec![format!("the skill's `inputs` are no JSON schema: {error}")],
        Ok(validator) => {
            let told = |error: jsonschema::ValidationError<'_>| {
                let path = error.instance_path().to_string();
                let name = path.trim_start_matches('/');
                if name.is_empty() { error.to_string() } else { format!("`{name}`: {error}") }
            };
            validator.iter_errors(&Value::Object(inputs.clone())).map(told).collect()
        }
    }
}

fn schema(declared: &Map<String, Value>) -> Value {
    let is_schema = |key: &str, of: fn(&Value) -> bool| declared.get(key).is_some_and(of);
    if is_schema("properties", Value::is_object) || is_schema("type", Value::is_string) {
        return Value::Object(declared.clone());
    }
    let mut required = Vec::new();
    let mut properties = Map::new();
    for (name, about) in declared {
        let mut about = about.clone();
        if let Value::Object(fields) = &mut about
            && fields.get("required").is_some_and(Value::is_boolean)
            && fields.remove("required") == Some(Value::Bool(true))
        {
            required.push(name.clone());
        }
        // A description alone declares the name and no more.
        properties.insert(name.clone(), if about.is_object() { about } else { json!({}) });
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Right values by JSON Schema (2020-12) and the short form of Jianmu's documents.
    #[test]
    fn inputs_are_checked_in_both_forms() {
        let short = json!({
            "topic": { "type": "string", "required": true },
            "rounds": { "type": "integer", "description": "how many" },
            "note": "free text",
        });
        let long = json!({
            "type": "object",
            "properties": { "topic": { "type": "string" }, "rounds": { "type": "integer" } },
            "required": ["topic"],
        });
        for declared in [short, long] {
            let complain = |inputs: Value| {
                complaints(&declared, inputs.as_object().unwrap()).join("; ")
            };
            assert_eq!(complain(json!({ "topic": "x", "rounds": 3, "other": [] })), "");
            assert!(complain(json!({ "rounds": 3 })).contains("\"topic\" is a required property"));
            let wrong = complain(json!({ "topic": "x", "rounds": "3" }));
            assert_eq!(wrong, "`rounds`: \"3\" is not of type \"integer\"");
        }
        assert_eq!(complaints(&json!({}), &Map::new()), [""; 0]);
        let broken = complaints(&json!({ "type": "nonsense" }), &Map::new()).join("");
        assert!(broken.contains("no JSON schema"), "{broken}");
    }
}
