//! Carries requests to what runs outside the engine, scripts above all, and brings answers back.
//!
//! This room knows no skill, no person and no world: only the letters of `agent::request`. Nothing
//! it starts may take the run with it: every call has a time, memory and output limit, and a call
//! that breaks one is an answer like any other.
//!
//! - [`scripts`] runs scripts of every tier: begin there. [`python`] is the pool of interpreters,
//!   [`process`] one call as a process, [`rhai`] the embedded rule language; [`once`] is for calls
//!   outside a run.
//! - [`sandbox`] confines what is started.
//! - [`git`] fetches folders that are kept elsewhere.
//! - [`machine`] says what is there to run things with.
//! - [`settings`] says with what and within which limits scripts run.
//! - [`workspace`] are the folders that scripts see.

pub mod carrier;
pub mod error;
pub mod git;
pub mod machine;
pub mod once;
pub mod process;
pub mod python;
pub mod rhai;
pub mod sandbox;
pub mod scripts;
pub mod settings;
pub mod workspace;

pub use carrier::ScriptHost;
