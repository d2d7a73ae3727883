//! A new generation of skills between two ticks, in runs that watch their skills' folders.
//!
//! Nothing holds an index into the registry from one tick to the next, so all is exchanged at once:
//! the registry, who uses what, the script hooks. A run that does not watch never gets here.

use std::sync::Arc;

use bevy_ecs::world::World;

use super::{Assembly, scripts, skills};
use crate::agent::activation::Activation;
use crate::agent::person::Person;
use crate::base::time::Tick;
use crate::behaviour::people::PersonTree;
use crate::record::manifest::{SkillChange, SkillGeneration};
use crate::scenario::Scenario;
use crate::simulation::SimulationError;
use crate::skill::document::Severity;
use crate::skill::native::daily_guidance::guide::StorySource;
use crate::skill::registry::{Fingerprint, ScanPlan, SkillRegistry};
use crate::step::decide::{Sight, enlist};
use crate::step::serve::hooks::Scripts;
use crate::step::state::{Chunks, LogPolicy, Rules, Skills, Town};

/// Looks for changes of skills and takes them over.
pub struct Reloader {
    scenario: Scenario,
    plan: ScanPlan,
    source: Arc<dyn StorySource>,
    /// State of the folders when they were last read.
    seen: Fingerprint,
}

impl Reloader {
    /// Watches the folders of `plan`, which have just been read.
    pub fn new(scenario: &Scenario, plan: ScanPlan, source: Arc<dyn StorySource>) -> Self {
        let seen = plan.fingerprint();
        Self { scenario: scenario.clone(), plan, source, seen }
    }

    /// Takes over what changed since the last look; gives what the manifest says of it, nothing if
    /// nothing changed. A skill whose new text cannot be used stays as it was.
    ///
    /// # Errors
    /// A name in the scenario that means several skills now; what scripts need cannot be made.
    pub fn look(
        &mut self,
        assembly: &mut Assembly,
        tick: Tick,
    ) -> Result<Option<SkillGeneration>, SimulationError> {
        let now = self.plan.fingerprint();
        if std::mem::replace(&mut self.seen, now) == now {
            return Ok(None);
        }
        let old = Arc::clone(&assembly.registry);
        let mut generation =
            SkillGeneration { tick: tick.0, registry_hash: old.content_hash(), ..<_>::default() };
        let mut registry = match SkillRegistry::scan(&self.plan) {
            Ok(registry) => registry,
            Err(error) => {
                generation.kept.push(format!("all skills: {error}"));
                return Ok(Some(generation));
            }
        };
        generation.kept = keep_broken(&old, &mut registry);
        generation.changed = changes(&old, &registry);
        if !generation.changed.is_empty() {
            skills::make_ready(&mut registry, &self.scenario.spec, &self.source)?;
            generation.registry_hash = registry.content_hash();
            self.exchange(assembly, registry)?;
        }
        let quiet = generation.changed.is_empty() && generation.kept.is_empty();
        tracing::info!(tick = tick.0, changed = generation.changed.len(), "skills were read again");
        Ok((!quiet).then_some(generation))
    }

    fn exchange(
        &self,
        assembly: &mut Assembly,
        registry: SkillRegistry,
    ) -> Result<(), SimulationError> {
        let world = &mut assembly.world;
        let persons: Vec<Person> = world.query::<&Person>().iter(world).copied().collect();
        let (sets, activations) =
            skills::activations(&self.scenario.spec, &registry, &persons, true)?;
        for (column, new) in world.query::<&mut Activation>().iter_mut(world).zip(&activations) {
            *column.into_inner() = *new;
        }
        let kept = |tree: usize| same_tree(&assembly.registry, &registry, tree);
        let is_traced = world.resource::<Rules>().trace != LogPolicy::None;
        let mut sight = Sight::new(registry.forest(), &persons, &world.resource::<Town>().0);
        let chunks = &mut *world.resource_mut::<Chunks>();
        enlist(chunks, registry.forest(), &kept, (&sets, &activations), is_traced);
        sight.show(registry.forest(), chunks);
        world.insert_resource(sight);
        self.refit_scripts(world, &assembly.registry, &registry, persons.len())?;
        let (registry, sets) = (Arc::new(registry), Arc::new(sets));
        world.insert_resource(Skills { registry: Arc::clone(&registry), sets: Arc::clone(&sets) });
        (assembly.registry, assembly.sets) = (registry, sets);
        Ok(())
    }

    fn refit_scripts(
        &self,
        world: &mut World,
        old: &SkillRegistry,
        new: &SkillRegistry,
        person_count: usize,
    ) -> Result<(), SimulationError> {
        let current = &mut *world.resource_mut::<Scripts>();
        scripts::refit(&self.scenario, (old, new), current, person_count)
    }
}

/// Which tree of the new skills is tree `index` of the old ones, if it did not change.
fn same_tree(old: &SkillRegistry, new: &SkillRegistry, index: usize) -> Option<usize> {
    let before = &old.forest().trees[index];
    let id = &old.skills()[before.skill_index].id;
    let same = |tree: &PersonTree| new.skills()[tree.skill_index].id == *id;
    let now = new.forest().trees.iter().position(same)?;
    (new.forest().trees[now].tree == before.tree).then_some(now)
}

/// Puts skills whose files can no longer be used into the new registry as they were; says of each
/// why.
fn keep_broken(old: &SkillRegistry, new: &mut SkillRegistry) -> Vec<String> {
    let mut kept = Vec::new();
    for skill in old.skills() {
        let Some(root) = &skill.root else { continue };
        if new.skills().iter().any(|other| other.id == skill.id) {
            continue;
        }
        let broken = new.diagnostics().iter().find(|found| {
            found.severity == Severity::Error && found.path.parent() == Some(root.as_path())
        });
        let Some(broken) = broken else { continue };
        kept.push(format!("{}: {broken}", skill.id));
        new.keep(skill.clone());
    }
    kept
}

/// The skills that are new, other than before, or gone, by id.
fn changes(old: &SkillRegistry, new: &SkillRegistry) -> Vec<SkillChange> {
    let hash = |registry: &SkillRegistry, id: &str| {
        let found = registry.skills().iter().find(|skill| skill.id == id);
        found.map(|skill| skill.content_hash.clone())
    };
    let mut ids: Vec<&str> =
        old.skills().iter().chain(new.skills()).map(|skill| skill.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let change = |id: &str| SkillChange { id: id.to_owned(), hash: hash(new, id) };
    ids.into_iter().filter(|id| hash(old, id) != hash(new, id)).map(change).collect()
}
