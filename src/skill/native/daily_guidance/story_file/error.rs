//! What can go wrong between daily-guidance and an agent's workspace.

use std::path::PathBuf;

/// Why a file of the workspace could not be used, or the clock not be read.
///
/// A Story that is readable but wrong is no error of this kind: see
/// [`Findings`](super::validate::Findings).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GuidanceError {
    /// A path that leaves the workspace, by its text or through a symbolic link.
    #[error("{path} is outside the workspace {workspace}")]
    Outside {
        /// The path asked for.
        path: PathBuf,
        /// The workspace.
        workspace: PathBuf,
    },
    /// There is no such file.
    #[error("{path} does not exist")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A folder, a device or the like where a file is needed.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// What was found.
        path: PathBuf,
    },
    /// A file larger than daily-guidance reads.
    #[error("{path} has {bytes} bytes; at most {max} are read")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The bound.
        max: u64,
    },
    /// A file that is not UTF-8 text.
    #[error("{path} is not UTF-8 text: bad byte at offset {offset}")]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Offset of the first bad byte.
        offset: usize,
    },
    /// A file that is not the YAML or JSON it should be.
    #[error("{path} is not valid {format}: {message}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// `YAML` or `JSON`.
        format: &'static str,
        /// Where and what, in the parser's words.
        message: String,
    },
    /// A document that is not a mapping at its top.
    #[error("{path} must hold a mapping at its top, not {found}")]
    NotAMapping {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: &'static str,
    },
    /// A field of a Story that must be a list is something else.
    #[error("{field} must be a list, not {found}")]
    NotAList {
        /// Path of the field.
        field: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// Nothing says what time it is.
    #[error("no simulated time: AGENT.json has no current_time such as 2026-03-02T06:00:00")]
    NoClock,
    /// A time that cannot be read.
    #[error("{field} '{text}' is not a date and time such as 2026-03-02T06:00:00")]
    BadClock {
        /// Where it stands.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// The operating system's word.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's word.
        source: std::io::Error,
    },
}
