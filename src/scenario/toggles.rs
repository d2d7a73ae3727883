//! `skills.json`: skills switched off and more places to find some, as MS-Agent keeps them
//! (contract 1.5 of the SKILL.md dialects). A run honours only the file that its scenario names.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::ScenarioError;
use super::spec::{SkillRoot, Skills};

/// The file; keys that mean nothing here are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Toggles {
    /// More folders of skills; relative ones start at the file's folder.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Skills that nobody sees, by id, name or folder.
    #[serde(default)]
    pub disabled: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Toggles {
    /// Reads the file.
    ///
    /// # Errors
    /// [`ScenarioError::Io`] if it cannot be read, [`ScenarioError::Toggles`] with line and column
    /// if it is not what it should be.
    pub fn read(path: &Path) -> Result<Self, ScenarioError> {
        let io = |source| ScenarioError::Io { path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(io)?;
        serde_json::from_slice(&bytes).map_err(|error| ScenarioError::Toggles {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            reason: error.to_string(),
        })
    }

    /// As [`Self::read`]; empty if there is no file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_if_there(path: &Path) -> Result<Self, ScenarioError> {
        match Self::read(path) {
            Err(ScenarioError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(Self::default())
            }
            read => read,
        }
    }

    /// Writes the file at once or not at all; its folder is made if it is not there.
    ///
    /// # Errors
    /// The operating system's refusal.
    pub fn write(&self, path: &Path) -> Result<(), ScenarioError> {
        let put = || -> io::Result<()> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut text = serde_json::to_vec_pretty(self)?;
            text.push(b'\n');
            let unfinished = path.with_extension("json.part");
            let mut file = fs::File::create(&unfinished)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&unfinished, path)
        };
        put().map_err(|source| ScenarioError::Write { path: path.to_owned(), source })
    }

    /// Adds what the file at `path` says to a scenario's own settings.
    pub(super) fn add_to(&self, skills: &mut Skills, path: &Path) {
        let folder = path.parent().unwrap_or(Path::new(""));
        for source in &self.sources {
            let elsewhere = source.starts_with("git+") || source.starts_with('~');
            let place = if elsewhere { PathBuf::from(source) } else { folder.join(source) };
            skills.roots.push(SkillRoot::Path(place.to_string_lossy().into_owned()));
        }
        for name in &self.disabled {
            if !skills.disabled.contains(name) {
                skills.disabled.push(name.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_is_kept_and_what_is_wrong_is_placed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/skills.json");
        assert_eq!(Toggles::read_if_there(&path).unwrap(), Toggles::default());
        let text = r#"{"theme": {"dark": true}, "disabled": ["a"], "sources": ["more"]}"#;
        let mut toggles: Toggles = serde_json::from_str(text).unwrap();
        toggles.disabled.push("b".to_owned());
        toggles.write(&path).unwrap();
        let written: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(written["theme"]["dark"], true);
        assert_eq!(written["disabled"], serde_json::json!(["a", "b"]));
        assert_eq!(Toggles::read(&path).unwrap(), toggles);
        let mut skills = Skills::default();
        toggles.add_to(&mut skills, Path::new("x/skills.json"));
        assert_eq!((skills.roots[0].source(), skills.disabled.len()), ("x/more", 2));
        fs::write(&path, "{\n  \"disabled\": \"a\"\n}").unwrap();
        let error = Toggles::read(&path).unwrap_err().to_string();
        assert!(
            error.contains("skills.json:2:") && error.contains("expected a sequence"),
            "{error}"
        );
    }
}
