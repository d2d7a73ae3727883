//! `skill_manage`: skills that an agent makes for itself, in its own workspace.
//!
//! Nothing here reaches outside the folder of the agent's own skills, and no skill of another
//! agent, of a root or of populace itself can be changed or shadowed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::document;
use super::document::manifest::SKILL_MD_BYTES_MAX;
use super::registry::{ScanPlan, SkillRegistry};

/// Folder of an agent's own skills in its workspace, as AgentSociety has it (its contract, 1.2).
pub const OWN_SKILLS: [&str; 2] = ["custom", "skills"];

/// Namespace of an agent's own skills.
const NAMESPACE: &str = "custom";

/// What is done with a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManageAction<'a> {
    /// It is made, with this SKILL.md; there must be none of that name.
    Create(&'a [u8]),
    /// Its SKILL.md becomes this one.
    Edit(&'a [u8]),
    /// It is removed with all its files.
    Delete,
}

/// Carries out the action on the agent's own skill `skill_id` (its name, or `custom@` and its name)
/// in `workspace`, and gives the tool's answer: `{"success": true, "skill_id", "message"}`, or
/// `{"error"}` with what is wrong; then nothing is changed. Files change at once or not at all.
///
/// Source: contract 1.6 of the SKILL.md dialects; the names' rule is the open standard's.
pub fn manage(workspace: &Path, action: ManageAction<'_>, skill_id: &str) -> Value {
    match carry_out(workspace, action, skill_id) {
        Ok((name, done)) => json!({
            "success": true,
            "skill_id": format!("{NAMESPACE}@{name}"),
            "message": format!("skill '{name}' is {done}"),
        }),
        Err(reason) => json!({ "error": reason }),
    }
}

fn carry_out(
    workspace: &Path,
    action: ManageAction<'_>,
    skill_id: &str,
) -> Result<(String, &'static str), String> {
    let name = name_of(skill_id)?;
    let folder = folder_inside(workspace, &name)?;
    let told = |done: io::Result<()>| done.map_err(|error| format!("'{name}': {error}"));
    let exists = folder.symlink_metadata().is_ok();
    let done = match action {
        ManageAction::Create(_) if exists => {
            return Err(format!(
                "there is a skill '{name}' already; edit it, or take another name"
            ));
        }
        ManageAction::Edit(_) | ManageAction::Delete if !exists => {
            return Err(format!("there is no skill '{name}' among your own"));
        }
        ManageAction::Create(content) => {
            check_content(content, &name)?;
            told(create(&folder, content))?;
            "made"
        }
        ManageAction::Edit(content) => {
            check_content(content, &name)?;
            told(edit(&folder, content))?;
            "changed"
        }
        ManageAction::Delete => {
            told(delete(&folder))?;
            "removed"
        }
    };
    Ok((name, done))
}

/// The name in an id, if an agent may have a skill of that name.
fn name_of(skill_id: &str) -> Result<String, String> {
    let name = skill_id.strip_prefix(NAMESPACE).and_then(|rest| rest.strip_prefix('@'));
    let name: String = name.unwrap_or(skill_id).nfkc().collect();
    if let Some(fault) = document::name_faults(&name).into_iter().next() {
        return Err(fault);
    }
    let built_in = SkillRegistry::scan(&ScanPlan::default()).map_err(|error| error.to_string())?;
    if built_in.resolve(&name).is_ok() {
        return Err(format!("'{name}' is a skill of populace itself; take another name"));
    }
    Ok(name)
}

/// Folder of the skill `name`, which is no path. A link on the way to it could lead outside.
fn folder_inside(workspace: &Path, name: &str) -> Result<PathBuf, String> {
    let mut folder = workspace.to_owned();
    for part in OWN_SKILLS.into_iter().chain([name]) {
        folder.push(part);
        match folder.symlink_metadata() {
            Ok(about) if !about.is_dir() => {
                return Err(format!("'{part}' in the workspace is a link or file, not a folder"));
            }
            _ => {}
        }
    }
    Ok(folder)
}

/// Refuses a SKILL.md that would not load under `name`.
fn check_content(content: &[u8], name: &str) -> Result<(), String> {
    if content.len() as u64 > SKILL_MD_BYTES_MAX {
        let length = content.len();
        return Err(format!("content has {length} bytes; at most {SKILL_MD_BYTES_MAX}"));
    }
    let (manifest, found) = document::read(&Path::new(name).join("SKILL.md"), content, &|_| false);
    let Some(manifest) = manifest else {
        let error = found.iter().find(|found| found.severity == document::Severity::Error);
        return Err(error.map_or_else(String::new, |error| format!("content: {}", error.message)));
    };
    let missing = ["name", "description"].into_iter().find(|k| !manifest.fields.contains_key(*k));
    if let Some(key) = missing {
        return Err(format!("content must begin with frontmatter that has a {key}"));
    }
    if manifest.name.nfkc().ne(name.chars()) {
        let other = &manifest.name;
        return Err(format!("the name in content is '{other}'; it must be '{name}'"));
    }
    Ok(())
}

/// A hidden sibling of the skill's folder: scans pass over it.
fn hidden(folder: &Path, what: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{what}"))
}

fn create(folder: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = hidden(folder, "part");
    remove(&unfinished)?;
    fs::create_dir_all(&unfinished)?;
    fs::write(unfinished.join("SKILL.md"), content)?;
    fs::rename(&unfinished, folder)
}

fn edit(folder: &Path, content: &[u8]) -> io::Result<()> {
    // Written beside the folder: nothing in it, not even a link, is written through.
    let unfinished = hidden(folder, "part");
    remove(&unfinished)?;
    fs::write(&unfinished, content)?;
    fs::rename(&unfinished, folder.join("SKILL.md"))
}

fn delete(folder: &Path) -> io::Result<()> {
    let gone = hidden(folder, "gone");
    remove(&gone)?;
    fs::rename(folder, &gone)?;
    remove(&gone)
}

/// Removes whatever an earlier, interrupted change left; links are not followed.
fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
