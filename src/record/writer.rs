//! The writer: tables go into bounded channels, two threads encode them and put them on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, bounded};
use parquet::basic::Compression as Codec;

use super::columns::data::ColumnData;
use super::columns::encode;
use super::error::RecordError;
use super::file::{FileLayout, TableFile, part_number, temporary, whole_path};
use super::manifest::{self, TableSummary};
use super::reader::{AGENT_COLUMN, TableReader};
use super::tables::{Table, TableId};
use super::telemetry;
use crate::agent::activity::words;

/// Threads that encode. The table of steps, which takes about as much work as all the others, has
/// one of its own.
const LANE_COUNT: usize = 2;

/// Batches that may wait for each thread. A tick sends one batch of steps and a handful of other
/// tables, so the simulation runs at most a few ticks ahead of the disk and then waits.
const CHANNEL_LEN: usize = 8;

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
    /// Tables are to be cut, and what they hold then be told.
    Cut(Sender<Summaries>),
    Finish,
}

type Summaries = BTreeMap<TableId, TableSummary>;

type Outcome = Result<Summaries, RecordError>;

/// One thread and the way to it.
struct Lane {
    jobs: Sender<Job>,
    thread: JoinHandle<Outcome>,
}

/// The lane of a table.
const fn lane_of(id: TableId) -> usize {
    match id {
        TableId::Steps | TableId::ModelAgents => 0,
        _ => 1,
    }
}

/// Writes the tables of one run.
///
/// Rows of a table come out in the order in which they were sent. Dropped before
/// [`RunWriter::finish`], it removes the files that are not complete.
pub struct RunWriter {
    dir: PathBuf,
    tables: BTreeSet<TableId>,
    /// Empty once the threads have stopped.
    lanes: Vec<Lane>,
}

impl RunWriter {
    /// Creates the folder `dir` if needed, opens a file for each of `tables` and starts the
    /// threads. A table to which nothing is sent still becomes a readable file without rows.
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
        Self::start(dir, tables, |id| TableFile::create(dir, id, &layout))
    }

    /// Goes on with tables that [`Self::cut`] gave `written` of: what is in `dir` beyond that is
    /// removed, and rows are added after it.
    ///
    /// # Errors
    /// An option out of range; a part that is missing or holds something else; the operating
    /// system's refusal to remove a file.
    pub fn resume(
        dir: &Path,
        tables: &[TableId],
        options: &WriteOptions,
        written: &[TableSummary],
    ) -> Result<Self, RecordError> {
        let layout = options.layout()?;
        Self::start(dir, tables, |id| {
            let nothing = TableSummary { name: id.name().to_owned(), rows: 0, files: 0, bytes: 0 };
            let kept = written.iter().find(|table| table.name == id.name());
            let kept = kept.cloned().unwrap_or(nothing);
            remove_after(dir, id, kept.files)?;
            check(dir, id, &kept)?;
            Ok(TableFile::after(dir, id, &layout, kept))
        })
    }

    fn start(
        dir: &Path,
        tables: &[TableId],
        open: impl Fn(TableId) -> Result<TableFile, RecordError>,
    ) -> Result<Self, RecordError> {
        let tables: BTreeSet<TableId> = tables.iter().copied().collect();
        let mut files: [BTreeMap<TableId, TableFile>; LANE_COUNT] = Default::default();
        for id in &tables {
            files[lane_of(*id)].insert(*id, open(*id)?);
        }
        let mut writer = Self { dir: dir.to_path_buf(), tables, lanes: Vec::new() };
        for files in files {
            let (jobs, inbox) = bounded(CHANNEL_LEN);
            let thread = thread::Builder::new()
                .name("populace-record".to_owned())
                .spawn(move || write(files, &inbox))
                .map_err(RecordError::io("start the writer of", dir))?;
            writer.lanes.push(Lane { jobs, thread });
        }
        Ok(writer)
    }

    /// Whether the run writes this table; rows of another need not be made.
    pub fn writes(&self, id: TableId) -> bool {
        self.tables.contains(&id)
    }

    /// Hands rows to the table's thread; waits while its channel is full. Rows of a table
    /// that the run does not write are dropped.
    ///
    /// # Errors
    /// An earlier batch could not be written: the cause, once; [`RecordError::WriterStopped`]
    /// after that.
    ///
    /// # Panics
    /// If the columns differ in length (a bug in the caller).
    pub fn send<T: Table>(&mut self, rows: T) -> Result<(), RecordError> {
        self.send_columns::<T>(rows.into_columns())
    }

    /// Hands rows of one tick to the table's thread, by rising agent; those of one agent stay in
    /// their order. Several phases write into the table chunk by chunk, and where chunks end must
    /// not show.
    ///
    /// # Errors
    /// As [`Self::send`].
    ///
    /// # Panics
    /// If the table has no column agent_id, or columns differ in length (bugs in the caller).
    pub fn send_by_agent<T: Table>(&mut self, rows: T) -> Result<(), RecordError> {
        let mut columns = rows.into_columns();
        let agents = T::SPEC.columns.iter().position(|column| column.name == AGENT_COLUMN);
        let agents = agents.map(|index| &columns[index]);
        let Some(ColumnData::U32(agents)) = agents else {
            panic!("{} has no agents to go by", T::ID);
        };
        if !agents.is_sorted() {
            let mut order: Vec<usize> = (0..agents.len()).collect();
            order.sort_by_key(|row| agents[*row]);
            columns = columns.iter().map(|column| column.in_order(&order)).collect();
        }
        self.send_columns::<T>(columns)
    }

    fn send_columns<T: Table>(&mut self, columns: Vec<ColumnData>) -> Result<(), RecordError> {
        let rows = columns[0].len();
        for (column, spec) in columns.iter().zip(T::SPEC.columns) {
            assert!(column.len() == rows, "{}.{}: uneven columns", T::ID, spec.name);
        }
        if rows == 0 || !self.writes(T::ID) {
            return Ok(());
        }
        self.hand_over(lane_of(T::ID), Job::Rows(T::ID, columns))
    }

    /// Completes the files of what was sent so far, so that these rows outlive this process; later
    /// rows go into next parts. Tells what the tables hold, in table order: with it,
    /// [`Self::resume`] finds back to here.
    ///
    /// # Errors
    /// Anything that could not be written, now or before.
    pub fn cut(&mut self) -> Result<Vec<TableSummary>, RecordError> {
        let (told, answers) = bounded(LANE_COUNT);
        for lane in 0..LANE_COUNT {
            self.hand_over(lane, Job::Cut(Sender::clone(&told)))?;
        }
        drop(told);
        let mut summaries = Summaries::new();
        for _ in 0..LANE_COUNT {
            match answers.recv() {
                Ok(mut some) => summaries.append(&mut some),
                // A thread ended without an answer: it says why.
                Err(_) => return self.join().map(|_| Vec::new()),
            }
        }
        Ok(summaries.into_values().collect())
    }

    /// Writes what is left and completes all files; one summary per table, in table order.
    ///
    /// # Errors
    /// Anything that could not be written, now or before.
    pub fn finish(mut self) -> Result<Vec<TableSummary>, RecordError> {
        for lane in 0..self.lanes.len() {
            self.hand_over(lane, Job::Finish)?;
        }
        Ok(self.join()?.into_values().collect())
    }

    fn hand_over(&mut self, lane: usize, job: Job) -> Result<(), RecordError> {
        let sent = self.lanes.get(lane).is_some_and(|lane| lane.jobs.send(job).is_ok());
        if sent { Ok(()) } else { self.join().map(drop) }
    }

    /// Waits for the threads and takes their word: the first error, if there is one.
    fn join(&mut self) -> Outcome {
        if self.lanes.is_empty() {
            return Err(RecordError::WriterStopped { dir: self.dir.clone() });
        }
        // All channels close before the first wait, so that no thread is left waiting for rows.
        let threads: Vec<_> = self.lanes.drain(..).map(|lane| lane.thread).collect();
        let outcomes: Vec<_> = threads.into_iter().map(JoinHandle::join).collect();
        let mut summaries = BTreeMap::new();
        for outcome in outcomes {
            let outcome = outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            summaries.append(&mut outcome?);
        }
        Ok(summaries)
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        let threads: Vec<_> = self.lanes.drain(..).map(|lane| lane.thread).collect();
        for thread in threads {
            // Nobody is left to tell; the thread has removed what is not complete.
            let _ = thread.join();
        }
    }
}

/// A thread's work. Ends at the first error, or with nothing completed when the sender goes.
fn write(mut files: BTreeMap<TableId, TableFile>, inbox: &Receiver<Job>) -> Outcome {
    for job in inbox {
        match job {
            Job::Rows(id, rows) => {
                files.get_mut(&id).expect("only tables with a file are sent").push(rows)?;
            }
            Job::Cut(told) => {
                let cut = |(id, file): (&TableId, &mut TableFile)| Ok((*id, file.cut()?));
                let summaries = files.iter_mut().map(cut).collect::<Outcome>()?;
                // Nobody listens any more only if the run has ended.
                let _ = told.send(summaries);
            }
            Job::Finish => {
                let done = |(id, file): (_, TableFile)| file.finish().map(|summary| (id, summary));
                return files.into_iter().map(done).collect();
            }
        }
    }
    Ok(BTreeMap::new())
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
    for id in TableId::ALL {
        remove_after(dir, *id, 0)?;
        // Folders of parts go if nothing else is in them.
        let _ = fs::remove_dir(dir.join(id.name()));
    }
    for name in [manifest::FILE_NAME, telemetry::FILE_NAME] {
        remove(&temporary(&dir.join(name)))?;
        remove(&dir.join(name))?;
    }
    Ok(())
}

/// Removes the files of a table but for its first `kept` parts.
fn remove_after(dir: &Path, id: TableId, kept: u64) -> Result<(), RecordError> {
    let whole = whole_path(dir, id);
    remove(&temporary(&whole))?;
    remove(&whole)?;
    let folder = dir.join(id.name());
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(&folder).map_err(RecordError::io("list", &folder))? {
        let path = entry.map_err(RecordError::io("list", &folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let is_part = name.is_some_and(|name| name.starts_with("part-"));
        if is_part && part_number(&path).is_none_or(|number| number >= kept) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Sees to it that the parts of a table are those that were written.
fn check(dir: &Path, id: TableId, written: &TableSummary) -> Result<(), RecordError> {
    if written.files == 0 {
        return Ok(());
    }
    let found = TableReader::open(dir, id)?;
    let (rows, bytes) = (found.row_count(), found.bytes()?);
    if (rows, bytes) == (written.rows, written.bytes) {
        return Ok(());
    }
    let (dir, table, written) = (dir.to_path_buf(), id.name(), written.clone());
    Err(RecordError::TableChanged { dir, table, rows, bytes, written })
}

fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
