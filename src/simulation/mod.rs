//! Builds, drives and closes a run.
//!
//! [`assemble`] turns a scenario into a world of persons, an environment and skills; [`tick`] is
//! the page that lists the phases of a step; [`run`] drives the ticks, hands the rows to the
//! record's writer thread and closes the manifest; [`model`] does the same for a standard model of
//! the field, in which there are no persons.

pub mod assemble;
pub mod close;
pub mod error;
pub mod model;
pub mod run;
pub mod sweep;
pub mod tick;

pub use error::SimulationError;
