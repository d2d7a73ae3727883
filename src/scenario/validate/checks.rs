//! Collects findings; clock, skills, behaviour, records and outputs.

use std::path::Path;

use super::{files, model, world};
use crate::scenario::explain::{Finding, listed};
use crate::scenario::spec::{
    Behaviour, Clock, Compression, LogPolicy, NeedLevels, Outputs, Records, Skills, Spec,
    TableName, WorkspaceLog,
};

/// Findings so far.
#[derive(Default)]
pub(in crate::scenario) struct Checks {
    /// What makes the scenario unusable.
    pub(in crate::scenario) errors: Vec<Finding>,
    /// What has no effect.
    pub(in crate::scenario) warnings: Vec<Finding>,
}

impl Checks {
    pub(super) fn error(&mut self, pointer: &str, message: String, help: &str) {
        self.errors.push(finding(pointer, false, message, help));
    }

    /// An error that is about the key, such as one that should not be there.
    pub(super) fn key_error(&mut self, pointer: &str, message: String, help: &str) {
        self.errors.push(finding(pointer, true, message, help));
    }

    pub(super) fn warning(&mut self, pointer: &str, message: &str, help: &str) {
        self.warnings.push(finding(pointer, true, message.to_owned(), help));
    }
}

fn finding(pointer: &str, on_key: bool, message: String, help: &str) -> Finding {
    let help = (!help.is_empty()).then(|| help.to_owned());
    Finding { pointer: pointer.to_owned(), on_key, message, help }
}

/// Checks a scenario that keeps to the schema. `root` is the folder that relative paths start
/// from; `given(pointer)` tells whether the author wrote the key.
pub(in crate::scenario) fn run(spec: &Spec, root: &Path, given: &dyn Fn(&str) -> bool) -> Checks {
    let mut checks = Checks::default();
    clock(&spec.clock, &mut checks);
    model::check(spec, given, &mut checks);
    world::check(spec, given, &mut checks);
    skills(&spec.skills, given, &mut checks);
    behaviour(&spec.behaviour, given, &mut checks);
    records(&spec.records, given, &mut checks);
    outputs(&spec.outputs, &mut checks);
    files::check(spec, root, &mut checks);
    checks
}

fn clock(clock: &Clock, checks: &mut Checks) {
    for (key, time) in [("start", Some(clock.start)), ("until", clock.until)] {
        if time.is_some_and(|time| time.subsec_nanosecond() != 0) {
            let message = format!("`{key}` has a fraction of a second");
            return checks.error(&format!("/clock/{key}"), message, "give whole seconds");
        }
    }
    match (clock.ticks, clock.until) {
        (Some(_), Some(_)) => {
            let message = "both `ticks` and `until` say when the run ends".to_owned();
            return checks.key_error("/clock/until", message, "remove one of them");
        }
        (None, None) => {
            let message = "missing key `ticks` or `until` in `clock`".to_owned();
            let help = "`ticks` is the number of ticks, `until` the date and time of the end";
            return checks.key_error("/clock", message, help);
        }
        (Some(_), None) => {}
        (None, Some(until)) => {
            let span_s = clock.span_s();
            if span_s <= 0 {
                let message = format!("`until` ({until}) is not after `start` ({})", clock.start);
                return checks.error("/clock/until", message, "");
            }
            let rest = span_s % i64::from(clock.tick_s);
            if rest != 0 {
                let message = format!(
                    "from `start` to `until` are {span_s} s, not a whole number of ticks of {} s",
                    clock.tick_s
                );
                let help = format!("move `until` back by {rest} s");
                return checks.error("/clock/until", message, &help);
            }
        }
    }
    let at = if clock.ticks.is_some() { "/clock/ticks" } else { "/clock/until" };
    let length_s = i64::from(clock.tick_s).saturating_mul(i64::from(clock.tick_count()));
    if length_s >= i64::from(u32::MAX) {
        let message = format!("the run takes {length_s} s: expected less than {} s", u32::MAX);
        checks.error(at, message, "that is 136 years; take fewer or shorter ticks");
    } else if clock.start.checked_add(jiff::SignedDuration::from_secs(length_s)).is_err() {
        checks.error(at, "the run ends after the year 9999".to_owned(), "");
    }
}

fn skills(skills: &Skills, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    // Who disables what is switched on by default contradicts nothing that they wrote.
    let written = given("/skills/default_activated");
    for (index, skill) in skills.default_activated.iter().enumerate() {
        if written && skills.disabled.contains(skill) {
            let at = format!("/skills/default_activated/{index}");
            let message = format!("`{skill}` is both switched on and disabled");
            checks.error(&at, message, "remove it from `default_activated` or from `disabled`");
        }
    }
    for (index, group) in skills.groups.iter().enumerate() {
        let at = format!("/skills/groups/{index}");
        let filter = &group.filter;
        if filter.age_min > filter.age_max {
            let message =
                format!("`age_min` {} is above `age_max` {}", filter.age_min, filter.age_max);
            checks.error(&format!("{at}/where/age_min"), message, "");
        }
        for (n, skill) in group.activate.iter().enumerate() {
            let message = if group.deactivate.contains(skill) {
                format!("`{skill}` is both switched on and switched off for the same persons")
            } else if skills.disabled.contains(skill) {
                format!("`{skill}` is switched on for a group but disabled")
            } else {
                continue;
            };
            checks.error(&format!("{at}/activate/{n}"), message, "");
        }
    }
}

fn behaviour(behaviour: &Behaviour, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    let mut at_most_one = |levels: &NeedLevels, at: &str| {
        let named = [
            ("hunger", levels.hunger),
            ("energy", levels.energy),
            ("safety", levels.safety),
            ("social", levels.social),
        ];
        for (need, value) in named {
            if let Some(value) = value.filter(|value| *value > 1.0) {
                let message = format!("expected a level from 0 to 1, found `{value}`");
                checks.error(&format!("/behaviour/needs/{at}/{need}"), message, "");
            }
        }
    };
    at_most_one(&behaviour.needs.thresholds, "thresholds");
    at_most_one(&behaviour.needs.initial, "initial");
    if !behaviour.revise.late && given("/behaviour/revise/late_min") {
        checks.warning(
            "/behaviour/revise/late_min",
            "`late_min` has no effect while `late` is false",
            "",
        );
    }
}

fn records(records: &Records, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    if let Some(checkpoint) = records.checkpoint {
        let at = "/records/checkpoint";
        match (checkpoint.every_ticks, checkpoint.every_min) {
            (Some(_), Some(_)) => {
                let message = "both `every_ticks` and `every_min` say when".to_owned();
                checks.key_error(&format!("{at}/every_min"), message, "remove one of them");
            }
            (None, None) => {
                let message = "missing key `every_ticks` or `every_min` in `records.checkpoint`";
                checks.key_error(at, message.to_owned(), "leave out `checkpoint` for none at all");
            }
            _ => {}
        }
    }
    let tables = records.tables();
    let hooks_log = records.hooks_log();
    let samples = records.log == LogPolicy::Sample
        || hooks_log == LogPolicy::Sample
        || records.workspace == WorkspaceLog::Sample;
    if given("/records/sample_share") && !samples {
        let message = "`sample_share` has no effect: nothing is sampled";
        checks.warning("/records/sample_share", message, "set `log: sample` to use it");
    }
    if given("/records/zstd_level") && records.compression != Compression::Zstd {
        let message = "`zstd_level` has no effect without `compression: zstd`";
        checks.warning("/records/zstd_level", message, "");
    }
    if given("/records/workspace")
        && records.workspace != WorkspaceLog::None
        && !tables.contains(&TableName::Workspace)
    {
        let message = "`workspace` has no effect: the table `workspace` is not written";
        checks.warning("/records/workspace", message, "add `workspace` to `records.tables`");
    }
    if given("/records/hooks_log") && !tables.contains(&TableName::Hooks) {
        let message = "`hooks_log` has no effect: the table `hooks` is not written";
        checks.warning("/records/hooks_log", message, "add `hooks` to `records.tables`");
    }
}

/// Words that may stand in braces in `outputs.dir`.
pub(in crate::scenario) const PLACEHOLDERS: [&str; 2] = ["name", "seed"];

fn outputs(outputs: &Outputs, checks: &mut Checks) {
    let mut rest = outputs.dir.as_str();
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}') else {
            let message = format!("a `{{` in `{}` is not closed", outputs.dir);
            return checks.error("/outputs/dir", message, "");
        };
        let word = &rest[open + 1..open + close];
        if !PLACEHOLDERS.contains(&word) {
            let message = format!("unknown placeholder `{{{word}}}` in `{}`", outputs.dir);
            let help = format!("allowed in braces are {}", listed(PLACEHOLDERS));
            checks.error("/outputs/dir", message, &help);
        }
        rest = &rest[open + close + 1..];
    }
}
