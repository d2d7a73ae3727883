//! The desk where minds ask the environment: calls queue, phase `serve` answers, `act` carries out.

use bevy_ecs::resource::Resource;
use serde::{Deserialize, Serialize};

use crate::agent::environment_call::{EnvironmentAct, EnvironmentAnswer, EnvironmentCall};
use crate::base::ids::AgentId;

/// Calls of tools of the environment and what came of them.
///
/// All answers of a tick are from the state before anybody acts in it, so who asks first shows
/// nowhere.
#[derive(Resource, Default, Serialize, Deserialize)]
pub struct EnvironmentDesk {
    calls: Vec<EnvironmentCall>,
    answers: Vec<EnvironmentAnswer>,
    /// Those of one agent in the order of the calls.
    acts: Vec<(AgentId, EnvironmentAct)>,
}

impl EnvironmentDesk {
    /// Queues a call for the next `serve`. Calls of one agent are answered in the order in which
    /// they were queued.
    pub fn ask(&mut self, call: EnvironmentCall) {
        self.calls.push(call);
    }

    /// The answers so far, one for each call, by tick and then by agent.
    pub fn take_answers(&mut self) -> Vec<EnvironmentAnswer> {
        std::mem::take(&mut self.answers)
    }

    /// The calls that wait, by agent.
    pub(super) fn take_calls(&mut self) -> Vec<EnvironmentCall> {
        let mut calls = std::mem::take(&mut self.calls);
        calls.sort_by_key(|call| call.agent);
        calls
    }

    /// Takes an answer, and what is to be done for it.
    pub(super) fn put(&mut self, answer: EnvironmentAnswer, act: Option<EnvironmentAct>) {
        self.acts.extend(act.map(|act| (answer.agent, act)));
        self.answers.push(answer);
    }

    /// Notes what is to be done for somebody.
    pub(super) fn note(&mut self, agent: AgentId, act: EnvironmentAct) {
        self.acts.push((agent, act));
    }

    /// What is to be done in this tick, by agent.
    pub(super) fn take_acts(&mut self) -> Vec<(AgentId, EnvironmentAct)> {
        let mut acts = std::mem::take(&mut self.acts);
        acts.sort_by_key(|(agent, _)| *agent);
        acts
    }
}
