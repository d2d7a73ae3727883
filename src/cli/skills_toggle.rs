//! `populace skills enable|disable`: which skills are switched off, kept in a `skills.json`.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{exit, report};
use crate::host::machine;
use crate::scenario::Toggles;
use crate::skill::error::SkillError;
use crate::skill::registry::SkillRegistry;

/// Switches one skill off, or on again, in the file `path`.
pub fn toggle(registry: &SkillRegistry, token: &str, path: &Path, on: bool) -> anyhow::Result<u8> {
    let index = registry.resolve(token)?;
    let skill = &registry.skills()[index];
    let mut toggles = Toggles::read_if_there(path)?;
    toggles.disabled.retain(|name| registry.resolve(name).ok() != Some(index));
    if !on {
        // A bare name stays one: the same folder has another namespace in a scenario than here.
        let by_id = token.contains('@');
        let name = if by_id { &skill.id } else { &skill.manifest.name };
        toggles.disabled.push(name.clone());
        toggles.disabled.sort();
    }
    toggles.write(path)?;
    let word = if on { "on" } else { "off" };
    report::say(&format!("{} is switched {word} in {}", skill.id, path.display()));
    Ok(exit::DONE)
}

/// The skills that are switched off in the file `path`, as indices; none if there is no file. Names
/// that no skill here has are passed over: the file may serve other folders too.
pub fn switched_off(registry: &SkillRegistry, path: &Path) -> anyhow::Result<Vec<usize>> {
    let toggles = Toggles::read_if_there(path)?;
    let index = |name: &String| match registry.resolve(name) {
        Ok(index) => Some(index),
        Err(SkillError::Unknown { .. }) => None,
        Err(error) => {
            report::complain(&format!("warning: {}: {error}", path.display()));
            None
        }
    };
    Ok(toggles.disabled.iter().filter_map(index).collect())
}

/// The user's file, or else the project's: that of the folder one is in.
pub fn file(user: bool) -> anyhow::Result<PathBuf> {
    let file = Path::new(".populace/skills.json");
    if !user {
        return Ok(file.to_owned());
    }
    machine::below_home("~/.populace/skills.json").context("there is no home folder: HOME is unset")
}
