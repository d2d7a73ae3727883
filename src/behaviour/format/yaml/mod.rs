//! Our own form, in YAML and in JSON: short to write by hand, and it loses nothing.

mod emit;
mod read;
mod schema;
mod shape;
mod write;

pub(super) use emit::emit;
pub(super) use read::read;
pub use schema::yaml_schema;
pub(super) use shape::port_value;
pub(super) use write::write;

#[cfg(test)]
mod tests;
