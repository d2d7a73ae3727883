//! Behaviour trees: read from many formats, compiled once, ticked for millions.
//!
//! - [`definition`] is a document as written; [`catalogue`] says which nodes there are.
//! - [`mod@format`] reads and writes documents: YAML, JSON, two kinds of XML, workflows; [`draw`]
//!   draws them.
//! - [`compile`] makes a document a [`tree`]: flat, shared by all who follow it; [`expression`] is
//!   the language of its scripts and conditions.
//! - [`interpret`] ticks a tree for one agent, whose memory of it is a row of [`state`].
//! - [`people`]: what the trees of persons may name and what their leaves do.
//! - [`rehearse`] tries a tree out without a world; [`lint`] doubts what is allowed.
//! - [`status`], [`value`]: what nodes give back and what the blackboard holds.
//! - [`error`] says what is wrong, with line and column.
//!
//! This room knows persons only by the letters of [`crate::agent`]: what a leaf asks or does
//! reaches it through a trait, so that a tree can be tried out without a world.

pub mod catalogue;
pub mod compile;
pub mod definition;
pub mod draw;
pub mod error;
pub mod expression;
pub mod format;
pub mod interpret;
pub mod lint;
pub mod people;
pub mod rehearse;
pub mod state;
pub mod status;
pub mod tree;
pub mod value;
