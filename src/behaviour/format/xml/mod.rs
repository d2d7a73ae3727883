//! XML: that of BehaviorTree.CPP 4, and that of py_trees, which is shaped alike.

mod element;
mod include;
mod locator;
mod model;
mod names;
mod py_trees;
mod read;
mod slots;
mod write;

pub(super) use include::{read_file, read_text};
pub(super) use write::write;

#[cfg(test)]
mod tests;
