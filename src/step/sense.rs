//! Phase 2: each person perceives where they are, whether they just arrived, and their mail.

use bevy_ecs::system::{Query, Res};

use super::state::{Chunks, Mail, Moment, agent_range, sole_table};
use crate::agent::perception::Perception;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::ids::AgentId;
use crate::base::parallel;

/// Writes the perceptions of all persons.
pub fn sense(
    moment: Res<Moment>,
    mail: Res<Mail>,
    chunks: Res<Chunks>,
    mut people: Query<(&AgentId, &Whereabouts, &Trip, &mut Perception)>,
) {
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((ids, whereabouts, trips, mut perceptions)) = sole_table(tables) else { return };
    let work: Vec<_> = ids
        .chunks(chunks.len)
        .zip(whereabouts.chunks(chunks.len))
        .zip(trips.chunks(chunks.len))
        .zip(perceptions.bypass_change_detection().chunks_mut(chunks.len))
        .collect();
    let tick_s = moment.0.clock.tick_s();
    let now = moment.0.time;
    parallel::for_each(work, |(((ids, whereabouts), trips), perceptions)| {
        for ((perception, at), trip) in perceptions.iter_mut().zip(whereabouts).zip(trips) {
            *perception = Perception {
                place: at.place,
                purpose: at.purpose,
                segment: at.segment,
                // The trip is looked at last: few stays have just begun.
                arrived: now.since(at.since) < tick_s && !at.travelling() && trip.count > 0,
                since: at.since,
                message_count: 0,
            };
        }
        for message in mail.0.for_agents(agent_range(ids)) {
            let perception = &mut perceptions[message.to.index() - ids[0].index()];
            perception.message_count = perception.message_count.saturating_add(1);
        }
    });
}
