//! What editors are told of our own form.

use serde_json::{Map, Value, json};

use super::super::check::{CATEGORIES, DIRECTIONS};
use crate::behaviour::catalogue::{Arity, Catalogue, Category, NodeManifest};
use crate::behaviour::status::Dialect;
use crate::behaviour::value::ValueType;

/// A JSON Schema of documents in our own form (YAML or JSON), made from the catalogue of both
/// dialects. Nodes that are not built in are allowed with any ports.
pub fn yaml_schema() -> Value {
    let [ours, theirs] = [Dialect::PyTrees, Dialect::BtCpp].map(Dialect::word);
    let trees = |dialect: &str| {
        let node = json!({ "$ref": format!("#/$defs/{dialect}_node") });
        json!({ "properties": {
            "tree": node,
            "trees": { "type": "object", "additionalProperties": node },
        }})
    };
    let types = ValueType::WORDS.map(|(word, _)| word);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "behaviour trees of populace",
        "type": "object",
        "properties": {
            "dialect": { "enum": [ours, theirs], "default": ours,
                "description": "whose rules the trees follow" },
            "main": { "type": "string", "description": "the tree to run" },
            "blackboard": { "type": "object", "additionalProperties": { "$ref": "#/$defs/slot" },
                "description": "slots of the blackboard; with any, all must be declared" },
            "tree": { "description": "the root of the only tree, which is called Main" },
            "trees": { "type": "object", "description": "roots of trees by their ids" },
            "models": { "type": "array", "items": { "$ref": "#/$defs/model" },
                "description": "nodes that are not built in" },
        },
        "additionalProperties": false,
        "oneOf": [{ "required": ["tree"] }, { "required": ["trees"] }],
        "if": { "properties": { "dialect": { "const": theirs } }, "required": ["dialect"] },
        "then": trees(theirs),
        "else": trees(ours),
        "$defs": {
            "value": { "type": ["string", "number", "boolean"] },
            "port": { "anyOf": [
                { "$ref": "#/$defs/value" },
                { "type": "array", "items": { "$ref": "#/$defs/value" } },
            ]},
            "slot": { "anyOf": [{ "type": "null" }, { "enum": types }, {
                "type": "object",
                "properties": {
                    "type": { "enum": types },
                    "words": { "type": "array", "items": { "$ref": "#/$defs/value" } },
                    "initial": { "$ref": "#/$defs/value" },
                    "description": { "type": "string" },
                },
                "additionalProperties": false,
            }]},
            "model": model(),
            (format!("{ours}_node")): node(Dialect::PyTrees),
            (format!("{theirs}_node")): node(Dialect::BtCpp),
        },
    })
}

fn model() -> Value {
    json!({
        "type": "object",
        "properties": {
            "category": { "enum": CATEGORIES },
            "id": { "type": "string" },
            "ports": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "direction": { "enum": DIRECTIONS },
                    "name": { "type": "string" },
                    "type": { "$ref": "#/$defs/value" },
                    "default": { "$ref": "#/$defs/value" },
                    "description": { "$ref": "#/$defs/value" },
                },
                "required": ["direction", "name"],
                "additionalProperties": false,
            }},
        },
        "required": ["category", "id"],
        "additionalProperties": false,
    })
}

/// A node: its kind alone, or its kind with what it holds.
fn node(dialect: Dialect) -> Value {
    let mut kinds = Map::new();
    for manifest in Catalogue::full(dialect).nodes() {
        for name in [manifest.kind].iter().chain(manifest.aliases) {
            kinds.insert((*name).to_owned(), body(manifest, dialect));
        }
    }
    let names: Vec<_> = kinds.keys().cloned().collect();
    let any = object(dialect, Map::new(), &json!({ "$ref": "#/$defs/port" }));
    json!({ "anyOf": [
        { "enum": names },
        { "type": "string" },
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "properties": kinds,
            "additionalProperties": { "anyOf": [
                { "type": "null" }, { "$ref": "#/$defs/value" }, children(dialect), any,
            ]},
        },
    ]})
}

fn children(dialect: Dialect) -> Value {
    let reference = format!("#/$defs/{}_node", dialect.word());
    json!({ "type": "array", "items": { "$ref": reference } })
}

/// What may stand behind the kind of a node.
fn body(manifest: &NodeManifest, dialect: Dialect) -> Value {
    let mut forms = vec![json!({ "type": "null" })];
    if !manifest.ports.is_empty() {
        forms.push(json!({ "$ref": "#/$defs/value" }));
    }
    if manifest.children != Arity::LEAF {
        forms.push(children(dialect));
    }
    let mut ports = Map::new();
    for port in manifest.ports {
        let mut about = json!({ "$ref": "#/$defs/port" });
        if let Some(default) = port.default {
            about["description"] = json!(format!("{default:?} if it is not given"));
        }
        ports.insert(port.name.to_owned(), about);
    }
    // A call hands any ports on to the tree that it calls.
    let others = match manifest.category {
        Category::SubTree => json!({ "$ref": "#/$defs/port" }),
        _ => json!(false),
    };
    forms.push(object(dialect, ports, &others));
    json!({ "description": manifest.about, "anyOf": forms })
}

/// A map of ports, with a name and children.
fn object(dialect: Dialect, mut ports: Map<String, Value>, others: &Value) -> Value {
    let reference = format!("#/$defs/{}_node", dialect.word());
    ports.insert("name".to_owned(), json!({ "type": ["string", "number", "boolean"] }));
    ports.insert("child".to_owned(), json!({ "$ref": reference }));
    ports.insert("children".to_owned(), children(dialect));
    json!({
        "type": "object",
        "properties": ports,
        "patternProperties": { "^_": { "$ref": "#/$defs/value" } },
        "additionalProperties": others,
    })
}
