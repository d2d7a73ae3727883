//! What is wrong with a SKILL.md, with file, line and a stable code.

use std::fmt;
use std::path::{Path, PathBuf};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing was changed or lost.
    Note,
    /// Something was repaired, dropped or guessed; the skill loads.
    Warning,
    /// The skill is skipped.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A problem found in a SKILL.md or its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDiagnostic {
    /// The file.
    pub path: PathBuf,
    /// Line in the file, from 1.
    pub line: u32,
    /// Short stable code, for example `no-frontmatter`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what is done about it.
    pub message: String,
}

impl SkillDiagnostic {
    /// A problem with which the skill loads all the same.
    pub fn warning(path: &Path, line: u32, code: &'static str, message: impl Into<String>) -> Self {
        let (path, message) = (path.to_owned(), message.into());
        Self { path, line, code, severity: Severity::Warning, message }
    }

    /// A problem for which the skill is skipped.
    pub fn error(path: &Path, line: u32, code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, ..Self::warning(path, line, code, message) }
    }
}

impl fmt::Display for SkillDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, code, message, .. } = self;
        write!(f, "{}:{line}: {code}: {message}", path.display())
    }
}
