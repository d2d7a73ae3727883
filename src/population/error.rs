//! What can go wrong while people are made.

use std::path::PathBuf;

use super::problems::Problems;

/// Why a population could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PopulationError {
    /// A table could not be opened, read or decompressed.
    #[error("{}: cannot read this table: {source}", path.display())]
    Read {
        /// The table.
        path: PathBuf,
        /// The operating system's or the decompressor's word.
        #[source]
        source: std::io::Error,
    },
    /// A table has no first line.
    #[error("{}: the table is empty; its first line must name the columns", path.display())]
    NoHeader {
        /// The table.
        path: PathBuf,
    },
    /// Columns named by the column map are not in the table.
    #[error("{}:1: no {missing}; the columns of this table are: {present}", path.display())]
    MissingColumns {
        /// The table.
        path: PathBuf,
        /// The absent columns, each with the nearest name that is present.
        missing: String,
        /// All columns of the table, in its order.
        present: String,
    },
    /// A column that is needed appears twice.
    #[error(
        "{}:1: column `{column}` appears more than once; rename or remove all but one",
        path.display()
    )]
    DuplicateColumn {
        /// The table.
        path: PathBuf,
        /// The name that appears twice.
        column: String,
    },
    /// Columns read from a column file differ in length, or in number from their names.
    #[error("{}: column `{column}` has {found} rows where {expected} are expected", path.display())]
    UnequalColumns {
        /// The table.
        path: PathBuf,
        /// The column that differs.
        column: String,
        /// Its rows.
        found: usize,
        /// Rows of the first column.
        expected: usize,
    },
    /// Rows cannot be used and the policy is not to skip them.
    #[error("{0}")]
    BadRows(Problems),
    /// A parameter is outside its range.
    #[error("population: {name} is {found}; allowed: {allowed}")]
    Parameter {
        /// The parameter, as a path below `population`.
        name: String,
        /// Its value.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// Nobody is left to simulate.
    #[error("{origin}: no person left to simulate{reason}")]
    Nobody {
        /// Where the persons should have come from.
        origin: String,
        /// Why, where known; begins with a separator.
        reason: String,
    },
    /// More persons than there are agent numbers.
    #[error("{found} persons are asked for; at most {max} fit in one run")]
    TooMany {
        /// Persons asked for.
        found: u64,
        /// Largest number of persons.
        max: u64,
    },
    /// The city has no dwelling for a household.
    #[error("no dwelling for household {household} {}", zone_text(*zone))]
    NoDwelling {
        /// The source's number of the household.
        household: i64,
        /// The source's number of the zone where it should live.
        zone: Option<i64>,
    },
}

fn zone_text(zone: Option<i64>) -> String {
    zone.map_or_else(|| "anywhere in the city".to_owned(), |zone| format!("in zone {zone}"))
}

/// Short for results of this room.
pub type Result<T> = std::result::Result<T, PopulationError>;
