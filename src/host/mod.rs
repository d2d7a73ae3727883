//! Carries requests to what runs outside the engine, scripts above all, and brings answers back.
//!
//! This room knows no skill, no person and no world: only the letters of `agent::request`. Nothing
//! it starts may take the run with it: every call has a time, memory and output limit, and a call
//! that breaks one is an answer like any other.
//!
//! - [`settings`] says with what and within which limits scripts run.
//! - [`workspace`] are the folders that scripts see.

pub mod error;
pub mod python;
pub mod sandbox;
pub mod settings;
pub mod workspace;

use crate::agent::request::{ScriptBatch, ScriptReply};

/// Something that runs scripts.
pub trait ScriptHost: Send + Sync {
    /// Runs all calls. Gives one list of replies per batch, in the order of the batch's calls:
    /// every call has exactly one reply.
    fn run(&mut self, batches: &[ScriptBatch]) -> Vec<Vec<ScriptReply>>;

    /// Forgets what it keeps of scripts' text: a new generation of skills begins.
    fn reload(&mut self);
}
