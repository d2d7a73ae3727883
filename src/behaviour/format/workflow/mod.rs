//! `workflow.json` of editors that draw a tree as nodes and edges. Trees are of py_trees.

mod read;
mod words;
mod write;

pub(super) use read::{is_workflow, read};
pub(super) use write::write;

#[cfg(test)]
mod tests;
