//! What a run writes: typed tables, one writer thread, the manifest, and the reader.
//!
//! A phase fills a table's columns ([`tables`]), hands them to the [`writer`], and goes on; the
//! writer's thread encodes them and puts them on disk. A file bears its final name only when it
//! is complete, and its bytes depend on nothing but the order of the rows. [`reader`] gives the
//! columns back, [`hash`] tells whether two runs wrote the same, [`manifest`] says what was run,
//! [`telemetry`] what it cost, and [`import`] reads Parquet made by others.
//!
//! The file format's libraries are named in this room only; all doors show plain Rust. Begin with
//! [`tables::log::Steps`] and [`writer::RunWriter`].

pub mod columns;
mod decode;
pub mod error;
mod file;
pub mod hash;
pub mod import;
pub mod manifest;
pub mod reader;
pub mod rows;
pub mod tables;
pub mod telemetry;
#[cfg(test)]
mod tests;
pub mod writer;

pub use columns::{EpochDay, EpochMs, Names, Texts, Word};
pub use error::RecordError;
pub use file::write_durably;
pub use hash::{TableHash, hash_run};
pub use import::{TextColumns, read_text_columns};
pub use manifest::{Manifest, RunStatus, TableSummary};
pub use reader::{RunReader, TableReader};
pub use rows::Rows;
pub use tables::{Table, TableId};
pub use telemetry::{PhaseTimes, Telemetry};
pub use writer::{Compression, RunWriter, WriteOptions, clear_run};
