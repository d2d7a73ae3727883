//! `populace skills list` and `search`: tables for people, XML as models are told, JSON as the tool
//! `skills_list` answers.

use std::path::PathBuf;

use super::args::{SkillListArgs, SkillSearchArgs};
use super::skills::scan;
use super::{exit, report};
use crate::skill::catalog::{
    Found, Index, ListQuery, Mode, Shown, catalogue, in_full, skills_list,
};
use crate::skill::package::{Skill, SkillScope};

/// Prints all skills.
pub fn list(roots: &[PathBuf], args: &SkillListArgs) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    if args.xml {
        let shown = Shown {
            mode: Mode::All,
            visible: &|_| true,
            unavailable: &|index| lacking(&registry.skills()[index]),
            tokens_max: args.budget,
        };
        let parts = [in_full(&registry, &shown), catalogue(&registry, &shown)];
        parts.iter().filter(|part| !part.is_empty()).for_each(|part| report::say(part));
    } else if args.json {
        let answer = skills_list(&registry, &ListQuery::default());
        report::say(&serde_json::to_string_pretty(&answer)?);
    } else {
        let row =
            |skill: &Skill| vec![skill.id.clone(), skill.kind().to_owned(), description(skill)];
        let rows = registry.skills().iter().map(row).collect();
        report::say(&report::table(&["skill", "kind", "description"], rows, &[]));
    }
    for diagnostic in registry.diagnostics() {
        report::complain(&format!("warning: {diagnostic}"));
    }
    Ok(exit::DONE)
}

/// Prints the skills in which a word occurs.
pub fn search(roots: &[PathBuf], args: &SkillSearchArgs) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let (query, tag) = (args.words.join(" "), args.tag.as_deref());
    if args.json {
        let asked = ListQuery { query: Some(&query), tag, limit: Some(args.limit) };
        let answer = skills_list(&registry, &asked);
        report::say(&serde_json::to_string_pretty(&answer)?);
        return Ok(if answer["total"] == 0 { exit::FAILURES } else { exit::DONE });
    }
    let found = Index::new(&registry).search(&query, tag, args.limit);
    if found.is_empty() {
        report::complain(&format!("no skill has a word of '{query}'; all: populace skills list"));
        return Ok(exit::FAILURES);
    }
    let row = |found: &Found| {
        let skill = &registry.skills()[found.index];
        vec![skill.id.clone(), format!("{:.2}", found.score), description(skill)]
    };
    let rows = found.iter().map(row).collect();
    report::say(&report::table(&["skill", "score", "description"], rows, &[1]));
    Ok(exit::DONE)
}

/// A skill's description, after what keeps it from being used.
fn description(skill: &Skill) -> String {
    let description = &skill.manifest.description;
    match lacking(skill) {
        Some(reasons) => format!("[unavailable: {reasons}] {description}"),
        None => description.clone(),
    }
}

/// What a skill requires and does not find; nothing if it is available.
fn lacking(skill: &Skill) -> Option<String> {
    (!skill.is_available()).then(|| skill.missing.join("; "))
}
