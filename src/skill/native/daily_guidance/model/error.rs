//! Why a Story model could not be made.

/// Why a Story model could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// There are no observed days to calibrate on.
    #[error("a Story model needs at least one observed day to calibrate on; got none")]
    NoDays,
    /// The text is not a profile.
    #[error(
        "this is not a Story profile (JSON with the keys of skills/daily-guidance/profile.json)"
    )]
    Syntax(#[source] serde_json::Error),
    /// A list of words is not the one this version knows.
    #[error("Story profile, key '{key}': found {found:?}, expected {expected:?} in this order")]
    Words {
        /// The key.
        key: &'static str,
        /// What stands there.
        found: Vec<String>,
        /// What this version knows.
        expected: Vec<String>,
    },
    /// A row of counts holds a number out of range.
    #[error("Story profile, key '{key}', row {row}: found {found:?}, expected {allowed}")]
    Row {
        /// The key.
        key: &'static str,
        /// Index of the row, from 0.
        row: usize,
        /// The row.
        found: Vec<u16>,
        /// What a row may hold.
        allowed: &'static str,
    },
}
