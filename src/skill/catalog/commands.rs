//! Commands in a skill's body, whose output is to stand in their place.
//!
//! They are found here and run elsewhere, by whoever has the permission to.

use std::ops::Range;

use super::substitute::{Arguments, split_arguments};
use crate::skill::package::Skill;

/// What only a shell understands, and none runs here.
const SHELL: [&str; 7] = ["|", "<", ">", "&", ";", "$(", "${"];

/// A command in a skill's body: `!` and the command in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyCommand {
    /// What stands between the backticks.
    pub text: String,
    /// Line of the skill's document, from 1.
    pub line: u32,
    /// Where it stands in the body, with its mark and backticks.
    pub(super) span: Range<usize>,
}

/// The commands of a skill's body, in order. Each stands on one line. There is none in a fenced
/// block, and none after a `!` that ends a word.
///
/// Source: contract 1.7 of AgentSociety.
pub fn commands(skill: &Skill) -> Vec<BodyCommand> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for (line, text) in (skill.manifest.body_line..).zip(skill.manifest.body.split_inclusive('\n'))
    {
        match (fence, fence_of(text)) {
            (None, None) => {
                let in_body = |(span, text): (Range<usize>, &str)| BodyCommand {
                    text: text.to_owned(),
                    line,
                    span: at + span.start..at + span.end,
                };
                found.extend(in_line(text).into_iter().map(in_body));
            }
            (None, open) => fence = open,
            (Some(open), Some(_)) if closes(text, open) => fence = None,
            (Some(_), _) => {}
        }
        at += text.len();
    }
    found
}

impl BodyCommand {
    /// The program and its arguments. No shell reads them: an argument that is put in for a
    /// placeholder is part of one word whatever it holds, and a word that is `$ARGUMENTS` stands
    /// for all arguments, a word each. The program is always the skill's own word.
    ///
    /// # Errors
    /// What a shell would be needed for, or that there is no program.
    pub fn words(&self, skill: &Skill, arguments: &str) -> Result<Vec<String>, String> {
        if let Some(sign) = SHELL.iter().find(|sign| self.text.contains(**sign)) {
            return Err(format!("'{sign}' is for a shell; here one program runs, without one"));
        }
        let arguments = Arguments::new(&skill.manifest.name, arguments);
        let mut words = split_arguments(&self.text).into_iter();
        let mut all = vec![words.next().ok_or("there is no program to run")?];
        for word in words {
            if word == "$ARGUMENTS" {
                all.extend_from_slice(arguments.all());
            } else {
                all.push(arguments.put_into(&word).0);
            }
        }
        Ok(all)
    }
}

/// The commands of one line: where each stands, and its text.
fn in_line(line: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(mark) = line[at..].find("!`").map(|mark| at + mark) {
        let begin = mark + 2;
        let Some(length) = line[begin..].find('`') else { break };
        let ends_a_word = line[..mark].chars().next_back().is_some_and(char::is_alphanumeric);
        if ends_a_word {
            // The backtick opens what is only quoted.
            at = begin + length + 1;
            continue;
        }
        found.push((mark..begin + length + 1, &line[begin..begin + length]));
        at = begin + length + 1;
    }
    found
}

/// The run of backticks or tildes that opens or closes a fenced block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(sign).len();
    (length >= 3).then_some(&line[..length])
}

/// Whether the line closes the block that `open` opened: the same sign, as often or more, alone.
fn closes(line: &str, open: &str) -> bool {
    let line = line.trim();
    line.starts_with(open) && line.trim_start_matches(&open[..1]).is_empty()
}
