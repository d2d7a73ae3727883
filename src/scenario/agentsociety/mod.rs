//! Makes a scenario of an `init_config` and a `steps` file of AgentSociety 2.
//!
//! [`read()`] checks the two files, [`Society::import`] maps what exists here and says of the rest
//! why it was left out; [`person`] reads profiles in English and Chinese. Facts about the files
//! come from the public release 2.9.3.

mod map;
pub mod person;
mod read;

pub use map::{Import, Item, Outcome};
pub use read::{Society, read};
