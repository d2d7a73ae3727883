//! What can go wrong when a run is written or read.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::TableSummary;

/// The cause behind a failed encoding or decoding; the file format's library stays unnamed.
pub type Cause = Box<dyn Error + Send + Sync>;

/// A failure of the records of a run. Every message names the file or table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: "create", "read", "write" …
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The operating system's word.
        source: io::Error,
    },
    /// A table could not be encoded or put on disk (a full disk shows up here).
    #[error("cannot write table file {}: {source}", path.display())]
    Encode {
        /// The unfinished file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// A file is not Parquet, is cut short or is damaged.
    #[error(
        "cannot read {} as Parquet: {source}; the file may be cut short or damaged",
        path.display()
    )]
    Decode {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// A table of an earlier run is in the way.
    #[error("{} is there already; choose another folder or clear this one first", path.display())]
    TableExists {
        /// The file in the way.
        path: PathBuf,
    },
    /// A write option is out of range.
    #[error("write option {name} is {value}; allowed: {allowed}")]
    WriteOption {
        /// Name of the option.
        name: &'static str,
        /// The value given.
        value: i64,
        /// The allowed range in words.
        allowed: &'static str,
    },
    /// The writer thread ended after an error that was reported before.
    #[error("the writer of {} stopped after an earlier error", dir.display())]
    WriterStopped {
        /// The run folder.
        dir: PathBuf,
    },
    /// The folder is not there.
    #[error("there is no folder {}", dir.display())]
    FolderMissing {
        /// The folder asked for.
        dir: PathBuf,
    },
    /// The folder is there but holds no run.
    #[error("{} is not a run folder: it has no {missing}", dir.display())]
    NotARun {
        /// The folder.
        dir: PathBuf,
        /// What a run folder would have.
        missing: &'static str,
    },
    /// A JSON file of the run folder is not what it should be.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Line, column and cause.
        source: serde_json::Error,
    },
    /// The run was written by a newer populace.
    #[error(
        "{}: written in run-folder format {found} by a newer populace; this one reads up to \
         format {known}", path.display()
    )]
    ManifestNewer {
        /// The manifest.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// The run did not write this table.
    #[error("run {} has no table {table:?}; it has: {}", dir.display(), present.join(", "))]
    TableMissing {
        /// The run folder.
        dir: PathBuf,
        /// The table asked for.
        table: &'static str,
        /// The tables it has.
        present: Vec<&'static str>,
    },
    /// One file of a table in parts is gone.
    #[error("{} is missing, although a later part is there", path.display())]
    PartMissing {
        /// The missing file.
        path: PathBuf,
    },
    /// A table is not what a checkpoint says of it.
    #[error(
        "table {table} of {} has {rows} rows in {bytes} bytes where the checkpoint has {} rows in \
         {} bytes", dir.display(), written.rows, written.bytes
    )]
    TableChanged {
        /// The run folder.
        dir: PathBuf,
        /// The table.
        table: &'static str,
        /// Its rows.
        rows: u64,
        /// Size of its files.
        bytes: u64,
        /// What was written.
        written: TableSummary,
    },
    /// A column was asked for that is not there.
    #[error("{from} has no column {column:?}; it has: {}", present.join(", "))]
    ColumnMissing {
        /// The table or file.
        from: String,
        /// The column asked for.
        column: String,
        /// The columns it has.
        present: Vec<String>,
    },
    /// A column holds something else than was asked for.
    #[error("column {column:?} of {from} holds {found}, not {asked}")]
    ColumnKind {
        /// The table or file.
        from: String,
        /// The column.
        column: String,
        /// What it holds.
        found: String,
        /// What was asked for.
        asked: &'static str,
    },
    /// A word column holds a word that this version does not know.
    #[error(
        "column {column:?} of {from}, row {row}: unknown word {word:?}; known: {}",
        known.join(", ")
    )]
    UnknownWord {
        /// The table.
        from: String,
        /// The column.
        column: String,
        /// Row, from 0, among those read.
        row: usize,
        /// The word.
        word: String,
        /// The words of the column.
        known: &'static [&'static str],
    },
}

impl RecordError {
    /// For `map_err`: the operating system's word about `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }

    /// For `map_err`: a failed encoding into `path`.
    pub(crate) fn encode<E: Into<Cause>>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Encode { path, source: source.into() }
    }

    /// For `map_err`: a failed decoding of `path`.
    pub(crate) fn decode<E: Into<Cause>>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Decode { path, source: source.into() }
    }
}
