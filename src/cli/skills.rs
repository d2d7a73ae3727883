//! `populace skills`: list, search, view, check and run skills.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::{
    SkillEnvironmentArgs, SkillScriptArgs, SkillViewArgs, SkillsArgs, SkillsCommand, ToggleArgs,
};
use super::{
    exit, report, skills_activate, skills_env, skills_manage, skills_new, skills_run, skills_toggle,
};
use crate::simulation::assemble::judge;
use crate::skill::catalog::{Found, Index, Mode, Shown, catalogue, in_full};
use crate::skill::document::SkillDiagnostic;
use crate::skill::native::daily_guidance;
use crate::skill::package::{Skill, SkillScope};
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};
use crate::skill::script::is_environment;

/// Runs a subcommand of `skills`.
pub fn skills(args: &SkillsArgs) -> anyhow::Result<u8> {
    match &args.command {
        SkillsCommand::List { json, xml, budget } => list(&args.skill_roots, *json, *xml, *budget),
        SkillsCommand::Search { words, tag, limit, json } => {
            search(&args.skill_roots, &words.join(" "), tag.as_deref(), *limit, *json)
        }
        SkillsCommand::View(view_args) => view(&args.skill_roots, view_args),
        SkillsCommand::Disable(toggle) => switch(&args.skill_roots, toggle, false),
        SkillsCommand::Enable(toggle) => switch(&args.skill_roots, toggle, true),
        SkillsCommand::New { name, dir, kind } => skills_new::new(name, dir, *kind),
        SkillsCommand::Manage(manage_args) => skills_manage::manage(manage_args),
        SkillsCommand::Check { root, strict, json } => check(root, *strict, *json),
        SkillsCommand::Run { skill, workspace, script, environment, arguments } => {
            let how = (workspace.as_deref(), script, environment);
            run(&args.skill_roots, skill, how, arguments)
        }
    }
}

fn scan(scope: SkillScope, roots: &[PathBuf]) -> anyhow::Result<SkillRegistry> {
    let roots = roots.iter().map(|root| SkillRoot::new(scope, root)).collect();
    let mut registry = SkillRegistry::scan(&ScanPlan { roots, allow: None })?;
    judge(&mut registry);
    Ok(registry)
}

fn switch(roots: &[PathBuf], args: &ToggleArgs, on: bool) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let file = args.file.clone().map_or_else(|| skills_toggle::file(args.user), Ok)?;
    skills_toggle::toggle(&registry, &args.skill, &file, on)
}

fn list(roots: &[PathBuf], json: bool, xml: bool, budget: Option<usize>) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    if xml {
        let shown = Shown {
            mode: Mode::All,
            visible: &|_| true,
            unavailable: &|index| lacking(&registry.skills()[index]),
            tokens_max: budget,
        };
        let parts = [in_full(&registry, &shown), catalogue(&registry, &shown)];
        parts.iter().filter(|part| !part.is_empty()).for_each(|part| report::say(part));
    } else if json {
        let all: Vec<_> = registry.skills().iter().map(about).collect();
        report::say(&serde_json::to_string_pretty(&all)?);
    } else {
        let row = |skill: &Skill| {
            let mut description = skill.manifest.description.clone();
            if let Some(reasons) = lacking(skill) {
                description = format!("[unavailable: {reasons}] {description}");
            }
            vec![skill.id.clone(), skill.kind().to_owned(), description]
        };
        let rows = registry.skills().iter().map(row).collect();
        report::say(&report::table(&["skill", "kind", "description"], rows, &[]));
    }
    for diagnostic in registry.diagnostics() {
        report::complain(&format!("warning: {diagnostic}"));
    }
    Ok(exit::DONE)
}

/// What a skill requires and does not find; nothing if it is available.
fn lacking(skill: &Skill) -> Option<String> {
    (!skill.is_available()).then(|| skill.missing.join("; "))
}

/// What lists say of a skill.
fn about(skill: &Skill) -> Value {
    let manifest = &skill.manifest;
    json!({
        "skill_id": skill.id,
        "name": manifest.name,
        "kind": skill.kind(),
        "description": manifest.description,
        "version": manifest.version,
        "tags": manifest.tags,
        "has_missing_deps": !skill.is_available(),
        "missing": skill.missing,
    })
}

fn search(
    roots: &[PathBuf],
    query: &str,
    tag: Option<&str>,
    limit: usize,
    json: bool,
) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let found = Index::new(&registry).search(query, tag, limit);
    let skill = |found: &Found| &registry.skills()[found.index];
    if json {
        let row = |found: &Found| {
            let mut row = about(skill(found));
            row["relevance_score"] = json!(found.score);
            row
        };
        let skills: Vec<Value> = found.iter().map(row).collect();
        let answer = json!({"skills": skills, "total": found.len(), "query": query});
        report::say(&serde_json::to_string_pretty(&answer)?);
    } else if found.is_empty() {
        report::complain(&format!("no skill has a word of '{query}'; all: populace skills list"));
    } else {
        let row = |found: &Found| {
            let skill = skill(found);
            let score = format!("{:.2}", found.score);
            vec![skill.id.clone(), score, skill.manifest.description.clone()]
        };
        let rows = found.iter().map(row).collect();
        report::say(&report::table(&["skill", "score", "description"], rows, &[1]));
    }
    Ok(if found.is_empty() { exit::FAILURES } else { exit::DONE })
}

fn view(roots: &[PathBuf], args: &SkillViewArgs) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let skill = &registry.skills()[registry.resolve(&args.skill)?];
    if let Some(file) = &args.file {
        report::say(&skill.read_file(file)?);
        return Ok(exit::DONE);
    }
    if let Some(arguments) = &args.activate {
        let allowed_in = args.workspace.as_deref().filter(|_| args.allow_commands);
        return skills_activate::activate(skill, arguments, allowed_in);
    }
    let place = skill.root.as_ref().map_or("compiled in".to_owned(), |r| r.display().to_string());
    report::say(&format!(
        "{}  ({}, {place})\n{}\n\n{}",
        skill.id,
        skill.kind(),
        skill.manifest.description,
        skill.manifest.body.trim()
    ));
    Ok(exit::DONE)
}

fn check(root: &Path, strict: bool, json: bool) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::Workspace, &[root.to_owned()])?;
    let own: Vec<&Skill> = registry.skills().iter().filter(|skill| skill.root.is_some()).collect();
    let mut problems = registry.diagnostics().to_vec();
    if strict {
        for skill in &own {
            problems.extend(skill.strict()?);
        }
    }
    if json {
        let row = |found: &SkillDiagnostic| {
            json!({
                "path": found.path,
                "line": found.line,
                "code": found.code,
                "severity": found.severity.word(),
                "message": found.message,
            })
        };
        let rows: Vec<Value> = problems.iter().map(row).collect();
        let answer = json!({"skills": own.len(), "problems": rows});
        report::say(&serde_json::to_string_pretty(&answer)?);
    } else {
        problems.iter().for_each(|found| report::say(&found.to_string()));
        report::say(&format!("{} skills, {} problems", own.len(), problems.len()));
    }
    Ok(if problems.is_empty() { exit::DONE } else { exit::FAILURES })
}

fn run(
    roots: &[PathBuf],
    token: &str,
    (workspace, script, environment): (Option<&Path>, &SkillScriptArgs, &SkillEnvironmentArgs),
    arguments: &[String],
) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let skill = &registry.skills()[registry.resolve(token)?];
    if is_environment(&skill.id) {
        return skills_env::run(roots, &skill.id, environment, arguments);
    }
    let Some(workspace) = workspace else {
        anyhow::bail!("{} works on a person's workspace: give --workspace DIR", skill.id);
    };
    if skill.manifest.native.as_deref() != Some("daily-guidance") {
        return skills_run::run(skill, workspace, script, arguments);
    }
    let result = daily_guidance::run(workspace, arguments, None);
    if let Some(block) = &result.yaml {
        report::say(block);
    }
    if !result.stderr.is_empty() {
        report::complain(&result.stderr);
    }
    Ok(u8::try_from(result.exit_code).unwrap_or(exit::FAILURES))
}
