//! Column buffers: plain Rust vectors on one side, encoded columns on the other.
//!
//! - [`cell`]: the types that a cell may have, and the codes of word columns.
//! - [`text`]: the two text buffers, long and repeating.
//! - [`kind`]: what a column holds, and what readers are told about it.
//! - [`data`]: one column of any kind while it waits to be encoded.
//! - `encode`: the file schema, the encodings by kind and the hand-over without copies.
//! - `coded`: columns of words and of long runs, encoded here instead of by the library.

pub mod cell;
pub(crate) mod coded;
pub mod data;
pub(crate) mod encode;
pub mod kind;
pub mod text;

pub use cell::{EpochDay, EpochMs, Word};
pub use text::{Names, Texts};
