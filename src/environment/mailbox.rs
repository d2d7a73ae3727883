//! Person-to-person mail with two buffers: what is posted in one tick is read in the next.
//!
//! Nobody can read mail of the tick that is under way, so the order in which people act within a
//! tick never shows in what they know.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::agent::message::Message;
use crate::base::ids::AgentId;

/// Messages that one person can send in one tick; the mailbox drops those whose sequence number
/// is this or higher. Own choice: a person who writes to everybody they know within five minutes
/// is a programme, not a person.
pub const MESSAGES_PER_SENDER_MAX: u16 = 16;

/// The mail of all persons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mailbox {
    /// Readable now; sorted by receiver, sender, sequence.
    incoming: Vec<Message>,
    /// Posted since the last delivery, in the order of posting.
    outgoing: Vec<Message>,
}

impl Mailbox {
    /// Takes messages that were written in this tick, one list per chunk of agents in chunk
    /// order. They can be read after the next [`Self::deliver`].
    ///
    /// Gives the number of messages dropped: those past [`MESSAGES_PER_SENDER_MAX`] and those
    /// addressed to [`AgentId::NONE`].
    pub fn post(&mut self, chunks: Vec<Vec<Message>>) -> usize {
        let posted_count: usize = chunks.iter().map(Vec::len).sum();
        let before = self.outgoing.len();
        self.outgoing.reserve(posted_count);
        let accepted = chunks
            .into_iter()
            .flatten()
            .filter(|message| message.seq < MESSAGES_PER_SENDER_MAX && message.to.is_some());
        self.outgoing.extend(accepted);
        posted_count - (self.outgoing.len() - before)
    }

    /// Ends the tick: mail that was readable is gone, mail that was posted becomes readable.
    /// Gives the number of messages delivered.
    ///
    /// The order of reading is receiver, sender, sequence, whatever the order of posting was.
    pub fn deliver(&mut self) -> usize {
        std::mem::swap(&mut self.incoming, &mut self.outgoing);
        self.outgoing.clear();
        self.incoming.sort_unstable();
        self.incoming.len()
    }

    /// The readable mail of the agents whose numbers are in `agents`, sorted by receiver, sender,
    /// sequence. Two binary searches.
    pub fn for_agents(&self, agents: Range<u32>) -> &[Message] {
        let start = self.incoming.partition_point(|message| message.to.0 < agents.start);
        let len = self.incoming[start..].partition_point(|message| message.to.0 < agents.end);
        &self.incoming[start..start + len]
    }

    /// The readable mail of one agent.
    pub fn of(&self, agent: AgentId) -> &[Message] {
        self.for_agents(agent.0..agent.0.saturating_add(1))
    }

    /// The messages that wait for the next delivery, in the order in which they were posted.
    pub fn waiting(&self) -> &[Message] {
        &self.outgoing
    }

    /// Number of messages that wait for the next delivery.
    pub fn waiting_count(&self) -> usize {
        self.outgoing.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::message::MessageKind;

    fn message(to: u32, from: u32, seq: u16) -> Message {
        Message { to: AgentId(to), from: AgentId(from), seq, kind: MessageKind::Chat }
    }

    /// Contract: posted in tick n, readable in n + 1 only.
    #[test]
    fn mail_is_readable_in_the_next_tick_and_only_then() {
        let mut mailbox = Mailbox::default();
        assert_eq!(mailbox.post(vec![vec![message(1, 0, 0)]]), 0);
        assert!(mailbox.of(AgentId(1)).is_empty());
        assert_eq!(mailbox.deliver(), 1);
        assert_eq!(mailbox.of(AgentId(1)), [message(1, 0, 0)]);
        assert_eq!(mailbox.waiting_count(), 0);
        assert_eq!(mailbox.deliver(), 0);
        assert!(mailbox.of(AgentId(1)).is_empty());
    }

    /// The same messages in other chunks and another order read the same.
    #[test]
    fn reading_order_does_not_depend_on_posting_order() {
        let (mut forth, mut back) = (Mailbox::default(), Mailbox::default());
        let all: Vec<Message> =
            (0..60).map(|n| message(n * 7 % 5, n % 6, (n / 6) as u16)).collect();
        forth.post(all.chunks(13).map(<[Message]>::to_vec).collect());
        back.post(all.rchunks(4).map(<[Message]>::to_vec).collect());
        assert_eq!(forth.deliver(), 60);
        back.deliver();
        assert_eq!(forth, back);
        assert!(forth.for_agents(0..5).is_sorted());
    }

    #[test]
    fn a_range_of_agents_gets_exactly_its_mail() {
        let mut mailbox = Mailbox::default();
        mailbox.post(vec![(0..100).map(|n| message(n % 10, n, 0)).collect()]);
        mailbox.deliver();
        for start in 0..11 {
            for end in start..12 {
                let slice = mailbox.for_agents(start..end);
                assert_eq!(slice.len() as u32, (end.min(10) - start.min(10)) * 10);
                assert!(slice.iter().all(|m| (start..end).contains(&m.to.0)));
            }
        }
        assert!(mailbox.of(AgentId::NONE).is_empty());
    }

    #[test]
    fn a_sender_cannot_pass_the_bound() {
        let mut mailbox = Mailbox::default();
        let flood = (0..40).map(|seq| message(3, 1, seq)).collect();
        assert_eq!(mailbox.post(vec![flood, vec![message(u32::MAX, 2, 0)]]), 25);
        assert_eq!(mailbox.deliver(), usize::from(MESSAGES_PER_SENDER_MAX));
        assert_eq!(mailbox.of(AgentId(3)).last().map(|m| m.seq), Some(15));
    }
}
