//! The phase: reads the mind's columns, writes an intent.

use bevy_ecs::system::{Query, Res, ResMut, SystemParam};

use super::sight::Sight;
use super::trees::Grove;
use crate::agent::hook::{HookAction, HookOutcome};
use crate::agent::intent::Intent;
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::{LocationPolicy, Segment, Story};
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::behaviour::people::{Everybody, Forest};
use crate::step::state::{
    ChunkState, ChunkTrees, Chunks, Mail, Moment, Rules, Skills, Town, agent_range, sole_table,
};

/// What persons decide from.
type Columns = (
    &'static AgentId,
    &'static Person,
    &'static Perception,
    &'static mut Needs,
    &'static Story,
    &'static HookOutcome,
    &'static mut Intent,
);

/// What decisions are made with.
#[derive(SystemParam)]
pub struct Desk<'w, 's> {
    moment: Res<'w, Moment>,
    rules: Res<'w, Rules>,
    town: Res<'w, Town>,
    skills: Res<'w, Skills>,
    mail: Res<'w, Mail>,
    sight: ResMut<'w, Sight>,
    chunks: ResMut<'w, Chunks>,
    people: Query<'w, 's, Columns>,
}

/// Writes the intents of all persons: what their trees want, or else their Stories.
pub fn decide(desk: Desk<'_, '_>) {
    let Desk { moment, rules, town, skills, mail, mut sight, mut chunks, mut people } = desk;
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some(columns) = sole_table(tables) else { return };
    let (ids, persons, perceptions, mut needs, stories, outcomes, mut intents) = columns;
    let needs = needs.bypass_change_detection();
    let forest = &**skills.registry.forest();
    sight.look(forest, perceptions, town.0.places.len());
    let everybody = Everybody {
        context: &moment.0,
        persons,
        perceptions,
        needs: &*needs,
        kinds: town.0.places.kinds(),
        crowds: &sight.crowds,
        forest,
        shown: &sight.shown,
    };
    let Chunks { len, states } = &mut *chunks;
    let work: Vec<_> = ids
        .chunks(*len)
        .zip(perceptions.chunks(*len))
        .zip(persons.chunks(*len))
        .zip(stories.chunks(*len))
        .zip(outcomes.chunks(*len))
        .zip(intents.bypass_change_detection().chunks_mut(*len))
        .zip(states.iter_mut())
        .collect();
    parallel::for_each(work, |(columns, state)| {
        let (((((ids, perceptions), persons), stories), outcomes), intents) = columns;
        if !forest.trees.is_empty() {
            let inbox = mail.0.for_agents(agent_range(ids));
            let (rules, skills) = (&*rules, &*skills);
            let grove = Grove { everybody, rules, skills, ids, stories, outcomes, inbox };
            grove.tick(state);
        }
        let batch = Batch { persons, perceptions, stories, outcomes };
        batch.decide(intents, state);
    });
    if !forest.trees.is_empty() {
        settle(forest, *len, states, needs, &mut sight);
    }
}

/// After all have decided: needs that trees set become so, and slots are shown to others.
fn settle(
    forest: &Forest,
    len: usize,
    states: &mut [ChunkState],
    needs: &mut [Needs],
    sight: &mut Sight,
) {
    let work = states.iter_mut().zip(needs.chunks_mut(len)).collect();
    parallel::for_each(work, |(state, needs): (&mut ChunkState, &mut [Needs])| {
        for (row, levels) in state.trees.letters.needs.drain(..) {
            needs[row as usize] = levels;
        }
    });
    sight.show_all(forest, len, states);
}

/// The columns of one chunk that Stories are followed with.
struct Batch<'a> {
    persons: &'a [Person],
    perceptions: &'a [Perception],
    stories: &'a [Story],
    outcomes: &'a [HookOutcome],
}

impl Batch<'_> {
    fn decide(&self, intents: &mut [Intent], state: &mut ChunkState) {
        let ChunkState { pool, trees, .. } = state;
        let ChunkTrees { wishes, held, .. } = trees;
        for (index, intent) in intents.iter_mut().enumerate() {
            let mut is_free = false;
            if let Some(wish) = wishes.get(index) {
                let was_held = std::mem::replace(&mut held[index], wish.is_some());
                if let Some(wish) = wish {
                    *intent = *wish;
                    continue;
                }
                // Whom a tree has let go may be anywhere: the Story is looked at anew.
                is_free = was_held;
            }
            let (perception, outcome) = (&self.perceptions[index], self.outcomes[index]);
            if !is_free && is_settled(*intent, outcome, perception) {
                *intent = Intent::Continue;
                continue;
            }
            let segments = pool.of(&self.stories[index]);
            let cursor = usize::from(outcome.segment);
            *intent = follow_story(&self.persons[index], perception, segments, cursor);
        }
    }
}

/// Whether what was decided last still goes on: the same segment of the same Story, nobody arrived,
/// and the last intent was not to leave, which may have failed. Most persons in most ticks; the
/// columns of persons and Stories are then not read.
#[inline]
fn is_settled(last: Intent, outcome: HookOutcome, perception: &Perception) -> bool {
    outcome.action == HookAction::Follow
        && !perception.arrived
        && !matches!(last, Intent::Go { .. } | Intent::MoveTo { .. })
}

/// What the Story asks for now.
///
/// On a transit segment: leave for the segment after it. On any other: be where its policy says.
/// A policy that names no fixed place is satisfied by the stay that was made for the segment.
fn follow_story(
    person: &Person,
    perception: &Perception,
    segments: &[Segment],
    cursor: usize,
) -> Intent {
    let Some(current) = segments.get(cursor).filter(|_| perception.place.is_some()) else {
        return Intent::Continue;
    };
    let wanted = if current.policy == LocationPolicy::Transit {
        match segments.get(cursor + 1) {
            Some(next) if next.policy != LocationPolicy::Transit => next,
            _ => return Intent::Continue,
        }
    } else {
        current
    };
    let there = match wanted.policy {
        LocationPolicy::Home => perception.place == person.home,
        LocationPolicy::Work => perception.place == person.work,
        LocationPolicy::School => perception.place == person.school,
        LocationPolicy::Here => true,
        LocationPolicy::NearHome
        | LocationPolicy::NearWork
        | LocationPolicy::City
        | LocationPolicy::Transit => perception.segment == wanted.id,
    };
    if there {
        Intent::Do { activity: wanted.activity, segment: wanted.id }
    } else {
        Intent::Go {
            purpose: wanted.activity,
            policy: wanted.policy,
            segment: wanted.id,
            origin: wanted.origin,
        }
    }
}
