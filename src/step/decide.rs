//! Phase 5: each person decides what to do now. Reads the mind's columns, writes an intent.

use bevy_ecs::system::{Query, ResMut};

use super::state::{Chunks, sole_table};
use crate::agent::hook::{HookAction, HookOutcome};
use crate::agent::intent::Intent;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::{LocationPolicy, Segment, Story};
use crate::base::parallel;

/// Writes the intents of all persons.
pub fn decide(
    mut chunks: ResMut<Chunks>,
    mut people: Query<(&Person, &Perception, &Story, &HookOutcome, &mut Intent)>,
) {
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((persons, perceptions, stories, outcomes, mut intents)) = sole_table(tables) else {
        return;
    };
    let Chunks { len, states } = &mut *chunks;
    let work: Vec<_> = persons
        .chunks(*len)
        .zip(perceptions.chunks(*len))
        .zip(stories.chunks(*len))
        .zip(outcomes.chunks(*len))
        .zip(intents.bypass_change_detection().chunks_mut(*len))
        .zip(states)
        .collect();
    parallel::for_each(
        work,
        |(((((persons, perceptions), stories), outcomes), intents), state)| {
            for (index, intent) in intents.iter_mut().enumerate() {
                if is_settled(*intent, outcomes[index], &perceptions[index]) {
                    *intent = Intent::Continue;
                    continue;
                }
                let segments = state.pool.of(&stories[index]);
                let cursor = usize::from(outcomes[index].segment);
                *intent = follow_story(&persons[index], &perceptions[index], segments, cursor);
            }
        },
    );
}

/// Whether what was decided last still goes on: the same segment of the same Story, nobody arrived,
/// and the last intent was not to leave, which may have failed. Most persons in most ticks; the
/// columns of persons and Stories are then not read.
#[inline]
fn is_settled(last: Intent, outcome: HookOutcome, perception: &Perception) -> bool {
    outcome.action == HookAction::Follow
        && !perception.arrived
        && !matches!(last, Intent::Go { .. })
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
