//! Tools: what a mind can ask of the environment by name, without a model in between.
//!
//! [`table`] lists them with their arguments, [`answer()`] checks a call against it, [`observe`]
//! and [`acts`] are what the tools do, [`instruction`] reads a call from the argv of a skill
//! `env:…`.
//! A tool changes nothing: an act is handed on to the phase `act`.

mod acts;
pub mod answer;
pub mod instruction;
mod observe;
pub mod table;

pub use answer::{Scene, answer};
pub use instruction::read_call;
pub use table::{TOOLS, Tool, ToolKind};

#[cfg(test)]
mod tests;
