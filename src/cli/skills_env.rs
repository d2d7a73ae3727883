//! `populace skills run env:…`: one call of the environment of a scenario.

use std::path::PathBuf;

use super::args::SkillEnvironmentArgs;
use super::{exit, report};
use crate::agent::environment_call::EnvironmentAnswer;
use crate::agent::request::ScriptResult;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::time::Tick;
use crate::environment::tools::read_call;
use crate::scenario::Scenario;
use crate::simulation::assemble::{AssembleOptions, assemble};
use crate::simulation::tick::Phases;
use crate::step::desk::EnvironmentDesk;
use crate::step::state::Chunks;

/// Prints the result as a JSON object of the five fields that a script's result has.
pub fn run(
    roots: &[PathBuf],
    skill: &str,
    args: &SkillEnvironmentArgs,
    argv: &[String],
) -> anyhow::Result<u8> {
    let result = match read_call(AgentId(args.agent), argv, args.readonly) {
        Err(refusal) => result_of(&refusal),
        Ok(call) => {
            let Some(path) = &args.scenario else {
                anyhow::bail!("{skill} is answered by an environment: give --scenario SCENARIO");
            };
            let agents = args.agents.map(|n| ("population.agents".to_owned(), n.to_string()));
            let scenario = Scenario::load(path, &agents.into_iter().collect::<Vec<_>>())?;
            let ticks = scenario.clock().tick_count();
            if args.tick > ticks {
                anyhow::bail!("--tick is {}; the scenario allows 1 to {ticks}", args.tick);
            }
            let options = AssembleOptions {
                chunk_len: parallel::CHUNK_LEN,
                skill_roots: roots,
                overrides: Vec::new(),
                watch: false,
            };
            let mut assembly = assemble(&scenario, &options)?;
            let mut phases = Phases::default();
            for tick in 0..args.tick {
                if tick + 1 == args.tick {
                    assembly.world.resource_mut::<EnvironmentDesk>().ask(call.clone());
                }
                let context = StepContext::new(assembly.seed, assembly.clock, Tick(tick));
                phases.step(&mut assembly.world, context, |_, _| {});
                // Nobody reads the rows here.
                for state in &mut assembly.world.resource_mut::<Chunks>().states {
                    state.rows = Default::default();
                    state.hook_texts.clear();
                    state.failures.clear();
                }
            }
            let answers = assembly.world.resource_mut::<EnvironmentDesk>().take_answers();
            match answers.first() {
                Some(answer) => result_of(answer),
                None => anyhow::bail!("the scenario has no persons, so nobody can ask"),
            }
        }
    };
    report::say(&serde_json::to_string(&result)?);
    Ok(if result.ok { exit::DONE } else { exit::FAILURES })
}

fn result_of(answer: &EnvironmentAnswer) -> ScriptResult {
    let stdout = answer.document().to_string();
    if answer.ok {
        ScriptResult::done(stdout)
    } else {
        ScriptResult { stdout, ..ScriptResult::refused(answer.text.clone()) }
    }
}
