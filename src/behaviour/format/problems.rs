//! All mistakes of a file, gathered while it is read.

use std::path::Path;

use crate::behaviour::definition::Position;
use crate::behaviour::error::{TreeError, TreeProblem};

/// The text is not XML, YAML or JSON.
pub(super) const SYNTAX: &str = "syntax";
/// It is, but does not have the shape of a document.
pub(super) const STRUCTURE: &str = "structure";
/// A name that some format could not say.
pub(super) const NAMES: &str = "names";
/// Larger than any document may be.
pub(super) const BOUNDS: &str = "bounds";
/// A file that names another which cannot be read with it.
pub(super) const INCLUDES: &str = "includes";
/// A document says what a format has no words for.
pub(super) const UNSAYABLE: &str = "unsayable";

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<TreeProblem>);

impl Problems {
    /// One more.
    pub(super) fn add(&mut self, at: Position, code: &'static str, message: impl Into<String>) {
        let Position { line, column } = at;
        self.0.push(TreeProblem { line, column, code, message: message.into() });
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All mistakes of `inner`, a text within the file that has no lines of its own.
    pub(super) fn absorb(&mut self, inner: Self, at: Position) {
        let Position { line, column } = at;
        self.0.extend(inner.0.into_iter().map(|problem| TreeProblem { line, column, ..problem }));
    }

    /// The mistakes in order of position.
    pub(super) fn into_list(mut self) -> Vec<TreeProblem> {
        self.0.sort_by_key(|problem| (problem.line, problem.column));
        self.0
    }

    /// `value`, or all mistakes in order of position.
    pub(super) fn finish<T>(self, value: T, path: &Path) -> Result<T, TreeError> {
        if self.0.is_empty() {
            return Ok(value);
        }
        Err(TreeError::Invalid { path: path.to_owned(), problems: self.into_list() })
    }
}

/// `; did you mean ...?`, if one of the allowed words is near.
pub(in crate::behaviour) fn nearest<'a>(
    word: &str,
    allowed: impl IntoIterator<Item = &'a str>,
) -> String {
    let near = |other: &&str| strsim::damerau_levenshtein(word, other);
    let best = allowed.into_iter().min_by_key(near).filter(|best| near(best) <= 2);
    best.map(|best| format!("; did you mean `{best}`?")).unwrap_or_default()
}
