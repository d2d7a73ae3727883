//! The first level: names and descriptions of the skills that a mind sees.

use super::disclosure::content;
use super::xml::{escaped_body, is_cjk};
use crate::skill::package::Skill;
use crate::skill::registry::SkillRegistry;

/// Bytes of a token of text in an alphabet: the usual rule of thumb for English. The budget is a
/// bound on size, so the estimate need not be any model's own count.
const BYTES_PER_TOKEN: usize = 4;
/// Characters that descriptions are cut to, step by step, before skills are left out.
const CUTS: [usize; 5] = [400, 200, 100, 50, 20];

/// Which skills a prompt tells of (MS-Agent's modes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Those that are `always` in full, all others by name and description.
    All,
    /// Those that are `always`, in full.
    AlwaysOnly,
    /// None.
    None,
}

/// What is told of skills.
pub struct Shown<'a> {
    /// Which.
    pub mode: Mode,
    /// Whether a mind sees the skill, by index.
    pub visible: &'a dyn Fn(usize) -> bool,
    /// Why the skill cannot be used, by index; `None` if it can.
    pub unavailable: &'a dyn Fn(usize) -> Option<String>,
    /// Most tokens of the list; no bound if `None`.
    pub tokens_max: Option<usize>,
}

/// A rough count of tokens: four bytes each, and one for each Chinese, Japanese or Korean
/// character.
pub fn tokens(text: &str) -> usize {
    let cjk = text.chars().filter(|character| is_cjk(*character));
    let (count, bytes) = cjk.fold((0, 0), |(count, bytes), c| (count + 1, bytes + c.len_utf8()));
    count + (text.len() - bytes).div_ceil(BYTES_PER_TOKEN)
}

/// The list `<available_skills>`, by id. Skills that a model may not start are not in it; those
/// that cannot be used are, with the reason. Over the budget descriptions are cut first, and then
/// skills are left out from the end with a line that says how many. Empty if there is no skill.
///
/// Source: contract 1.3 of the SKILL.md dialects, and the open standard's client guide.
pub fn catalogue(registry: &SkillRegistry, shown: &Shown<'_>) -> String {
    if shown.mode != Mode::All {
        return String::new();
    }
    let told = |(index, skill): &(usize, &Skill)| {
        let full = skill.manifest.always && (shown.unavailable)(*index).is_none();
        (shown.visible)(*index) && skill.manifest.invocation.model && !full
    };
    let skills: Vec<(usize, &Skill)> = registry.skills().iter().enumerate().filter(told).collect();
    if skills.is_empty() {
        return String::new();
    }
    let entries = |cut: usize| -> Vec<String> {
        skills.iter().map(|(index, skill)| entry(skill, (shown.unavailable)(*index), cut)).collect()
    };
    let Some(max) = shown.tokens_max else { return listed(&entries(usize::MAX), 0) };
    let mut shortest = Vec::new();
    for cut in [usize::MAX].into_iter().chain(CUTS) {
        shortest = entries(cut);
        let text = listed(&shortest, 0);
        if tokens(&text) <= max {
            return text;
        }
    }
    let fits = |kept: &usize| tokens(&listed(&shortest[..*kept], shortest.len() - kept)) <= max;
    let kept = (1..shortest.len()).rev().find(fits).unwrap_or(0);
    listed(&shortest[..kept], shortest.len() - kept)
}

/// The bodies of the `always` skills that can be used, each with its files.
pub fn in_full(registry: &SkillRegistry, shown: &Shown<'_>) -> String {
    if shown.mode == Mode::None {
        return String::new();
    }
    let skills = registry.skills().iter().enumerate();
    let always = skills.filter(|(index, skill)| {
        skill.manifest.always
            && skill.manifest.invocation.model
            && (shown.visible)(*index)
            && (shown.unavailable)(*index).is_none()
    });
    let texts = always.map(|(_, skill)| content(skill, skill.manifest.body.trim()));
    texts.collect::<Vec<_>>().join("\n")
}

fn listed(entries: &[String], more: usize) -> String {
    let mut text = "<available_skills>\n".to_owned();
    entries.iter().for_each(|entry| text.push_str(entry));
    if more > 0 {
        text.push_str(&format!("  <more>{more} more</more>\n"));
    }
    text.push_str("</available_skills>");
    text
}

fn entry(skill: &Skill, unavailable: Option<String>, cut: usize) -> String {
    let manifest = &skill.manifest;
    let mut description: String = manifest.description.chars().take(cut).collect();
    if description.len() < manifest.description.len() {
        description = format!("{}…", description.trim_end());
    }
    let reason = unavailable.map_or_else(String::new, |reason| {
        format!("    <unavailable>{}</unavailable>\n", escaped_body(&reason))
    });
    format!(
        "  <skill>\n    <name>{}</name>\n    <description>{}</description>\n{reason}  </skill>\n",
        escaped_body(&manifest.name),
        escaped_body(&description)
    )
}
