//! Rows that were read: typed columns by name.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Float32Type, Float64Type, Int64Type, SchemaRef,
    TimeUnit, TimestampMillisecondType, UInt8Type, UInt16Type, UInt32Type,
};

use super::columns::cell::Word;
use super::error::RecordError;

/// Some rows of a table, in the order in which they were written.
///
/// Getters give one value per row. They fail if the column is not there or holds another kind.
#[derive(Debug, Clone)]
pub struct Rows {
    table: &'static str,
    pieces: Vec<RecordBatch>,
}

/// Reads one piece of a column into a list; `None` if the piece holds another kind.
type ReadPiece<'a, T> = fn(&'a dyn Array, &mut Vec<T>) -> Option<()>;

impl Rows {
    pub(super) fn new(table: &'static str, pieces: Vec<RecordBatch>) -> Self {
        Self { table, pieces }
    }

    pub(super) fn empty(table: &'static str, schema: SchemaRef) -> Self {
        Self::new(table, vec![RecordBatch::new_empty(schema)])
    }

    pub(super) fn append(&mut self, mut more: Self) {
        self.pieces.append(&mut more.pieces);
    }

    pub(super) fn pieces(&self) -> &[RecordBatch] {
        &self.pieces
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(RecordBatch::num_rows).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Unsigned whole numbers of up to 32 bits; `u32::MAX` where the cell is empty.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn u32s(&self, column: &str) -> Result<Vec<u32>, RecordError> {
        self.column(column, "unsigned whole numbers", |piece, out| match piece.data_type() {
            DataType::UInt8 => numbers::<UInt8Type, _>(piece, out, u32::MAX),
            DataType::UInt16 => numbers::<UInt16Type, _>(piece, out, u32::MAX),
            DataType::UInt32 => numbers::<UInt32Type, _>(piece, out, u32::MAX),
            _ => None,
        })
    }

    /// Whole numbers of 64 bits.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn i64s(&self, column: &str) -> Result<Vec<i64>, RecordError> {
        self.column(column, "64-bit whole numbers", |piece, out| match piece.data_type() {
            DataType::Int64 => numbers::<Int64Type, _>(piece, out, i64::MIN),
            _ => None,
        })
    }

    /// Numbers of single or double precision.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn f64s(&self, column: &str) -> Result<Vec<f64>, RecordError> {
        self.column(column, "floating-point numbers", |piece, out| match piece.data_type() {
            DataType::Float32 => numbers::<Float32Type, _>(piece, out, f64::NAN),
            DataType::Float64 => numbers::<Float64Type, _>(piece, out, f64::NAN),
            _ => None,
        })
    }

    /// Times in milliseconds since 1970-01-01T00:00, civil time.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn timestamps_ms(&self, column: &str) -> Result<Vec<i64>, RecordError> {
        self.column(column, "timestamps", |piece, out| match piece.data_type() {
            DataType::Timestamp(TimeUnit::Millisecond, None) => {
                numbers::<TimestampMillisecondType, _>(piece, out, i64::MIN)
            }
            _ => None,
        })
    }

    /// Dates in days since 1970-01-01.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn dates(&self, column: &str) -> Result<Vec<i32>, RecordError> {
        self.column(column, "dates", |piece, out| match piece.data_type() {
            DataType::Date32 => numbers::<Date32Type, _>(piece, out, i32::MIN),
            _ => None,
        })
    }

    /// True or false.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn bools(&self, column: &str) -> Result<Vec<bool>, RecordError> {
        self.column(column, "true or false", |piece, out| {
            out.extend(piece.as_boolean_opt()?.iter().map(|cell| cell.unwrap_or(false)));
            Some(())
        })
    }

    /// Texts, names and words alike; `None` where the cell is empty.
    ///
    /// # Errors
    /// No such column, or one of another kind.
    pub fn texts(&self, column: &str) -> Result<Vec<Option<&str>>, RecordError> {
        self.column(column, "text", texts)
    }

    /// Words as values of their enum.
    ///
    /// # Errors
    /// No such column, one of another kind, or a word that the enum does not have.
    pub fn words<W: Word>(&self, column: &str) -> Result<Vec<W>, RecordError> {
        let texts = self.texts(column)?;
        let word = |(row, text): (usize, Option<&str>)| {
            let text = text.unwrap_or_default();
            W::of(text).ok_or_else(|| RecordError::UnknownWord {
                from: self.source(),
                column: column.to_owned(),
                row,
                word: text.to_owned(),
                known: W::WORDS,
            })
        };
        texts.into_iter().enumerate().map(word).collect()
    }

    fn source(&self) -> String {
        format!("table {}", self.table)
    }

    fn column<'a, T>(
        &'a self,
        column: &str,
        asked: &'static str,
        read: ReadPiece<'a, T>,
    ) -> Result<Vec<T>, RecordError> {
        let mut values = Vec::with_capacity(self.len());
        for piece in &self.pieces {
            let Some(array) = piece.column_by_name(column) else {
                let fields = piece.schema_ref().fields().iter();
                return Err(RecordError::ColumnMissing {
                    from: self.source(),
                    column: column.to_owned(),
                    present: fields.map(|field| field.name().clone()).collect(),
                });
            };
            read(array.as_ref(), &mut values).ok_or_else(|| RecordError::ColumnKind {
                from: self.source(),
                column: column.to_owned(),
                found: array.data_type().to_string(),
                asked,
            })?;
        }
        Ok(values)
    }
}

fn numbers<T: ArrowPrimitiveType, R: From<T::Native> + Copy>(
    piece: &dyn Array,
    out: &mut Vec<R>,
    empty: R,
) -> Option<()> {
    let cells = piece.as_primitive_opt::<T>()?;
    if cells.null_count() == 0 {
        out.extend(cells.values().iter().map(|cell| R::from(*cell)));
    } else {
        out.extend(cells.iter().map(|cell| cell.map_or(empty, R::from)));
    }
    Some(())
}

/// Plain or coded text of any width.
pub(super) fn texts<'a>(piece: &'a dyn Array, out: &mut Vec<Option<&'a str>>) -> Option<()> {
    match piece.data_type() {
        DataType::Utf8 => out.extend(piece.as_string::<i32>().iter()),
        DataType::LargeUtf8 => out.extend(piece.as_string::<i64>().iter()),
        DataType::Utf8View => out.extend(piece.as_string_view().iter()),
        DataType::Dictionary(..) => {
            let coded = piece.as_any_dictionary_opt()?;
            let mut values = Vec::with_capacity(coded.values().len());
            texts(coded.values().as_ref(), &mut values)?;
            if values.is_empty() {
                out.extend(std::iter::repeat_n(None, piece.len()));
                return Some(());
            }
            let nulls = coded.keys().nulls();
            let keys = coded.normalized_keys();
            out.extend(keys.into_iter().enumerate().map(|(row, key)| {
                if nulls.is_some_and(|nulls| nulls.is_null(row)) { None } else { values[key] }
            }));
        }
        _ => return None,
    }
    Some(())
}
