//! Many runs of one scenario: over parameters, over seeds.
//!
//! - [`plan`] says which runs there are.
//! - [`outcome`] says what came of one, and writes the table of all.
//!
//! Who runs them is the command line's business: each run is a process of its own, so that none can
//! take another with it.

pub mod outcome;
pub mod plan;
