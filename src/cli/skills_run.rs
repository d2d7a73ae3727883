//! `populace skills run` for a skill that is a script: one call over one person's workspace.

use std::path::Path;

use super::args::SkillScriptArgs;
use super::{exit, report};
use crate::agent::request::{ScriptEntry, ScriptResult};
use crate::host::once::{Call, carry_out};
use crate::skill::package::Skill;
use crate::skill::script::script_of;

/// Runs the script and tells what it gave.
pub fn run(
    skill: &Skill,
    workspace: &Path,
    args: &SkillScriptArgs,
    argv: &[String],
) -> anyhow::Result<u8> {
    let result = match script_of(skill, args.script.as_deref()) {
        Err(refused) => *refused,
        Ok(script) => carry_out(Call {
            script,
            entry: ScriptEntry::Command,
            argv: argv.to_vec(),
            workspace: Some(workspace),
            python: args.python.as_deref(),
            time_limit_ms: None,
        })?,
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
    Ok(exit_code(result))
}

/// The exit code that fits a result: the script's own where there is one.
pub(super) fn exit_code(result: &ScriptResult) -> u8 {
    let failed = if result.ok { exit::DONE } else { exit::FAILURES };
    u8::try_from(result.exit_code).ok().filter(|code| *code != 0).unwrap_or(failed)
}
