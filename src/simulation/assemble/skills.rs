//! The registry, its native skills, and who uses what, from the scenario's `skills`.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::activation::Activation;
use crate::agent::person::Person;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::scenario::Scenario;
use crate::scenario::spec::{GroupFilter, Spec};
use crate::simulation::SimulationError;
use crate::skill::activation::SkillSets;
use crate::skill::error::SkillError;
use crate::skill::native::daily_guidance::guide::{DailyGuidance, RevisionRules, StorySource};
use crate::skill::registry::SkillRegistry;

/// Scans all roots and binds the native skills.
pub fn registry(
    scenario: &Scenario,
    user_roots: &[PathBuf],
    source: Arc<dyn StorySource>,
) -> Result<SkillRegistry, SimulationError> {
    let spec = &scenario.spec;
    let roots: Vec<PathBuf> = spec.skills.roots.iter().map(|root| scenario.resolve(root)).collect();
    let mut registry = SkillRegistry::scan(user_roots, &roots)?;
    let revise = &spec.behaviour.revise;
    let rules = RevisionRules {
        on_need: revise.need,
        on_late: revise.late,
        late_min: revise.late_min,
        per_day_max: revise.per_day_max,
    };
    let natives: Vec<(String, String)> = (registry.skills().iter())
        .filter_map(|skill| Some((skill.id.clone(), skill.manifest.native.clone()?)))
        .collect();
    for (id, native) in natives {
        if native != "daily-guidance" {
            return Err(SkillError::NoNative { id, native }.into());
        }
        let skill = DailyGuidance::new(Arc::clone(&source), rules);
        registry.bind(&id, Arc::new(skill))?;
    }
    Ok(registry)
}

/// The skills of each person: the default ones, then the differences of each group in order.
pub fn activations(
    spec: &Spec,
    registry: &SkillRegistry,
    persons: &[Person],
) -> Result<(SkillSets, Vec<Activation>), SimulationError> {
    let settings = &spec.skills;
    let mut sets = SkillSets::default();
    // One entry per combination of groups that occurs, found by its bits.
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
                let active = active_names(spec, groups);
                let new = sets.activation(registry, &active, &settings.disabled)?;
                known.push((groups, new));
                new
            }
        };
        all.push(activation);
    }
    Ok((sets, all))
}

fn active_names(spec: &Spec, groups: u64) -> Vec<String> {
    let mut names = spec.skills.default_activated.clone();
    for (index, group) in spec.skills.groups.iter().enumerate() {
        if groups >> index & 1 == 1 {
            names.extend(group.activate.iter().cloned());
            names.retain(|name| !group.deactivate.contains(name));
        }
    }
    names
}

fn belongs(seed: u64, group: usize, agent: AgentId, person: &Person, filter: &GroupFilter) -> bool {
    let fits = (filter.role.is_empty() || filter.role.contains(&person.role))
        && (filter.age_min..=filter.age_max).contains(&person.age);
    // Group k takes the k-th draw of the person's stream, so that shares are independent.
    let mut stream = Stream::of_index(seed, agent.0, Purpose::Group);
    let drawn = (0..=group).map(|_| stream.unit_f64()).last().unwrap_or(0.0);
    fits && (filter.share >= 1.0 || drawn < filter.share)
}
