//! Trees that Python builds (`tree.py`). One of nodes that are known here becomes a native tree;
//! any other is run by Python, and what a run ticks is a tree of one leaf that asks for it.

use std::path::Path;

use serde_json::{Value, json};

use super::package::Skill;
use crate::agent::request::{ScriptRef, TreeCall};
use crate::behaviour::definition::Document;
use crate::behaviour::error::TreeError;
use crate::behaviour::format::{Format, read_text};
use crate::behaviour::people::PythonTree;

/// Has Python build the tree of a skill and tell it as a JSON document; nothing if it must not, or
/// cannot.
pub type Describe<'a> = &'a dyn Fn(&Skill, &ScriptRef) -> Option<String>;

/// Whether the skill's tree is one that Python builds.
pub(super) fn is_in_python(skill: &Skill) -> bool {
    let tree = skill.manifest.bt.as_ref();
    tree.is_some_and(|tree| Path::new(&tree.tree).extension().is_some_and(|ext| ext == "py"))
}

/// What Python is told of a skill's tree to run it.
pub fn tree_call(skill: &Skill) -> TreeCall {
    TreeCall {
        describe: false,
        tools: skill.manifest.tools.builtin.clone(),
        tool_files: skill.manifest.tools.entries.clone(),
        required: skill.manifest.bt.as_ref().map_or_else(Vec::new, |tree| tree.required.clone()),
        constraints: skill.manifest.constraints.clone(),
    }
}

/// The time that a run of the tree may take, if the skill says so.
pub fn time_limit_ms(skill: &Skill) -> Option<u32> {
    let seconds = skill.manifest.constraints.get("timeout").and_then(Value::as_f64);
    seconds.filter(|seconds| *seconds > 0.0).map(|seconds| (seconds * 1_000.0).ceil() as u32)
}

/// The tree that a run ticks, and how Python is asked where it is not the skill's own.
///
/// # Errors
/// Of the carrying tree: a file name that cannot be written in a tree.
pub(super) fn document(
    skill: &Skill,
    script: &ScriptRef,
    describe: Describe<'_>,
) -> Result<(Document, Option<PythonTree>), TreeError> {
    let inputs = inputs(skill);
    // What is built for nobody in particular must be the tree of everybody.
    let described = if inputs.is_empty() { describe(skill, script) } else { None };
    let native = described.and_then(|text| read_text(Format::Json, &text, &script.path).ok());
    match native {
        Some(document) => Ok((document, None)),
        None => {
            let carrier = carrier(skill).to_string();
            let (call, time_limit_ms) = (tree_call(skill), time_limit_ms(skill));
            let python = PythonTree { call, inputs, time_limit_ms };
            Ok((read_text(Format::Json, &carrier, &script.path)?, Some(python)))
        }
    }
}

/// Names of the inputs that the skill declares.
fn inputs(skill: &Skill) -> Vec<String> {
    let declared = skill.manifest.bt.as_ref().and_then(|tree| tree.inputs.get("properties"));
    let declared = declared.and_then(Value::as_object);
    declared.map_or_else(Vec::new, |declared| declared.keys().cloned().collect())
}

/// Asks for one run, and ends the skill with what it comes to.
fn carrier(skill: &Skill) -> Value {
    let file = skill.manifest.bt.as_ref().map_or("", |tree| tree.tree.as_str());
    let run = json!({ "type": "run_script", "script": file, "output": "{told}" });
    let done = json!({ "type": "finish", "result": "told" });
    let (name, children) = (&skill.manifest.name, json!([run, done]));
    json!({
        "dialect": "py_trees",
        "blackboard": { "told": "text" },
        "tree": { "type": "Sequence", "memory": "true", "name": name, "children": children },
    })
}
