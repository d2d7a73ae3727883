//! Script hooks: calls go out in one batch per skill, answers come back by rising agent.
//!
//! - [`serve`] is the phase, [`serve_after`] its like after `post_step`.
//! - [`hooks`] runs the script hooks of a phase, in skill-id order.
//! - [`person`] says what a script reads of a person.
//! - [`story`] takes over a `story.yaml` that a script wrote: it is the person's Story.

pub mod hooks;
mod person;
mod phase;
mod rows;
mod story;

pub use phase::{serve, serve_after};
