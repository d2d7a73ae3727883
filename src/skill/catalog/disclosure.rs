//! The second level: one skill in full.

use super::substitute::substitute;
use super::xml::escaped;
use crate::skill::package::Skill;

/// What activation of a skill tells: its body after the frontmatter, with `arguments` put in, and
/// the files of its folder by name. Commands in the body (`!` before a text in backticks) stay
/// text.
pub fn activate(skill: &Skill, arguments: &str) -> String {
    let body = substitute(skill.manifest.body.trim(), &skill.manifest.name, arguments);
    content(skill, &body)
}

/// A skill's `body` in its wrapper `<skill_content>`, with the files of its folder.
///
/// The body is instructions that whoever installed the skill trusts, so it is not escaped
/// (contract 1.5 of AgentSociety).
pub fn content(skill: &Skill, body: &str) -> String {
    rendered(&skill.manifest.name, body, &skill.resource_files())
}

pub(super) fn rendered(name: &str, body: &str, files: &[String]) -> String {
    let mut text = format!("<skill_content name=\"{}\">\n{body}\n", escaped(name));
    if !files.is_empty() {
        let file = |file: &String| format!("    <file>{}</file>\n", escaped(file));
        let files: String = files.iter().map(file).collect();
        text.push_str(&format!("  <skill_resources>\n{files}  </skill_resources>\n"));
    }
    text.push_str("</skill_content>");
    text
}
