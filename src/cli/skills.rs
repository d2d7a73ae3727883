//! `populace skills`: list, search, view, check and run skills.

use std::path::{Path, PathBuf};

use super::args::{
    SkillEnvironmentArgs, SkillScriptArgs, SkillTreeArgs, SkillViewArgs, SkillsArgs, SkillsCommand,
    ToggleArgs,
};
use super::{
    exit, report, skills_activate, skills_check, skills_env, skills_list, skills_manage,
    skills_new, skills_run, skills_toggle, skills_tree,
};
use crate::simulation::assemble::judge;
use crate::skill::catalog::skill_view;
use crate::skill::native::daily_guidance;
use crate::skill::package::SkillScope;
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};
use crate::skill::script::is_environment;

/// Runs a subcommand of `skills`.
pub fn skills(args: &SkillsArgs) -> anyhow::Result<u8> {
    match &args.command {
        SkillsCommand::List(list) => skills_list::list(&args.skill_roots, list),
        SkillsCommand::Search(search) => skills_list::search(&args.skill_roots, search),
        SkillsCommand::View(view_args) => view(&args.skill_roots, view_args),
        SkillsCommand::Disable(toggle) => switch(&args.skill_roots, toggle, false),
        SkillsCommand::Enable(toggle) => switch(&args.skill_roots, toggle, true),
        SkillsCommand::New { name, dir, kind } => skills_new::new(name, dir, *kind),
        SkillsCommand::Manage(manage_args) => skills_manage::manage(manage_args),
        SkillsCommand::Check { root, strict, json } => skills_check::check(root, *strict, *json),
        SkillsCommand::Run { skill, workspace, script, tree, environment, arguments } => {
            let how = How { workspace: workspace.as_deref(), script, tree, environment };
            run(&args.skill_roots, skill, &how, arguments)
        }
    }
}

/// The built-in skills and those of the roots, ready to be told of.
pub(super) fn scan(scope: SkillScope, roots: &[PathBuf]) -> anyhow::Result<SkillRegistry> {
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

fn view(roots: &[PathBuf], args: &SkillViewArgs) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    if args.json {
        let answer = skill_view(&registry, &args.skill, args.file.as_deref());
        report::say(&serde_json::to_string_pretty(&answer)?);
        return Ok(if answer.get("error").is_some() { exit::FAILURES } else { exit::DONE });
    }
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

/// How a skill is run: each kind has options of its own.
struct How<'a> {
    workspace: Option<&'a Path>,
    script: &'a SkillScriptArgs,
    tree: &'a SkillTreeArgs,
    environment: &'a SkillEnvironmentArgs,
}

fn run(roots: &[PathBuf], token: &str, how: &How<'_>, arguments: &[String]) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::User, roots)?;
    let skill = &registry.skills()[registry.resolve(token)?];
    if is_environment(&skill.id) {
        return skills_env::run(roots, &skill.id, how.environment, arguments);
    }
    // A script that is named runs, whatever the skill is.
    if let (Some(tree), None) = (&skill.manifest.bt, &how.script.script) {
        return skills_tree::run(skill, tree, how.workspace, (how.script, how.tree), arguments);
    }
    if how.tree.direct || how.tree.resume.is_some() {
        anyhow::bail!("{} is no behaviour tree: --direct and --resume mean nothing", skill.id);
    }
    let Some(workspace) = how.workspace else {
        anyhow::bail!("{} works on a person's workspace: give --workspace DIR", skill.id);
    };
    if skill.manifest.native.as_deref() != Some("daily-guidance") {
        return skills_run::run(skill, workspace, how.script, arguments);
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
