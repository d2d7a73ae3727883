//! Content hashes of tables: equal content gives equal hashes, however the files are laid out.
//!
//! Each column is fed to BLAKE3 in row order, in a canonical form: per cell one byte that says
//! whether it is filled, then its bytes, the lowest first; text is preceded by its length in eight
//! bytes. The hash of a table covers the name, kind and hash of each column in order. Row groups,
//! parts, compression and dictionaries leave no trace.

use std::path::Path;

use arrow::array::{Array, ArrowPrimitiveType, AsArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{
    ArrowNativeType, DataType, Date32Type, Float32Type, Float64Type, Int64Type, TimeUnit,
    TimestampMillisecondType, ToByteSlice, UInt8Type, UInt16Type, UInt32Type,
};
use blake3::Hasher;

use super::error::RecordError;
use super::manifest;
use super::reader::{TableReader, tables_in};
use super::rows::texts;
use crate::base::parallel;

/// Part of every hash, so that a change of the canonical form shows.
const FORM: &str = "populace table 1";

// Numbers are fed as they lie in memory.
const _: () = assert!(cfg!(target_endian = "little"), "hashes need a little-endian machine");

/// The content hash of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableHash {
    /// Name of the table.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// BLAKE3, 64 hexadecimal digits.
    pub hash: String,
}

/// The content hashes of all tables of the run in `dir`, by name.
///
/// The columns are read in parallel; the result does not depend on the number of threads.
///
/// # Errors
/// No such folder; no table in it; a table that cannot be read to its end.
pub fn hash_run(dir: &Path) -> Result<Vec<TableHash>, RecordError> {
    if !dir.is_dir() {
        return Err(RecordError::FolderMissing { dir: dir.to_path_buf() });
    }
    let mut ids = tables_in(dir);
    if ids.is_empty() {
        let missing = manifest::FILE_NAME;
        return Err(RecordError::NotARun { dir: dir.to_path_buf(), missing });
    }
    ids.sort_by_key(|id| id.name());
    let tables: Vec<TableReader> =
        ids.iter().map(|id| TableReader::open(dir, *id)).collect::<Result<_, _>>()?;
    let jobs: Vec<(usize, String)> = tables
        .iter()
        .enumerate()
        .flat_map(|(index, table)| table.column_names().map(move |name| (index, name)))
        .collect();
    let hash = |(index, name): (usize, String)| {
        hash_column(&tables[index], &name).map(|hash| (index, name, hash))
    };

    let mut hashers = vec![Hasher::new(); tables.len()];
    hashers.iter_mut().for_each(|hasher| feed_text(hasher, FORM));
    for column in parallel::map(jobs, hash) {
        let (index, name, (kind, hash)) = column?;
        feed_text(&mut hashers[index], &name);
        feed_text(&mut hashers[index], kind);
        hashers[index].update(hash.as_bytes());
    }
    let summary = |(table, hasher): (&TableReader, Hasher)| TableHash {
        name: table.id().name().to_owned(),
        rows: table.row_count(),
        hash: hasher.finalize().to_hex().to_string(),
    };
    Ok(tables.iter().zip(hashers).map(summary).collect())
}

fn hash_column(
    table: &TableReader,
    column: &str,
) -> Result<(&'static str, blake3::Hash), RecordError> {
    let mut hasher = Hasher::new();
    let mut bytes = Vec::new();
    let table = table.clone().columns(&[column])?;
    let kind = kind_of(table.data_type(column));
    for batch in table.batches() {
        for piece in batch?.pieces() {
            bytes.clear();
            feed_cells(piece.column(0).as_ref(), &mut bytes)
                .ok_or_else(|| unknown(&table, column))?;
            hasher.update(&bytes);
        }
    }
    kind.map(|kind| (kind, hasher.finalize())).ok_or_else(|| unknown(&table, column))
}

fn unknown(table: &TableReader, column: &str) -> RecordError {
    RecordError::ColumnKind {
        from: table.source(),
        column: column.to_owned(),
        found: table.data_type(column).map_or_else(String::new, DataType::to_string),
        asked: "a kind of column that populace writes",
    }
}

/// The kind's name in the published schema, where plain and coded text are the same.
fn kind_of(data_type: Option<&DataType>) -> Option<&'static str> {
    Some(match data_type? {
        DataType::UInt8 => "u8",
        DataType::UInt16 => "u16",
        DataType::UInt32 => "u32",
        DataType::Int64 => "i64",
        DataType::Float32 => "f32",
        DataType::Float64 => "f64",
        DataType::Boolean => "bool",
        DataType::Timestamp(TimeUnit::Millisecond, None) => "timestamp[ms]",
        DataType::Date32 => "date",
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text",
        DataType::Dictionary(_, values) => return kind_of(Some(values)),
        _ => return None,
    })
}

/// Appends the canonical form of all cells of one piece of a column.
fn feed_cells(cells: &dyn Array, out: &mut Vec<u8>) -> Option<()> {
    match cells.data_type() {
        DataType::UInt8 => feed_numbers::<UInt8Type>(cells, out),
        DataType::UInt16 => feed_numbers::<UInt16Type>(cells, out),
        DataType::UInt32 => feed_numbers::<UInt32Type>(cells, out),
        DataType::Int64 => feed_numbers::<Int64Type>(cells, out),
        DataType::Float32 => feed_numbers::<Float32Type>(cells, out),
        DataType::Float64 => feed_numbers::<Float64Type>(cells, out),
        DataType::Date32 => feed_numbers::<Date32Type>(cells, out),
        DataType::Timestamp(TimeUnit::Millisecond, None) => {
            feed_numbers::<TimestampMillisecondType>(cells, out)
        }
        DataType::Boolean => {
            for cell in cells.as_boolean() {
                out.extend(cell.map_or([0, 0], |cell| [1, u8::from(cell)]));
            }
            Some(())
        }
        _ => {
            let mut pieces = Vec::with_capacity(cells.len());
            texts(cells, &mut pieces)?;
            for text in pieces {
                out.push(u8::from(text.is_some()));
                if let Some(text) = text {
                    out.extend((text.len() as u64).to_le_bytes());
                    out.extend(text.as_bytes());
                }
            }
            Some(())
        }
    }
}

fn feed_numbers<T: ArrowPrimitiveType>(cells: &dyn Array, out: &mut Vec<u8>) -> Option<()> {
    let cells = cells.as_primitive_opt::<T>()?;
    out.reserve(cells.len() * (1 + T::Native::get_byte_width()));
    let filled = |nulls: Option<&NullBuffer>, row| nulls.is_none_or(|nulls| nulls.is_valid(row));
    for (row, cell) in cells.values().iter().enumerate() {
        if filled(cells.nulls(), row) {
            out.push(1);
            out.extend_from_slice(cell.to_byte_slice());
        } else {
            out.push(0);
        }
    }
    Some(())
}

fn feed_text(hasher: &mut Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
