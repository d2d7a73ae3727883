//! Script hooks: calls go out in one batch per skill, answers come back by rising agent.
//!
//! - [`serve`] is the phase, [`serve_after`] its like after `post_step`.
//! - [`hooks`] runs the script hooks of a phase, in skill-id order.
//! - [`memory`] is what they remember from one tick to the next.
//! - [`answer_calls`] answers calls of tools of the environment.
//! - [`answer_trees`] answers what the leaves of behaviour trees asked for.
//! - [`python_trees`] is how trees in Python are asked.
//! - [`person`] says what a script reads of a person.
//! - [`story`] takes over a `story.yaml` that a script wrote: it is the person's Story.

mod calls;
pub mod hooks;
pub mod memory;
mod person;
mod phase;
mod python_trees;
mod rows;
mod story;
mod trees;

pub use calls::answer_calls;
pub use phase::{serve, serve_after};
pub use trees::{Answers, answer_trees};
