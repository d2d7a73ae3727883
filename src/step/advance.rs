//! Phase 1: the clock has moved; journeys end, needs wear off.

use bevy_ecs::system::{Query, Res, ResMut};

use super::state::{Chunks, Moment, Rows, Rules, Town, sole_table};
use crate::agent::activity::Activity;
use crate::agent::needs::{NeedRates, Needs};
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::time::{HOUR_S, SimTime};
use crate::environment::Environment;
use crate::record::columns::cell::EpochMs;
use crate::record::tables::days::{LegRow, TripRow};

/// Ends the trips whose time has come and lowers the needs by the time since the last tick.
pub fn advance(
    moment: Res<Moment>,
    rules: Res<Rules>,
    town: Res<Town>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<(&AgentId, &mut Needs, &mut Whereabouts, &mut Trip)>,
) {
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((ids, mut needs, mut whereabouts, mut trips)) = sole_table(tables) else { return };
    let Chunks { len, states } = &mut *chunks;
    let work: Vec<_> = ids
        .chunks(*len)
        .zip(needs.bypass_change_detection().chunks_mut(*len))
        .zip(whereabouts.bypass_change_detection().chunks_mut(*len))
        .zip(trips.bypass_change_detection().chunks_mut(*len))
        .zip(states)
        .collect();
    parallel::for_each(work, |((((ids, needs), whereabouts), trips), state)| {
        wear_off(&moment.0, &rules.needs, needs, whereabouts);
        for (index, (trip, whereabouts)) in trips.iter_mut().zip(whereabouts).enumerate() {
            // Only travellers' trips are looked at: fewer bytes to read than all.
            if whereabouts.travelling() && trip.arrive <= moment.0.time {
                state.paths.remove(&(index as u32));
                write_trip(
                    &moment.0,
                    &town.0,
                    ids[index],
                    whereabouts.purpose,
                    trip,
                    &mut state.rows,
                );
                state.tally.arrivals += 1;
                arrive(trip, whereabouts);
            }
        }
    });
}

fn wear_off(
    context: &StepContext,
    rates: &NeedRates,
    needs: &mut [Needs],
    whereabouts: &[Whereabouts],
) {
    if context.tick.0 == 0 {
        return;
    }
    let dt_h = context.clock.tick_s() as f32 / HOUR_S as f32;
    for (needs, whereabouts) in needs.iter_mut().zip(whereabouts) {
        rates.advance(needs, whereabouts.activity, dt_h);
    }
}

fn arrive(trip: &mut Trip, whereabouts: &mut Whereabouts) {
    *whereabouts = Whereabouts {
        place: trip.destination,
        since: trip.arrive,
        activity: whereabouts.purpose,
        ..*whereabouts
    };
    trip.arrive = SimTime::NEVER;
}

/// Writes the row of a trip and those of its legs.
pub fn write_trip(
    context: &StepContext,
    town: &Environment,
    agent: AgentId,
    purpose: Activity,
    trip: &Trip,
    rows: &mut Rows,
) {
    let clock = &context.clock;
    let trip_index = trip.count - 1;
    rows.trips.push(TripRow {
        agent_id: agent,
        trip_index,
        purpose,
        mode: trip.mode,
        depart: EpochMs::at(clock, trip.depart),
        arrive: EpochMs::at(clock, trip.arrive),
        duration_s: trip.arrive.since(trip.depart),
        distance_m: trip.distance_m,
        origin_place: trip.origin,
        destination_place: trip.destination,
        completed: trip.arrive <= context.time,
    });
    let mut from = trip.depart;
    let duration_s = trip.arrive.since(trip.depart);
    let legs = town.travel.legs(trip.mode, trip.distance_m, duration_s);
    for (leg_index, leg) in legs.as_slice().iter().enumerate() {
        let until = from.plus(leg.duration_s);
        rows.legs.push(LegRow {
            agent_id: agent,
            trip_index,
            leg_index: leg_index as u8,
            mode: leg.mode,
            depart: EpochMs::at(clock, from),
            arrive: EpochMs::at(clock, until),
            distance_m: leg.distance_m,
        });
        from = until;
    }
}
