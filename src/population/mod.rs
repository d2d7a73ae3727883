//! Makes the people: synthesis, import, replication, and where they live.
//!
//! [`populate`](populate::populate) is the whole way and the place to begin reading. Tables
//! ([`import`]) or declared distributions ([`synthesis`]) become plain rows of households and
//! persons ([`households`]); whole households are sampled or copied to reach a number of persons
//! ([`replicate`]); then everybody is numbered and gets a home, a workplace and a school
//! ([`assign`]) from whatever city implements [`PlaceAssigner`].
//!
//! Numbers of agents follow the source's numbers of households and persons, never the order of
//! rows. A row that cannot be used is named and counted ([`problems`]); the scenario decides
//! whether that is an error.

pub mod assign;
pub mod diary;
pub mod error;
mod fields;
pub mod households;
pub mod import;
mod link;
pub mod populate;
pub mod problems;
pub mod realism;
pub mod replicate;

pub mod synthesis;
pub mod synthesis_params;
pub mod table_file;
mod templates;
#[cfg(test)]
mod tests;

pub use crate::agent::roles::Employment;
pub use assign::{PlaceAssigner, Population};
pub use error::PopulationError;
pub use import::{Codes, HouseholdColumns, PersonColumns, TableParams};
pub use populate::{PopulationSource, populate};
pub use problems::BadRows;
pub use synthesis_params::SynthesisParams;
pub use table_file::TableSource;
