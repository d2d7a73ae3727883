//! Tables as named columns of text: CSV, plain or gzipped, or columns that another reader brought.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use csv::ByteRecord;

use super::error::{PopulationError, Result};

/// Largest table, decompressed. Guards against a small archive that unpacks without end.
pub const TABLE_BYTES_MAX: u64 = 8 << 30;

/// First two bytes of every gzip file (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Where the rows of a table come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableSource {
    /// A file of comma-separated values with a header line, plain or gzipped (told apart by
    /// their first bytes, not by the name).
    Csv(PathBuf),
    /// Columns read elsewhere, such as from Parquet; `None` is an empty cell.
    Columns {
        /// The file they were read from, for messages.
        path: PathBuf,
        /// Name of each column.
        names: Vec<String>,
        /// Cells of each column; all of one length.
        columns: Vec<Vec<Option<String>>>,
    },
}

/// One row, seen through the columns that were asked for.
#[derive(Debug)]
pub struct Row<'a> {
    /// Line of its first character in a text file (the header is line 1), or its number, from 1,
    /// in a column file.
    pub line: u64,
    cells: Cells<'a>,
    at: &'a [usize],
}

#[derive(Debug)]
enum Cells<'a> {
    Record { record: &'a ByteRecord, header_len: usize },
    Columns { columns: &'a [Vec<Option<String>>], row: usize },
}

impl Row<'_> {
    /// The cell in the `index`-th column asked for, without surrounding blanks; empty where the
    /// cell is empty or absent. Bytes that are not UTF-8 become U+FFFD.
    pub fn cell(&self, index: usize) -> Cow<'_, str> {
        let at = self.at[index];
        match &self.cells {
            Cells::Record { record, .. } => {
                String::from_utf8_lossy(record.get(at).unwrap_or_default().trim_ascii())
            }
            Cells::Columns { columns, row } => {
                Cow::Borrowed(columns[at][*row].as_deref().unwrap_or_default().trim())
            }
        }
    }

    /// Cells found and cells expected, if they differ.
    pub fn length_fault(&self) -> Option<(usize, usize)> {
        match self.cells {
            Cells::Record { record, header_len } if record.len() != header_len => {
                Some((record.len(), header_len))
            }
            _ => None,
        }
    }
}

impl TableSource {
    /// The file, for messages.
    pub fn path(&self) -> &Path {
        match self {
            Self::Csv(path) | Self::Columns { path, .. } => path,
        }
    }

    /// Calls `visit` with every row, in file order; `Row::cell(k)` is the cell in column
    /// `wanted[k]`. Column names are compared without surrounding blanks.
    ///
    /// # Errors
    /// A file that cannot be read, an empty file, a wanted column that is absent or doubled.
    pub fn for_each_row(&self, wanted: &[&str], visit: impl FnMut(&Row<'_>)) -> Result<()> {
        match self {
            Self::Csv(path) => csv_rows(path, &read_bytes(path)?, wanted, visit),
            Self::Columns { path, names, columns } => {
                column_rows(path, names, columns, wanted, visit)
            }
        }
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let fail = |source| PopulationError::Read { path: path.to_owned(), source };
    let bytes = std::fs::read(path).map_err(fail)?;
    if !bytes.starts_with(&GZIP_MAGIC) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(&bytes[..]).take(TABLE_BYTES_MAX + 1);
    decoder.read_to_end(&mut text).map_err(fail)?;
    if text.len() as u64 > TABLE_BYTES_MAX {
        let message = format!("it unpacks to more than {TABLE_BYTES_MAX} bytes");
        return Err(fail(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message)));
    }
    Ok(text)
}

fn csv_rows(
    path: &Path,
    text: &[u8],
    wanted: &[&str],
    mut visit: impl FnMut(&Row<'_>),
) -> Result<()> {
    let fail = |error: csv::Error| PopulationError::Read {
        path: path.to_owned(),
        source: std::io::Error::other(error),
    };
    // Rows of a wrong length are the caller's to judge, with the policy for bad rows.
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut record = ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(fail)? {
        return Err(PopulationError::NoHeader { path: path.to_owned() });
    }
    let header: Vec<String> =
        record.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into()).collect();
    let at = find_columns(path, &header, wanted)?;
    let header_len = header.len();
    loop {
        let position = reader.position().clone();
        if !reader.read_byte_record(&mut record).map_err(fail)? {
            return Ok(());
        }
        let line = position.line() + skipped_lines(text, position.byte());
        visit(&Row { line, cells: Cells::Record { record: &record, header_len }, at: &at });
    }
}

/// Line ends between the end of the last record and the first character of the next: the rest of
/// a CR LF pair, and blank lines.
fn skipped_lines(text: &[u8], byte: u64) -> u64 {
    let rest = usize::try_from(byte).ok().and_then(|byte| text.get(byte..)).unwrap_or_default();
    let skipped = rest.iter().take_while(|b| matches!(b, b'\r' | b'\n'));
    skipped.filter(|b| **b == b'\n').count() as u64
}

fn column_rows(
    path: &Path,
    names: &[String],
    columns: &[Vec<Option<String>>],
    wanted: &[&str],
    mut visit: impl FnMut(&Row<'_>),
) -> Result<()> {
    let at = find_columns(path, names, wanted)?;
    let row_count = columns.first().map_or(0, Vec::len);
    for (index, name) in names.iter().enumerate() {
        let found = columns.get(index).map_or(0, Vec::len);
        if found != row_count {
            let (path, column) = (path.to_owned(), name.clone());
            return Err(PopulationError::UnequalColumns {
                path,
                column,
                found,
                expected: row_count,
            });
        }
    }
    for row in 0..row_count {
        visit(&Row { line: row as u64 + 1, cells: Cells::Columns { columns, row }, at: &at });
    }
    Ok(())
}

/// Position of each wanted column; all that are missing are named at once.
fn find_columns(path: &Path, header: &[String], wanted: &[&str]) -> Result<Vec<usize>> {
    let mut at = Vec::with_capacity(wanted.len());
    let mut missing = Vec::new();
    for name in wanted {
        let mut places = (0..header.len()).filter(|index| header[*index].trim() == *name);
        match (places.next(), places.next()) {
            (Some(index), None) => at.push(index),
            (None, _) => missing.push(describe_missing(name, header)),
            (Some(_), Some(_)) => {
                let (path, column) = (path.to_owned(), (*name).to_owned());
                return Err(PopulationError::DuplicateColumn { path, column });
            }
        }
    }
    if missing.is_empty() {
        return Ok(at);
    }
    let present = header.join(", ");
    Err(PopulationError::MissingColumns {
        path: path.to_owned(),
        missing: missing.join(", no "),
        present,
    })
}

fn describe_missing(name: &str, header: &[String]) -> String {
    let wanted = name.to_lowercase();
    let near = |known: &&String| strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
    match header.iter().min_by_key(near) {
        Some(best) if near(&best) <= name.chars().count() / 2 => {
            format!("column `{name}` (nearest: `{best}`)")
        }
        _ => format!("column `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn rows(text: &[u8], wanted: &[&str]) -> Result<Vec<(u64, Vec<String>)>> {
        let mut rows = Vec::new();
        csv_rows(Path::new("t.csv"), text, wanted, |row| {
            let cells = (0..wanted.len()).map(|k| row.cell(k).into_owned()).collect();
            rows.push((row.line, cells));
        })?;
        Ok(rows)
    }

    /// Line numbers are those an editor shows: blank lines, CR LF and quoted line ends count.
    #[test]
    fn lines_are_those_of_the_file() {
        let unix = b"\xEF\xBB\xBFa,b\n1,2\n\n\n\"x\ny\",4\n5,6";
        let lines = |text: &[u8]| -> Vec<u64> {
            rows(text, &["a"]).unwrap().iter().map(|(line, _)| *line).collect()
        };
        assert_eq!(lines(unix), [2, 5, 7]);
        let dos = String::from_utf8(unix.to_vec()).unwrap().replace('\n', "\r\n");
        assert_eq!(lines(dos.as_bytes()), [2, 5, 7]);
    }

    #[test]
    fn cells_come_in_the_order_asked_for() {
        let found = rows(b"a, b ,c\n 1 ,\xff,3\n", &["c", "a", "b"]).unwrap();
        assert_eq!(found, [(2, vec!["3".into(), "1".into(), "\u{fffd}".into()])]);
    }

    #[test]
    fn missing_columns_are_named_with_the_nearest() {
        let error = rows(b"person_id,AGE,sex\n", &["persn_id", "age", "income"]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("t.csv:1: no column `persn_id` (nearest: `person_id`)"), "{text}");
        assert!(text.contains("no column `age` (nearest: `AGE`), no column `income`;"), "{text}");
        assert!(text.ends_with("the columns of this table are: person_id, AGE, sex"), "{text}");
        assert!(matches!(rows(b"", &["a"]), Err(PopulationError::NoHeader { .. })));
        let twice = rows(b"a,a\n", &["a"]);
        assert!(matches!(twice, Err(PopulationError::DuplicateColumn { .. })));
    }

    #[test]
    fn gzip_is_known_by_its_first_bytes_and_damage_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("named_like_nothing");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"a\n7\n").unwrap();
        let packed = packer.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        let mut seen = Vec::new();
        let source = TableSource::Csv(path.clone());
        source.for_each_row(&["a"], |row| seen.push(row.cell(0).into_owned())).unwrap();
        assert_eq!(seen, ["7"]);
        std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
        let error = source.for_each_row(&["a"], |_| ()).unwrap_err();
        assert!(matches!(error, PopulationError::Read { .. }));
        let absent = TableSource::Csv(folder.path().join("absent.csv"));
        assert!(absent.for_each_row(&["a"], |_| ()).unwrap_err().to_string().contains("absent"));
    }

    #[test]
    fn columns_from_elsewhere_read_like_a_file() {
        let source = |second: Vec<Option<String>>| TableSource::Columns {
            path: "t.parquet".into(),
            names: vec!["a".into(), "b".into()],
            columns: vec![vec![Some("1".into()), None], second],
        };
        let mut seen = Vec::new();
        source(vec![None, Some(" 4 ".into())])
            .for_each_row(&["b", "a"], |row| {
                seen.push((row.line, row.cell(0).into_owned(), row.cell(1).into_owned()));
            })
            .unwrap();
        let expected = [(1, String::new(), "1".to_owned()), (2, "4".to_owned(), String::new())];
        assert_eq!(seen, expected);
        let unequal = source(vec![None]).for_each_row(&["a"], |_| ()).unwrap_err();
        assert!(matches!(unequal, PopulationError::UnequalColumns { found: 1, .. }));
    }
}
