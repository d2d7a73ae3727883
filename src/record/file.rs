//! The file or files of one table while they are written: temporary until complete.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::Compression as Codec;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use super::columns::data::ColumnData;
use super::columns::{coded, encode};
use super::error::RecordError;
use super::manifest::TableSummary;
use super::tables::{Layout, TableId};

/// Suffix of a file that is not complete.
const TEMPORARY: &str = "tmp";

/// How the rows of all tables are laid out on disk.
#[derive(Debug, Clone)]
pub(super) struct FileLayout {
    pub codec: Codec,
    pub group_rows: usize,
    pub part_rows: u64,
    pub metadata: BTreeMap<String, String>,
}

/// One table being written.
///
/// Rows wait in `pending` until they fill a row group exactly, so the bytes on disk depend on the
/// order of rows alone, not on the batches in which they came. When dropped before
/// [`TableFile::finish`], the open file is removed; parts closed before stay, as they are complete.
pub(super) struct TableFile {
    id: TableId,
    dir: PathBuf,
    schema: SchemaRef,
    properties: WriterProperties,
    group_rows: usize,
    groups_per_part: u64,
    pending: Vec<ColumnData>,
    open: Option<OpenFile>,
    closed_count: u64,
    rows: u64,
    bytes: u64,
}

struct OpenFile {
    writer: SerializedFileWriter<File>,
    /// Makes the library's encoders of the columns.
    encoders: ArrowRowGroupWriterFactory,
    path: PathBuf,
    group_count: u64,
}

impl OpenFile {
    /// Writes one row group.
    fn write(&mut self, group: &RecordBatch) -> Result<(), ParquetError> {
        let encoders = self.encoders.create_column_writers(self.group_count as usize)?;
        let columns = self.writer.schema_descr().columns().to_vec();
        let mut row_group = self.writer.next_row_group()?;
        let fields = group.schema_ref().fields().iter();
        let arrays = fields.zip(group.columns());
        for (((field, array), column), mut encoder) in arrays.zip(&columns).zip(encoders) {
            if let Some(chunk) = coded::encode(array, column)? {
                chunk.append_to(&mut row_group)?;
                continue;
            }
            for cells in compute_leaves(field, array)? {
                encoder.write(&cells)?;
            }
            encoder.close()?.append_to_row_group(&mut row_group)?;
        }
        row_group.close()?;
        self.group_count += 1;
        Ok(())
    }
}

impl TableFile {
    /// Opens the first file of table `id` in the run folder `dir`.
    pub fn create(dir: &Path, id: TableId, layout: &FileLayout) -> Result<Self, RecordError> {
        let columns = id.spec().columns;
        let group_rows = layout.group_rows.min(id.group_rows_max());
        let groups_per_part = match id.layout() {
            Layout::File => u64::MAX,
            Layout::Parts => layout.part_rows.div_ceil(group_rows as u64),
        };
        let mut table = Self {
            id,
            dir: dir.to_path_buf(),
            schema: encode::schema(columns),
            properties: encode::properties(columns, layout.codec, &layout.metadata),
            group_rows,
            groups_per_part,
            pending: empty(id),
            open: None,
            closed_count: 0,
            rows: 0,
            bytes: 0,
        };
        table.open = Some(table.open_next()?);
        Ok(table)
    }

    /// Adds rows and writes all row groups that are full.
    pub fn push(&mut self, rows: Vec<ColumnData>) -> Result<(), RecordError> {
        for (column, more) in self.pending.iter_mut().zip(rows) {
            column.append(more);
        }
        let full = self.pending_rows() / self.group_rows * self.group_rows;
        if full == 0 {
            return Ok(());
        }
        let rest = self.pending.iter_mut().map(|column| column.split_off(full)).collect();
        let columns = std::mem::replace(&mut self.pending, rest);
        self.write_groups(columns)
    }

    /// Writes what is left and closes the last file.
    pub fn finish(mut self) -> Result<TableSummary, RecordError> {
        if self.pending_rows() > 0 {
            let columns = std::mem::replace(&mut self.pending, empty(self.id));
            self.write_groups(columns)?;
        }
        self.close()?;
        Ok(TableSummary {
            name: self.id.name().to_owned(),
            rows: self.rows,
            files: self.closed_count,
            bytes: self.bytes,
        })
    }

    fn pending_rows(&self) -> usize {
        self.pending[0].len()
    }

    /// Writes `columns` as row groups of `group_rows`; only the last may be shorter.
    fn write_groups(&mut self, columns: Vec<ColumnData>) -> Result<(), RecordError> {
        let batch = encode::batch(columns, self.id.spec().columns, &self.schema)
            .map_err(RecordError::encode(&self.next_path()))?;
        for start in (0..batch.num_rows()).step_by(self.group_rows) {
            let rows = self.group_rows.min(batch.num_rows() - start);
            if self.open.as_ref().is_some_and(|open| open.group_count == self.groups_per_part) {
                self.close()?;
            }
            let mut open = match self.open.take() {
                Some(open) => open,
                None => self.open_next()?,
            };
            let written = open.write(&batch.slice(start, rows));
            let path = temporary(&open.path);
            self.open = Some(open);
            written.map_err(RecordError::encode(&path))?;
            self.rows += rows as u64;
        }
        Ok(())
    }

    /// Path of the file that is open, or would be opened next.
    fn next_path(&self) -> PathBuf {
        match self.id.layout() {
            Layout::File => self.dir.join(format!("{}.parquet", self.id)),
            Layout::Parts => part_path(&self.dir, self.id, self.closed_count),
        }
    }

    fn open_next(&self) -> Result<OpenFile, RecordError> {
        let path = self.next_path();
        if path.exists() {
            return Err(RecordError::TableExists { path });
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(RecordError::io("create", folder))?;
        }
        let unfinished = temporary(&path);
        let file = File::create(&unfinished).map_err(RecordError::io("create", &unfinished))?;
        let schema = SchemaRef::clone(&self.schema);
        let (writer, encoders) = ArrowWriter::try_new(file, schema, Some(self.properties.clone()))
            .and_then(ArrowWriter::into_serialized_writer)
            .map_err(RecordError::encode(&unfinished))?;
        Ok(OpenFile { writer, encoders, path, group_count: 0 })
    }

    /// Completes the open file and gives it its name.
    fn close(&mut self) -> Result<(), RecordError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let unfinished = temporary(&open.path);
        let bytes = complete(open.writer, &unfinished, &open.path).inspect_err(|_| {
            // The cause is reported; a file that cannot be removed either stays as *.tmp.
            let _ = fs::remove_file(&unfinished);
        })?;
        self.closed_count += 1;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            let unfinished = temporary(&open.path);
            drop(open.writer);
            // Nothing more can be done about a file that cannot be removed; its name says *.tmp.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Path of part `number` of a table in parts.
pub(super) fn part_path(dir: &Path, id: TableId, number: u64) -> PathBuf {
    dir.join(id.name()).join(format!("part-{number:05}.parquet"))
}

/// Name of `path` until it is complete.
pub(super) fn temporary(path: &Path) -> PathBuf {
    path.with_added_extension(TEMPORARY)
}

fn empty(id: TableId) -> Vec<ColumnData> {
    id.spec().columns.iter().map(|column| ColumnData::empty(column.kind)).collect()
}

/// Writes the footer, waits until the file is on disk, renames it; returns its size.
fn complete(
    writer: SerializedFileWriter<File>,
    unfinished: &Path,
    path: &Path,
) -> Result<u64, RecordError> {
    let file = writer.into_inner().map_err(RecordError::encode(unfinished))?;
    file.sync_all().map_err(RecordError::io("write", unfinished))?;
    let bytes = file.metadata().map_err(RecordError::io("write", unfinished))?.len();
    fs::rename(unfinished, path).map_err(RecordError::io("rename", unfinished))?;
    Ok(bytes)
}
