//! The file of a behaviour tree: one of the formats of trees, or Python that builds one.

use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::script_call::{Call, carry_out};
use crate::agent::request::{ScriptEntry, ScriptRef, ScriptTier, TreeCall};
use crate::behaviour::definition::Document;
use crate::behaviour::format::{self, Format};

/// Tools of the host that a tree finds while it is only built.
const TOOLS: [&str; 1] = ["calculator"];

/// Reads a file of any format. One in Python is run, confined to its folder as scripts of skills
/// are, and tells what its `build_tree` gave; that must be of py_trees' own nodes throughout.
pub fn read(file: &Path, python: Option<&Path>) -> anyhow::Result<Document> {
    if file.extension().is_none_or(|extension| extension != "py") {
        return Ok(format::read(file)?);
    }
    let path = file.canonicalize().with_context(|| format!("cannot read {}", file.display()))?;
    let skill_dir = path.parent().unwrap_or(&path).to_owned();
    let name = skill_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let skill_id = format!("custom@{name}");
    let script =
        ScriptRef { skill_id, skill_name: name, skill_dir, path, tier: ScriptTier::Python };
    let tools = TOOLS.map(str::to_owned).to_vec();
    let tree = TreeCall { describe: true, tools, ..TreeCall::default() };
    let result = carry_out(Call {
        script,
        entry: ScriptEntry::Tree(tree),
        argv: vec![json!({}).to_string()],
        workspace: None,
        python,
        time_limit_ms: None,
    })?;
    if !result.ok {
        anyhow::bail!("{}: {}", file.display(), result.stderr.trim_end());
    }
    // Lines of what it told are none of the file's.
    Ok(format::read_text(Format::Json, &result.stdout, file)?.without_places())
}
