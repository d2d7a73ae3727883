//! The order in which a scenario becomes a world, and what comes out.

use std::collections::BTreeMap;
use std::path::{PathBuf, absolute};
use std::sync::Arc;

use bevy_ecs::world::World;

use super::inputs::inputs;
use super::reload::Reloader;
use super::{environment, people, scripts, skills, story, world};
use crate::agent::person::Person;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::SimClock;
use crate::environment::Environment;
use crate::population::Population;
use crate::record::manifest::{InputRef, Invocation, ScenarioRef, SkillRef, SkillSource};
use crate::record::tables::people::{PersonRow, Persons, PlaceRow, Places};
use crate::record::{Compression, RunWriter, TableId, WriteOptions};
use crate::scenario::Scenario;
use crate::scenario::spec::{
    Checkpoint, Compression as Codec, FailurePolicy, TableName, WorkspaceLog,
};
use crate::simulation::SimulationError;
use crate::skill::activation::SkillSets;
use crate::skill::registry::SkillRegistry;
use crate::step::state::Town;

/// What the command line adds to a scenario.
pub struct AssembleOptions<'a> {
    /// Agents per chunk of work; changes no result.
    pub chunk_len: usize,
    /// Folders of the user's own skills.
    pub skill_roots: &'a [PathBuf],
    /// The overrides as typed, for the manifest.
    pub overrides: Vec<String>,
    /// Whether skills that change during the run are read again.
    pub watch: bool,
}

/// Whose workspaces are saved when a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspacePolicy {
    /// Nobody's; they can be made later from the tables.
    None,
    /// Everybody's.
    Final,
    /// Those of the sampled agents.
    Sample,
    /// Everybody's, and each file whenever a script changed it.
    Changes,
}

impl From<WorkspaceLog> for WorkspacePolicy {
    fn from(log: WorkspaceLog) -> Self {
        match log {
            WorkspaceLog::None => Self::None,
            WorkspaceLog::Final => Self::Final,
            WorkspaceLog::Sample => Self::Sample,
            WorkspaceLog::Changes => Self::Changes,
        }
    }
}

/// A world ready to be stepped, and what a run needs to know of it.
pub struct Assembly {
    /// Persons, environment, skills.
    pub world: World,
    /// Simulated time.
    pub clock: SimClock,
    /// Seed of all randomness.
    pub seed: u64,
    /// Number of persons.
    pub person_count: usize,
    /// The skills.
    pub registry: Arc<SkillRegistry>,
    /// Where skills came from, if from git.
    pub skill_sources: Vec<SkillSource>,
    /// What reads skills again, if the run watches them.
    pub reloader: Option<Reloader>,
    /// The sets of skills that persons have.
    pub sets: Arc<SkillSets>,
    /// Source numbers of persons and households, until they are written.
    pub population: Population,
    /// Tables to write.
    pub tables: Vec<TableId>,
    /// How to write them.
    pub write_options: WriteOptions,
    /// How often the state is saved.
    pub checkpoint: Option<Checkpoint>,
    /// Whose workspaces are saved.
    pub workspace: WorkspacePolicy,
    /// Share of agents of a sample.
    pub sample_share: f32,
    /// Whether a person's failure stops the run.
    pub stop_on_failure: bool,
    /// Name of the Story model.
    pub story_model: &'static str,
    /// The scenario, for the manifest.
    pub scenario: ScenarioRef,
    /// Numbers worth knowing, for the manifest.
    pub counts: BTreeMap<String, u64>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// The overrides as typed.
    pub overrides: Vec<String>,
    /// What else was typed, for the manifest.
    pub invocation: Invocation,
    /// The files that the scenario names, for the manifest.
    pub inputs: Vec<InputRef>,
}

/// Turns a scenario into a world.
///
/// # Errors
/// Inputs that cannot be read or used: see the variants of [`SimulationError`].
pub fn assemble(
    scenario: &Scenario,
    options: &AssembleOptions<'_>,
) -> Result<Assembly, SimulationError> {
    let spec = &scenario.spec;
    let seed = spec.seed;
    let mut city = environment::lay_out(scenario)?;
    let population = people::populate(scenario, &mut city)?;
    let environment = city.into_environment();
    let source = story::source(scenario, &population.persons)?;
    let story_model = source.name();
    let (plan, skill_sources) = skills::plan(scenario, options.skill_roots)?;
    let registry = skills::registry(&plan, scenario, &source)?;
    let watch = options.watch;
    let reloader = watch.then(|| Reloader::new(scenario, plan, source));
    let (sets, activations) = skills::activations(spec, &registry, &population.persons, watch)?;

    let mut counts = population.counts.clone();
    counts.insert("persons".to_owned(), population.persons.len() as u64);
    counts.insert("places".to_owned(), environment.places.len() as u64);
    counts.insert("zones".to_owned(), environment.zones.len() as u64);
    let mut warnings = population.warnings.clone();
    warnings.extend(scenario.warnings.iter().map(ToString::to_string));
    warnings.extend(registry.diagnostics().iter().map(ToString::to_string));
    warnings.extend(skills::idle(&registry, &sets, &activations));

    let keep_changes = spec.records.workspace == WorkspaceLog::Changes
        && spec.records.tables().contains(&TableName::Workspace);
    let scripts = scripts::scripts(scenario, &registry, population.persons.len(), keep_changes)?;
    let (registry, sets) = (Arc::new(registry), Arc::new(sets));
    let mut world = world::build(
        spec,
        options.chunk_len,
        &population.persons,
        &activations,
        Arc::new(environment),
        (Arc::clone(&registry), Arc::clone(&sets)),
    );
    world.insert_resource(scripts);
    Ok(Assembly {
        world,
        clock: scenario.clock(),
        seed,
        person_count: population.persons.len(),
        registry,
        skill_sources,
        reloader,
        sets,
        population,
        tables: tables(scenario),
        write_options: write_options(scenario),
        checkpoint: spec.records.checkpoint,
        workspace: spec.records.workspace.into(),
        sample_share: spec.records.sample_share as f32,
        stop_on_failure: spec.failures.policy == FailurePolicy::Stop,
        story_model,
        scenario: ScenarioRef {
            name: spec.name.clone(),
            path: scenario.path.display().to_string(),
            hash: scenario.hash.clone(),
        },
        counts,
        warnings,
        overrides: options.overrides.clone(),
        invocation: invocation(options),
        inputs: inputs(scenario)?,
    })
}

/// How a run was asked for.
pub fn invocation(options: &AssembleOptions<'_>) -> Invocation {
    let text = |path: &PathBuf| path.display().to_string();
    Invocation {
        folder: absolute(".").as_ref().map_or_else(|_| String::new(), text),
        skill_roots: options.skill_roots.iter().map(text).collect(),
        watch: options.watch,
    }
}

/// The tables that a run of the scenario writes.
pub fn tables(scenario: &Scenario) -> Vec<TableId> {
    let names = scenario.spec.tables();
    // The two lists hold the same names; a test of the record room guards its own.
    let word = |name| serde_json::to_value(name).ok();
    let known = |name| word(name).and_then(|word| TableId::from_name(word.as_str()?));
    names.into_iter().filter_map(known).collect()
}

/// How the tables are written.
pub fn write_options(scenario: &Scenario) -> WriteOptions {
    let spec = &scenario.spec;
    let metadata = [
        ("populace.scenario", spec.name.clone()),
        ("populace.scenario_hash", scenario.hash.clone()),
        ("populace.seed", spec.seed.to_string()),
        ("populace.version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    WriteOptions {
        compression: match spec.records.compression {
            Codec::None => Compression::None,
            Codec::Snappy => Compression::Snappy,
            Codec::Zstd => Compression::Zstd,
        },
        zstd_level: i32::from(spec.records.zstd_level),
        metadata: metadata.map(|(key, value)| (key.to_owned(), value)).into(),
        ..WriteOptions::default()
    }
}

impl Assembly {
    /// Writes the tables that do not change during a run.
    ///
    /// # Errors
    /// The writer's.
    pub fn send_static_tables(&mut self, writer: &mut RunWriter) -> Result<(), SimulationError> {
        let town = Arc::clone(&self.world.resource::<Town>().0);
        if writer.writes(TableId::Places) {
            writer.send(place_rows(&town))?;
        }
        if writer.writes(TableId::Persons) {
            let activated = self.activated_words();
            writer.send(self.person_rows(&activated))?;
        }
        Ok(())
    }

    /// The active skills of each distinct set, in words.
    fn activated_words(&self) -> Vec<String> {
        let skills = self.registry.skills();
        let words = |set: &crate::skill::activation::SkillSet| {
            let ids: Vec<&str> = set.iter().map(|index| skills[index].id.as_str()).collect();
            ids.join(" ")
        };
        self.sets.all().iter().map(words).collect()
    }

    fn person_rows(&mut self, activated: &[String]) -> Persons {
        let mut rows = Persons::default();
        let mut people =
            self.world.query::<(&AgentId, &Person, &crate::agent::activation::Activation)>();
        for (agent, person, activation) in people.iter(&self.world) {
            rows.push(PersonRow {
                agent_id: *agent,
                uid: self.population.uid[agent.index()],
                household_id: self.population.household_uid[agent.index()],
                household_size: person.household_size,
                age: person.age,
                sex: person.sex,
                role: person.role,
                income: person.income,
                cars: person.cars,
                home_place: person.home,
                work_place: person.work,
                school_place: person.school,
                commute_min: person.commute_min,
                activated: &activated[usize::from(activation.active.0)],
            });
        }
        rows
    }

    /// Ids and hashes of all skills.
    pub fn skill_refs(&self) -> Vec<SkillRef> {
        let reference = |skill: &crate::skill::package::Skill| SkillRef {
            id: skill.id.clone(),
            hash: skill.content_hash.clone(),
            missing: skill.missing.clone(),
        };
        self.registry.skills().iter().map(reference).collect()
    }
}

fn place_rows(town: &Environment) -> Places {
    let mut rows = Places::default();
    rows.reserve(town.places.len());
    for index in 0..town.places.len() {
        let place = PlaceId::from_index(index);
        let point = town.places.point(place);
        let at = town.place_lng_lat(place);
        rows.push(PlaceRow {
            place_id: place,
            kind: town.places.kind(place),
            zone_id: town.zones.totals(town.places.zone(place)).source_id,
            x_m: point.x_m,
            y_m: point.y_m,
            lng: at.lng,
            lat: at.lat,
        });
    }
    rows
}
