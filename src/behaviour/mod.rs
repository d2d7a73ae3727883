//! Behaviour trees: read from many formats, compiled once, ticked for millions.
//!
//! - [`definition`] is a document as written; [`catalogue`] says which nodes there are.
//! - [`status`], [`value`]: what nodes give back and what the blackboard holds.
//! - [`format`] reads and writes documents: YAML, JSON, two kinds of XML, workflows.
//! - [`error`] says what is wrong, with line and column.
//!
//! This room knows persons only by the letters of [`crate::agent`]: what a leaf asks or does
//! reaches it through a trait, so that a tree can be tried out without a world.

pub mod catalogue;
pub mod definition;
pub mod error;
pub mod expression;
pub mod status;
pub mod value;
