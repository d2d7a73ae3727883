//! Runs native hooks over all chunks: shared by the phases `pre_step` and `post_step`.

use bevy_ecs::system::{Query, Res, ResMut, SystemParam};

use super::state::{
    ChunkState, Chunks, LogPolicy, Mail, Moment, Rules, Skills, StepFailure, agent_range, sampled,
    sole_table,
};
use crate::agent::activation::Activation;
use crate::agent::hook::{HookAction, HookOutcome, HookType};
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::Story;
use crate::agent::request::ErrorType;
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::record::columns::cell::{EpochDay, EpochMs};
use crate::record::tables::days::StoryRow;
use crate::record::tables::log::HookRow;
use crate::skill::hook::HookChunk;
use crate::skill::native::NativeSkill;

/// The columns a hook sees.
pub type HookColumns = (
    &'static AgentId,
    &'static Person,
    &'static Perception,
    &'static Whereabouts,
    &'static Activation,
    &'static mut Needs,
    &'static mut Story,
    &'static mut HookOutcome,
);

/// What native hooks of either type work with.
#[derive(SystemParam)]
pub struct HookDesk<'w, 's> {
    moment: Res<'w, Moment>,
    rules: Res<'w, Rules>,
    skills: Res<'w, Skills>,
    mail: Res<'w, Mail>,
    chunks: ResMut<'w, Chunks>,
    people: Query<'w, 's, HookColumns>,
}

/// What the hooks of a phase read beside the columns.
struct HookWorld<'a> {
    moment: &'a Moment,
    rules: &'a Rules,
    skills: &'a Skills,
    mail: &'a Mail,
}

/// One native skill that has the hook.
struct Hook<'a> {
    index: usize,
    id: &'a str,
    kind: HookType,
    native: &'a dyn NativeSkill,
    holding: Vec<bool>,
}

/// The columns of one chunk.
struct Batch<'a> {
    ids: &'a [AgentId],
    persons: &'a [Person],
    perceptions: &'a [Perception],
    whereabouts: &'a [Whereabouts],
    activations: &'a [Activation],
    needs: &'a mut [Needs],
    stories: &'a mut [Story],
    outcomes: &'a mut [HookOutcome],
    state: &'a mut ChunkState,
}

/// Runs every native hook of type `kind` in skill-id order, chunks in parallel.
pub fn run(kind: HookType, desk: HookDesk<'_, '_>) {
    let HookDesk { moment, rules, skills, mail, mut chunks, mut people } = desk;
    let world = &HookWorld { moment: &moment, rules: &rules, skills: &skills, mail: &mail };
    let hooks: Vec<Hook<'_>> = world
        .skills
        .registry
        .natives(kind)
        .map(|(index, native)| Hook {
            index,
            id: &world.skills.registry.skills()[index].id,
            kind,
            native,
            holding: world.skills.sets.holding(index),
        })
        .collect();
    if hooks.is_empty() {
        return;
    }
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some(columns) = sole_table(tables) else { return };
    let (ids, persons, perceptions, whereabouts, activations, ..) = columns;
    let (.., mut needs, mut stories, mut outcomes) = columns;
    let Chunks { len, states } = &mut *chunks;
    let batches: Vec<Batch<'_>> = ids
        .chunks(*len)
        .zip(persons.chunks(*len))
        .zip(perceptions.chunks(*len))
        .zip(whereabouts.chunks(*len))
        .zip(activations.chunks(*len))
        .zip(needs.bypass_change_detection().chunks_mut(*len))
        .zip(stories.bypass_change_detection().chunks_mut(*len))
        .zip(outcomes.bypass_change_detection().chunks_mut(*len))
        .zip(states)
        .map(|(columns, state)| {
            let ((((who, activations), needs), stories), outcomes) = columns;
            let (((ids, persons), perceptions), whereabouts) = who;
            Batch {
                ids,
                persons,
                perceptions,
                whereabouts,
                activations,
                needs,
                stories,
                outcomes,
                state,
            }
        })
        .collect();
    parallel::for_each(batches, |batch| run_batch(world, &hooks, batch));
}

fn run_batch(world: &HookWorld<'_>, hooks: &[Hook<'_>], batch: Batch<'_>) {
    let context = &world.moment.0;
    let mut scratch = vec![HookOutcome::NONE; batch.ids.len()];
    for hook in hooks {
        scratch.fill(HookOutcome::NONE);
        let mut chunk = HookChunk {
            context,
            ids: batch.ids,
            persons: batch.persons,
            perceptions: batch.perceptions,
            whereabouts: batch.whereabouts,
            needs: &mut *batch.needs,
            need_rates: &world.rules.needs,
            stories: &mut *batch.stories,
            pool: &mut batch.state.pool,
            outcomes: &mut scratch,
            inbox: world.mail.0.for_agents(agent_range(batch.ids)),
            outbox: &mut batch.state.outbox,
            failures: &mut batch.state.hook_failures,
            activations: batch.activations,
            holding: &hook.holding,
            skill_index: hook.index,
        };
        match hook.kind {
            HookType::PreStep => hook.native.pre_step(&mut chunk),
            HookType::PostStep => hook.native.post_step(&mut chunk),
        }
        keep_failures(hook, batch.state);
        keep_outcomes(context, world.rules, hook, &scratch, batch.ids, batch.stories, batch.state);
        for (column, outcome) in batch.outcomes.iter_mut().zip(&scratch) {
            if outcome.action != HookAction::None {
                *column = *outcome;
            }
        }
    }
}

fn keep_failures(hook: &Hook<'_>, state: &mut ChunkState) {
    for failure in state.hook_failures.drain(..) {
        state.failures.push(StepFailure {
            agent: failure.agent,
            phase: hook.kind.word(),
            skill_index: Some(failure.skill_index),
            code: failure.code,
            message: failure.message,
        });
    }
}

/// Counts what the hook did and writes its rows: `hooks`, and `stories` where one was formed or
/// revised.
fn keep_outcomes(
    context: &StepContext,
    rules: &Rules,
    hook: &Hook<'_>,
    outcomes: &[HookOutcome],
    ids: &[AgentId],
    stories: &[Story],
    state: &mut ChunkState,
) {
    let datetime = EpochMs::at(&context.clock, context.time);
    for (index, outcome) in outcomes.iter().enumerate() {
        let quiet = matches!(outcome.action, HookAction::None | HookAction::Follow);
        if quiet && matches!(rules.hooks, LogPolicy::Changed | LogPolicy::None) {
            continue;
        }
        if count(outcome.action, state) {
            write_story(context, ids[index], &stories[index], state);
        }
        let kept = match rules.hooks {
            LogPolicy::All => outcome.action != HookAction::None,
            LogPolicy::Changed => true,
            LogPolicy::Sample => sampled(context.seed, ids[index], rules.sample_share),
            LogPolicy::None => false,
        };
        if kept {
            state.rows.hooks.push(HookRow {
                tick: context.tick,
                datetime,
                agent_id: ids[index],
                skill_id: hook.id,
                hook: hook.kind,
                action: outcome.action,
                segment: outcome.segment,
                error_type: ErrorType::None,
                output: "",
            });
        }
    }
}

/// Counts the action; gives whether it changed the Story's segments.
pub(super) fn count(action: HookAction, state: &mut ChunkState) -> bool {
    let counter = match action {
        HookAction::Created => &mut state.tally.stories_created,
        HookAction::RevisedNeed | HookAction::Contacted => &mut state.tally.revised_need,
        HookAction::RevisedAsked => &mut state.tally.revised_asked,
        HookAction::RevisedLate => &mut state.tally.revised_late,
        _ => return false,
    };
    *counter += 1;
    true
}

pub(super) fn write_story(
    context: &StepContext,
    agent: AgentId,
    story: &Story,
    state: &mut ChunkState,
) {
    let day = EpochDay::at(&context.clock, context.time);
    for (segment_index, segment) in state.pool.of(story).iter().enumerate() {
        state.rows.stories.push(StoryRow {
            agent_id: agent,
            tick: context.tick,
            day,
            revision: story.revision,
            segment_index: segment_index as u8,
            start_min: segment.start_min,
            end_min: segment.end_min,
            activity: segment.activity,
            location_policy: segment.policy,
            maslow_need: segment.need,
            binding: segment.binding,
            origin: segment.origin,
        });
    }
}
