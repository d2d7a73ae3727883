//! The reader: a table of a run, all of it or some columns, of all persons or one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{AsArray, BooleanArray};
use arrow::datatypes::{DataType, SchemaRef, UInt32Type};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowPredicateFn, ArrowReaderMetadata, ParquetRecordBatchReader, RowFilter,
};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;

use super::decode;
use super::error::RecordError;
use super::file::{part_number, part_path, whole_path};
use super::manifest::Manifest;
use super::rows::Rows;
use super::tables::TableId;
use crate::base::ids::AgentId;

/// Rows of a batch read at once.
const BATCH_ROWS: usize = 65_536;

/// The column by which rows are filtered and put in order.
pub(super) const AGENT_COLUMN: &str = "agent_id";

/// A run folder, open for reading.
#[derive(Debug, Clone)]
pub struct RunReader {
    dir: PathBuf,
    manifest: Manifest,
}

impl RunReader {
    /// Opens the run in `dir`.
    ///
    /// # Errors
    /// As [`Manifest::read`].
    pub fn open(dir: &Path) -> Result<Self, RecordError> {
        Ok(Self { dir: dir.to_path_buf(), manifest: Manifest::read(dir)? })
    }

    /// The run folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The tables that the run wrote.
    pub fn tables(&self) -> Vec<TableId> {
        tables_in(&self.dir)
    }

    /// Whether the run wrote this table.
    pub fn has(&self, id: TableId) -> bool {
        is_written(&self.dir, id)
    }

    /// A table of the run.
    ///
    /// # Errors
    /// As [`TableReader::open`].
    pub fn table(&self, id: TableId) -> Result<TableReader, RecordError> {
        TableReader::open(&self.dir, id)
    }
}

/// The tables that are in a run folder, in table order.
pub(super) fn tables_in(dir: &Path) -> Vec<TableId> {
    TableId::ALL.iter().copied().filter(|id| is_written(dir, *id)).collect()
}

/// Whether there is a file of the table that is complete.
fn is_written(dir: &Path, id: TableId) -> bool {
    whole_path(dir, id).exists() || part_path(dir, id, 0).exists()
}

/// One table, open for reading.
#[derive(Debug, Clone)]
pub struct TableReader {
    id: TableId,
    files: Vec<TableFile>,
    columns: Option<Vec<String>>,
    agent: Option<AgentId>,
}

#[derive(Debug, Clone)]
struct TableFile {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
}

impl TableReader {
    /// Opens table `id` of the run in `dir` and reads the footers of its files.
    ///
    /// # Errors
    /// The run has no such table; a part is missing; a file cannot be read, is not Parquet, is
    /// cut short or lacks a column that the table has.
    pub fn open(dir: &Path, id: TableId) -> Result<Self, RecordError> {
        if !dir.is_dir() {
            return Err(RecordError::FolderMissing { dir: dir.to_path_buf() });
        }
        // Any table is one in parts if the run was to be resumable.
        let whole = whole_path(dir, id);
        let paths = if whole.exists() { vec![whole] } else { parts(dir, id)? };
        if paths.is_empty() {
            let present = tables_in(dir).into_iter().map(TableId::name).collect();
            let dir = dir.to_path_buf();
            return Err(RecordError::TableMissing { dir, table: id.name(), present });
        }
        let files = paths.into_iter().map(TableFile::open).collect::<Result<_, _>>()?;
        Ok(Self { id, files, columns: None, agent: None })
    }

    /// Reads only these columns.
    ///
    /// # Errors
    /// A column that the table does not have.
    pub fn columns(mut self, names: &[&str]) -> Result<Self, RecordError> {
        names.iter().try_for_each(|name| self.check_column(name))?;
        self.columns = Some(names.iter().map(|name| (*name).to_owned()).collect());
        Ok(self)
    }

    /// Reads only the rows of one person.
    ///
    /// # Errors
    /// The table has no column agent_id.
    pub fn of_agent(mut self, agent: AgentId) -> Result<Self, RecordError> {
        self.check_column(AGENT_COLUMN)?;
        self.agent = Some(agent);
        Ok(self)
    }

    /// Which table.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Number of rows of the whole table, from the footers.
    pub fn row_count(&self) -> u64 {
        let rows = |file: &TableFile| file.metadata.metadata().file_metadata().num_rows();
        self.files.iter().map(|file| u64::try_from(rows(file)).unwrap_or(0)).sum()
    }

    /// Size of all its files.
    ///
    /// # Errors
    /// The operating system's refusal to look at a file.
    pub(super) fn bytes(&self) -> Result<u64, RecordError> {
        let size = |file: &TableFile| {
            let about = fs::metadata(&file.path).map_err(RecordError::io("read", &file.path))?;
            Ok(about.len())
        };
        self.files.iter().map(size).sum()
    }

    /// Goes through the rows in the order in which they were written, some ten thousand at a time.
    pub fn batches(&self) -> impl Iterator<Item = Result<Rows, RecordError>> {
        Batches { table: self, files: self.files.iter(), open: None }
    }

    /// Reads all rows at once.
    ///
    /// # Errors
    /// A file that cannot be read to its end.
    pub fn read(&self) -> Result<Rows, RecordError> {
        let mut all = Rows::new(self.id.name(), Vec::new());
        for batch in self.batches() {
            all.append(batch?);
        }
        if all.is_empty() {
            // Getters still find the columns of a table without rows.
            all.append(Rows::empty(self.id.name(), self.projected_schema()));
        }
        Ok(all)
    }

    /// Names of all columns, in file order.
    pub fn column_names(&self) -> impl Iterator<Item = String> {
        self.schema().fields().iter().map(|field| field.name().clone())
    }

    /// Where the rows come from, for messages.
    pub(super) fn source(&self) -> String {
        format!("table {}", self.id)
    }

    /// The file format's type of a column.
    pub(super) fn data_type(&self, column: &str) -> Option<&DataType> {
        self.schema().column_with_name(column).map(|(_, field)| field.data_type())
    }

    fn schema(&self) -> &SchemaRef {
        self.files[0].metadata.schema()
    }

    fn projected_schema(&self) -> SchemaRef {
        match &self.columns {
            None => Arc::clone(self.schema()),
            Some(names) => {
                let fields = self.schema().fields().iter();
                let kept = fields.filter(|field| names.contains(field.name())).cloned();
                Arc::new(arrow::datatypes::Schema::new(kept.collect::<Vec<_>>()))
            }
        }
    }

    fn check_column(&self, name: &str) -> Result<(), RecordError> {
        decode::check_column(self.schema(), name, || self.source())
    }

    /// Starts reading one file: the columns and rows asked for.
    fn start(&self, file: &TableFile) -> Result<ParquetRecordBatchReader, RecordError> {
        let footer = file.metadata.clone();
        let mut builder = decode::builder(&file.path, footer)?.with_batch_size(BATCH_ROWS);
        if let Some(names) = &self.columns {
            let names = names.iter().map(String::as_str);
            let mask = ProjectionMask::columns(builder.parquet_schema(), names);
            builder = builder.with_projection(mask);
        }
        if let Some(agent) = self.agent {
            let groups = groups_of(builder.metadata(), agent);
            let mask = ProjectionMask::columns(builder.parquet_schema(), [AGENT_COLUMN]);
            let is_agent = move |batch: arrow::record_batch::RecordBatch| {
                let agents = batch.column(0).as_primitive::<UInt32Type>();
                Ok(BooleanArray::from_unary(agents, |id| id == agent.0))
            };
            let filter = RowFilter::new(vec![Box::new(ArrowPredicateFn::new(mask, is_agent))]);
            builder = builder.with_row_groups(groups).with_row_filter(filter);
        }
        decode::start(&file.path, builder)
    }
}

impl TableFile {
    fn open(path: PathBuf) -> Result<Self, RecordError> {
        let metadata = decode::footer(&path)?;
        Ok(Self { path, metadata })
    }
}

/// The rows of a table's files, one after the other.
struct Batches<'a> {
    table: &'a TableReader,
    files: std::slice::Iter<'a, TableFile>,
    open: Option<(&'a Path, ParquetRecordBatchReader)>,
}

impl Batches<'_> {
    fn advance(&mut self) -> Result<Option<Rows>, RecordError> {
        loop {
            if let Some((path, reader)) = &mut self.open
                && let Some(batch) = decode::next(path, reader)?
            {
                return Ok(Some(Rows::new(self.table.id.name(), vec![batch])));
            }
            let Some(file) = self.files.next() else { return Ok(None) };
            self.open = Some((&file.path, self.table.start(file)?));
        }
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Rows, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let outcome = self.advance();
        if !matches!(outcome, Ok(Some(_))) {
            // Nothing follows the end or an error.
            self.open = None;
            self.files = [].iter();
        }
        outcome.transpose()
    }
}

/// The complete parts of a table, in order.
fn parts(dir: &Path, id: TableId) -> Result<Vec<PathBuf>, RecordError> {
    let folder = dir.join(id.name());
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut count = 0;
    for entry in entries {
        let path = entry.map_err(RecordError::io("list", &folder))?.path();
        if let Some(number) = part_number(&path) {
            count = count.max(number + 1);
        }
    }
    let paths: Vec<PathBuf> = (0..count).map(|number| part_path(dir, id, number)).collect();
    match paths.iter().find(|path| !path.exists()) {
        Some(missing) => Err(RecordError::PartMissing { path: missing.clone() }),
        None => Ok(paths),
    }
}

/// The row groups whose statistics do not rule `agent` out.
fn groups_of(metadata: &ParquetMetaData, agent: AgentId) -> Vec<usize> {
    let may_hold = |group: &RowGroupMetaData| {
        let columns = group.columns().iter();
        let column = columns.filter(|column| column.column_path().string() == AGENT_COLUMN);
        let mut range = column.filter_map(|column| match column.statistics() {
            // The file keeps unsigned numbers by their bits.
            Some(Statistics::Int32(range)) => {
                Some(*range.min_opt()? as u32..=*range.max_opt()? as u32)
            }
            _ => None,
        });
        // Without statistics, a group may hold anyone.
        range.all(|range| range.contains(&agent.0))
    };
    let groups = metadata.row_groups().iter().enumerate();
    groups.filter(|(_, group)| may_hold(group)).map(|(index, _)| index).collect()
}
