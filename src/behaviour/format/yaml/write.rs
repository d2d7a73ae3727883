//! A document in its canonical form.

use serde_json::{Map, Value, json};

use super::super::problems::{Problems, UNSAYABLE};
use super::super::slots::{self, literal};
use super::shape::{ONLY_TREE, main_port};
use crate::behaviour::catalogue::{Arity, Catalogue};
use crate::behaviour::definition::{Document, NodeDefinition, NodeModel, PortModel};

/// The document as JSON, its keys in order.
pub(in crate::behaviour::format) fn write(document: &Document, problems: &mut Problems) -> Value {
    let mut top = Map::new();
    top.insert("dialect".to_owned(), json!(document.dialect.word()));
    if let Some(main) = &document.main {
        top.insert("main".to_owned(), json!(main));
    }
    if !document.slots.is_empty() {
        top.insert("blackboard".to_owned(), Value::Object(slots::write(&document.slots)));
    }
    match document.trees.as_slice() {
        [tree] if tree.id == ONLY_TREE => {
            top.insert("tree".to_owned(), node(&tree.root, document));
        }
        trees => {
            let mut map = Map::new();
            for tree in trees {
                if map.insert(tree.id.clone(), node(&tree.root, document)).is_some() {
                    let message = format!("two trees are called `{}`", tree.id);
                    problems.add(tree.at, UNSAYABLE, message);
                }
            }
            top.insert("trees".to_owned(), Value::Object(map));
        }
    }
    if !document.models.is_empty() {
        top.insert("models".to_owned(), document.models.iter().map(model).collect());
    }
    Value::Object(top)
}

/// A node in the shortest form that says all of it.
fn node(definition: &NodeDefinition, document: &Document) -> Value {
    let NodeDefinition { kind, name, ports, children, .. } = definition;
    let mut below: Vec<Value> = children.iter().map(|child| node(child, document)).collect();
    let body = match (name, ports.as_slice()) {
        (None, []) if children.is_empty() => return json!(kind),
        (None, []) => Value::Array(below),
        (None, [port])
            if children.is_empty()
                && main_port(document.dialect, &document.models, kind) == Some(&port.name) =>
        {
            literal(&port.value)
        }
        _ => {
            let mut map = Map::new();
            if let Some(name) = name {
                map.insert("name".to_owned(), json!(name));
            }
            map.extend(ports.iter().map(|port| (port.name.clone(), literal(&port.value))));
            let manifest = Catalogue::full(document.dialect).find(kind);
            match below.pop() {
                None => {}
                Some(only)
                    if below.is_empty()
                        && manifest.is_some_and(|found| found.children == Arity::ONE) =>
                {
                    map.insert("child".to_owned(), only);
                }
                Some(last) => {
                    below.push(last);
                    map.insert("children".to_owned(), Value::Array(below));
                }
            }
            Value::Object(map)
        }
    };
    Value::Object(Map::from_iter([(kind.clone(), body)]))
}

fn model(model: &NodeModel) -> Value {
    let NodeModel { category, id, ports } = model;
    if ports.is_empty() {
        return json!({ "category": category, "id": id });
    }
    let ports: Vec<Value> = ports.iter().map(port_model).collect();
    json!({ "category": category, "id": id, "ports": ports })
}

fn port_model(port: &PortModel) -> Value {
    let PortModel { direction, name, type_word, default, description } = port;
    let mut map = Map::from_iter([
        ("direction".to_owned(), json!(direction)),
        ("name".to_owned(), json!(name)),
    ]);
    let optional = [("type", type_word), ("default", default), ("description", description)];
    for (key, value) in optional {
        if let Some(value) = value {
            map.insert(key.to_owned(), literal(value));
        }
    }
    Value::Object(map)
}
