//! Carries requests to what runs outside the engine, scripts above all, and brings answers back.
//!
//! This room knows no skill, no person and no world: only the letters of `agent::request`. Nothing
//! it starts may take the run with it: every call has a time, memory and output limit, and a call
//! that breaks one is an answer like any other.
//!
//! - [`scripts`] runs scripts of every tier: begin there. [`python`] is the pool of interpreters,
//!   [`process`] one call as a process, [`rhai`] the embedded rule language.
//! - [`sandbox`] confines what is started.
//! - [`settings`] says with what and within which limits scripts run.
//! - [`workspace`] are the folders that scripts see.

pub mod error;
pub mod process;
pub mod python;
pub mod rhai;
pub mod sandbox;
pub mod scripts;
pub mod settings;
pub mod workspace;

use crate::agent::request::{ScriptBatch, ScriptReply};
use sandbox::Confinement;

/// Something that runs scripts.
pub trait ScriptHost: Send + Sync {
    /// Runs all calls. Gives one list of replies per batch, in the order of the batch's calls:
    /// every call has exactly one reply.
    fn run(&mut self, batches: &[ScriptBatch]) -> Vec<Vec<ScriptReply>>;

    /// Forgets what it keeps of scripts' text: a new generation of skills begins.
    fn reload(&mut self);

    /// The scripts that are not called any more, by path.
    fn quarantined(&self) -> Vec<Quarantined>;

    /// What confines them.
    fn confinement(&self) -> Confinement;
}

/// A script that failed too often in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// Its skill.
    pub skill_id: String,
    /// Its file name.
    pub script: String,
    /// The last line of its last error.
    pub last_error: String,
}
