//! `populace skills view --activate`: what activation of a skill tells, commands run if they may.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::{exit, report};
use crate::agent::request::ScriptResult;
use crate::base::ids::AgentId;
use crate::host::process::{self, Program};
use crate::host::sandbox::{self, Limits};
use crate::host::settings::ScriptSettings;
use crate::host::workspace::{WORKSPACE_BYTES_MAX, Workspaces};
use crate::skill::catalog::{self, BodyCommand};
use crate::skill::package::Skill;

/// Number of the person in whose name commands run.
const AGENT: AgentId = AgentId(0);

/// Longest time of one command (contract 1.7 of AgentSociety).
const COMMAND_TIME: Duration = Duration::from_secs(20);

/// Prints what activation tells. Commands run over a copy of the workspace `allowed_in`, which is
/// written back if all of them are well; without one they stay text.
pub fn activate(skill: &Skill, arguments: &str, allowed_in: Option<&Path>) -> anyhow::Result<u8> {
    let commands = catalog::commands(skill);
    let place = |command: &BodyCommand| format!("{}:{}", skill.document.display(), command.line);
    let mut outputs = Vec::new();
    match allowed_in {
        Some(workspace) if !commands.is_empty() => {
            let mut copy = Workspaces::create().context("make a folder for the commands")?;
            copy.copy_in(AGENT, workspace)
                .with_context(|| format!("read the workspace {}", workspace.display()))?;
            for command in &commands {
                let result = run(skill, command, arguments, &copy.folder(AGENT));
                if !result.ok {
                    let why = result.stderr.trim_end();
                    let (place, text) = (place(command), &command.text);
                    report::complain(&format!(
                        "error: {place}: the command `{text}` failed: {why}"
                    ));
                    return Ok(exit::FAILURES);
                }
                outputs.push(result.stdout);
            }
            copy.copy_out(AGENT, workspace)
                .with_context(|| format!("write the workspace {}", workspace.display()))?;
        }
        Some(_) => {}
        None => commands.iter().for_each(|command| {
            let (place, text) = (place(command), &command.text);
            report::complain(&format!(
                "warning: {place}: the command `{text}` stays text; --allow-commands --workspace \
                 DIR runs it"
            ));
        }),
    }
    report::say(&catalog::activate(skill, arguments, &outputs));
    Ok(exit::DONE)
}

/// Runs one command in `workspace`, within the limits that scripts have.
fn run(skill: &Skill, command: &BodyCommand, arguments: &str, workspace: &Path) -> ScriptResult {
    let words = match command.words(skill, arguments) {
        Ok(words) => words,
        Err(reason) => return ScriptResult::refused(reason),
    };
    let settings = ScriptSettings::default();
    let limits = Limits {
        memory_bytes: Some(settings.memory_bytes),
        file_bytes: WORKSPACE_BYTES_MAX,
        processes: true,
        network: settings.network,
        readable: skill.root.iter().cloned().collect(),
        writable: Vec::new(),
    };
    let result = process::run(&Program {
        words: words.into_iter().map(PathBuf::from).collect(),
        argv: &[],
        workspace,
        environment: sandbox::environment(&settings.environment),
        limits: &limits,
        time_limit: COMMAND_TIME,
        output_bytes: settings.output_bytes,
        processes_max: settings.processes_max,
    });
    match result.stderr.trim() {
        "" if !result.ok => {
            let stderr = format!("it ended with code {}", result.exit_code);
            ScriptResult { stderr, ..result }
        }
        _ => result,
    }
}
