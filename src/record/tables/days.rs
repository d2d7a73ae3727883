//! What happened and what was planned: stays, trips, legs, Stories.

use super::table::{Table, TableId, TableSpec, buffer, is_optional, table, unit};
use crate::agent::activity::{Activity, Mode};
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Origin};
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::Tick;
use crate::record::columns::cell::{EpochDay, EpochMs};
use crate::record::columns::data::{Column, ColumnData};
use crate::record::columns::kind::ColumnSpec;

table! {
    /// One row per stay of a person at a place.
    Stays, StayRow {
        /// The person.
        agent_id: AgentId,
        /// Number of the stay among the person's stays, from 0.
        stay_index: u16,
        /// Where.
        place_id: PlaceId,
        /// What the person did.
        activity: Activity,
        /// When the stay began.
        start: EpochMs,
        /// When it ended; the end of the run if it was still going on.
        end: EpochMs,
        /// Longitude, WGS 84.
        lng: f64 [unit "degree"],
        /// Latitude, WGS 84.
        lat: f64 [unit "degree"],
        /// Why: the origin of the Story segment that the stay serves.
        origin: Origin,
    }
}

table! {
    /// One row per trip: the move from one stay to the next.
    Trips, TripRow {
        /// The person.
        agent_id: AgentId,
        /// Number of the trip among the person's trips, from 0.
        trip_index: u16,
        /// Activity at the destination.
        purpose: Activity,
        /// Main mode.
        mode: Mode,
        /// Departure.
        depart: EpochMs,
        /// Arrival; the planned one if the run ended before.
        arrive: EpochMs,
        /// Arrival minus departure.
        duration_s: u32 [unit "s"],
        /// Length, along the network where there is one.
        distance_m: f32 [unit "m"],
        /// Where it began.
        origin_place: PlaceId,
        /// Where it ends.
        destination_place: PlaceId,
        /// Whether the person arrived before the run ended.
        completed: bool,
    }
}

table! {
    /// One row per leg: the part of a trip made by one mode.
    Legs, LegRow {
        /// The person.
        agent_id: AgentId,
        /// The trip, as in table trips.
        trip_index: u16,
        /// Number of the leg within the trip, from 0.
        leg_index: u8,
        /// Mode.
        mode: Mode,
        /// Departure.
        depart: EpochMs,
        /// Arrival.
        arrive: EpochMs,
        /// Length, along the network where there is one.
        distance_m: f32 [unit "m"],
    }
}

table! {
    /// One row per segment, each time a Story is formed or revised.
    Stories, StoryRow {
        /// The person.
        agent_id: AgentId,
        /// Tick in which the Story was formed or revised.
        tick: Tick,
        /// The day the Story is for.
        day: EpochDay,
        /// Revisions of that day's Story so far; 0 when it is formed.
        revision: u8,
        /// Number of the segment within the Story, from 0.
        segment_index: u8,
        /// Planned start, in minutes after the day's midnight.
        start_min: u16 [unit "min"],
        /// Planned end, in minutes after the day's midnight; may pass 1440.
        end_min: u16 [unit "min"],
        /// What to do.
        activity: Activity,
        /// Where.
        location_policy: LocationPolicy,
        /// Maslow need served.
        maslow_need: MaslowNeed,
        /// How binding.
        binding: Binding,
        /// Why the segment is there.
        origin: Origin,
    }
}
