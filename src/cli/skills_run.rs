//! `populace skills run` for a skill that is a script: one call over one person's workspace.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::args::SkillScriptArgs;
use super::{exit, report};
use crate::agent::request::{ScriptBatch, ScriptCall, ScriptEntry, ScriptResult, ScriptTier};
use crate::base::ids::AgentId;
use crate::host::ScriptHost;
use crate::host::scripts::ScriptRunner;
use crate::host::settings::ScriptSettings;
use crate::host::workspace::Workspaces;
use crate::skill::package::Skill;
use crate::skill::script::script_of;

/// Number of the person in whose name the call is made.
const AGENT: AgentId = AgentId(0);

/// Runs the script with the limits that scenarios have by default. It works on a copy of the
/// workspace in memory; what it changed is written back when it ended, well or not.
pub fn run(
    skill: &Skill,
    workspace: &Path,
    args: &SkillScriptArgs,
    argv: &[String],
) -> anyhow::Result<u8> {
    let result = match script_of(skill, args.script.as_deref()) {
        Err(refused) => *refused,
        Ok(script) => {
            let mut workspaces = Workspaces::create().context("make a folder for the script")?;
            workspaces
                .copy_in(AGENT, workspace)
                .with_context(|| format!("read the workspace {}", workspace.display()))?;
            let readable = vec![script.skill_dir.clone()];
            let python = args.python.clone().unwrap_or(ScriptSettings::default().python);
            let settings =
                ScriptSettings { workers: 1, readable, python, ..ScriptSettings::default() };
            let mut runner = ScriptRunner::new(settings, Some(workspaces.root().to_owned()));
            if script.tier == ScriptTier::Python {
                runner.start_python()?;
            }
            let call = ScriptCall { agent: AGENT, seed: 0, argv: argv.to_vec(), person: None };
            let batch = ScriptBatch {
                script: Arc::new(script),
                entry: ScriptEntry::Command,
                calls: vec![call],
                time_limit_ms: None,
            };
            let reply = runner.run(&[batch]).pop().and_then(|mut replies| replies.pop());
            let result = reply.map(|reply| reply.result).context("the call has an answer")?;
            workspaces
                .copy_out(AGENT, workspace)
                .with_context(|| format!("write the workspace {}", workspace.display()))?;
            result
        }
    };
    tell(&result, args.json)
}

fn tell(result: &ScriptResult, json: bool) -> anyhow::Result<u8> {
    if json {
        report::say(&serde_json::to_string(result)?);
    } else {
        if !result.stdout.is_empty() {
            report::say(result.stdout.trim_end_matches('\n'));
        }
        if !result.stderr.is_empty() {
            report::complain(result.stderr.trim_end_matches('\n'));
        }
    }
    let failed = if result.ok { exit::DONE } else { exit::FAILURES };
    Ok(u8::try_from(result.exit_code).ok().filter(|code| *code != 0).unwrap_or(failed))
}
