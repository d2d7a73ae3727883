//! The YAML a user writes, checked and typed.
//!
//! [`Scenario::load`] reads a file (`load`), keeps the line and column of every key and value
//! (`locate`), puts command-line overrides in (`overrides`), holds the result against the JSON
//! schema of [`spec`] (`explain` puts the schema's complaints into words), builds the typed
//! [`Spec`] and checks what no schema can say (`validate`). All mistakes of a file come back at
//! once, as [`Diagnostic`]s with file, line, column, snippet and hint.
//!
//! Begin with [`spec`]. Surprise: defaults live in the types, so a scenario that says little is
//! complete; the hash of a scenario is that of the complete one.

pub mod agentsociety;
pub mod spec;

mod diagnostic;
mod error;
mod explain;
mod load;
mod locate;
mod nearest;
mod overrides;
mod schema;
mod schema_walk;
#[cfg(test)]
mod tests;
mod toggles;
mod validate;

pub use diagnostic::{Diagnostic, Severity};
pub use error::ScenarioError;
pub use load::Scenario;
pub use schema::schema;
pub use spec::Spec;
pub use toggles::Toggles;
