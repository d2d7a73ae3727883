//! Phase 8: what everybody did becomes rows. Nothing is encoded here: a writer thread does that.

use bevy_ecs::component::Component;
use bevy_ecs::system::{Query, Res, ResMut};
use serde::{Deserialize, Serialize};

use super::state::{ChunkState, Chunks, LogPolicy, Moment, Rules, Town, sampled, sole_table};
use crate::agent::activity::PlaceKind;
use crate::agent::hook::HookOutcome;
use crate::agent::needs::{NEED_COUNT, Needs};
use crate::agent::person::Person;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::parallel;
use crate::base::units::LngLat;
use crate::environment::Environment;
use crate::record::columns::cell::EpochMs;
use crate::record::tables::log::{NeedRow, StepRow};

/// What the last row of `steps` said of a person, so that a log of changes knows what changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component, Serialize, Deserialize)]
pub struct LastLogged {
    place: PlaceId,
    activity: u8,
    segment: u8,
}

impl LastLogged {
    /// Nothing was logged yet.
    pub const NOTHING: Self = Self { place: PlaceId::NONE, activity: u8::MAX, segment: u8::MAX };
}

/// The columns that rows are made of.
type Columns = (
    &'static AgentId,
    &'static Person,
    &'static Whereabouts,
    &'static Trip,
    &'static Needs,
    &'static HookOutcome,
    &'static mut LastLogged,
);

/// Counts where everybody is and writes the rows of `steps` and `needs` that the policy keeps.
pub fn log(
    moment: Res<Moment>,
    rules: Res<Rules>,
    town: Res<Town>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<Columns>,
) {
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((ids, persons, whereabouts, trips, needs, outcomes, mut last)) = sole_table(tables)
    else {
        return;
    };
    let Chunks { len, states } = &mut *chunks;
    let work: Vec<_> = ids
        .chunks(*len)
        .zip(persons.chunks(*len))
        .zip(whereabouts.chunks(*len))
        .zip(trips.chunks(*len))
        .zip(needs.chunks(*len))
        .zip(outcomes.chunks(*len))
        .zip(last.bypass_change_detection().chunks_mut(*len))
        .zip(states)
        .collect();
    parallel::for_each(
        work,
        |(((((((ids, persons), at), trips), needs), outcomes), last), state)| {
            let batch = Batch { ids, persons, at, trips, needs, outcomes };
            tally(&batch, &town.0, state);
            write_steps(&batch, &moment.0, &rules, &town.0, last, state);
            write_levels(&batch, &moment.0, &rules, state);
        },
    );
}

struct Batch<'a> {
    ids: &'a [AgentId],
    persons: &'a [Person],
    at: &'a [Whereabouts],
    trips: &'a [Trip],
    needs: &'a [Needs],
    outcomes: &'a [HookOutcome],
}

/// Levels are summed in whole units so that the sum is the same in any grouping.
const LEVEL_UNIT: f32 = 16_777_216.0;

/// Full levels whose sum fits in 32 bits, less than 2^32 / 2^24.
const LEVELS_PER_SUM: usize = 128;

fn tally(batch: &Batch<'_>, town: &Environment, state: &mut ChunkState) {
    let tally = &mut state.tally;
    for (at, person) in batch.at.iter().zip(batch.persons) {
        let count = if at.travelling() {
            &mut tally.travelling
        } else if at.place == person.home {
            &mut tally.at_home
        } else {
            match town.places.kind(at.place) {
                PlaceKind::Work => &mut tally.at_work,
                PlaceKind::School => &mut tally.at_school,
                _ => &mut tally.at_other,
            }
        };
        *count += 1;
    }
    for needs in batch.needs.chunks(LEVELS_PER_SUM) {
        for (total, sum) in tally.level_sums.iter_mut().zip(level_sums(needs)) {
            *total += u64::from(sum);
        }
    }
}

/// Levels of at most [`LEVELS_PER_SUM`] persons, in units of 1 / [`LEVEL_UNIT`].
fn level_sums(needs: &[Needs]) -> [u32; NEED_COUNT] {
    let mut sums = [0; NEED_COUNT];
    for needs in needs {
        for (sum, level) in sums.iter_mut().zip(needs.0) {
            // By way of i32, which processors convert to; levels are not negative.
            *sum += (level * LEVEL_UNIT) as i32 as u32;
        }
    }
    sums
}

fn write_steps(
    batch: &Batch<'_>,
    context: &StepContext,
    rules: &Rules,
    town: &Environment,
    last: &mut [LastLogged],
    state: &mut ChunkState,
) {
    if rules.steps == LogPolicy::None {
        return;
    }
    let datetime = EpochMs::at(&context.clock, context.time);
    for (index, (at, last)) in batch.at.iter().zip(last).enumerate() {
        let now = LastLogged {
            place: at.place,
            activity: at.activity.code(),
            segment: batch.outcomes[index].segment,
        };
        let kept = match rules.steps {
            LogPolicy::All => true,
            LogPolicy::Changed => now != *last,
            LogPolicy::Sample => sampled(context.seed, batch.ids[index], rules.sample_share),
            LogPolicy::None => false,
        };
        if !kept {
            continue;
        }
        *last = now;
        let LngLat { lng, lat } = position(at, &batch.trips[index], index, context, town, state);
        state.rows.steps.push(StepRow {
            tick: context.tick,
            datetime,
            agent_id: batch.ids[index],
            activity: at.activity,
            place_id: at.place,
            lng: lng as f32,
            lat: lat as f32,
            segment: now.segment,
        });
    }
}

/// Where the person is now: at the place, or along the way.
fn position(
    at: &Whereabouts,
    trip: &Trip,
    index: usize,
    context: &StepContext,
    town: &Environment,
    state: &ChunkState,
) -> LngLat {
    if !at.travelling() {
        return town.place_lng_lat(at.place);
    }
    let path = state.paths.get(&(index as u32)).map_or(&[][..], Vec::as_slice);
    town.projection.to_lng_lat(town.position(trip, path, context.time))
}

fn write_levels(batch: &Batch<'_>, context: &StepContext, rules: &Rules, state: &mut ChunkState) {
    if rules.levels == LogPolicy::None {
        return;
    }
    let datetime = EpochMs::at(&context.clock, context.time);
    for (id, needs) in batch.ids.iter().zip(batch.needs) {
        let kept =
            rules.levels != LogPolicy::Sample || sampled(context.seed, *id, rules.sample_share);
        if kept {
            let [hunger, energy, safety, social] = needs.0;
            state.rows.levels.push(NeedRow {
                tick: context.tick,
                datetime,
                agent_id: *id,
                hunger,
                energy,
                safety,
                social,
            });
        }
    }
}
