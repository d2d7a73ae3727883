//! The only place that prints.

use std::io::{IsTerminal, Write};

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};

/// Columns that tables are folded at where stdout is no terminal, whose width would count: as many
/// as a page or a pager shows.
const COLUMNS: u16 = 100;

/// Prints a result on stdout. A closed pipe ends quietly: whoever reads has read enough.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end_matches('\n'));
}

/// Prints a message on stderr.
pub fn complain(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", text.trim_end_matches('\n'));
}

/// A table for people; columns whose number is in `right` are aligned right.
pub fn table(headings: &[&str], rows: Vec<Vec<String>>, right: &[usize]) -> String {
    let mut table = unfolded_table(headings, rows, right);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !std::io::stdout().is_terminal() {
        table.set_width(COLUMNS);
    }
    table.to_string()
}

/// The same as wide as its text, for tables of numbers.
pub fn unfolded_table(headings: &[&str], rows: Vec<Vec<String>>, right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY);
    table.set_header(headings);
    table.add_rows(rows);
    for column in right {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits and a unit that fits: `7_714_000` as `7.71 M`.
pub fn rounded(number: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (size, unit) = UNITS.into_iter().find(|(size, _)| number >= *size).unwrap_or((1.0, ""));
    let number = number / size;
    let places = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.places$}{unit}")
}

/// Bytes with a unit that fits.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut size = count as f64;
    let mut unit = 0;
    while size >= 1_024.0 && unit + 1 < UNITS.len() {
        size /= 1_024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(rounded(7_714_000.0), "7.71 M");
        assert_eq!(rounded(370e6), "370 M");
        assert_eq!(rounded(12.34), "12.3");
        assert_eq!(bytes(1_023), "1023 B");
        assert_eq!(bytes(1_572_864), "1.5 MiB");
    }
}
