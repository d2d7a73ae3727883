//! Cells to values: every value of a row is read, and every fault of it named.

use std::collections::BTreeMap;

use super::problems::{ProblemKind, Problems, RowProblem};
use super::table_file::Row;

/// Oldest age accepted. The longest documented life lasted 122 years; survey and census files
/// top-code far below it, so more is a mistake.
pub const AGE_MAX: u8 = 120;

/// The columns asked for, in order.
#[derive(Debug, Default)]
pub(super) struct Wanted<'a> {
    names: Vec<&'a str>,
}

impl<'a> Wanted<'a> {
    /// Asks for a column; returns its index.
    pub(super) fn add(&mut self, name: &'a str) -> usize {
        self.names.push(name);
        self.names.len() - 1
    }

    /// Asks for a column if it is mapped.
    pub(super) fn add_optional(&mut self, name: &'a Option<String>) -> Option<usize> {
        name.as_deref().map(|name| self.add(name))
    }

    /// The names, by index.
    pub(super) fn names(&self) -> &[&'a str] {
        &self.names
    }
}

/// Reads the cells of one row; faults go to the problems and make the row unusable.
#[derive(Debug)]
pub(super) struct RowReader<'a> {
    row: &'a Row<'a>,
    file: &'a str,
    names: &'a [&'a str],
    problems: &'a mut Problems,
    usable: bool,
    readable: bool,
}

impl<'a> RowReader<'a> {
    /// Begins a row. In a row of the wrong length no cell can be trusted: that is its only
    /// problem, and all its values are defaults.
    pub(super) fn new(
        row: &'a Row<'a>,
        file: &'a str,
        names: &'a [&'a str],
        problems: &'a mut Problems,
    ) -> Self {
        let mut reader = Self { row, file, names, problems, usable: true, readable: true };
        if let Some((found, expected)) = row.length_fault() {
            let allowed = format!("{expected} cells, as in the header");
            reader.fault(0, ProblemKind::RowLength, format!("{found} cells"), &allowed);
            reader.readable = false;
        }
        reader
    }

    /// Whether no fault was found so far.
    pub(super) fn is_usable(&self) -> bool {
        self.usable
    }

    /// The row's line, for messages; stops at `u32::MAX`.
    pub(super) fn line(&self) -> u32 {
        u32::try_from(self.row.line).unwrap_or(u32::MAX)
    }

    fn fault(&mut self, column: usize, kind: ProblemKind, found: String, allowed: &str) {
        self.usable = false;
        self.problems.add(RowProblem {
            file: self.file.to_owned(),
            line: self.row.line,
            column: self.names[column].to_owned(),
            kind,
            found,
            allowed: allowed.to_owned(),
        });
    }

    /// The value of a cell by `parse`; empty cells and those it refuses are faults.
    fn value<T>(
        &mut self,
        column: usize,
        allowed: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        if !self.readable {
            return None;
        }
        let row = self.row;
        let cell = row.cell(column);
        if let Some(value) = parse(&cell) {
            return Some(value);
        }
        let kind = match cell.is_empty() {
            true => ProblemKind::MissingValue,
            false => ProblemKind::UnreadableValue,
        };
        self.fault(column, kind, cell.into_owned(), allowed);
        None
    }

    /// A whole number; `412.0` is one.
    pub(super) fn integer(&mut self, column: usize) -> Option<i64> {
        self.value(column, "a whole number", parse_integer)
    }

    /// A whole number in 0..=255; 0 after a fault.
    pub(super) fn small(&mut self, column: usize) -> u8 {
        let parse = |cell: &str| parse_integer(cell).and_then(|number| u8::try_from(number).ok());
        self.value(column, "a whole number from 0 to 255", parse).unwrap_or(0)
    }

    /// A finite number; 0 after a fault.
    pub(super) fn float(&mut self, column: usize) -> f32 {
        let parse = |cell: &str| cell.parse::<f32>().ok().filter(|number| number.is_finite());
        self.value(column, "a number", parse).unwrap_or(0.0)
    }

    /// A zone; `None` where the cell is empty or negative, and after a fault.
    pub(super) fn zone(&mut self, column: usize) -> Option<i64> {
        let parse = |cell: &str| match cell {
            "" => Some(-1),
            _ => parse_integer(cell),
        };
        let allowed = "a zone number, or a negative number or nothing for none";
        self.value(column, allowed, parse).filter(|zone| *zone >= 0)
    }

    /// Completed years; 0 after a fault.
    pub(super) fn age(&mut self, column: usize) -> u8 {
        let allowed = "a whole number of years from 0 to 120";
        let Some(years) = self.value(column, allowed, parse_integer) else { return 0 };
        match u8::try_from(years) {
            Ok(age) if age <= AGE_MAX => age,
            _ => {
                self.fault(column, ProblemKind::ImpossibleAge, years.to_string(), allowed);
                0
            }
        }
    }

    /// What a code means; `None` after a fault.
    pub(super) fn code<T: Copy>(
        &mut self,
        column: usize,
        codes: &BTreeMap<String, T>,
    ) -> Option<T> {
        if !self.readable {
            return None;
        }
        let row = self.row;
        let cell = row.cell(column);
        if let Some(value) = codes.get(&*cell) {
            return Some(*value);
        }
        let whole = parse_integer(&cell).map(|number| number.to_string());
        if let Some(value) = whole.and_then(|number| codes.get(&number)) {
            return Some(*value);
        }
        let kind = match cell.is_empty() {
            true => ProblemKind::MissingValue,
            false => ProblemKind::UnknownCode,
        };
        let allowed: Vec<&str> = codes.keys().map(String::as_str).collect();
        self.fault(column, kind, cell.into_owned(), &allowed.join(", "));
        None
    }
}

/// A whole number, also when it is written as a floating-point number without a fraction. Beyond
/// 2^53 a float no longer names one whole number, so only the plain form is accepted there.
fn parse_integer(cell: &str) -> Option<i64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if let Ok(number) = cell.parse::<i64>() {
        return Some(number);
    }
    let number = cell.parse::<f64>().ok()?;
    (number.fract() == 0.0 && number.abs() < EXACT_MAX).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_look_like_floats() {
        for (cell, number) in [("412.0", 412), ("-1", -1), ("+7", 7), ("1e3", 1_000), ("-0.0", 0)] {
            assert_eq!(parse_integer(cell), Some(number), "{cell}");
        }
        let beyond = "9007199254740993";
        assert_eq!(parse_integer(beyond), Some(9_007_199_254_740_993));
        for cell in ["", "1.5", "nan", "inf", "1e300", "12a", "9007199254740993.0", "1 2"] {
            assert_eq!(parse_integer(cell), None, "{cell}");
        }
    }
}
