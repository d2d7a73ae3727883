//! SKILL.md packages: one frozen registry, activation, hooks and native skills.
//!
//! - [`document`] reads one SKILL.md, [`package`] is one skill, [`registry`] holds them all.
//! - [`availability`] says what a skill requires and does not find.
//! - [`activation`] says who sees and uses which skill, as interned bitsets.
//! - [`catalog`] is what a mind is told of skills: the list, one in full, one found by words.
//! - [`manage`] makes, changes and removes the skills that an agent has of its own.
//! - [`hook`] is what a lifecycle hook gets and gives, a chunk of agents at a time.
//! - [`script`] finds what a hook or a call runs, [`agent_file`] what the script reads of a person.
//! - [`inputs`] checks what a run of a skill begins with.
//! - [`tree`] compiles the trees of skills and joins them.
//! - [`native`] are the skills written in Rust; daily-guidance is the one to read first.
//!
//! This room knows minds only: it sees the world through `agent::perception` and answers with
//! `agent::hook` outcomes and messages.

pub mod activation;
pub mod agent_file;
pub mod availability;
pub mod catalog;
pub mod document;
pub mod error;
pub mod hook;
pub mod inputs;
pub mod manage;
pub mod native;
pub mod package;
pub mod registry;
mod resources;
pub mod script;
pub mod tree;
