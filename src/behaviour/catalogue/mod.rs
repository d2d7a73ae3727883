//! Which nodes there are: what each is called, how many children it takes, which ports it has and
//! in which dialect it exists. Formats check names against it, the compiler takes ports from it,
//! and editors are told of it.

mod bt_cpp;
mod catalog;
mod manifest;
mod people;
mod py_trees;
mod stubs;

pub use catalog::{Catalogue, Leaves};
pub use manifest::{Arity, Category, NodeManifest, PortDirection, PortManifest, PortType};
pub use people::{Destination, HOUSEHOLD, PersonAction};
