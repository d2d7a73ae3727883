//! `populace validate`: is this scenario right?

use super::args::{ScenarioArgs, ValidateArgs};
use super::{exit, report};
use crate::scenario::Scenario;
use crate::simulation::assemble::check_skills;

/// Loads a scenario with the command line's overrides.
pub fn load(args: &ScenarioArgs) -> anyhow::Result<Scenario> {
    let mut overrides = Vec::new();
    for text in &args.set {
        let Some((path, value)) = text.split_once('=') else {
            anyhow::bail!("--set {text}: write PATH=VALUE, for example records.log=changed");
        };
        overrides.push((path.trim().to_owned(), value.to_owned()));
    }
    let mut push = |path: &str, value: Option<u64>| {
        overrides.extend(value.map(|value| (path.to_owned(), value.to_string())));
    };
    push("seed", args.seed);
    push("population.agents", args.agents);
    push("clock.ticks", args.ticks);
    Ok(Scenario::load(&args.scenario, &overrides)?)
}

/// Prints that the scenario is right, with warnings; mistakes are an error.
pub fn validate(args: &ValidateArgs) -> anyhow::Result<u8> {
    let scenario = load(&args.scenario)?;
    for warning in &scenario.warnings {
        report::complain(&warning.to_string());
    }
    if scenario.spec.model.is_none() {
        for warning in check_skills(&scenario, &args.scenario.skill_roots)? {
            report::complain(&format!("warning: {warning}"));
        }
    }
    report::say(&format!("{}: ok ({})", scenario.path.display(), scenario.spec.name));
    Ok(exit::DONE)
}
