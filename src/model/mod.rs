//! Standard models of the field, as their papers define them: agents in dense columns, stepped by
//! rules of their own.
//!
//! A model knows neither persons nor records: [`interface::Model`] is all that the simulation sees
//! of it. [`build`](build::build) makes one from the scenario's `model`. Random numbers are keyed
//! by seed and tick (and agent, where agents act at once), so a step depends on nothing but the
//! state before it, and results do not depend on threads. Begin with `random_walk`, the simplest.

pub mod build;
mod flock_cells;
mod flocking;
mod forest_fire;
mod herd;
pub mod interface;
mod order;
mod random_walk;
mod schelling;
mod wolf_sheep;

pub use build::build;
pub use interface::{AgentView, Model};
