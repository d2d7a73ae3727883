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
    if hooks.is_empty() {
        return Ok(Scripts::default());
    }
    let needs_files = |hook: &ScriptHook| hook.script.tier != ScriptTier::Rhai;
    let workspaces = if hooks.iter().any(needs_files) {
        let io = |source| SimulationError::Io { action: "make folders for scripts".into(), source };
        Some(Workspaces::create().map_err(io)?)
    } else {
        None
    };
    let root = workspaces.as_ref().map(|all| all.root().to_owned());
    let folders = registry.skills().iter().filter_map(|skill| skill.root.clone());
    let mut settings = settings(scenario);
    settings.readable = folders.filter_map(|folder| folder.canonicalize().ok()).collect();
    let mut host = ScriptRunner::new(settings, root);
    if hooks.iter().any(|hook| hook.script.tier == ScriptTier::Python) {
        host.start_python()?;
    }
    Ok(Scripts::new(Box::new(host), workspaces, hooks, person_count, keep_changes))
}
