//! Runs the script hooks of a phase: one batch per skill, in skill-id order.

use std::io;
use std::sync::Arc;

use bevy_ecs::resource::Resource;
use bevy_ecs::system::Query;

use super::{person, rows, story};
use crate::agent::activation::Activation;
use crate::agent::file::FileChange;
use crate::agent::hook::{HookAction, HookOutcome, HookText, HookType};
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::Story;
use crate::agent::request::{
    HookMoment, ScriptBatch, ScriptCall, ScriptEntry, ScriptReply, ScriptResult, ScriptTier,
};
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::rng::Purpose;
use crate::base::time::{Tick, iso_text};
use crate::environment::Environment;
use crate::host::ScriptHost;
use crate::host::workspace::Workspaces;
use crate::skill::agent_file::agent_json;
use crate::skill::script::{ScriptHook, fingerprint};
use crate::step::hooks::{count, write_story};
use crate::step::state::{ChunkState, Chunks, Rules, Skills, sole_table, write_files};

/// What runs scripts, and which script hooks there are. A run without any has no host.
#[derive(Resource, Default)]
pub struct Scripts {
    /// Runs them.
    pub host: Option<Box<dyn ScriptHost>>,
    /// Their folders, if a script needs any.
    pub workspaces: Option<Workspaces>,
    /// The hooks, by skill.
    pub hooks: Vec<KeptHook>,
    /// Whether each changed file becomes a row.
    pub keep_changes: bool,
    /// Persons whose AGENT.json is that of this step.
    informed: Vec<bool>,
}

/// A script hook, and what it said last to whom.
pub struct KeptHook {
    /// The hook.
    pub hook: ScriptHook,
    /// Hash of the last answer of each person; 0 before the first.
    pub(super) last: Vec<u64>,
}

impl Scripts {
    /// No hooks and nothing that runs them.
    pub fn none(keep_changes: bool) -> Self {
        Self { keep_changes, ..Self::default() }
    }

    /// A host with these hooks, for a run of `person_count`.
    pub fn new(
        host: Box<dyn ScriptHost>,
        workspaces: Option<Workspaces>,
        hooks: Vec<ScriptHook>,
        person_count: usize,
        keep_changes: bool,
    ) -> Self {
        let kept = |hook| KeptHook { hook, last: vec![0; person_count] };
        let hooks = hooks.into_iter().map(kept).collect();
        let informed = vec![false; person_count];
        Self { host: Some(host), workspaces, hooks, keep_changes, informed }
    }

    /// Begins a step: nobody's AGENT.json is of it yet.
    pub(super) fn begin(&mut self) {
        self.informed.fill(false);
    }

    /// Takes over the hooks of a new generation of skills. A hook that was there before still knows
    /// what it said last.
    pub fn replace_hooks(&mut self, hooks: Vec<ScriptHook>) {
        let person_count = self.informed.len();
        let mut old = std::mem::take(&mut self.hooks);
        let kept = |hook: ScriptHook| {
            let same = |other: &&mut KeptHook| {
                other.hook.kind == hook.kind && other.hook.script.skill_id == hook.script.skill_id
            };
            let last = old.iter_mut().find(same).map(|other| std::mem::take(&mut other.last));
            KeptHook { hook, last: last.unwrap_or_else(|| vec![0; person_count]) }
        };
        self.hooks = hooks.into_iter().map(kept).collect();
    }
}

/// The columns that script hooks read, and those that a script's Story changes.
pub type ScriptColumns = (
    &'static AgentId,
    &'static Person,
    &'static Perception,
    &'static Whereabouts,
    &'static Activation,
    &'static Needs,
    &'static mut Story,
    &'static mut HookOutcome,
);

/// The columns of all persons, as slices.
struct Columns<'a> {
    ids: &'a [AgentId],
    persons: &'a [Person],
    perceptions: &'a [Perception],
    at: &'a [Whereabouts],
    activations: &'a [Activation],
    needs: &'a [Needs],
    stories: &'a mut [Story],
    outcomes: &'a mut [HookOutcome],
}

/// What the hooks of a phase read beside the columns.
pub struct ServeWorld<'a> {
    /// The moment.
    pub context: &'a StepContext,
    /// The scenario's rules.
    pub rules: &'a Rules,
    /// The skills.
    pub skills: &'a Skills,
    /// The environment.
    pub town: &'a Environment,
}

/// Runs every script hook of type `kind`, in skill-id order, and takes over what came of it.
pub fn run(
    kind: HookType,
    world: &ServeWorld<'_>,
    scripts: &mut Scripts,
    chunks: &mut Chunks,
    people: &mut Query<ScriptColumns>,
) {
    if !scripts.hooks.iter().any(|kept| kept.hook.kind == kind) {
        return;
    }
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some(columns) = sole_table(tables) else { return };
    let (ids, persons, perceptions, at, activations, needs, mut stories, mut outcomes) = columns;
    let mut columns = Columns {
        ids,
        persons,
        perceptions,
        at,
        activations,
        needs,
        stories: stories.bypass_change_detection(),
        outcomes: outcomes.bypass_change_detection(),
    };
    scripts.begin();
    let mut served = vec![None; columns.ids.len()];
    for index in 0..scripts.hooks.len() {
        if scripts.hooks[index].hook.kind == kind {
            run_hook(world, index, scripts, chunks, &mut columns, &mut served);
        }
    }
    if kind == HookType::PreStep {
        keep_up(world, chunks, &mut columns, &served);
    }
}

fn run_hook(
    world: &ServeWorld<'_>,
    hook_index: usize,
    scripts: &mut Scripts,
    chunks: &mut Chunks,
    columns: &mut Columns<'_>,
    served: &mut [Option<HookAction>],
) {
    let hook = scripts.hooks[hook_index].hook.clone();
    let holding = world.skills.sets.holding(hook.skill_index);
    let active = |row: &usize| holding[usize::from(columns.activations[*row].active.0)];
    let rows: Vec<usize> = (0..columns.ids.len()).filter(active).collect();
    if rows.is_empty() {
        return;
    }
    for row in &rows {
        served[*row].get_or_insert(HookAction::None);
    }
    // The failures that led to quarantine are told, and the manifest names the script.
    if scripts.host.as_ref().is_none_or(|host| host.is_quarantined(&hook.script)) {
        return;
    }
    let batch = batch(world, &hook, columns, &rows);
    let has_files = hook.script.tier != ScriptTier::Rhai;
    let ready =
        if has_files { inform(world.context, scripts, columns.persons, &rows) } else { Ok(()) };
    let Some(host) = scripts.host.as_mut() else { return };
    let replies = match ready {
        Ok(()) => host.ask(&batch),
        Err(error) => {
            let reason = format!("no workspace for the script: {error}");
            ScriptReply::none_begun(&batch.calls, &reason)
        }
    };
    let touched: Vec<AgentId> =
        replies.iter().filter(|reply| reply.touched).map(|reply| reply.agent).collect();
    let (changes, overfull) =
        scripts.workspaces.as_mut().map(|w| w.collect(&touched)).unwrap_or_default();
    let root = scripts.workspaces.as_ref().map(|w| w.root().display().to_string());
    let last = &mut scripts.hooks[hook_index].last;
    let mut changes = changes.as_slice();
    for (reply, row) in replies.into_iter().zip(rows) {
        let own = changes.iter().take_while(|change| change.agent == reply.agent).count();
        let (own, rest) = changes.split_at(own);
        changes = rest;
        let state = &mut chunks.states[row / chunks.len];
        if scripts.keep_changes {
            write_files(world.context.tick, own, &mut state.rows.files);
        }
        let text = told(reply, &hook, root.as_deref());
        if let Some(full) = overfull.iter().find(|full| full.agent == text.agent) {
            let message = format!("the workspace holds {}", full.reason);
            rows::trouble(&text, "workspace-too-large", message, state);
        }
        let outcome = take_over(world, &text, own, columns, row, state);
        if !matches!(outcome.0, HookAction::Answered | HookAction::Failed) {
            served[row] = Some(outcome.0);
        }
        if !text.result.ok {
            rows::failure(&text, state);
        }
        let hash = fingerprint(&text.result);
        let new = std::mem::replace(&mut last[row], hash) != hash
            || !matches!(outcome.0, HookAction::Answered);
        let skill_id = &hook.script.skill_id;
        rows::hook_row(world.context, world.rules, skill_id, &text, outcome, new, state);
        state.hook_texts.push(text);
    }
}

/// One call per row.
fn batch(
    world: &ServeWorld<'_>,
    hook: &ScriptHook,
    columns: &Columns<'_>,
    rows: &[usize],
) -> ScriptBatch {
    let context = world.context;
    let needs_person = hook.script.tier == ScriptTier::Rhai;
    let call = |row: &usize| {
        let row = *row;
        let agent = columns.ids[row];
        let drawn = context.stream(agent, Purpose::Script).bits_u64();
        let person = needs_person.then(|| {
            let Columns { persons, perceptions, at, needs, .. } = *columns;
            let people = person::People { persons, perceptions, at, needs };
            person::document(context, world.town, people, row)
        });
        ScriptCall { agent, seed: drawn ^ hook.salt, argv: Vec::new(), person }
    };
    let time = iso_text(context.clock.datetime(context.time));
    ScriptBatch {
        script: Arc::clone(&hook.script),
        entry: ScriptEntry::Hook(HookMoment {
            hook: hook.kind,
            tick_s: context.clock.tick_s(),
            time,
            step_count: context.tick.0 + 1,
        }),
        calls: rows.iter().map(call).collect(),
        time_limit_ms: None,
    }
}

/// Sees to it that the persons have a folder with an AGENT.json of this step.
pub(super) fn inform(
    context: &StepContext,
    scripts: &mut Scripts,
    persons: &[Person],
    rows: &[usize],
) -> io::Result<()> {
    let Some(workspaces) = scripts.workspaces.as_mut() else { return Ok(()) };
    let mut texts = Vec::with_capacity(rows.len());
    for row in rows {
        let agent = AgentId::from_index(*row);
        if !workspaces.has(agent) {
            workspaces.add(agent, &[])?;
        }
        if !std::mem::replace(&mut scripts.informed[*row], true) {
            let (clock, time) = (&context.clock, context.time);
            let step_count = Tick(context.tick.0 + 1);
            let person = &persons[*row];
            texts.push((agent, agent_json(clock, time, agent, person, step_count)));
        }
    }
    workspaces.write_agent_files(&texts)
}

/// A result in which the place of the folders is not named: it differs from run to run.
pub(super) fn without_root(mut result: ScriptResult, root: Option<&str>) -> ScriptResult {
    if let Some(root) = root {
        for text in [&mut result.stdout, &mut result.stderr] {
            if text.contains(root) {
                *text = text.replace(root, "/workspaces");
            }
        }
    }
    result
}

/// The answer as text for minds and tables.
fn told(reply: ScriptReply, hook: &ScriptHook, root: Option<&str>) -> HookText {
    let result = without_root(reply.result, root);
    let (skill_index, hook) = (hook.skill_index, hook.kind);
    HookText { agent: reply.agent, skill_index, hook, result }
}

/// Takes over a Story that the script wrote; gives what the hook did, and the segment.
fn take_over(
    world: &ServeWorld<'_>,
    text: &HookText,
    changes: &[FileChange],
    columns: &mut Columns<'_>,
    row: usize,
    state: &mut ChunkState,
) -> (HookAction, u8) {
    let context = world.context;
    let plain = if text.result.ok { HookAction::Answered } else { HookAction::Failed };
    let (person_story, outcome) = (&mut columns.stories[row], &mut columns.outcomes[row]);
    let date = context.clock.date(context.time);
    let action = match story::written(changes, date) {
        None => return (plain, outcome.segment),
        Some(Err(message)) => {
            rows::trouble(text, "bad-story", message, state);
            return (plain, outcome.segment);
        }
        Some(Ok(segments)) => story::adopt(context, person_story, &mut state.pool, &segments),
    };
    *outcome = story::keep_up(context, person_story, &state.pool, action);
    if count(action, state) {
        write_story(context, columns.ids[row], person_story, state);
    }
    (action, outcome.segment)
}

/// Follows the Stories of the persons whom scripts guide and no native skill does.
fn keep_up(
    world: &ServeWorld<'_>,
    chunks: &mut Chunks,
    columns: &mut Columns<'_>,
    served: &[Option<HookAction>],
) {
    let natives: Vec<Vec<bool>> = (world.skills.registry.natives(HookType::PreStep))
        .map(|(index, _)| world.skills.sets.holding(index))
        .collect();
    for (row, action) in served.iter().enumerate() {
        let set = usize::from(columns.activations[row].active.0);
        // Who has a new Story was brought up to the clock when it was taken over.
        let waits = *action == Some(HookAction::None);
        if !waits || natives.iter().any(|holding| holding[set]) {
            continue;
        }
        let (story, state) = (&mut columns.stories[row], &mut chunks.states[row / chunks.len]);
        let quiet = HookAction::None;
        columns.outcomes[row] = story::keep_up(world.context, story, &state.pool, quiet);
    }
    for (state, stories) in chunks.states.iter_mut().zip(columns.stories.chunks_mut(chunks.len)) {
        state.pool.compact(stories);
    }
}
