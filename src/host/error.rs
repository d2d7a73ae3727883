//! What goes wrong in starting things outside. What goes wrong in a call is an answer, not an
//! error.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why something outside could not be started.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HostError {
    /// No usable Python.
    #[error(
        "no Python interpreter at '{wanted}' ({reason}); scripts.python takes a command, a path, \
         or the folder of a virtual environment, of version 3.9 or later"
    )]
    Interpreter {
        /// What the scenario names.
        wanted: PathBuf,
        /// What was tried and how it failed.
        reason: String,
    },
    /// A folder that is kept in git cannot be had.
    #[error("the source '{source_text}' cannot be used: {reason}")]
    Git {
        /// The source, as the scenario names it.
        source_text: String,
        /// What is wrong with it, or what git said.
        reason: String,
    },
    /// The operating system refused.
    #[error("{action} failed: {source}")]
    Io {
        /// What was tried.
        action: String,
        /// Its reason.
        #[source]
        source: io::Error,
    },
    /// A process cannot be confined as asked.
    #[error("scripts cannot be confined: {reason}")]
    Confinement {
        /// Why.
        reason: String,
    },
    /// A worker did not begin as it should.
    #[error("the Python worker did not begin: {reason}")]
    Worker {
        /// What it said.
        reason: String,
    },
}

impl HostError {
    pub(super) fn git(source: &str, reason: &str) -> Self {
        Self::Git { source_text: source.to_owned(), reason: reason.to_owned() }
    }

    /// Wraps a refusal of the operating system.
    pub fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let action = action.into();
        move |source| Self::Io { action, source }
    }
}
