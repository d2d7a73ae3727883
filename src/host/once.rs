//! One call of a script of a skill outside a run, confined as in one.

use std::path::Path;
use std::sync::Arc;

use crate::agent::request::{
    ScriptBatch, ScriptCall, ScriptEntry, ScriptRef, ScriptResult, ScriptTier,
};
use crate::base::ids::AgentId;
use crate::host::ScriptHost;
use crate::host::error::HostError;
use crate::host::scripts::ScriptRunner;
use crate::host::settings::ScriptSettings;
use crate::host::workspace::Workspaces;

/// Number of the person in whose name the call is made.
const AGENT: AgentId = AgentId(0);

/// What is called, and how.
pub struct Call<'a> {
    /// The script.
    pub script: ScriptRef,
    /// How it is entered.
    pub entry: ScriptEntry,
    /// Its arguments.
    pub argv: Vec<String>,
    /// The person's workspace; an empty one where there is none.
    pub workspace: Option<&'a Path>,
    /// The Python interpreter, if another than the usual.
    pub python: Option<&'a Path>,
    /// The longest time in milliseconds, if another than the usual.
    pub time_limit_ms: Option<u32>,
}

/// Runs the script with the limits that scenarios have by default. It works on a copy of the
/// workspace in memory; what it changed is written back when it ended, well or not.
///
/// # Errors
/// No usable Python, or a workspace that cannot be read or written.
pub fn carry_out(call: Call<'_>) -> Result<ScriptResult, HostError> {
    let making = "making a folder for the script";
    let mut workspaces = Workspaces::create().map_err(HostError::io(making))?;
    match call.workspace {
        Some(folder) => workspaces
            .copy_in(AGENT, folder)
            .map_err(HostError::io(format!("reading the workspace {}", folder.display())))?,
        None => workspaces.add(AGENT, &[]).map_err(HostError::io(making))?,
    }
    let defaults = ScriptSettings::default();
    let settings = ScriptSettings {
        workers: 1,
        readable: vec![call.script.skill_dir.clone()],
        python: call.python.map_or(defaults.python, Path::to_owned),
        ..ScriptSettings::default()
    };
    let mut runner = ScriptRunner::new(settings, Some(workspaces.root().to_owned()));
    if call.script.tier == ScriptTier::Python {
        runner.start_python()?;
    }
    let batch = ScriptBatch {
        script: Arc::new(call.script),
        entry: call.entry,
        calls: vec![ScriptCall { agent: AGENT, seed: 0, argv: call.argv, person: None }],
        time_limit_ms: call.time_limit_ms,
    };
    let result = runner.ask(&batch).into_iter().map(|reply| reply.result).next();
    let result = result.unwrap_or_else(|| ScriptResult::refused("the call had no answer"));
    if let Some(folder) = call.workspace {
        workspaces
            .copy_out(AGENT, folder)
            .map_err(HostError::io(format!("writing the workspace {}", folder.display())))?;
    }
    Ok(result)
}
