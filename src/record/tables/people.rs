//! Who and where: persons and places.

use super::table::{Table, TableId, TableSpec, buffer, is_optional, table, unit};
use crate::agent::activity::PlaceKind;
use crate::agent::person::{Role, Sex};
use crate::base::ids::{AgentId, PlaceId};
use crate::record::columns::data::{Column, ColumnData};
use crate::record::columns::kind::ColumnSpec;
use crate::record::columns::text::Texts;

table! {
    /// One row per person, in the order of agent_id; attributes at the start of the run.
    Persons, PersonRow<'a> {
        /// The person in this run, from 0.
        agent_id: AgentId,
        /// The person's number in the source.
        uid: i64,
        /// The household's number in the source.
        household_id: i64,
        /// Members of the household.
        household_size: u16,
        /// Completed years.
        age: u8 [unit "year"],
        /// Sex as recorded by the source.
        sex: Sex,
        /// Main role in daily life.
        role: Role,
        /// Household income per year in the source's currency.
        income: f32 [unit "currency/year"],
        /// Cars of the household.
        cars: u8,
        /// Where the person lives.
        home_place: PlaceId,
        /// Where the person works; empty if nowhere.
        work_place: PlaceId [optional],
        /// Where the person studies; empty if nowhere.
        school_place: PlaceId [optional],
        /// Usual travel time from home to work or school; 0 if neither.
        commute_min: u16 [unit "min"],
        /// Skills active at the start, separated by spaces.
        activated: &'a str => Texts,
    }
}

table! {
    /// One row per place, in the order of place_id.
    Places, PlaceRow {
        /// The place in this run, from 0.
        place_id: PlaceId,
        /// What the place is for.
        kind: PlaceKind,
        /// The zone's number in the source.
        zone_id: i64,
        /// Metres east of the projection's origin.
        x_m: f32 [unit "m"],
        /// Metres north of the projection's origin.
        y_m: f32 [unit "m"],
        /// Longitude, WGS 84.
        lng: f64 [unit "degree"],
        /// Latitude, WGS 84.
        lat: f64 [unit "degree"],
    }
}
