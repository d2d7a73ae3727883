//! From a document to a tree: names are resolved, ports read, called trees put in their place,
//! expressions compiled. All mistakes of a document are told at once.
//!
//! Begin with [`compile()`].

mod bt_cpp;
mod builder;
mod people;
mod ports;
mod py_trees;
mod scope;

pub use builder::compile;
pub(in crate::behaviour) use people::ARGUMENTS_MAX;
pub use scope::Vocabulary;

#[cfg(test)]
mod tests;
