//! The writer: tables go into a bounded channel, one thread encodes them and puts them on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, bounded};
use parquet::basic::Compression as Codec;

use super::columns::data::ColumnData;
use super::columns::encode;
use super::error::RecordError;
use super::file::{FileLayout, TableFile, temporary};
use super::manifest::{self, TableSummary};
use super::tables::{Layout, Table, TableId};
use super::telemetry;
use crate::agent::activity::words;

/// Batches that may wait for the writer thread. A tick sends a handful of tables, so the
/// simulation runs at most about two ticks ahead of the disk and then waits.
const CHANNEL_LEN: usize = 16;

words! {
    /// How files are compressed.
    Compression {
        /// Not at all.
        None = "none",
        /// Snappy: fast, larger.
        Snappy = "snappy",
        /// Zstandard: smaller, a little slower.
        Zstd = "zstd",
    }
}

/// How the tables of a run are put on disk. None of it changes their content or its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Compression of every column.
    pub compression: Compression,
    /// Level of Zstandard, 1 (fast) to 22 (small); ignored by the others.
    pub zstd_level: i32,
    /// Rows in a row group, 1 to 1,048,576; a table of large texts may use fewer.
    pub row_group_rows: usize,
    /// Rows in a part of a table in parts, rounded up to whole row groups; at least 1.
    pub part_rows: u64,
    /// Put into the footer of every file, in key order. Must not hold the time of day or
    /// anything else that differs between equal runs.
    pub metadata: BTreeMap<String, String>,
}

impl Default for WriteOptions {
    /// Zstandard level 1, row groups of 131,072 rows, parts of 64 of them (about 70 MB of steps).
    fn default() -> Self {
        Self {
            compression: Compression::Zstd,
            zstd_level: 1,
            row_group_rows: 131_072,
            part_rows: 64 * 131_072,
            metadata: BTreeMap::new(),
        }
    }
}

impl WriteOptions {
    fn layout(&self) -> Result<FileLayout, RecordError> {
        let refuse = |name, value, allowed| RecordError::WriteOption { name, value, allowed };
        if !(1..=1 << 20).contains(&self.row_group_rows) {
            let value = i64::try_from(self.row_group_rows).unwrap_or(i64::MAX);
            return Err(refuse("row_group_rows", value, "1 to 1048576"));
        }
        if self.part_rows == 0 {
            return Err(refuse("part_rows", 0, "1 or more"));
        }
        let codec = match self.compression {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Snappy => Codec::SNAPPY,
            Compression::Zstd => encode::zstd(self.zstd_level)
                .map_err(|_| refuse("zstd_level", self.zstd_level.into(), "1 to 22"))?,
        };
        Ok(FileLayout {
            codec,
            group_rows: self.row_group_rows,
            part_rows: self.part_rows,
            metadata: self.metadata.clone(),
        })
    }
}

enum Job {
    Rows(TableId, Vec<ColumnData>),
    Finish,
}

type Outcome = Result<Vec<TableSummary>, RecordError>;

/// Writes the tables of one run.
///
/// Rows of a table come out in the order in which they were sent. Dropped before
/// [`RunWriter::finish`], it removes the files that are not complete.
pub struct RunWriter {
    dir: PathBuf,
    tables: BTreeSet<TableId>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<Outcome>>,
}

impl RunWriter {
    /// Creates the folder `dir` if needed, opens a file for each of `tables` and starts the
    /// thread. A table to which nothing is sent still becomes a readable file without rows.
    ///
    /// # Errors
    /// An option out of range; a table that is there already (see [`clear_run`]); the operating
    /// system's refusal to create a file.
    pub fn create(
        dir: &Path,
        tables: &[TableId],
        options: &WriteOptions,
    ) -> Result<Self, RecordError> {
        let layout = options.layout()?;
        fs::create_dir_all(dir).map_err(RecordError::io("create", dir))?;
        let tables: BTreeSet<TableId> = tables.iter().copied().collect();
        let open = |id: &TableId| Ok((*id, TableFile::create(dir, *id, &layout)?));
        let files = tables.iter().map(open).collect::<Result<_, RecordError>>()?;
        let (jobs, inbox) = bounded(CHANNEL_LEN);
        let thread = thread::Builder::new()
            .name("populace-record".to_owned())
            .spawn(move || write(files, &inbox))
            .map_err(RecordError::io("start the writer of", dir))?;
        Ok(Self { dir: dir.to_path_buf(), tables, jobs: Some(jobs), thread: Some(thread) })
    }

    /// Whether the run writes this table; rows of another need not be made.
    pub fn writes(&self, id: TableId) -> bool {
        self.tables.contains(&id)
    }

    /// Hands rows to the thread; waits while the channel is full. Rows of a table that the run
    /// does not write are dropped.
    ///
    /// # Errors
    /// An earlier batch could not be written: the cause, once; [`RecordError::WriterStopped`]
    /// after that.
    ///
    /// # Panics
    /// If the columns differ in length (a bug in the caller).
    pub fn send<T: Table>(&mut self, rows: T) -> Result<(), RecordError> {
        let columns = rows.into_columns();
        let rows = columns[0].len();
        for (column, spec) in columns.iter().zip(T::SPEC.columns) {
            assert!(column.len() == rows, "{}.{}: uneven columns", T::ID, spec.name);
        }
        if rows == 0 || !self.writes(T::ID) {
            return Ok(());
        }
        self.hand_over(Job::Rows(T::ID, columns))
    }

    /// Writes what is left and completes all files; one summary per table, in table order.
    ///
    /// # Errors
    /// Anything that could not be written, now or before.
    pub fn finish(mut self) -> Result<Vec<TableSummary>, RecordError> {
        self.hand_over(Job::Finish)?;
        self.join()
    }

    fn hand_over(&mut self, job: Job) -> Result<(), RecordError> {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if sent { Ok(()) } else { self.join().map(drop) }
    }

    /// Waits for the thread and takes its word.
    fn join(&mut self) -> Outcome {
        self.jobs = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(RecordError::WriterStopped { dir: self.dir.clone() }),
        }
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to tell; the thread has removed what is not complete.
            let _ = thread.join();
        }
    }
}

/// The thread. Ends at the first error, or without completing anything when the sender goes away.
fn write(mut files: BTreeMap<TableId, TableFile>, inbox: &Receiver<Job>) -> Outcome {
    for job in inbox {
        match job {
            Job::Rows(id, rows) => {
                files.get_mut(&id).expect("only tables with a file are sent").push(rows)?;
            }
            Job::Finish => return files.into_values().map(TableFile::finish).collect(),
        }
    }
    Ok(Vec::new())
}

/// Removes what a run wrote into `dir`: tables, their parts and unfinished files, manifest and
/// telemetry. Anything else in the folder stays. Does nothing if there is no folder.
///
/// # Errors
/// The operating system's refusal to list or remove something.
pub fn clear_run(dir: &Path) -> Result<(), RecordError> {
    if !dir.exists() {
        return Ok(());
    }
    let mut ours = vec![dir.join(manifest::FILE_NAME), dir.join(telemetry::FILE_NAME)];
    for id in TableId::ALL {
        match id.layout() {
            Layout::File => ours.push(dir.join(format!("{id}.parquet"))),
            Layout::Parts => clear_parts(&dir.join(id.name()))?,
        }
    }
    for path in ours {
        remove(&temporary(&path))?;
        remove(&path)?;
    }
    Ok(())
}

fn clear_parts(folder: &Path) -> Result<(), RecordError> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(RecordError::io("list", folder))? {
        let path = entry.map_err(RecordError::io("list", folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| name.starts_with("part-")) {
            remove(&path)?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
