//! World to mind: what one person perceives in one tick.

use bevy_ecs::component::Component;

use super::activity::Activity;
use super::person::Person;
use crate::base::ids::PlaceId;

/// What one person perceives at the start of a tick; written by `step::sense`, read by skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component)]
pub struct Perception {
    /// The place the person is at; [`PlaceId::NONE`] on a trip.
    pub place: PlaceId,
    /// Purpose of the stay or trip.
    pub purpose: Activity,
    /// Story segment that the stay or trip serves.
    pub segment: u8,
    /// Whether the person arrived since the last tick.
    pub arrived: bool,
    /// Seconds by which the last arrival was after the planned start of its segment; 0 if in time.
    pub late_s: u16,
    /// Messages received since the last tick.
    pub message_count: u16,
}

impl Perception {
    /// Perceives nothing yet: at home.
    pub fn at_home(person: &Person) -> Self {
        Self {
            place: person.home,
            purpose: Activity::Home,
            segment: 0,
            arrived: false,
            late_s: 0,
            message_count: 0,
        }
    }
}
