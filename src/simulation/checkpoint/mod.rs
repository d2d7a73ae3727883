//! The whole state of a run at the border of a tick, on disk.
//!
//! A checkpoint is a file of named sections. [`sections`] lists them: **who adds state to the world
//! that outlives a tick adds a line there**. What can be made again from the scenario and the seed
//! (environment, households, skills) is not saved but assembled again. [`mod@file`] is the format,
//! [`folder`] keeps the last two files, [`timer`] says when one is due. The rows that were written
//! before it are complete parts of the tables; see [`crate::record::RunWriter::cut`].

pub mod file;
pub mod folder;
pub mod sections;
mod stories;
#[cfg(test)]
mod tests;
pub mod timer;
mod trees;

pub use file::{Checkpoint, RunState};
pub use timer::Timer;
