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
            Self::Io { .. } => &[],
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
