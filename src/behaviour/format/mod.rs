//! Formats of behaviour trees. Every format reads into a
//! [`Document`](super::definition::Document) and is written from one.
//!
//! | format | of | read | written |
//! |---|---|---|---|
//! | [`Format::Yaml`] | populace; loses nothing | yes | yes |
//! | [`Format::Json`] | the same in JSON; recorded cases of py_trees too | yes | its own form |
//! | [`Format::Xml`] | BehaviorTree.CPP 4 and Groot2 | yes | its own dialect |
//! | [`Format::PyTreesXml`] | py_trees 2.6 | yes | its own dialect |
//! | [`Format::Workflow`] | `workflow.json` of node editors | yes | what it can say |
//!
//! What a format reads is well formed: its names can be written in every other, and it keeps
//! [`bounds`]. Whether the nodes exist, have the right children and ports, is for the
//! compiler to say.

pub mod bounds;
mod case;
mod check;
mod kind;
mod outline;
mod problems;
mod read;
mod slots;
mod workflow;
mod write;
mod xml;
mod yaml;

pub use kind::Format;
pub(super) use problems::nearest;
pub use read::{read, read_text};
pub use write::write;
pub use yaml::yaml_schema;

#[cfg(test)]
mod tests;
