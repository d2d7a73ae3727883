//! Skill to mind: the typed outcome of a lifecycle hook. Text is rendered from it on demand.

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

use super::activity::words;
use super::request::ScriptResult;
use crate::base::ids::AgentId;

words! {
    /// When a hook runs.
    HookType {
        /// Before the person decides.
        PreStep = "pre_step",
        /// After the environment answered.
        PostStep = "post_step",
    }
}

words! {
    /// What a native hook did for one person.
    HookAction {
        /// The skill is not active for this person, or had nothing to say.
        None = "none",
        /// The Story stands; the segment is the same as before.
        Follow = "follow",
        /// The clock moved into another segment.
        NextSegment = "next_segment",
        /// A Story was formed for the day.
        Created = "created",
        /// The Story was revised because a need was at its threshold.
        RevisedNeed = "revised_need",
        /// The Story was revised because the person was late.
        RevisedLate = "revised_late",
        /// The Story was revised because a script or somebody asked for it.
        RevisedAsked = "revised_asked",
        /// Company was sought by message.
        Contacted = "contacted",
        /// The hook failed; see table `failures`.
        Failed = "failed",
        /// A script answered; its output is kept beside.
        Answered = "answered",
    }
}

/// Outcome of the hooks of one person in one tick, as typed columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component, Serialize, Deserialize)]
pub struct HookOutcome {
    /// What was done.
    pub action: HookAction,
    /// Segment of the Story that the clock is in; `u8::MAX` where the Story has a gap.
    pub segment: u8,
}

impl HookOutcome {
    /// Nothing was done.
    pub const NONE: Self = Self { action: HookAction::None, segment: u8::MAX };
}

/// What a script hook gave for one person: text for minds, beside the typed [`HookOutcome`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookText {
    /// Whose.
    pub agent: AgentId,
    /// Index of the skill in the registry.
    pub skill_index: usize,
    /// When it ran.
    pub hook: HookType,
    /// What came of it.
    pub result: ScriptResult,
}
