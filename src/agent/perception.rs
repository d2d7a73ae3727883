//! World to mind: what one person perceives in one tick.

use bevy_ecs::component::Component;

use super::activity::Activity;
use super::person::Person;
use crate::base::ids::PlaceId;
use crate::base::time::SimTime;

/// What one person perceives at the start of a tick; written by `step::sense`, read by skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component)]
pub struct Perception {
    /// The place the person is at; [`PlaceId::NONE`] on a trip.
    pub place: PlaceId,
    /// Purpose of the stay or trip.
    pub purpose: Activity,
    /// `Segment::id` of the segment that the stay or trip serves.
    pub segment: u8,
    /// Whether the person arrived since the last tick.
    pub arrived: bool,
    /// When the stay or trip began.
    pub since: SimTime,
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
            since: SimTime(0),
            message_count: 0,
        }
    }
}
