//! A pool of warm Python interpreters, each a process of its own.
//!
//! - [`pool`] cuts batches into chunks, gives them to workers and gathers the answers in order.
//! - [`worker`] is one process: it is asked, watched, killed and replaced.
//! - [`protocol`] are the frames between the two; [`interpreter`] finds the program.
//! - `worker/populace_worker` is the other side.
//!
//! Processes and not an embedded interpreter: a script that hangs, crashes or eats memory takes
//! one worker with it, and the call that did it is the only one that fails.

pub mod interpreter;
pub mod pool;
pub mod protocol;
mod worker;

#[cfg(test)]
mod tests;

pub use interpreter::Interpreter;
pub use pool::{PythonOutcome, PythonPool};
