//! Words every room speaks: identifiers, simulated time, randomness, geometry, parallel chunks.
//!
//! Nothing here knows what a person, a skill or a scenario is. Begin with [`time`] and [`rng`]:
//! the two ideas that make a run reproducible are that time is a whole number of seconds and that
//! a random number is a pure function of (seed, agent, tick, purpose).

pub mod context;
pub mod draws;
pub mod ids;
pub mod mixer;
pub mod parallel;
pub mod rng;
pub mod time;
pub mod units;
