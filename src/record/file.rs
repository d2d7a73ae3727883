//! The file or files of one table while they are written: temporary until complete.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
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
    /// Whether files are parts in a folder of the table's name.
    in_parts: bool,
    pending: Vec<ColumnData>,
    open: Option<OpenFile>,
    /// What the files hold that are complete.
    closed: TableSummary,
    /// Rows of the open file.
    open_rows: u64,
}

struct OpenFile {
    writer: SerializedFileWriter<File>,
    /// Makes the library's encoders of the columns.
    encoders: ArrowRowGroupWriterFactory,
    /// Its name until it is complete.
    unfinished: PathBuf,
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
        let nothing = TableSummary { name: id.name().to_owned(), rows: 0, files: 0, bytes: 0 };
        let mut table = Self::after(dir, id, layout, nothing);
        table.in_parts = id.layout() == Layout::Parts;
        table.open = Some(table.open_next()?);
        Ok(table)
    }

    /// Table `id` whose first parts are complete: what is added goes into the next.
    pub fn after(dir: &Path, id: TableId, layout: &FileLayout, closed: TableSummary) -> Self {
        let columns = id.spec().columns;
        let group_rows = layout.group_rows.min(id.group_rows_max());
        let groups_per_part = match id.layout() {
            Layout::File => u64::MAX,
            Layout::Parts => layout.part_rows.div_ceil(group_rows as u64),
        };
        Self {
            id,
            dir: dir.to_path_buf(),
            schema: encode::schema(columns),
            properties: encode::properties(columns, layout.codec, &layout.metadata),
            group_rows,
            groups_per_part,
            in_parts: true,
            pending: empty(id),
            open: None,
            closed,
            open_rows: 0,
        }
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

    /// Completes the part under way, so that its rows outlive this process; what follows goes into
    /// the next. The table is one in parts from now on.
    pub fn cut(&mut self) -> Result<TableSummary, RecordError> {
        self.in_parts = true;
        self.write_pending()?;
        if self.open_rows > 0 {
            self.close()?;
        }
        Ok(self.closed.clone())
    }

    /// Writes what is left and closes the last file.
    pub fn finish(mut self) -> Result<TableSummary, RecordError> {
        self.write_pending()?;
        if self.open.is_none() && self.closed.files == 0 {
            self.open = Some(self.open_next()?);
        }
        self.close()?;
        Ok(self.closed.clone())
    }

    fn write_pending(&mut self) -> Result<(), RecordError> {
        if self.pending_rows() == 0 {
            return Ok(());
        }
        let columns = std::mem::replace(&mut self.pending, empty(self.id));
        self.write_groups(columns)
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
            let path = open.unfinished.clone();
            self.open = Some(open);
            written.map_err(RecordError::encode(&path))?;
            self.open_rows += rows as u64;
        }
        Ok(())
    }

    /// Path of the file that is open, or would be opened next.
    fn next_path(&self) -> PathBuf {
        if self.in_parts {
            part_path(&self.dir, self.id, self.closed.files)
        } else {
            whole_path(&self.dir, self.id)
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
        Ok(OpenFile { writer, encoders, unfinished, group_count: 0 })
    }

    /// Completes the open file and gives it its name.
    fn close(&mut self) -> Result<(), RecordError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let OpenFile { writer, unfinished, .. } = open;
        let bytes = complete(writer, &unfinished, &self.next_path()).inspect_err(|_| {
            // The cause is reported; a file that cannot be removed either stays as *.tmp.
            let _ = fs::remove_file(&unfinished);
        })?;
        self.closed.files += 1;
        self.closed.rows += std::mem::take(&mut self.open_rows);
        self.closed.bytes += bytes;
        Ok(())
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            drop(open.writer);
            // Nothing more can be done about a file that cannot be removed; its name says *.tmp.
            let _ = fs::remove_file(open.unfinished);
        }
    }
}

/// Path of a table that is one file.
pub(super) fn whole_path(dir: &Path, id: TableId) -> PathBuf {
    dir.join(format!("{id}.parquet"))
}

/// Path of part `number` of a table in parts.
pub(super) fn part_path(dir: &Path, id: TableId, number: u64) -> PathBuf {
    dir.join(id.name()).join(format!("part-{number:05}.parquet"))
}

/// Number of a complete part, by its name.
pub(super) fn part_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()
}

/// Name of `path` until it is complete.
pub(super) fn temporary(path: &Path) -> PathBuf {
    path.with_added_extension(TEMPORARY)
}

fn empty(id: TableId) -> Vec<ColumnData> {
    id.spec().columns.iter().map(|column| ColumnData::empty(column.kind)).collect()
}

/// Writes the footer, waits until the file is on disk, gives it its name; returns its size.
fn complete(
    writer: SerializedFileWriter<File>,
    unfinished: &Path,
    path: &Path,
) -> Result<u64, RecordError> {
    let file = writer.into_inner().map_err(RecordError::encode(unfinished))?;
    file.sync_all().map_err(RecordError::io("write", unfinished))?;
    let bytes = file.metadata().map_err(RecordError::io("write", unfinished))?.len();
    put_in_place(unfinished, path)?;
    Ok(bytes)
}

/// Gives a file that is on disk its final name, and waits until that is on disk too: the name in
/// its folder, and the folder in the run folder.
fn put_in_place(unfinished: &Path, path: &Path) -> Result<(), RecordError> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder).map_err(RecordError::io("create", folder))?;
    fs::rename(unfinished, path).map_err(RecordError::io("rename", unfinished))?;
    sync_folder(folder)?;
    folder.parent().map_or(Ok(()), sync_folder)
}

/// Waits until the names in a folder are on disk. Elsewhere than on Unix folders cannot be waited
/// for.
fn sync_folder(folder: &Path) -> Result<(), RecordError> {
    if cfg!(unix) {
        // The folder of a relative path of one name is the current one.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let open = File::open(folder).and_then(|folder| folder.sync_all());
        open.map_err(RecordError::io("write", folder))?;
    }
    Ok(())
}

/// Writes a whole file so that after a crash it is there as it was or as it is now, and never a
/// part of it.
///
/// # Errors
/// The operating system's refusal to write or rename; nothing is left of the new file then.
pub fn write_durably(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), RecordError> {
    let unfinished = temporary(path);
    let put = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create(&unfinished)?;
        write(&mut file)?;
        file.sync_all()
    };
    let put = put().map_err(RecordError::io("write", path));
    put.and_then(|()| put_in_place(&unfinished, path)).inspect_err(|_| {
        // The cause is reported; what stays says *.tmp.
        let _ = fs::remove_file(&unfinished);
    })
}
