//! What leaves a mind, and what comes back.

use serde::{Deserialize, Serialize};
use ustr::Ustr;

use crate::agent::message::Message;
use crate::agent::needs::Needs;
use crate::base::ids::AgentId;
use crate::behaviour::tree::NodeIndex;
use crate::behaviour::value::Value;

/// All that the minds of one chunk of persons send in one tick, by rising person.
#[derive(Debug, Default)]
pub struct Letters {
    /// To other persons.
    pub outbox: Vec<Message>,
    /// Needs that were set: row in the chunk, new levels.
    pub needs: Vec<(u32, Needs)>,
    /// To scripts and the environment.
    pub requests: Vec<Request>,
    /// To whoever answers.
    pub questions: Vec<Question>,
    /// Skills that ended.
    pub finished: Vec<Finished>,
    /// Statuses that the nodes of the tree that is ticked had last; 0 for those not reached.
    pub visited: Vec<u8>,
}

/// A request, answered in the next tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who asks.
    pub agent: AgentId,
    /// Which tree: an index of the forest.
    pub tree: usize,
    /// Which leaf.
    pub node: NodeIndex,
    /// What is asked.
    pub kind: RequestKind,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RequestKind {
    /// To run the script of the leaf with these arguments.
    Script(Vec<Value>),
    /// To go on with a tree in Python that waited for an answer.
    Resume {
        /// Where it was, in JSON.
        state: String,
        /// The answer.
        answer: String,
    },
    /// To call a tool of the environment with named arguments.
    Environment {
        /// The tool.
        tool: Ustr,
        /// Its arguments.
        arguments: Vec<(Ustr, Value)>,
    },
}

/// A question that somebody has to answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Who waits.
    pub agent: AgentId,
    /// Which tree: an index of the forest.
    pub tree: usize,
    /// Which leaf.
    pub node: NodeIndex,
    /// The question.
    pub text: Ustr,
    /// Where a tree in Python goes on from when it is answered, in JSON; a leaf of another tree
    /// hears the answer itself.
    pub state: Option<String>,
}

/// The answer to a request or a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Who asked.
    pub agent: AgentId,
    /// Which tree: an index of the forest.
    pub tree: usize,
    /// Which leaf.
    pub node: NodeIndex,
    /// Whether what was asked for was done.
    pub ok: bool,
    /// The answer.
    pub text: String,
}

/// A skill that ended for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The person.
    pub agent: AgentId,
    /// Which tree: an index of the forest.
    pub tree: usize,
    /// What came of it: the result if there is one, and the outputs, by name.
    pub outputs: Vec<(String, Value)>,
}
