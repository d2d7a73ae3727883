//! `populace skills list` and `search`: tables for people, XML as models are told, JSON as the tool
//! `skills_list` answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::args::{SkillListArgs, SkillListMode, SkillSearchArgs};
use super::skills::scan;
use super::{exit, report, skills_toggle};
use crate::scenario::Scenario;
use crate::simulation::assemble::skills_of;
use crate::skill::catalog::{
    Found, Index, ListQuery, Mode, Shown, catalogue, in_full, skills_list,
};
use crate::skill::package::SkillScope;
use crate::skill::registry::SkillRegistry;

/// Prints all skills.
pub fn list(roots: &[PathBuf], args: &SkillListArgs) -> anyhow::Result<u8> {
    let listed = match &args.scenario {
        Some(scenario) => Listed::of_scenario(roots, scenario)?,
        None => Listed::of_roots(roots)?,
    };
    if args.xml {
        listed.say_xml(args.mode, args.budget);
    } else if args.json {
        report::say(&listed.json(&ListQuery::default())?.0);
    } else {
        let row = |index: usize| {
            let skill = &listed.registry.skills()[index];
            vec![skill.id.clone(), skill.kind().to_owned(), listed.description(index)]
        };
        let rows = (0..listed.registry.skills().len()).map(row).collect();
        report::say(&report::table(&["skill", "kind", "description"], rows, &[]));
    }
    for diagnostic in listed.registry.diagnostics() {
        report::complain(&format!("warning: {diagnostic}"));
    }
    Ok(exit::DONE)
}

/// Prints the skills in which a word occurs.
pub fn search(roots: &[PathBuf], args: &SkillSearchArgs) -> anyhow::Result<u8> {
    let listed = Listed::of_roots(roots)?;
    let (query, tag) = (args.words.join(" "), args.tag.as_deref());
    if args.json {
        let asked = ListQuery { query: Some(&query), tag, limit: Some(args.limit) };
        let (text, count) = listed.json(&asked)?;
        report::say(&text);
        return Ok(if count == 0 { exit::FAILURES } else { exit::DONE });
    }
    let found = Index::new(&listed.registry).search(&query, tag, args.limit);
    if found.is_empty() {
        report::complain(&format!("no skill has a word of '{query}'; all: populace skills list"));
        return Ok(exit::FAILURES);
    }
    let row = |found: &Found| {
        let id = listed.registry.skills()[found.index].id.clone();
        vec![id, format!("{:.2}", found.score), listed.description(found.index)]
    };
    let rows = found.iter().map(row).collect();
    report::say(&report::table(&["skill", "score", "description"], rows, &[1]));
    Ok(exit::DONE)
}

/// Skills, and which of them are switched off.
struct Listed {
    registry: SkillRegistry,
    /// Where a skill is switched off, by its index.
    off: BTreeMap<usize, String>,
}

impl Listed {
    /// The skills here; the files are those that `skills disable` keeps unless told otherwise.
    fn of_roots(roots: &[PathBuf]) -> anyhow::Result<Self> {
        let registry = scan(SkillScope::User, roots)?;
        let mut off = BTreeMap::new();
        // Without a home folder the user has no file.
        for file in [false, true].into_iter().filter_map(|user| skills_toggle::file(user).ok()) {
            for index in skills_toggle::switched_off(&registry, &file)? {
                off.entry(index).or_insert_with(|| file.display().to_string());
            }
        }
        Ok(Self { registry, off })
    }

    /// The skills of a scenario, with its `skills.disabled` and `skills.toggles`.
    fn of_scenario(roots: &[PathBuf], path: &Path) -> anyhow::Result<Self> {
        let scenario = Scenario::load(path, &[])?;
        let (registry, disabled) = skills_of(&scenario, roots)?;
        let place = || "the scenario".to_owned();
        let off = disabled.into_iter().map(|index| (index, place())).collect();
        Ok(Self { registry, off })
    }

    /// A skill's description, after what keeps it from being used.
    fn description(&self, index: usize) -> String {
        let off = self.off.get(&index).map(|place| format!("switched off in {place}"));
        let lacking = self.lacking(index).map(|reasons| format!("unavailable: {reasons}"));
        let notes: Vec<String> = off.into_iter().chain(lacking).collect();
        let description = &self.registry.skills()[index].manifest.description;
        match notes.join("; ") {
            notes if notes.is_empty() => description.clone(),
            notes => format!("[{notes}] {description}"),
        }
    }

    /// What a skill requires and does not find; nothing if it is available.
    fn lacking(&self, index: usize) -> Option<String> {
        let skill = &self.registry.skills()[index];
        (!skill.is_available()).then(|| skill.missing.join("; "))
    }

    /// Prints what a model is told. It is not told of skills that are switched off; stderr is.
    fn say_xml(&self, mode: SkillListMode, tokens_max: Option<usize>) {
        let mode = match mode {
            SkillListMode::All => Mode::All,
            SkillListMode::AlwaysOnly => Mode::AlwaysOnly,
            SkillListMode::None => Mode::None,
        };
        let visible = &|index| !self.off.contains_key(&index);
        let unavailable = &|index| self.lacking(index);
        let shown = Shown { mode, visible, unavailable, tokens_max };
        let parts = [in_full(&self.registry, &shown), catalogue(&self.registry, &shown)];
        parts.iter().filter(|part| !part.is_empty()).for_each(|part| report::say(part));
        for (index, place) in &self.off {
            let id = &self.registry.skills()[*index].id;
            report::complain(&format!("note: {id} is left out: it is switched off in {place}"));
        }
    }

    /// What the tool `skills_list` answers, and how many skills that is; those that are switched
    /// off have `disabled` besides.
    fn json(&self, asked: &ListQuery<'_>) -> anyhow::Result<(String, usize)> {
        let mut answer = skills_list(&self.registry, asked);
        let is_off = |row: &Value| {
            let mut off = self.off.keys().map(|index| &self.registry.skills()[*index].id);
            off.any(|id| row["skill_id"] == id.as_str())
        };
        let mut count = 0;
        for row in answer["skills"].as_array_mut().into_iter().flatten() {
            if is_off(row) {
                row["disabled"] = true.into();
            }
            count += 1;
        }
        Ok((serde_json::to_string_pretty(&answer)?, count))
    }
}
