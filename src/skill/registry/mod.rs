//! The one registry that all agents share: scanned once, sorted, frozen behind an `Arc`.
//!
//! - [`scan`] finds packages in roots and decides who wins; [`frozen`] is what comes out.
//! - [`resolve`] finds the skill that a word names: the one rule for scenarios, commands and minds.

mod fingerprint;
pub mod frozen;
pub mod resolve;
pub mod scan;

pub use fingerprint::Fingerprint;
pub use frozen::SkillRegistry;
pub use scan::{ScanPlan, SkillRoot};
