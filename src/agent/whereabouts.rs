//! Where a person is: at a place, or on a trip. Never both, never neither.

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

use super::activity::{Activity, Mode};
use super::plan::Origin;
use crate::base::ids::PlaceId;
use crate::base::time::SimTime;

/// What the person is doing and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component, Serialize, Deserialize)]
pub struct Whereabouts {
    /// The place of the stay; [`PlaceId::NONE`] while on a trip.
    pub place: PlaceId,
    /// When the stay or the trip began.
    pub since: SimTime,
    /// What the person does now ([`Activity::Travel`] on a trip).
    pub activity: Activity,
    /// What the person came here for: the purpose of the stay, or of the trip under way.
    pub purpose: Activity,
    /// `Segment::id` of the Story segment that the stay or the trip serves.
    pub segment: u8,
    /// Why that segment is in the Story.
    pub origin: Origin,
}

impl Whereabouts {
    /// Whether the person is on a trip.
    #[inline]
    pub const fn travelling(&self) -> bool {
        !self.place.is_some()
    }
}

/// The trip under way, or the last one made.
#[derive(Debug, Clone, Copy, PartialEq, Component, Serialize, Deserialize)]
pub struct Trip {
    /// Where it began.
    pub origin: PlaceId,
    /// Where it ends.
    pub destination: PlaceId,
    /// When it began.
    pub depart: SimTime,
    /// When it ends; [`SimTime::NEVER`] if no trip is under way.
    pub arrive: SimTime,
    /// Length in metres, along the network where there is one.
    pub distance_m: f32,
    /// Number of trips begun so far; the trip's index is this minus one.
    pub count: u16,
    /// Main mode.
    pub mode: Mode,
}

impl Trip {
    /// No trip made yet.
    pub const NONE: Self = Self {
        origin: PlaceId::NONE,
        destination: PlaceId::NONE,
        depart: SimTime(0),
        arrive: SimTime::NEVER,
        distance_m: 0.0,
        count: 0,
        mode: Mode::Walk,
    };
}
