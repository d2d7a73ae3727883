//! `populace import`: a scenario from the files of another engine.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{ImportArgs, ImportCommand};
use super::{exit, report};
use crate::scenario::Scenario;
use crate::scenario::agentsociety::{Import, Item, Outcome, read};
use crate::skill::package::SkillScope;
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};

/// Writes the scenario and its tables and says what became of everything.
pub fn import(args: &ImportArgs) -> anyhow::Result<u8> {
    let ImportCommand::Agentsociety { init_config, steps, out, force, json } = &args.command;
    let society = read(init_config, steps)?;
    let root = |path| SkillRoot::new(SkillScope::Workspace, path);
    let roots: Vec<SkillRoot> = society.skill_roots().into_iter().map(root).collect();
    let registry = SkillRegistry::scan(&ScanPlan { roots, allow: None })?;
    let import = society.import(&name_of(out), &|skill| registry.resolve(skill).is_ok());
    let files = files_of(out, &import);
    if let Some((path, _)) = files.iter().find(|(path, _)| !force && path.exists()) {
        anyhow::bail!("{} exists already: use --force to overwrite it", path.display());
    }
    for (path, text) in &files {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Scenario::load(out, &[])?;
    if *json {
        let items: Vec<_> = import.items.iter().map(json_of).collect();
        report::say(&serde_json::to_string_pretty(&items)?);
    } else {
        let headings = ["what", "in", "times", "outcome", "where it went, or why not"];
        report::say(&report::table(&headings, import.items.iter().map(row_of).collect(), &[2]));
        report::say(&format!("written to {0}; try: populace run {0}", out.display()));
    }
    let whole = import.items.iter().all(|item| item.outcome != Outcome::LeftOut);
    Ok(if whole { exit::DONE } else { exit::FAILURES })
}

fn files_of<'a>(out: &Path, import: &'a Import) -> Vec<(PathBuf, &'a str)> {
    vec![
        (out.with_file_name("households.csv"), &import.households),
        (out.with_file_name("persons.csv"), &import.persons),
        (out.with_extension("unmapped.yaml"), &import.unmapped),
        (out.to_owned(), &import.scenario),
    ]
}

/// A scenario's name from its file's, in the letters that are allowed.
fn name_of(out: &Path) -> String {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = stem.chars().take(64).map(plain).collect();
    if name.is_empty() { "imported".to_owned() } else { name }
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Mapped => "mapped",
        Outcome::Kept => "kept",
        Outcome::LeftOut => "left out",
    }
}

fn row_of(item: &Item) -> Vec<String> {
    let place = format!("{}:{}", item.file, item.line);
    let outcome = word(item.outcome).to_owned();
    vec![item.what.clone(), place, report::grouped(item.count.into()), outcome, item.note.clone()]
}

fn json_of(item: &Item) -> serde_json::Value {
    serde_json::json!({
        "what": item.what, "file": item.file, "line": item.line, "count": item.count,
        "outcome": word(item.outcome), "note": item.note,
    })
}
