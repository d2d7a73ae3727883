//! daily-guidance: a person forms a day's Story, follows it by the clock and revises it.
//!
//! - The hot path ([`guide`], [`adapt`]) works on columns, ten bytes a segment, a chunk of agents
//!   at a time.
//! - [`model`] is where Stories come from: a calibrated profile, or matched diaries.
//! - [`story_file`] is the same Story as the file `story.yaml` of one agent's workspace, with the
//!   commands that a person or a language model uses on it.
//!
//! The hot path and the file share nothing but [`story_file::document`], which turns one into the
//! other when somebody asks.

pub mod adapt;
pub mod guide;
pub mod model;
pub mod story_file;

pub use story_file::{CommandResult, run};
