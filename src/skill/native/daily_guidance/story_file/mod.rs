//! A Story as the file `story.yaml` in one agent's workspace.
//!
//! [`commands`] are `init plan check current show record deviate revise`, and the hook as text.
//! [`arguments`] reads their command line as leniently as the released script, [`validate`]
//! checks a document, [`workspace`] guards the files, [`document`] goes between the file and the
//! hot Story. Rules and result keys: the public AgentSociety 2 release, held by recorded cases in
//! `tests/cases/daily_guidance`.

pub mod arguments;
pub mod commands;
mod day_log;
mod default_story;
pub mod document;
pub mod error;
mod hook;
mod reasons;
pub mod revise;
pub mod timeline;
pub mod validate;
pub mod workspace;
pub mod yaml;

pub use commands::{CommandResult, run};
