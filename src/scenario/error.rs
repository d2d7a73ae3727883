//! Why a scenario could not be loaded.

use std::path::PathBuf;

use super::diagnostic::Diagnostic;

/// Why a scenario could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        #[source]
        source: std::io::Error,
    },
    /// A file beside the scenario cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        #[source]
        source: std::io::Error,
    },
    /// A `skills.json` is not what it should be.
    #[error(
        "{}:{line}:{column}: {reason}; it is an object with the lists `disabled` and `sources`",
        path.display()
    )]
    Toggles {
        /// The file.
        path: PathBuf,
        /// Where in it, from 1.
        line: usize,
        /// Where in the line, from 1.
        column: usize,
        /// What was found and what is expected.
        reason: String,
    },
    /// The scenario is a model, and persons are needed.
    #[error("{}: `{model}` is a model without persons; take a scenario with `population`",
        path.display())]
    NoPersons {
        /// The file.
        path: PathBuf,
        /// The model.
        model: &'static str,
    },
    /// The file says something that is not allowed. All its mistakes, in order of position; never
    /// empty.
    #[error("{}", render_all(.0))]
    Invalid(Vec<Diagnostic>),
}

impl ScenarioError {
    /// The mistakes of the file; empty if it could not be read.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Invalid(diagnostics) => diagnostics,
            _ => &[],
        }
    }
}

fn render_all(diagnostics: &[Diagnostic]) -> String {
    let mut text: String = diagnostics.iter().map(|one| one.render() + "\n").collect();
    let errors = match diagnostics.len() {
        1 => "1 error".to_owned(),
        count => format!("{count} errors"),
    };
    text.push_str(&format!("not valid: {errors}"));
    text
}
