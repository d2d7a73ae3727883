//! Ticks compiled trees: one interpreter per dialect over the same flat nodes.
//!
//! Begin with [`Run::tick`]. Nothing here allocates, and nothing is called through a pointer: the
//! world of the leaves and whoever watches are type parameters.

mod bt_cpp;
mod leaf;
mod py_trees;
mod run;
mod world;

#[cfg(test)]
mod tests;

pub use run::{Run, TickMode, WAKE_UPS_MAX};
pub use world::{LeafCall, World};
