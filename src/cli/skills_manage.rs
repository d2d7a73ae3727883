//! `populace skills manage`: the tool `skill_manage` over one agent's workspace.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use super::args::{SkillManageAction, SkillManageArgs};
use super::{exit, report};
use crate::skill::document::manifest::SKILL_MD_BYTES_MAX;
use crate::skill::manage::{ManageAction, manage as carry_out};

/// Prints the tool's answer.
pub fn manage(args: &SkillManageArgs) -> anyhow::Result<u8> {
    let workspace = &args.workspace;
    if !workspace.is_dir() {
        anyhow::bail!("there is no workspace {}", workspace.display());
    }
    let content = match args.action {
        SkillManageAction::Delete => Vec::new(),
        SkillManageAction::Create | SkillManageAction::Edit => read(&args.content)
            .with_context(|| format!("read the content from {}", args.content.display()))?,
    };
    let action = match args.action {
        SkillManageAction::Create => ManageAction::Create(&content),
        SkillManageAction::Edit => ManageAction::Edit(&content),
        SkillManageAction::Delete => ManageAction::Delete,
    };
    let answer = carry_out(workspace, action, &args.skill);
    report::say(&serde_json::to_string(&answer)?);
    Ok(if answer.get("error").is_some() { exit::FAILURES } else { exit::DONE })
}

/// The file's bytes, or those of stdin; of too many, just so many that they are refused.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = SKILL_MD_BYTES_MAX + 1;
    if path == Path::new("-") {
        io::stdin().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
