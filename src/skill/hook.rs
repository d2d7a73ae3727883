//! What a hook gets: the columns of one chunk of agents, and where it puts what it did.

use crate::agent::activation::{Activation, SkillSetId};
use crate::agent::hook::HookOutcome;
use crate::agent::message::Message;
use crate::agent::needs::{NeedRates, Needs};
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::plan::{Story, StoryPool};
use crate::agent::whereabouts::Whereabouts;
use crate::base::context::StepContext;
use crate::base::ids::AgentId;

/// A failure of one agent's skill, for table `failures`. The agent idles this tick; the run goes
/// on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookFailure {
    /// The agent.
    pub agent: AgentId,
    /// Index of the skill in the registry.
    pub skill_index: usize,
    /// Short stable code.
    pub code: &'static str,
    /// What happened.
    pub message: String,
}

/// One chunk of agents as a skill sees it. All slices have the same length and order: that of
/// rising [`AgentId`].
pub struct HookChunk<'a> {
    /// The moment.
    pub context: &'a StepContext,
    /// Who they are.
    pub ids: &'a [AgentId],
    /// Their attributes.
    pub persons: &'a [Person],
    /// What they perceive.
    pub perceptions: &'a [Perception],
    /// Where they are.
    pub whereabouts: &'a [Whereabouts],
    /// Their needs.
    pub needs: &'a mut [Needs],
    /// How needs change and when they are urgent.
    pub need_rates: &'a NeedRates,
    /// Their Stories.
    pub stories: &'a mut [Story],
    /// The segments of the Stories.
    pub pool: &'a mut StoryPool,
    /// What the hook did.
    pub outcomes: &'a mut [HookOutcome],
    /// Messages received, sorted by receiver.
    pub inbox: &'a [Message],
    /// Messages to send; delivered next tick.
    pub outbox: &'a mut Vec<Message>,
    /// Failures to report.
    pub failures: &'a mut Vec<HookFailure>,
    /// Their activated skills.
    pub activations: &'a [Activation],
    /// Per skill set: whether it holds the skill that runs now.
    pub holding: &'a [bool],
    /// Index of the skill that runs now.
    pub skill_index: usize,
}

impl HookChunk<'_> {
    /// Number of agents.
    #[inline]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no agent.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether the skill that runs now is active for the `index`-th agent.
    #[inline]
    pub fn is_active(&self, index: usize) -> bool {
        let SkillSetId(set) = self.activations[index].active;
        self.holding[usize::from(set)]
    }
}
