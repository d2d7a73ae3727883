//! Mind to world: what one person wants in one tick.

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

use super::activity::Activity;
use super::plan::{LocationPolicy, Origin};
use crate::base::ids::PlaceId;

/// What one person wants to do now; written by `step::decide`, carried out by `step::act`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component, Serialize, Deserialize)]
pub enum Intent {
    /// Go on with what is under way.
    Continue,
    /// Stay here and do this.
    Do {
        /// What.
        activity: Activity,
        /// `Segment::id` of the segment served.
        segment: u8,
    },
    /// Leave for this place, or stay if that is here.
    MoveTo {
        /// Where to.
        place: PlaceId,
        /// What for.
        purpose: Activity,
        /// Names what is served, as `Segment::id` does.
        segment: u8,
    },
    /// Leave for a place where `policy` allows `purpose`.
    Go {
        /// What for.
        purpose: Activity,
        /// Where.
        policy: LocationPolicy,
        /// `Segment::id` of the segment served on arrival.
        segment: u8,
        /// Why that segment is in the Story.
        origin: Origin,
    },
}
