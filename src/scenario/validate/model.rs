//! A model instead of persons: which keys go together, and the parameters of each model.

use super::checks::Checks;
use crate::scenario::explain::listed;
use crate::scenario::spec::{Activation, ModelKind, Spec, TableName};

/// Keys that only persons have, as JSON pointers.
pub(in crate::scenario) const KEYS_OF_PERSONS: [&str; 10] = [
    "/population",
    "/environment",
    "/skills",
    "/scripts",
    "/behaviour",
    "/failures",
    "/records/workspace",
    "/records/hooks_log",
    "/records/bt_trace",
    "/records/checkpoint",
];

/// Persons with a place to live in, or else exactly one model.
pub(super) fn check(spec: &Spec, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    match &spec.model {
        None => persons(spec, checks),
        Some(model) => {
            for pointer in KEYS_OF_PERSONS.into_iter().filter(|pointer| given(pointer)) {
                let key = pointer[1..].replace('/', ".");
                let message = format!("`{key}` does not go with `model`: only persons have it");
                checks.key_error(pointer, message, "remove one of them");
            }
            match model.named()[..] {
                [kind] => parameters(&kind, checks),
                [] => {
                    let help = format!("`model` has one of {}", listed(ModelKind::KEYS));
                    checks.key_error("/model", "`model` names no model".to_owned(), &help);
                }
                [_, second, ..] => {
                    let message = "`model` names more than one model".to_owned();
                    checks.key_error(&format!("/model/{}", second.key()), message, "keep one");
                }
            }
        }
    }
    tables(spec, given, checks);
}

fn persons(spec: &Spec, checks: &mut Checks) {
    let missing = [
        ("population", "Who lives here", spec.population.is_none()),
        ("environment", "The world outside heads", spec.environment.is_none()),
    ];
    for (key, what, _) in missing.iter().filter(|(.., is_missing)| *is_missing) {
        let help = format!("`{key}`: {what}; a standard model of the field has `model` instead");
        checks.key_error("", format!("missing key `{key}`"), &help);
    }
}

/// A run has the tables of persons or else those of a model.
fn tables(spec: &Spec, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    let is_model = spec.model.is_some();
    for (index, table) in spec.records.tables.iter().enumerate() {
        if *table == TableName::Default || table.is_of_models() == is_model {
            continue;
        }
        let whose = if is_model { "persons" } else { "models" };
        let message = format!("the table `{}` is one of {whose}", table.word());
        let help =
            if is_model { "a run of a model has `model_metrics` and `model_agents`" } else { "" };
        checks.error(&format!("/records/tables/{index}"), message, help);
    }
    let asks = spec.records.tables.contains(&TableName::ModelAgents);
    if is_model && asks && !given("/records/log") {
        let message = "the table `model_agents` stays empty without `records.log`";
        checks.warning("/records/tables", message, "set `log: changed`, `all` or `sample`");
    }
}

fn parameters(kind: &ModelKind<'_>, checks: &mut Checks) {
    let at = |key: &str| format!("/model/{}/{key}", kind.key());
    match kind {
        ModelKind::RandomWalk(_) => {}
        ModelKind::Schelling(spec) => {
            let cells = u64::from(spec.width) * u64::from(spec.height);
            if u64::from(spec.agents) > cells {
                let message = format!("{} agents on {cells} cells", spec.agents);
                checks.error(&at("agents"), message, "an agent needs a cell of its own");
            }
            let side = 2 * u16::from(spec.radius) + 1;
            let near = side * side - 1;
            if u16::from(spec.wanted) > near {
                let message = format!("{} of {near} neighbours are wanted", spec.wanted);
                checks.error(&at("wanted"), message, "want fewer, or take a larger `radius`");
            }
        }
        ModelKind::Flocking(spec) => {
            let size = spec.width.min(spec.height);
            if spec.vision * 2.0 >= size {
                let message = format!("birds see {} far in a world of {size}", spec.vision);
                let help = "on a torus `vision` is less than half of the world, or a bird would be \
                            seen twice";
                checks.error(&at("vision"), message, help);
            }
        }
        ModelKind::WolfSheep(spec) => {
            if spec.activation == Activation::Simultaneous {
                let message = "`wolf_sheep` has no `simultaneous` activation".to_owned();
                let help = "animals of a kind meet over a meal only; to give it to one of them by \
                            lot is what `sequential`, in random order, does";
                checks.error(&at("activation"), message, help);
            }
        }
        ModelKind::ForestFire(spec) => {
            if spec.activation == Activation::Sequential {
                let message = "`forest_fire` has no `sequential` activation".to_owned();
                let help = "a tree lit in a step would burn on in the same step if its turn came \
                            later, and the fire would follow the order of turns";
                checks.error(&at("activation"), message, help);
            }
        }
    }
}
