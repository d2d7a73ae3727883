//! All that is outside heads: zones, places, the ways between them and the choice among them.
//!
//! The environment knows no person and no Story; it answers where a place of a kind is, how long
//! the way there takes, and which of several places or modes a traveller takes, given a stream of
//! random numbers. Begin with [`city`], which turns zone totals into [`zone::Zones`] and
//! [`place::Places`]; [`gravity`] draws a destination, [`mode_choice`] a mode, and [`travel`] says
//! what the trip costs, over a road network where a [`travel::Router`] is given and as the crow
//! flies with a detour factor where not.
//!
//! What surprised us: zone files of travel models carry totals but seldom coordinates, so a
//! region must be laid out before anybody can travel in it.

pub mod city;
pub mod error;
pub mod gravity;
pub mod journey;
pub mod mailbox;
pub mod mode_choice;
pub mod network;
pub mod place;
mod scatter;
pub mod tools;
pub mod travel;
pub mod vicinity;
pub mod zone;
pub mod zone_file;

pub use error::EnvironmentError;

use crate::base::units::Projection;

/// Everything outside heads that stays the same during a run.
pub struct Environment {
    /// From the local plane to longitude and latitude.
    pub projection: Projection,
    /// Districts with their totals.
    pub zones: zone::Zones,
    /// Where stays can happen.
    pub places: place::Places,
    /// Where to go for a purpose.
    pub choice: gravity::DestinationChoice,
    /// What a trip costs.
    pub travel: travel::TravelModel,
    /// How to get there.
    pub mode_choice: mode_choice::ModeChoice,
    /// Roads, if the scenario has any.
    pub roads: Option<network::Router>,
}
