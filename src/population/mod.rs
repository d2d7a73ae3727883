//! Makes the people: synthesis, import, replication, and where they live.

pub mod diary;
pub mod realism;
