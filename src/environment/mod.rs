//! All that is outside heads: places, network, travel, encounters, mail.

pub mod mailbox;
pub mod network;
