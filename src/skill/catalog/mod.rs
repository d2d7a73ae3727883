//! What a mind is told of skills, level by level.
//!
//! - [`catalogue()`] lists names and descriptions within a budget: the first level.
//! - [`activate`] gives one skill's body, with arguments and the output of its [`commands()`] put
//!   in: the second. Files of its folder are the third
//!   ([`crate::skill::package::Skill::read_file`]).
//! - [`Index`] finds skills by words, [`hooks_block()`] tells what hooks said.
//! - [`skills_list`] and [`skill_view`] answer the tools of these names, as JSON.

mod catalogue;
mod commands;
mod disclosure;
mod hooks_block;
mod search;
mod substitute;
#[cfg(test)]
mod tests;
mod tools;
mod xml;

pub use catalogue::{Mode, Shown, catalogue, in_full, tokens};
pub use commands::{BodyCommand, commands};
pub use disclosure::{activate, content};
pub use hooks_block::{HookSaid, hooks_block};
pub use search::{Found, Index};
pub use tools::{ListQuery, skill_view, skills_list};
