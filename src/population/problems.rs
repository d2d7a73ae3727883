//! Rows that cannot be used: named, counted, and then refused or skipped.

use std::collections::BTreeMap;
use std::fmt;

use super::error::{PopulationError, Result};

/// Problems listed by name in a message; the rest is only counted.
pub const LISTED_MAX: usize = 20;

/// Characters of a cell that a message repeats.
const FOUND_CHARS_MAX: usize = 60;

/// What to do about rows that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadRows {
    /// Refuse the whole population and say which rows are wrong.
    #[default]
    Error,
    /// Leave them out, with a warning that counts them. A household that is left out takes its
    /// persons along.
    Skip,
}

/// What is wrong with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// More or fewer cells than the header has.
    RowLength,
    /// A cell that must be filled is empty.
    MissingValue,
    /// A cell cannot be read as what its column holds.
    UnreadableValue,
    /// An age outside 0..=120.
    ImpossibleAge,
    /// A code that the code map does not name.
    UnknownCode,
    /// A household number seen before.
    DuplicateHousehold,
    /// A person number seen before.
    DuplicatePerson,
    /// A person of a household that no row describes.
    DanglingHousehold,
    /// More members than a household can have.
    OversizeHousehold,
    /// A zone that the city does not have.
    UnknownZone,
}

impl ProblemKind {
    /// The word used in counts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::RowLength => "row_length",
            Self::MissingValue => "missing_value",
            Self::UnreadableValue => "unreadable_value",
            Self::ImpossibleAge => "impossible_age",
            Self::UnknownCode => "unknown_code",
            Self::DuplicateHousehold => "duplicate_household",
            Self::DuplicatePerson => "duplicate_person",
            Self::DanglingHousehold => "dangling_household",
            Self::OversizeHousehold => "oversize_household",
            Self::UnknownZone => "unknown_zone",
        }
    }
}

/// One reason why one row cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowProblem {
    /// The table, as the user named it.
    pub file: String,
    /// Line of the row in a text file (the header is line 1), or number of the row, from 1, in a
    /// column file.
    pub line: u64,
    /// The column.
    pub column: String,
    /// What is wrong.
    pub kind: ProblemKind,
    /// What the cell holds.
    pub found: String,
    /// What it may hold.
    pub allowed: String,
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, kind, found, allowed } = self;
        write!(f, "{file}:{line}: column `{column}`: {}: found ", kind.word())?;
        if found.is_empty() {
            f.write_str("nothing")?
        } else {
            write!(f, "`{found}`")?
        }
        write!(f, "; allowed: {allowed}")
    }
}

/// All problems of a population: how many of each kind, and the first of them by file and line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    counts: BTreeMap<ProblemKind, u64>,
    listed: Vec<RowProblem>,
}

impl Problems {
    /// Adds one. Long cells are cut to 60 characters.
    pub fn add(&mut self, mut problem: RowProblem) {
        *self.counts.entry(problem.kind).or_default() += 1;
        if let Some((end, _)) = problem.found.char_indices().nth(FOUND_CHARS_MAX) {
            problem.found.truncate(end);
            problem.found.push('…');
        }
        self.listed.push(problem);
        if self.listed.len() >= 4 * LISTED_MAX {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        self.listed.sort_unstable();
        self.listed.truncate(LISTED_MAX);
    }

    /// How many of each kind.
    pub fn counts(&self) -> &BTreeMap<ProblemKind, u64> {
        &self.counts
    }

    /// How many in all. A row may have several.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The first [`LISTED_MAX`] problems by file, line and column.
    pub fn listed(&self) -> Vec<RowProblem> {
        let mut first = self.clone();
        first.shorten();
        first.listed
    }

    /// Applies the policy: the problems as an error, or as one warning per kind.
    ///
    /// # Errors
    /// [`PopulationError::BadRows`] if there is a problem and the policy is [`BadRows::Error`].
    pub fn settle(self, policy: BadRows) -> Result<Vec<String>> {
        if policy == BadRows::Error && self.total() > 0 {
            return Err(PopulationError::BadRows(self));
        }
        let listed = self.listed();
        let warn = |(kind, count): (&ProblemKind, &u64)| {
            let first = listed.iter().find(|problem| problem.kind == *kind);
            let example = first.map(|p| format!(", first {p}")).unwrap_or_default();
            format!("bad rows skipped: {count} of kind {}{example}", kind.word())
        };
        Ok(self.counts.iter().map(warn).collect())
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        write!(f, "{total} problem{} in population tables (", if total == 1 { "" } else { "s" })?;
        for (index, (kind, count)) in self.counts.iter().enumerate() {
            write!(f, "{}{} {count}", if index == 0 { "" } else { ", " }, kind.word())?;
        }
        f.write_str(")")?;
        let listed = self.listed();
        for problem in &listed {
            write!(f, "\n  {problem}")?;
        }
        let more = total.saturating_sub(listed.len() as u64);
        if more > 0 {
            write!(f, "\n  and {more} more")?;
        }
        f.write_str("\n  correct the rows, or set bad_rows: skip to leave them out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: u64, kind: ProblemKind) -> RowProblem {
        RowProblem {
            file: "persons.csv".to_owned(),
            line,
            column: "age".to_owned(),
            kind,
            found: "200".to_owned(),
            allowed: "0 to 120".to_owned(),
        }
    }

    /// The list holds the first lines whatever the order in which problems were found.
    #[test]
    fn the_first_lines_are_listed_and_all_are_counted() {
        let mut problems = Problems::default();
        for line in (2..1_002).rev() {
            problems.add(problem(line, ProblemKind::ImpossibleAge));
        }
        assert_eq!(problems.total(), 1_000);
        let lines: Vec<u64> = problems.listed().iter().map(|p| p.line).collect();
        assert_eq!(lines, (2..22).collect::<Vec<u64>>());
        let text = problems.to_string();
        assert!(text.contains("1000 problems") && text.contains("and 980 more"), "{text}");
        assert!(text.contains("persons.csv:2: column `age`: impossible_age: found `200`"));
    }

    #[test]
    fn the_policy_decides_between_error_and_warning() {
        let mut problems = Problems::default();
        problems.add(problem(7, ProblemKind::ImpossibleAge));
        assert!(problems.clone().settle(BadRows::Error).is_err());
        let warnings = problems.settle(BadRows::Skip).unwrap();
        assert!(warnings[0].contains("1 of kind impossible_age, first persons.csv:7"));
        assert!(Problems::default().settle(BadRows::Error).unwrap().is_empty());
    }

    #[test]
    fn a_long_cell_is_cut() {
        let mut long = problem(2, ProblemKind::UnreadableValue);
        long.found = "ü".repeat(10_000);
        let mut problems = Problems::default();
        problems.add(long);
        assert_eq!(problems.listed()[0].found.chars().count(), FOUND_CHARS_MAX + 1);
    }
}
