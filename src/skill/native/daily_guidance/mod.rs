//! daily-guidance: a person forms a day's Story, follows it by the clock and revises it.
//!
//! Two sides that share nothing but [`document`]:
//! - the hot path ([`guide`], [`adapt`]) works on columns, ten bytes a segment, a chunk of agents
//!   at a time;
//! - the document side works on one agent's workspace, where a Story is the file `story.yaml`:
//!   [`commands`] (`init plan check current show record deviate revise`) and the hook as text.
//!   [`arguments`] reads the command line, [`validate`] checks, [`workspace`] guards the files.

pub mod adapt;
pub mod arguments;
pub mod commands;
mod day_log;
mod default_story;
pub mod document;
pub mod error;
pub mod guide;
mod hook;
pub mod model;
mod reasons;
pub mod revise;
pub mod timeline;
pub mod validate;
pub mod workspace;
pub mod yaml;

pub use commands::{CommandResult, run};
