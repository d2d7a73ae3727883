//! Person to person: messages, delivered one tick after they were sent.

use serde::{Deserialize, Serialize};

use super::activity::words;
use crate::base::ids::AgentId;

words! {
    /// What a message is about.
    MessageKind {
        /// A chat: company at a distance.
        Chat = "chat",
        /// An invitation to meet.
        Invite = "invite",
        /// A piece of news.
        News = "news",
    }
}

/// One message. Ordered by receiver, then sender, then sequence: the order of delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Message {
    /// Receiver.
    pub to: AgentId,
    /// Sender.
    pub from: AgentId,
    /// Number of the message among those its sender wrote in the tick.
    pub seq: u16,
    /// What it is about.
    pub kind: MessageKind,
}
