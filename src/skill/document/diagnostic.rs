//! What is wrong with a SKILL.md or its folder, with file, line and a stable code.
//!
//! The codes of the loader ([`super::read()`] and `skill::package`):
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `bom` | warning | a byte-order mark was dropped |
//! | `crlf` | warning | CRLF or CR line ends were read as LF |
//! | `not-utf8` | error | bytes that are not UTF-8 |
//! | `nul` | error | a NUL character |
//! | `too-large` | error | the file is larger than what is read |
//! | `no-frontmatter` | warning | no `---` on the first line: BareAgent's reading |
//! | `unclosed-frontmatter` | warning | no second `---`: read up to an empty line or heading |
//! | `not-a-mapping` | warning | the frontmatter is a list or a plain text |
//! | `bad-yaml` | warning | the frontmatter is not YAML; what was readable was kept |
//! | `repaired-yaml` | warning | a field became YAML by quotes or by spaces for tabs |
//! | `plain-field` | warning | a field is beyond repair and was kept as plain text |
//! | `duplicate-key` | warning | a key twice in one mapping; the last counts |
//! | `second-document` | warning | a `--- text` line begins a second document, not read |
//! | `unknown-alias` | warning | a YAML alias of nothing, kept as text |
//! | `alias-bound` | warning | a YAML alias that repeats too much, kept as text |
//! | `wrong-type` | warning | a field has a type that means nothing there; ignored |
//! | `unknown-word` | warning | a word that is none of the field's; the default holds |
//! | `no-name` | warning | no usable `name`; the folder's name is used |
//! | `blank-name` | error | `name` is nothing but white space (AgentSociety skips it) |
//! | `odd-name` | warning | characters that an id cannot hold became `-` |
//! | `long-name` | warning | more than 64 characters |
//! | `name-differs` | note | `name` is not the folder's name |
//! | `description-from-body` | warning | no `description`; the first line of prose is used |
//! | `long-description` | note | more than 1024 characters |
//! | `no-description` | error | no description anywhere |
//! | `outside-folder` | warning | a path that leads out of the skill's folder; dropped |
//! | `missing-file` | warning | a file that the skill names is not there |
//! | `half-hook` | warning | `hook` without `hook_script`, or the reverse; ignored |
//! | `foreign-hooks` | warning | hooks in another product's shape; kept, never executed |
//! | `foreign-requires` | warning | requirements in another product's metadata; not honoured |
//! | `unknown-requirement` | warning | a key of `requires` that means nothing here; kept |
//! | `unused-field` | warning | a field that does nothing beside the others |
//! | `two-documents` | warning | SKILL.md and skill.md side by side; the first counts |
//! | `no-document` | error | the folder has no SKILL.md |
//! | `not-a-file` | error | SKILL.md is a folder, a pipe or a device |
//! | `document-outside` | error | SKILL.md is a link that leads out of the folder |
//! | `unreadable` | error | the operating system refused SKILL.md |
//! | `unreadable-file` | warning | the operating system refused another file or folder |
//! | `too-many-files` | warning | the bound of files or of depth; the rest is not listed |
//! | `hash-bound` | note | so large that some files count by name and size only |
//!
//! The codes of [`super::strict()`], all of them errors but two:
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `strict-encoding` | error | bytes that are not UTF-8 |
//! | `strict-bom` | error | a byte-order mark before the frontmatter |
//! | `strict-no-frontmatter` | error | the file does not begin with `---` |
//! | `strict-unclosed` | error | no second `---` |
//! | `strict-split` | warning | a `---` within a line ends the frontmatter for that reader |
//! | `strict-yaml` | error | not YAML, or not a mapping |
//! | `strict-flow` | error | `[a, b]` or `{a: b}` |
//! | `strict-anchor` | error | an anchor or an alias |
//! | `strict-tag` | error | a tag |
//! | `strict-duplicate-key` | error | a key twice in one mapping |
//! | `strict-field` | error | a field outside the six |
//! | `strict-name` | error | `name` is missing or breaks a rule |
//! | `strict-directory` | error | `name` is not the folder's name |
//! | `strict-description` | error | `description` is missing, blank or longer than 1024 |
//! | `strict-compatibility` | error | `compatibility` is no text of 1 to 500 characters |
//! | `strict-metadata` | warning | `metadata` is no flat mapping of texts |

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
    /// Something worth knowing.
    pub fn note(path: &Path, line: u32, code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::warning(path, line, code, message) }
    }

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

/// The problems of one file while it is read.
pub(crate) struct Findings<'a> {
    path: &'a Path,
    found: Vec<SkillDiagnostic>,
}

impl<'a> Findings<'a> {
    /// None yet.
    pub fn new(path: &'a Path) -> Self {
        Self { path, found: Vec::new() }
    }

    /// The file.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// Adds what was found elsewhere in the same file.
    pub fn extend(&mut self, other: Vec<SkillDiagnostic>) {
        self.found.extend(other);
    }

    /// Adds a note.
    pub fn note(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        self.found.push(SkillDiagnostic::note(self.path, line, code, message));
    }

    /// Adds a warning.
    pub fn warn(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        self.found.push(SkillDiagnostic::warning(self.path, line, code, message));
    }

    /// Adds an error.
    pub fn error(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        self.found.push(SkillDiagnostic::error(self.path, line, code, message));
    }

    /// Whether the skill is to be skipped.
    pub fn has_error(&self) -> bool {
        self.found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// All of them by line; those of one line in the order in which they were found.
    pub fn into_inner(mut self) -> Vec<SkillDiagnostic> {
        self.found.sort_by_key(|diagnostic| diagnostic.line);
        self.found
    }
}
