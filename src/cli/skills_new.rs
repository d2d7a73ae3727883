//! `populace skills new`: a folder to begin a skill with.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::args::NewSkillKind;
use super::{exit, report};
use crate::skill::document;

/// The hook of a new script skill.
const HOOK: &str = r#""""A hook of every step: what it returns, the person is told."""

from agentsociety2.agent.base.skill_hook_context import get_hook_context


def pre_step():
    moment = get_hook_context().payload
    return f"step {moment['step_count']} of agent {moment['agent_id']}"
"#;

/// Makes `DIR/NAME/SKILL.md`, and the script of a script skill. Nothing is overwritten.
pub fn new(name: &str, dir: &Path, kind: NewSkillKind) -> anyhow::Result<u8> {
    let folder = dir.join(name);
    let file = folder.join("SKILL.md");
    // The open standard is the narrowest of the dialects: a name that is good there is good
    // everywhere.
    if let Some(fault) = document::name_faults(name).first() {
        anyhow::bail!("{fault}");
    }
    let refuse = || format!("make {}: a folder of that name must not be there", folder.display());
    fs::create_dir_all(dir).with_context(|| format!("make {}", dir.display()))?;
    fs::create_dir(&folder).with_context(refuse)?;
    let write = |path: &Path, text: &str| -> anyhow::Result<()> {
        fs::write(path, text).with_context(|| format!("write {}", path.display()))?;
        report::say(&path.display().to_string());
        Ok(())
    };
    write(&file, &text(name, kind))?;
    if kind == NewSkillKind::Script {
        fs::create_dir(folder.join("scripts")).context("make the folder scripts")?;
        write(&folder.join("scripts/hook.py"), HOOK)?;
    }
    Ok(exit::DONE)
}

fn text(name: &str, kind: NewSkillKind) -> String {
    let (field, body) = match kind {
        NewSkillKind::Prompt => (
            "",
            "Say here what to do, step by step. `$ARGUMENTS` stands for what the skill is\n\
             activated with. Longer texts belong into files beside this one.",
        ),
        NewSkillKind::Script => (
            "hooks:\n  pre_step: scripts/hook.py\n",
            "`scripts/hook.py` runs before each step of every person who has this skill switched\n\
             on. Say here when and how it is of use.",
        ),
    };
    format!(
        "---\nname: {name}\ndescription: Use this when ... (what for, and when)\n\
         {field}---\n\n# {name}\n\n{body}\n"
    )
}
