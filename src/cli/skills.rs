//! `populace skills`: list, view, check and run skills.

use std::path::{Path, PathBuf};

use super::args::{SkillEnvironmentArgs, SkillsArgs, SkillsCommand};
use super::{exit, report, skills_env};
use crate::skill::native::daily_guidance;
use crate::skill::package::SkillScope;
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};
use crate::skill::script::is_environment;

/// Runs a subcommand of `skills`.
pub fn skills(args: &SkillsArgs) -> anyhow::Result<u8> {
    match &args.command {
        SkillsCommand::List => list(&args.skill_roots),
        SkillsCommand::View { skill } => view(&args.skill_roots, skill),
        SkillsCommand::Check { root } => check(root),
        SkillsCommand::Run { skill, workspace, environment, arguments } => {
            run(&args.skill_roots, skill, (workspace.as_deref(), environment), arguments)
        }
    }
}

fn scan(scope: SkillScope, roots: &[PathBuf]) -> anyhow::Result<SkillRegistry> {
    let roots = roots.iter().map(|root| SkillRoot::new(scope, root)).collect();
    Ok(SkillRegistry::scan(&ScanPlan { roots, allow: None })?)
}

fn list(roots: &[PathBuf]) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let rows = registry
        .skills()
        .iter()
        .map(|skill| {
            let description = skill.manifest.description.clone();
            vec![skill.id.clone(), skill.kind().to_owned(), description]
        })
        .collect();
    report::say(&report::table(&["skill", "kind", "description"], rows, &[]));
    for diagnostic in registry.diagnostics() {
        report::complain(&format!("warning: {diagnostic}"));
    }
    Ok(exit::DONE)
}

fn view(roots: &[PathBuf], token: &str) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let skill = &registry.skills()[registry.resolve(token)?];
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

fn check(root: &Path) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::Workspace, &[root.to_owned()])?;
    let own = registry.skills().iter().filter(|skill| skill.root.is_some()).count();
    for diagnostic in registry.diagnostics() {
        report::say(&diagnostic.to_string());
    }
    let problems = registry.diagnostics().len();
    report::say(&format!("{own} skills, {problems} problems"));
    Ok(if problems == 0 { exit::DONE } else { exit::FAILURES })
}

fn run(
    roots: &[PathBuf],
    token: &str,
    (workspace, environment): (Option<&Path>, &SkillEnvironmentArgs),
    arguments: &[String],
) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let skill = &registry.skills()[registry.resolve(token)?];
    if is_environment(&skill.id) {
        return skills_env::run(roots, &skill.id, environment, arguments);
    }
    if skill.manifest.native.as_deref() != Some("daily-guidance") {
        anyhow::bail!(
            "{} is a {} skill and has no command that runs here; native ones are: daily-guidance",
            skill.id,
            skill.kind()
        );
    }
    let Some(workspace) = workspace else {
        anyhow::bail!("{} works on a person's workspace: give --workspace DIR", skill.id);
    };
    let result = daily_guidance::run(workspace, arguments, None);
    if let Some(block) = &result.yaml {
        report::say(block);
    }
    if !result.stderr.is_empty() {
        report::complain(&result.stderr);
    }
    Ok(u8::try_from(result.exit_code).unwrap_or(exit::FAILURES))
}
