//! Any Parquet file as columns of text: the way in for populations from elsewhere.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Float32Type, Float64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ProjectionMask;

use super::decode;
use super::error::RecordError;

/// Columns of text, as read from a file: one list per name, one cell per row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextColumns {
    /// Names, in the order asked for.
    pub names: Vec<String>,
    /// Cells of each column; `None` where the cell is empty.
    pub cells: Vec<Vec<Option<String>>>,
}

/// Reads columns of any Parquet file as text; all of them if `names` is empty.
///
/// Numbers are plain decimals without exponent, whole ones without a point even in a column of
/// floats (tables made with pandas keep whole numbers with gaps so); dates and times are ISO 8601;
/// truth is `true` or `false`. A float that is not a number counts as an empty cell.
///
/// # Errors
/// A file that cannot be read, is not Parquet or is cut short; a column that is not there (the
/// message lists those that are); a column of lists or structures.
pub fn read_text_columns(path: &Path, names: &[&str]) -> Result<TextColumns, RecordError> {
    let metadata = decode::footer(path)?;
    let schema = Arc::clone(metadata.schema());
    let from = || path.display().to_string();
    let names: Vec<String> = match names {
        [] => schema.fields().iter().map(|field| field.name().clone()).collect(),
        some => some.iter().map(|name| (*name).to_owned()).collect(),
    };
    let mut roots = Vec::with_capacity(names.len());
    for name in &names {
        decode::check_column(&schema, name, from)?;
        let (root, field) = schema.column_with_name(name).expect("checked on the line above");
        if field.data_type().is_nested() {
            return Err(RecordError::ColumnKind {
                from: from(),
                column: name.clone(),
                found: field.data_type().to_string(),
                asked: "one value per row",
            });
        }
        roots.push(root);
    }

    let builder = decode::builder(path, metadata)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), roots);
    let mut reader = decode::start(path, builder.with_projection(mask))?;
    let mut cells = vec![Vec::new(); names.len()];
    while let Some(batch) = decode::next(path, &mut reader)? {
        for (name, out) in names.iter().zip(&mut cells) {
            append_text(&batch, name, out).map_err(RecordError::decode(path))?;
        }
    }
    Ok(TextColumns { names, cells })
}

fn append_text(
    batch: &RecordBatch,
    name: &str,
    out: &mut Vec<Option<String>>,
) -> Result<(), arrow::error::ArrowError> {
    let column = batch.column_by_name(name).expect("the column was asked for by this name");
    match column.data_type() {
        DataType::Float32 => out.extend(column.as_primitive::<Float32Type>().iter().map(plain)),
        DataType::Float64 => out.extend(column.as_primitive::<Float64Type>().iter().map(plain)),
        _ => {
            let options = FormatOptions::default();
            let formatter = ArrayFormatter::try_new(column.as_ref(), &options)?;
            for row in 0..column.len() {
                // Asks the values, not the keys, of a coded column.
                let empty = column.logical_nulls().is_some_and(|nulls| nulls.is_null(row));
                out.push(match empty {
                    true => None,
                    false => Some(formatter.value(row).try_to_string()?),
                });
            }
        }
    }
    Ok(())
}

/// The shortest decimal that reads back as the same number.
fn plain<T: Into<f64> + std::fmt::Display + Copy>(cell: Option<T>) -> Option<String> {
    cell.filter(|cell| !(*cell).into().is_nan()).map(|cell| cell.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{
        ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float32Array, Float64Array,
        Int64Array, ListArray, StringArray, TimestampMillisecondArray,
    };
    use arrow::datatypes::Int32Type;
    use parquet::arrow::ArrowWriter;
    use std::fs::File;

    fn file(columns: Vec<(&str, ArrayRef)>) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("people.parquet");
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        (dir, path)
    }

    fn people() -> (tempfile::TempDir, std::path::PathBuf) {
        let words: DictionaryArray<Int32Type> =
            vec![Some("f"), None, Some("m")].into_iter().collect();
        file(vec![
            ("id", Arc::new(Int64Array::from(vec![Some(-7), None, Some(1 << 53)])) as ArrayRef),
            ("age", Arc::new(Float64Array::from(vec![35.0, f64::NAN, 1e21])) as ArrayRef),
            ("share", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(1e-7)])) as ArrayRef),
            ("sex", Arc::new(words) as ArrayRef),
            ("works", Arc::new(BooleanArray::from(vec![true, false, true])) as ArrayRef),
            ("born", Arc::new(Date32Array::from(vec![0, 20_514, -1])) as ArrayRef),
            ("seen", Arc::new(TimestampMillisecondArray::from(vec![0, 1_500, 0])) as ArrayRef),
            ("name", Arc::new(StringArray::from(vec!["Ann", "", "Bü"])) as ArrayRef),
        ])
    }

    /// Contract: see `read_text_columns`; 2026-03-02 is day 20514 after 1970-01-01.
    #[test]
    fn every_kind_of_cell_has_a_plain_text() {
        let (_dir, path) = people();
        let text = read_text_columns(&path, &[]).unwrap();
        let column = |name: &str| {
            let index = text.names.iter().position(|n| n == name).unwrap();
            text.cells[index].iter().map(Option::as_deref).collect::<Vec<_>>()
        };
        assert_eq!(column("id"), [Some("-7"), None, Some("9007199254740992")]);
        assert_eq!(column("age"), [Some("35"), None, Some("1000000000000000000000")]);
        assert_eq!(column("share"), [Some("0.1"), None, Some("0.0000001")]);
        assert_eq!(column("sex"), [Some("f"), None, Some("m")]);
        assert_eq!(column("works"), [Some("true"), Some("false"), Some("true")]);
        assert_eq!(column("born"), [Some("1970-01-01"), Some("2026-03-02"), Some("1969-12-31")]);
        assert_eq!(column("seen")[1], Some("1970-01-01T00:00:01.500"));
        assert_eq!(column("name"), [Some("Ann"), Some(""), Some("Bü")]);
    }

    #[test]
    fn columns_come_in_the_order_asked_for_and_a_missing_one_is_named() {
        let (_dir, path) = people();
        let text = read_text_columns(&path, &["name", "id"]).unwrap();
        assert_eq!(text.names, ["name", "id"]);
        assert_eq!(text.cells[1][0].as_deref(), Some("-7"));
        let error = read_text_columns(&path, &["id", "income"]).unwrap_err().to_string();
        assert!(error.contains("no column \"income\"; it has: id, age, share"), "{error}");
    }

    #[test]
    fn a_column_of_lists_is_refused() {
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
        let (_dir, path) = file(vec![("trips", Arc::new(lists) as ArrayRef)]);
        let error = read_text_columns(&path, &[]).unwrap_err().to_string();
        assert!(error.contains("\"trips\"") && error.contains("one value per row"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_parquet_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("people.csv");
        std::fs::write(&path, "id,age\n1,35\n").unwrap();
        let error = read_text_columns(&path, &[]).unwrap_err().to_string();
        assert!(error.contains("people.csv as Parquet"), "{error}");
    }
}
