//! What runs the scripts of skills, from the scenario's `scripts`.

use std::path::PathBuf;
use std::time::Duration;

use crate::agent::request::ScriptTier;
use crate::host::scripts::ScriptRunner;
use crate::host::settings::{ScriptSettings, passed_environment};
use crate::host::workspace::Workspaces;
use crate::scenario::Scenario;
use crate::simulation::SimulationError;
use crate::skill::registry::SkillRegistry;
use crate::skill::script::{ScriptHook, script_hooks};
use crate::step::serve::hooks::Scripts;

/// The scenario's limits, as the host wants them.
pub fn settings(scenario: &Scenario) -> ScriptSettings {
    let spec = &scenario.spec.scripts;
    let python = PathBuf::from(&spec.python);
    let is_path = python.components().count() > 1;
    ScriptSettings {
        python: if is_path { scenario.resolve(&python) } else { python },
        workers: usize::from(spec.workers),
        time_limit: Duration::from_secs_f64(spec.time_limit_s),
        memory_bytes: u64::from(spec.memory_mb) << 20,
        output_bytes: (spec.output_kb as usize) << 10,
        failures_max: spec.failures_max,
        network: spec.network,
        processes: spec.processes,
        environment: passed_environment(&spec.pass_environment),
        ..ScriptSettings::default()
    }
}

/// The script hooks of the skills and what runs them; nothing is started where there are none.
///
/// # Errors
/// No folder for workspaces could be made; no usable Python interpreter.
pub fn scripts(
    scenario: &Scenario,
    registry: &SkillRegistry,
    person_count: usize,
    keep_changes: bool,
) -> Result<Scripts, SimulationError> {
    let hooks = script_hooks(registry);
    let tiers = tiers(registry, &hooks);
    if tiers.is_empty() {
        return Ok(Scripts::none(keep_changes));
    }
    let workspaces = tiers.iter().any(needs_files).then(workspaces).transpose()?;
    let mut host = host(scenario, registry, workspaces.as_ref());
    if tiers.contains(&ScriptTier::Python) {
        host.start_python()?;
    }
    Ok(Scripts::new(Box::new(host), workspaces, hooks, person_count, keep_changes))
}

/// Takes over the hooks of a new generation of skills. Workspaces stay; interpreters too, if they
/// may read all that the new skills need.
///
/// # Errors
/// As [`scripts`].
pub fn refit(
    scenario: &Scenario,
    (old, new): (&SkillRegistry, &SkillRegistry),
    scripts: &mut Scripts,
    person_count: usize,
) -> Result<(), SimulationError> {
    if scripts.host.is_none() {
        *scripts = self::scripts(scenario, new, person_count, scripts.keep_changes)?;
        return Ok(());
    }
    let hooks = script_hooks(new);
    let needs_folders = tiers(new, &hooks).iter().any(needs_files);
    let lacks_folders = scripts.workspaces.is_none() && needs_folders;
    if lacks_folders {
        scripts.workspaces = Some(workspaces()?);
    }
    if lacks_folders || readable(old) != readable(new) {
        // The old interpreters go first: the new ones have the same folder.
        scripts.host = None;
        scripts.host = Some(Box::new(host(scenario, new, scripts.workspaces.as_ref())));
    } else if let Some(host) = &mut scripts.host {
        host.reload();
    }
    scripts.replace_hooks(hooks);
    Ok(())
}

fn workspaces() -> Result<Workspaces, SimulationError> {
    let io = |source| SimulationError::Io { action: "make folders for scripts".into(), source };
    Workspaces::create().map_err(io)
}

/// What runs the scripts that are hooks, and those that trees run.
fn tiers(registry: &SkillRegistry, hooks: &[ScriptHook]) -> Vec<ScriptTier> {
    let of_trees = registry.forest().trees.iter().flat_map(|tree| &tree.scripts);
    let of_trees = of_trees.map(|(_, script)| script.tier);
    hooks.iter().map(|hook| hook.script.tier).chain(of_trees).collect()
}

fn needs_files(tier: &ScriptTier) -> bool {
    *tier != ScriptTier::Rhai
}

fn host(
    scenario: &Scenario,
    registry: &SkillRegistry,
    workspaces: Option<&Workspaces>,
) -> ScriptRunner {
    let settings = ScriptSettings { readable: readable(registry), ..settings(scenario) };
    ScriptRunner::new(settings, workspaces.map(|all| all.root().to_owned()))
}

/// The folders that scripts may read.
fn readable(registry: &SkillRegistry) -> Vec<PathBuf> {
    let folders = registry.skills().iter().filter_map(|skill| skill.root.as_ref());
    folders.filter_map(|folder| folder.canonicalize().ok()).collect()
}
