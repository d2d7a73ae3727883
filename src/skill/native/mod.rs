//! Skills written in Rust, called with a chunk of agents at a time.
//!
//! A native skill is bound to a SKILL.md whose `metadata.native` names it, so that it is listed,
//! activated and disabled like any other. It never allocates or renders text per agent per tick:
//! its outcome is typed columns ([`crate::agent::hook::HookOutcome`]).

pub mod daily_guidance;
mod skill;

pub use skill::{NativeSkill, builtin_documents};

/// The names that `metadata.native` of a SKILL.md may give.
pub const NATIVE_NAMES: [&str; 1] = ["daily-guidance"];
