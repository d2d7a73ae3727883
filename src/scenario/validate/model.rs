//! A model instead of persons: which keys go together, and the parameters of each model.

use super::checks::Checks;
use crate::scenario::explain::listed;
use crate::scenario::spec::{ModelKind, Spec};

/// Keys that only persons have.
const KEYS_OF_PERSONS: [&str; 9] = [
    "/population",
    "/environment",
    "/skills",
    "/scripts",
    "/behaviour",
    "/failures",
    "/records/workspace",
    "/records/hooks_log",
    "/records/bt_trace",
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
        if *table == crate::scenario::spec::TableName::Default || table.is_of_models() == is_model {
            continue;
        }
        let whose = if is_model { "persons" } else { "models" };
        let message = format!("the table `{}` is one of {whose}", table.word());
        let help =
            if is_model { "a run of a model has `model_metrics` and `model_agents`" } else { "" };
        checks.error(&format!("/records/tables/{index}"), message, help);
    }
    let asks = spec.records.tables.contains(&crate::scenario::spec::TableName::ModelAgents);
    if is_model && asks && !given("/records/log") {
        let message = "the table `model_agents` stays empty without `records.log`";
        checks.warning("/records/tables", message, "set `log: changed`, `all` or `sample`");
    }
}

fn parameters(kind: &ModelKind<'_>, _checks: &mut Checks) {
    match kind {
        ModelKind::RandomWalk(_) => {}
    }
}
