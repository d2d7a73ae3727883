//! The registry, its native skills, and who uses what, from the scenario's `skills`.

use std::path::PathBuf;
use std::sync::Arc;

use super::roots::roots;
use crate::agent::activation::Activation;
use crate::agent::person::Person;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::host::machine;
use crate::record::manifest::SkillSource;
use crate::scenario::Scenario;
use crate::scenario::spec::{GroupFilter, Skills as Settings, Spec};
use crate::simulation::SimulationError;
use crate::skill::activation::SkillSets;
use crate::skill::availability::Machine;
use crate::skill::error::SkillError;
use crate::skill::native::daily_guidance::guide::{DailyGuidance, RevisionRules, StorySource};
use crate::skill::package::{Skill, SkillScope};
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};
use crate::skill::script::{is_environment, script_hooks};

/// What is scanned for a scenario, and the commits of roots from git.
///
/// # Errors
/// A git source that is none or cannot be had.
pub fn plan(
    scenario: &Scenario,
    user_roots: &[PathBuf],
) -> Result<(ScanPlan, Vec<SkillSource>), SimulationError> {
    let user = user_roots.iter().map(|root| SkillRoot::new(SkillScope::User, root));
    let (own, sources) = roots(scenario)?;
    let allow = scenario.spec.skills.allow.clone();
    Ok((ScanPlan { roots: user.chain(own).collect(), allow }, sources))
}

/// Scans all roots; the skills are then ready.
///
/// # Errors
/// A root that cannot be listed.
pub fn registry(
    plan: &ScanPlan,
    spec: &Spec,
    source: &Arc<dyn StorySource>,
) -> Result<SkillRegistry, SimulationError> {
    let mut registry = SkillRegistry::scan(plan)?;
    make_ready(&mut registry, spec, source)?;
    Ok(registry)
}

/// Notes what skills miss, and binds the native ones that miss nothing.
///
/// # Errors
/// None that a registry with unique ids can give.
pub fn make_ready(
    registry: &mut SkillRegistry,
    spec: &Spec,
    source: &Arc<dyn StorySource>,
) -> Result<(), SimulationError> {
    judge(registry);
    let revise = &spec.behaviour.revise;
    let rules = RevisionRules {
        on_need: revise.need,
        on_late: revise.late,
        late_min: revise.late_min,
        per_day_max: revise.per_day_max,
    };
    let guided: Vec<String> = (registry.skills().iter())
        .filter(|skill| skill.manifest.native.as_deref() == Some("daily-guidance"))
        .filter(|skill| skill.is_available())
        .map(|skill| skill.id.clone())
        .collect();
    for id in guided {
        let skill = DailyGuidance::new(Arc::clone(source), rules);
        registry.bind(&id, Arc::new(skill))?;
    }
    registry.plant();
    Ok(())
}

/// Notes what skills require and this machine does not have.
pub fn judge(registry: &mut SkillRegistry) {
    let has_program = &machine::has_program;
    let has_variable = &machine::has_variable;
    registry.judge(&Machine { has_program, has_variable, os: machine::OS });
}

/// Checks all that the scenario says of skills; gives what is wrong with the skills' own files,
/// which stops no run.
///
/// # Errors
/// A root that cannot be listed, or a name that no skill has.
pub fn check_skills(
    scenario: &Scenario,
    user_roots: &[PathBuf],
) -> Result<Vec<String>, SimulationError> {
    let (registry, named) = resolved(scenario, user_roots)?;
    let mut on: Vec<usize> = (named.groups.iter())
        .flat_map(|(on, _)| on)
        .chain(&named.default)
        .filter(|index| !named.disabled.contains(index))
        .copied()
        .collect();
    on.sort_unstable();
    on.dedup();
    let found = registry.diagnostics().iter().map(ToString::to_string);
    Ok(found.chain(on.iter().filter_map(|index| lacking(&registry.skills()[*index]))).collect())
}

/// The skills of a scenario, and the indices of those that it switches off.
///
/// # Errors
/// As [`check_skills`].
pub fn skills_of(
    scenario: &Scenario,
    user_roots: &[PathBuf],
) -> Result<(SkillRegistry, Vec<usize>), SimulationError> {
    let (registry, named) = resolved(scenario, user_roots)?;
    Ok((registry, named.disabled))
}

fn resolved(
    scenario: &Scenario,
    user_roots: &[PathBuf],
) -> Result<(SkillRegistry, Named), SimulationError> {
    let mut registry = SkillRegistry::scan(&plan(scenario, user_roots)?.0)?;
    judge(&mut registry);
    let named = Named::resolve(&scenario.spec.skills, &registry, false)?;
    Ok((registry, named))
}

/// The skills that a scenario names, as indices of the registry.
struct Named {
    default: Vec<usize>,
    disabled: Vec<usize>,
    /// Those that each group switches on, and off.
    groups: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Named {
    /// `lenient`: names that no skill has are passed over.
    fn resolve(
        settings: &Settings,
        registry: &SkillRegistry,
        lenient: bool,
    ) -> Result<Self, SimulationError> {
        let all = |key: String, names: &[String]| -> Result<Vec<usize>, SimulationError> {
            let one = |token: &String| match registry.resolve(token) {
                Err(SkillError::Unknown { .. }) if lenient => None,
                Ok(index) => Some(Ok(index)),
                Err(source) => Some(Err(SimulationError::SkillName { key: key.clone(), source })),
            };
            names.iter().filter_map(one).collect()
        };
        let groups = settings.groups.iter().enumerate().map(|(index, group)| {
            let key = |word: &str| format!("skills.groups.{index}.{word}");
            Ok((all(key("activate"), &group.activate)?, all(key("deactivate"), &group.deactivate)?))
        });
        Ok(Self {
            default: all("skills.default_activated".to_owned(), &settings.default_activated)?,
            disabled: all("skills.disabled".to_owned(), &settings.disabled)?,
            groups: groups.collect::<Result<_, SimulationError>>()?,
        })
    }

    /// The skills switched on for a member of the groups whose bits are set.
    fn active(&self, groups: u64) -> Vec<usize> {
        let mut active = self.default.clone();
        for (index, (on, off)) in self.groups.iter().enumerate() {
            if groups >> index & 1 == 1 {
                active.extend(on);
                active.retain(|skill| !off.contains(skill));
            }
        }
        active
    }
}

/// The skills of each person: the default ones, then the differences of each group in order.
/// `lenient`: names that no skill has are passed over, because one may come.
///
/// # Errors
/// A name that no skill has, or several.
pub fn activations(
    spec: &Spec,
    registry: &SkillRegistry,
    persons: &[Person],
    lenient: bool,
) -> Result<(SkillSets, Vec<Activation>), SimulationError> {
    let settings = &spec.skills;
    let named = Named::resolve(settings, registry, lenient)?;
    let mut sets = SkillSets::default();
    // One entry per combination of groups that occurs, found by its bits: the scenario's schema
    // allows as many groups as there are bits.
    let mut known: Vec<(u64, Activation)> = Vec::new();
    let mut all = Vec::with_capacity(persons.len());
    for (index, person) in persons.iter().enumerate() {
        let agent = AgentId::from_index(index);
        let member =
            |group: usize| belongs(spec.seed, group, agent, person, &settings.groups[group].filter);
        let groups = (0..settings.groups.len())
            .filter(|group| member(*group))
            .fold(0_u64, |bits, group| bits | 1 << group);
        let found = known.iter().find(|(bits, _)| *bits == groups).map(|(_, found)| *found);
        let activation = match found {
            Some(activation) => activation,
            None => {
                let new = sets.activation(registry, &named.active(groups), &named.disabled)?;
                known.push((groups, new));
                new
            }
        };
        all.push(activation);
    }
    Ok((sets, all))
}

/// What is to be said of a skill that is switched on and misses something.
fn lacking(skill: &Skill) -> Option<String> {
    let reasons = skill.missing.join("; ");
    (!reasons.is_empty())
        .then(|| format!("{} is switched on, but unavailable and not run: {reasons}", skill.id))
}

/// Says of each skill that somebody has switched on and that no run calls that it does nothing.
pub fn idle(registry: &SkillRegistry, sets: &SkillSets, all: &[Activation]) -> Vec<String> {
    let mut active: Vec<_> = all.iter().map(|activation| activation.active).collect();
    active.sort_unstable();
    active.dedup();
    let on = |index: &usize| active.iter().any(|set| sets.get(*set).contains(*index));
    let skills = registry.skills();
    let scripted = script_hooks(registry);
    let is_called = |index: usize| {
        is_environment(&skills[index].id)
            || registry.is_planted(index)
            || scripted.iter().any(|hook| hook.skill_index == index)
    };
    let idle = (0..skills.len())
        .filter(on)
        .filter(|index| !registry.is_bound(*index) && !is_called(*index));
    let say = |index: usize| {
        let skill = &skills[index];
        if let Some(lacking) = lacking(skill) {
            return lacking;
        }
        let same_name = |other: &&Skill| other.manifest.name == skill.manifest.name;
        let other = (0..skills.len()).filter(|other| registry.is_bound(*other));
        let meant = other.map(|other| &skills[other]).find(same_name);
        let hint = meant.map_or_else(String::new, |it| format!("; did you mean {}?", it.id));
        format!("{} is switched on, but has no hook: it does nothing here{hint}", skill.id)
    };
    idle.map(say).collect()
}

fn belongs(seed: u64, group: usize, agent: AgentId, person: &Person, filter: &GroupFilter) -> bool {
    let fits = (filter.role.is_empty() || filter.role.contains(&person.role))
        && (filter.age_min..=filter.age_max).contains(&person.age);
    // Group k takes the k-th draw of the person's stream, so that shares are independent.
    let mut stream = Stream::of_index(seed, agent.0, Purpose::Group);
    let drawn = (0..=group).map(|_| stream.unit_f64()).last().unwrap_or(0.0);
    fits && (filter.share >= 1.0 || drawn < filter.share)
}
