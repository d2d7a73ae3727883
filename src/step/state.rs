//! What the phases share: the moment, the environment, the skills, and per chunk of agents the
//! Story pool, the journeys under way and the rows written in this tick.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_ecs::resource::Resource;
use serde::{Deserialize, Serialize};

use crate::agent::file::FileChange;
use crate::agent::hook::HookText;
use crate::agent::intent::Intent;
use crate::agent::message::Message;
use crate::agent::needs::{NEED_COUNT, NeedRates};
use crate::agent::plan::StoryPool;
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::{SimTime, Tick};
use crate::base::units::{LngLat, Point};
use crate::behaviour::people::{Letters, Memories, Question, Reply};
use crate::environment::Environment;
use crate::environment::mailbox::Mailbox;
use crate::environment::network::RouteCalculator;
use crate::record::columns::cell::EpochMs;
use crate::record::tables::days::{Legs, StayRow, Stays, Stories, Trips};
use crate::record::tables::log::{Hooks, Needs as NeedLevels, Steps, Workspace, WorkspaceRow};
use crate::record::tables::trees::{BtTrace, SkillResults};
use crate::skill::activation::SkillSets;
use crate::skill::hook::HookFailure;
use crate::skill::registry::SkillRegistry;

/// The moment of the step.
#[derive(Resource)]
pub struct Moment(pub StepContext);

/// The environment. Phases read it; what changes during a run is in columns and [`Chunks`].
#[derive(Resource)]
pub struct Town(pub Arc<Environment>);

/// The skills, frozen for the run.
#[derive(Resource)]
pub struct Skills {
    /// All of them.
    pub registry: Arc<SkillRegistry>,
    /// The distinct sets that persons see and use.
    pub sets: Arc<SkillSets>,
}

/// The scenario's rules that phases need.
#[derive(Resource)]
pub struct Rules {
    /// How needs change.
    pub needs: NeedRates,
    /// Which rows of `steps` are kept.
    pub steps: LogPolicy,
    /// Which rows of `hooks` are kept.
    pub hooks: LogPolicy,
    /// Which rows of `needs` are kept.
    pub levels: LogPolicy,
    /// Which rows of `bt_trace` are kept.
    pub trace: LogPolicy,
    /// Share of the agents that a sampled log keeps.
    pub sample_share: f32,
}

/// Which rows of a per-tick table are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPolicy {
    /// One row per agent and tick.
    All,
    /// A row in the first tick and whenever something changed.
    Changed,
    /// All rows of a fixed, seeded sample of the agents.
    Sample,
    /// No row.
    None,
}

/// Person-to-person mail.
#[derive(Resource, Serialize, Deserialize)]
pub struct Mail(pub Mailbox);

/// Per-chunk state, in chunk order.
#[derive(Resource)]
pub struct Chunks {
    /// Agents per chunk; the last may hold fewer.
    pub len: usize,
    /// One per chunk.
    pub states: Vec<ChunkState>,
}

impl Chunks {
    /// The way of a traveller along the network; empty as the crow flies, and for who stays.
    pub fn way(&self, agent: AgentId) -> &[Point] {
        let (chunk, row) = (agent.index() / self.len, agent.index() % self.len);
        self.states[chunk].paths.get(&(row as u32)).map_or(&[][..], Vec::as_slice)
    }
}

/// What one chunk of agents owns beside its columns.
#[derive(Default)]
pub struct ChunkState {
    /// Segments of its Stories.
    pub pool: StoryPool,
    /// Ways of the trips that go along a network, by position in the chunk.
    pub paths: BTreeMap<u32, Vec<Point>>,
    /// Messages written in this tick.
    pub outbox: Vec<Message>,
    /// Failures of this tick.
    pub failures: Vec<StepFailure>,
    /// Rows of this tick.
    pub rows: Rows,
    /// Counts of this tick.
    pub tally: Tally,
    /// Working memory of shortest-path searches.
    pub calculator: RouteCalculator,
    /// What script hooks said in this tick, by skill and agent: what minds are shown.
    pub hook_texts: Vec<HookText>,
    /// Scratch space of hooks.
    pub hook_failures: Vec<HookFailure>,
    /// What persons remember of their trees, and what these ask and want.
    pub trees: ChunkTrees,
}

/// The trees of one chunk of persons.
#[derive(Default)]
pub struct ChunkTrees {
    /// What persons remember, tree by tree of the forest.
    pub memories: Memories,
    /// What leaves the minds.
    pub letters: Letters,
    /// Answers for the next tick, by agent.
    pub replies: Vec<Reply>,
    /// Questions that nobody has answered.
    pub questions: Vec<Question>,
    /// What the trees want in this tick, a row a person; empty where there are none.
    pub wishes: Vec<Option<Intent>>,
    /// Whether a tree wanted something in the tick before.
    pub held: Vec<bool>,
}

/// Rows written by one chunk in one tick.
#[derive(Default)]
pub struct Rows {
    /// Written by `log`.
    pub steps: Steps,
    /// Written by `log`.
    pub levels: NeedLevels,
    /// Written by `act` when a stay ends.
    pub stays: Stays,
    /// Written by `advance` when a trip ends.
    pub trips: Trips,
    /// Written with `trips`.
    pub legs: Legs,
    /// Written by `pre_step` when a Story is formed or revised.
    pub stories: Stories,
    /// Written by `pre_step`, `serve` and `post_step`.
    pub hooks: Hooks,
    /// Written by `serve` and `post_step`.
    pub files: Workspace,
    /// Written by `decide`.
    pub trace: BtTrace,
    /// Written by `decide`.
    pub results: SkillResults,
}

/// A failure of one agent in one phase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepFailure {
    /// The agent.
    pub agent: AgentId,
    /// The phase.
    pub phase: &'static str,
    /// The skill, if one was running.
    pub skill_index: Option<usize>,
    /// Short stable code.
    pub code: &'static str,
    /// What happened.
    pub message: String,
}

/// Counts of one chunk in one tick. All are whole numbers, so that adding them up gives the same
/// total in any grouping.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Persons at home, at work, at school, elsewhere, on a trip.
    pub at_home: u32,
    /// At the workplace.
    pub at_work: u32,
    /// At school.
    pub at_school: u32,
    /// At any other place.
    pub at_other: u32,
    /// On a trip.
    pub travelling: u32,
    /// Trips begun.
    pub departures: u32,
    /// Trips ended.
    pub arrivals: u32,
    /// Stories formed.
    pub stories_created: u32,
    /// Stories revised because of a need.
    pub revised_need: u32,
    /// Stories revised because of lateness.
    pub revised_late: u32,
    /// Stories revised because a script or somebody asked for it.
    pub revised_asked: u32,
    /// Sums of need levels in units of 2^-24.
    pub level_sums: [u64; NEED_COUNT],
}

impl Tally {
    /// Adds another chunk's counts.
    pub fn add(&mut self, other: &Self) {
        self.at_home += other.at_home;
        self.at_work += other.at_work;
        self.at_school += other.at_school;
        self.at_other += other.at_other;
        self.travelling += other.travelling;
        self.departures += other.departures;
        self.arrivals += other.arrivals;
        self.stories_created += other.stories_created;
        self.revised_need += other.revised_need;
        self.revised_late += other.revised_late;
        self.revised_asked += other.revised_asked;
        for (sum, part) in self.level_sums.iter_mut().zip(other.level_sums) {
            *sum += part;
        }
    }
}

/// The one table that holds all persons.
///
/// Persons are spawned with the same components in the order of their ids and none is added or
/// taken away during a run, so their columns are slices of equal length in that order.
pub fn sole_table<T>(mut tables: impl Iterator<Item = T>) -> Option<T> {
    let first = tables.next();
    assert!(tables.next().is_none(), "persons must all live in one table");
    first
}

/// Whether a sampled log keeps this agent: a fixed, seeded choice.
pub fn sampled(seed: u64, agent: AgentId, share: f32) -> bool {
    Stream::of_index(seed, agent.0, Purpose::LogSample).unit_f32() < share
}

/// Writes the row of a stay that ends at `until`; an empty stay (it began at `until`) gives none.
pub fn write_stay(
    context: &StepContext,
    town: &Environment,
    agent: AgentId,
    stay_index: u16,
    at: &Whereabouts,
    until: SimTime,
    rows: &mut Stays,
) {
    if at.since == until {
        return;
    }
    let LngLat { lng, lat } = town.place_lng_lat(at.place);
    rows.push(StayRow {
        agent_id: agent,
        stay_index,
        place_id: at.place,
        activity: at.purpose,
        start: EpochMs::at(&context.clock, at.since),
        end: EpochMs::at(&context.clock, until),
        lng,
        lat,
        origin: at.origin,
    });
}

/// Writes files of workspaces as they are at `tick`.
pub fn write_files(tick: Tick, files: &[FileChange], rows: &mut Workspace) {
    for file in files {
        let (kind, content) = file.content();
        let (agent_id, path) = (file.agent, file.path.as_str());
        rows.push(WorkspaceRow { agent_id, tick, path, kind, content: &content });
    }
}

/// The agent numbers of one chunk.
pub fn agent_range(ids: &[AgentId]) -> std::ops::Range<u32> {
    let first = ids.first().map_or(0, |id| id.0);
    first..first + ids.len() as u32
}
