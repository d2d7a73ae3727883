//! What can go wrong while an environment is built.

use std::path::PathBuf;

/// An environment could not be built from what the user gave.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// The zone file cannot be opened or read.
    #[error("cannot read zones from {path}")]
    ZoneFile {
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        #[source]
        source: std::io::Error,
    },
    /// The zone file is not a table of comma-separated values.
    #[error("{path}:{line}: not a table of comma-separated values: {message}")]
    ZoneTable {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What the reader found.
        message: String,
    },
    /// A column that the column map names does not exist.
    #[error("{path}:1: no column {column:?} for {field}; columns present: {present}")]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The column looked for.
        column: String,
        /// What it was to hold.
        field: &'static str,
        /// The header, comma-separated.
        present: String,
    },
    /// A value cannot be used.
    #[error("{path}:{line}: column {column:?}: found {value:?}, allowed is {allowed}")]
    BadZoneValue {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// The column.
        column: String,
        /// What was found.
        value: String,
        /// What may stand there.
        allowed: &'static str,
    },
    /// Two rows have the same zone number.
    #[error(
        "{path}:{line}: zone {source_id} already stands in line {first_line}; zones are unique"
    )]
    DuplicateZone {
        /// The file.
        path: PathBuf,
        /// Line of the second row.
        line: u64,
        /// Line of the first row.
        first_line: u64,
        /// The zone's number in the source.
        source_id: i64,
    },
    /// More zones than the tables of destination choice have room for.
    #[error(
        "{count} zones or more; at most {max} are allowed, merge small zones or enlarge zone_m"
    )]
    TooManyZones {
        /// Zones found when counting stopped.
        count: usize,
        /// The bound.
        max: usize,
    },
    /// There is not a single zone, or none with an inhabitant or a job.
    #[error("no zone with an inhabitant or a job; a city needs at least one")]
    NoZones,
    /// A parameter of the city, of travel or of a choice is out of range.
    #[error("{name} is {value}; allowed is {allowed}")]
    BadParameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        allowed: &'static str,
    },
}

/// The positive finite number `value`, or an error that names it.
pub(super) fn positive(name: &'static str, value: f64) -> Result<f64, EnvironmentError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(EnvironmentError::BadParameter { name, value, allowed: "a number above 0" })
    }
}
