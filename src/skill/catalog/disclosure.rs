//! The second level: one skill in full.

use super::commands::commands;
use super::substitute::Arguments;
use super::xml::escaped;
use crate::skill::package::Skill;

/// What activation of a skill tells: its body after the frontmatter, with `arguments` put in, and
/// the files of its folder by name.
///
/// `outputs` are those of the body's [`commands`], in their order, and stand in their place;
/// without them commands stay text.
pub fn activate(skill: &Skill, arguments: &str, outputs: &[String]) -> String {
    let body = &skill.manifest.body;
    let arguments = Arguments::new(&skill.manifest.name, arguments);
    let commands = commands(skill);
    // A command had its arguments when it ran.
    let mut has_place = commands.iter().any(|command| arguments.put_into(&command.text).1);
    let (mut text, mut at) = (String::with_capacity(body.len()), 0);
    let mut put = |part: &str, output: &str| {
        let (part, replaced) = arguments.put_into(part);
        text.push_str(&part);
        text.push_str(output);
        has_place |= replaced;
    };
    for (command, output) in commands.iter().zip(outputs) {
        put(&body[at..command.span.start], output.trim());
        at = command.span.end;
    }
    put(&body[at..], "");
    content(skill, &arguments.add_below(text.trim().to_owned(), has_place))
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
