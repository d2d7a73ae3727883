//! What can go wrong with skills.

use std::path::PathBuf;

/// Why a skill could not be found, loaded or switched on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillError {
    /// A root folder named by the scenario cannot be read.
    #[error("skill root {path}: {source}")]
    Root {
        /// The folder.
        path: PathBuf,
        /// The operating system's word.
        source: std::io::Error,
    },
    /// A name that no skill answers to.
    #[error("no skill is called '{name}'; known: {known}{hint}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// All ids, comma-separated.
        known: String,
        /// ` (did you mean '…'?)` or empty.
        hint: String,
    },
    /// A bare name that several skills of one scope have.
    #[error("'{name}' names several skills: {ids}; give the id")]
    Ambiguous {
        /// The name asked for.
        name: String,
        /// The ids, comma-separated.
        ids: String,
    },
    /// More agent groups with different skills than a run can hold.
    #[error("more than {max} distinct sets of skills; merge groups of skills.groups")]
    TooManySets {
        /// The bound.
        max: usize,
    },
    /// A file of a skill cannot be read.
    #[error("{skill}: file '{file}': {reason}")]
    File {
        /// The skill.
        skill: String,
        /// The file, as it was asked for.
        file: String,
        /// Why.
        reason: String,
    },
}
