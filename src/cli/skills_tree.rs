//! `populace skills run` for a skill that is a behaviour tree in Python.
//!
//! A run that waits for an answer is kept in the workspace, in `.populace/suspended.json`, until
//! `--resume` gives it one.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::args::{SkillScriptArgs, SkillTreeArgs};
use super::report;
use super::script_call::{Call, carry_out};
use super::skills_run::exit_code;
use crate::agent::request::{ScriptEntry, ScriptResult, ScriptTier, TreeCall};
use crate::skill::document::manifest::BtFields;
use crate::skill::inputs::complaints;
use crate::skill::package::Skill;
use crate::skill::script::script_of;

/// Where a workspace keeps the run that waits.
const SUSPENDED: &str = ".populace/suspended.json";

/// What a run begins with, kept while it waits.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    skill: String,
    messages: Vec<Value>,
    inputs: Map<String, Value>,
    /// Nothing for a run that begins now.
    state: Value,
}

/// Runs the skill's tree, or goes on with the run that waits in the workspace.
pub fn run(
    skill: &Skill,
    tree: &BtFields,
    workspace: Option<&Path>,
    (script, how): (&SkillScriptArgs, &SkillTreeArgs),
    arguments: &[String],
) -> anyhow::Result<u8> {
    if !tree.direct && !how.direct && how.resume.is_none() {
        anyhow::bail!(
            "{} has `orchestration: react`: a language model calls its tree, and there is none \
             here; --direct runs the tree without one",
            skill.id
        );
    }
    let begun = match (&how.resume, workspace) {
        (Some(_), Some(workspace)) => waiting(&skill.id, workspace, arguments)?,
        _ => begin(&skill.id, arguments)?,
    };
    if how.resume.is_none() {
        let complaints = complaints(&tree.inputs, &begun.inputs);
        anyhow::ensure!(complaints.is_empty(), "inputs of {}: {}", skill.id, complaints.join("; "));
    }
    let result = call(skill, tree, workspace, script.python.as_deref(), &begun, how)?;
    let told: Map<String, Value> = serde_json::from_str(&result.stdout).unwrap_or_default();
    let suspended = told.get("suspended").filter(|_| result.ok);
    match (suspended, workspace) {
        (Some(_), Some(workspace)) => {
            let state = told.get("state").cloned().unwrap_or_default();
            keep(workspace, &Begun { state, ..begun })?;
        }
        (None, Some(workspace)) if how.resume.is_some() && result.ok => {
            let file = workspace.join(SUSPENDED);
            std::fs::remove_file(&file)
                .with_context(|| format!("remove {}, which is done", file.display()))?;
        }
        _ => {}
    }
    if script.json {
        report::say(&serde_json::to_string(&result)?);
    } else {
        tell(&result, &told, suspended, workspace.is_some());
    }
    Ok(exit_code(&result))
}

fn begin(skill: &str, arguments: &[String]) -> anyhow::Result<Begun> {
    let mut begun = Begun {
        skill: skill.to_owned(),
        messages: Vec::new(),
        inputs: Map::new(),
        state: Value::Null,
    };
    for argument in arguments {
        if argument.trim_start().starts_with('{') {
            let inputs: Map<String, Value> = serde_json::from_str(argument)
                .with_context(|| format!("inputs are a JSON object, not {argument}"))?;
            begun.inputs.extend(inputs);
        } else {
            begun.messages.push(json!({ "role": "user", "content": argument }));
        }
    }
    Ok(begun)
}

fn waiting(skill: &str, workspace: &Path, arguments: &[String]) -> anyhow::Result<Begun> {
    if !arguments.is_empty() {
        anyhow::bail!("--resume goes on with what the run began with: it takes no arguments");
    }
    let file: PathBuf = workspace.join(SUSPENDED);
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("no run is suspended here: read {}", file.display()))?;
    let begun: Begun = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a suspended run", file.display()))?;
    if begun.skill != skill {
        anyhow::bail!("the suspended run is one of {}, not of {skill}", begun.skill);
    }
    Ok(begun)
}

fn keep(workspace: &Path, begun: &Begun) -> anyhow::Result<()> {
    let file = workspace.join(SUSPENDED);
    let folder = file.parent().unwrap_or(workspace);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, serde_json::to_string_pretty(begun)?))
        .with_context(|| format!("write {}", file.display()))
}

fn call(
    skill: &Skill,
    tree: &BtFields,
    workspace: Option<&Path>,
    python: Option<&Path>,
    begun: &Begun,
    how: &SkillTreeArgs,
) -> anyhow::Result<ScriptResult> {
    let script = match script_of(skill, Some(&tree.tree)) {
        Ok(script) => script,
        Err(refused) => return Ok(*refused),
    };
    if script.tier != ScriptTier::Python {
        let file = script.path.display();
        anyhow::bail!("'{}' is not a tree in Python: try `populace tree run {file}`", tree.tree);
    }
    let mut given = json!({ "messages": begun.messages, "inputs": begun.inputs });
    if let Some(text) = &how.resume {
        given["state"] = begun.state.clone();
        given["resume"] = json!({ "text": text });
    }
    let constraints = skill.manifest.constraints.clone();
    let seconds = constraints.get("timeout").and_then(Value::as_f64).filter(|s| *s > 0.0);
    carry_out(Call {
        script,
        entry: ScriptEntry::Tree(TreeCall {
            describe: false,
            tools: skill.manifest.tools.builtin.clone(),
            tool_files: skill.manifest.tools.entries.clone(),
            required: tree.required.clone(),
            constraints,
        }),
        argv: vec![given.to_string()],
        workspace,
        python,
        time_limit_ms: seconds.map(|seconds| (seconds * 1_000.0).ceil() as u32),
    })
}

/// What came of it, for people: the answer in words, then the structured result.
fn tell(
    result: &ScriptResult,
    told: &Map<String, Value>,
    suspended: Option<&Value>,
    is_kept: bool,
) {
    if let Some(suspended) = suspended {
        let message = suspended.get("message").and_then(Value::as_str).unwrap_or_default();
        let how = if is_kept { "answer with --resume TEXT" } else { "not kept: no --workspace" };
        report::say(&format!("suspended: {message}\n({how})"));
        return;
    }
    if let Some(answer) = told.get("final_answer").filter(|answer| !answer.is_null()) {
        report::say(&answer.as_str().map_or_else(|| answer.to_string(), str::to_owned));
    }
    if let Some(value) = told.get("skill_result").filter(|value| !value.is_null()) {
        report::say(&value.to_string());
    }
    if !result.stderr.is_empty() {
        report::complain(result.stderr.trim_end_matches('\n'));
    }
}
