//! Builds, drives and closes a run.
//!
//! [`assemble`] turns a scenario into a world of persons, an environment and skills; [`tick`] is
//! the page that lists the phases of a step; [`run`] drives the ticks, hands the rows to the
//! record's writer thread and closes the manifest; [`checkpoint`] saves its state, and [`resume`]
//! goes on from there. [`model`] runs a standard model of the field, in which there are no persons;
//! [`sweep`] is many runs.

pub mod assemble;
pub mod checkpoint;
pub mod close;
pub mod error;
mod lock;
pub mod model;
pub mod resume;
pub mod run;
pub mod sweep;
pub mod tick;

pub use error::SimulationError;
