//! Mind to environment and back: a typed call of a tool, its answer, and what is to be done.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::activity::{Activity, words};
use super::message::MessageKind;
use crate::base::ids::{AgentId, PlaceId};

words! {
    /// How far a call came: AgentSociety's words for the results of its routers.
    AnswerStatus {
        /// Answered.
        Success = "success",
        /// Refused, or it cannot be done.
        Fail = "fail",
        /// An act that the phase `act` of the same tick carries out.
        InProgress = "in_progress",
        /// No tool is called like that.
        Unknown = "unknown",
    }
}

/// One person's call of a tool of the environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentCall {
    /// Who asks.
    pub agent: AgentId,
    /// Name of the tool, or another name that it answers to.
    pub tool: String,
    /// Its arguments by name.
    pub arguments: Map<String, Value>,
    /// Whether nothing may change: acts are then refused.
    pub readonly: bool,
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentAnswer {
    /// Who asked.
    pub agent: AgentId,
    /// Whether the call is well.
    pub ok: bool,
    /// How far it came.
    pub status: AnswerStatus,
    /// What was asked for; `null` where there is nothing.
    pub value: Value,
    /// The same in words, or why not.
    pub text: String,
}

impl EnvironmentAnswer {
    /// A call that came to nothing.
    pub fn refused(agent: AgentId, status: AnswerStatus, text: String) -> Self {
        Self { agent, ok: false, status, value: Value::Null, text }
    }

    /// The answer as a document, in the shape of a call that was passed on to the environment
    /// (contract 1.8 of AgentSociety).
    pub fn document(&self) -> Value {
        serde_json::json!({
            "redirected_to": "ask_env",
            "ok": self.ok,
            "status": self.status.word(),
            "value": self.value,
            "text": self.text,
        })
    }
}

/// What a call asks to be done, checked; carried out by `step::act`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EnvironmentAct {
    /// Leave for a place.
    MoveTo {
        /// Where to.
        place: PlaceId,
        /// What for.
        purpose: Activity,
    },
    /// Do this where one is; `None` is what one came for.
    Do(Option<Activity>),
    /// Write to somebody.
    Send {
        /// To whom.
        to: AgentId,
        /// What about.
        kind: MessageKind,
    },
}
