//! Named columns of a CSV file, plain or gzip, with the line of every row.

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::{ColumnNames, DiaryError};

/// Some columns of a CSV file.
pub(super) struct Table {
    path: PathBuf,
    columns: Vec<String>,
    /// Position in the file of each column.
    positions: Vec<usize>,
    records: Vec<csv::StringRecord>,
}

impl Table {
    /// Reads `columns` of the file at `path`; `names` gives those with another name there.
    pub(super) fn read(
        path: &Path,
        columns: &[&str],
        names: &ColumnNames,
    ) -> Result<Self, DiaryError> {
        let unreadable = |message: String| DiaryError::Unreadable { path: path.into(), message };
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let bytes = plain(bytes).map_err(|error| unreadable(error.to_string()))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(&bytes[..]);
        let header = reader.headers().map_err(|error| unreadable(error.to_string()))?.clone();
        let theirs = |name: &&str| names.get(*name).map_or_else(|| (*name).into(), String::clone);
        let columns: Vec<String> = columns.iter().map(theirs).collect();
        let find = |column: &String| {
            header.iter().position(|name| name == column).ok_or_else(|| DiaryError::NoColumn {
                path: path.into(),
                column: column.clone(),
                present: header.iter().collect::<Vec<_>>().join(", "),
            })
        };
        let positions = columns.iter().map(find).collect::<Result<_, _>>()?;
        let records: Vec<csv::StringRecord> = reader
            .records()
            .collect::<Result<_, _>>()
            .map_err(|error| unreadable(error.to_string()))?;
        if records.is_empty() {
            return Err(DiaryError::Empty { path: path.into() });
        }
        Ok(Self { path: path.into(), columns, positions, records })
    }

    /// The rows in the file's order.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.records.iter().map(|record| Row { table: self, record })
    }
}

/// The bytes of a gzip file (known by its first two), or `bytes` themselves.
fn plain(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain)?;
    Ok(plain)
}

/// One row; columns are named by their position in the list given to [`Table::read`].
pub(super) struct Row<'a> {
    table: &'a Table,
    record: &'a csv::StringRecord,
}

impl Row<'_> {
    /// The text of a column.
    pub(super) fn text(&self, column: usize) -> &str {
        self.record.get(self.table.positions[column]).unwrap_or("")
    }

    /// A whole number in `range`, also when written with a zero fraction.
    pub(super) fn whole(
        &self,
        column: usize,
        range: RangeInclusive<i64>,
        allowed: &'static str,
    ) -> Result<i64, DiaryError> {
        let text = self.text(column);
        let digits = text.split_once('.').map_or(text, |(whole, fraction)| {
            if fraction.bytes().all(|byte| byte == b'0') { whole } else { text }
        });
        let value = digits.parse::<i64>().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| self.bad(column, allowed))
    }

    /// A finite number.
    pub(super) fn number(&self, column: usize) -> Result<f32, DiaryError> {
        let value = self.text(column).parse::<f32>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| self.bad(column, "a number"))
    }

    /// The error that names this row and column.
    pub(super) fn bad(&self, column: usize, allowed: &'static str) -> DiaryError {
        DiaryError::BadValue {
            path: self.table.path.clone(),
            line: self.record.position().map_or(0, csv::Position::line),
            column: self.table.columns[column].clone(),
            found: self.text(column).into(),
            allowed,
        }
    }
}
