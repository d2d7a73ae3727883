//! Phase 5: each person decides what to do now.
//!
//! - [`decide`] is the phase: the person's trees first, then the Story.
//! - [`trees`] ticks the trees of one chunk of persons.
//! - [`sight`] is what persons see of others; [`enlist()`] says who uses which tree.

mod enlist;
mod phase;
mod sight;
mod trees;

pub use enlist::enlist;
pub use phase::decide;
pub use sight::Sight;
