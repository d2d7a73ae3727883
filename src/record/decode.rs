//! Opening and decoding one Parquet file, with every failure turned into an error that names it.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};

use super::error::{Cause, RecordError};

/// Not yet read: a file and its footer.
pub(super) type Builder = ParquetRecordBatchReaderBuilder<File>;

/// Reads the footer of a Parquet file.
pub(super) fn footer(path: &Path) -> Result<ArrowReaderMetadata, RecordError> {
    let file = File::open(path).map_err(RecordError::io("read", path))?;
    guarded(path, || ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()))
}

/// Starts reading a file whose footer is known.
pub(super) fn builder(path: &Path, footer: ArrowReaderMetadata) -> Result<Builder, RecordError> {
    let file = File::open(path).map_err(RecordError::io("read", path))?;
    Ok(Builder::new_with_metadata(file, footer))
}

/// Settles what to read.
pub(super) fn start(
    path: &Path,
    builder: Builder,
) -> Result<ParquetRecordBatchReader, RecordError> {
    guarded(path, || builder.build())
}

/// The next rows; `None` at the end. After an error there is nothing more to ask.
pub(super) fn next(
    path: &Path,
    reader: &mut ParquetRecordBatchReader,
) -> Result<Option<RecordBatch>, RecordError> {
    guarded(path, || reader.next().transpose())
}

/// An error that lists the columns there are, if `name` is not among them.
pub(super) fn check_column(
    schema: &SchemaRef,
    name: &str,
    from: impl FnOnce() -> String,
) -> Result<(), RecordError> {
    if schema.column_with_name(name).is_some() {
        return Ok(());
    }
    let present = schema.fields().iter().map(|field| field.name().clone()).collect();
    Err(RecordError::ColumnMissing { from: from(), column: name.to_owned(), present })
}

/// Runs a part of the decoder. It panics on about one in two hundred files with a few bytes
/// changed at random (version 60.1); a damaged file is the user's trouble, not a bug of ours.
fn guarded<T, E: Into<Cause>>(
    path: &Path,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, RecordError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(RecordError::decode(path)),
        Err(_) => Err(RecordError::decode(path)("the decoder broke off")),
    }
}
