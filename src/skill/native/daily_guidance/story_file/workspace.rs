//! One agent's workspace: which files daily-guidance reads and writes there, and the clock in it.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

use jiff::civil::{Date, DateTime};
use serde_json::{Map, Value};

use super::error::GuidanceError;
use super::validate::kind_of;
use super::yaml;

/// Largest file read, in bytes; a Story of 64 segments has about 60,000.
pub const FILE_BYTES_MAX: u64 = 1 << 20;

/// Path of a day's Story relative to the workspace.
pub fn story_file(date: Date) -> String {
    format!("state/daily_guidance/{date}/story.yaml")
}

/// A workspace. Nothing outside its folder is read or written, symbolic links included.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    real: PathBuf,
}

impl Workspace {
    /// The workspace in the folder `root`.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn open(root: &Path) -> Result<Self, GuidanceError> {
        let io = |source| GuidanceError::Io { path: root.to_owned(), source };
        let real = fs::canonicalize(root).map_err(io)?;
        if !real.is_dir() {
            return Err(io(ErrorKind::NotADirectory.into()));
        }
        Ok(Self { root: std::path::absolute(root).map_err(io)?, real })
    }

    /// `path` as an absolute path, links not resolved: what a report shows.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// `path` relative to the workspace with `/` between its parts, where it can be said so.
    pub fn relative(&self, path: &Path) -> String {
        let absolute = self.absolute(path);
        let inside =
            absolute.strip_prefix(&self.root).or_else(|_| absolute.strip_prefix(&self.real));
        let parts = inside.unwrap_or(&absolute).components();
        let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }

    /// Where `path` (relative to the workspace, or absolute) really lies.
    ///
    /// # Errors
    /// [`GuidanceError::Outside`] if that is not in the workspace; also for a link to nowhere,
    /// whose target cannot be vouched for.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, GuidanceError> {
        let outside =
            || GuidanceError::Outside { path: path.to_owned(), workspace: self.root.clone() };
        let mut existing = self.absolute(path);
        let mut new_parts = Vec::new();
        let real = loop {
            match fs::canonicalize(&existing) {
                Ok(real) => break real,
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    if fs::symlink_metadata(&existing).is_ok() {
                        return Err(outside());
                    }
                    let Some(Component::Normal(name)) = existing.components().next_back() else {
                        return Err(outside());
                    };
                    new_parts.push(name.to_owned());
                    existing.pop();
                }
                Err(source) => return Err(GuidanceError::Io { path: path.to_owned(), source }),
            }
        };
        if !real.starts_with(&self.real) {
            return Err(outside());
        }
        Ok(new_parts.iter().rev().fold(real, |path, part| path.join(part)))
    }

    /// Whether something lies at `path`.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn exists(&self, path: &Path) -> Result<bool, GuidanceError> {
        Ok(self.resolve(path)?.exists())
    }

    /// Text of the file `path`.
    ///
    /// # Errors
    /// If it is outside the workspace, absent, not a file, too large or not UTF-8.
    pub fn read_text(&self, path: &Path) -> Result<String, GuidanceError> {
        let shown = || PathBuf::from(self.relative(path));
        let io = |source: std::io::Error| match source.kind() {
            ErrorKind::NotFound => GuidanceError::Missing { path: shown() },
            _ => GuidanceError::Io { path: shown(), source },
        };
        let real = self.resolve(path)?;
        // Asked before opening: a named pipe would wait for ever.
        if !fs::metadata(&real).map_err(io)?.is_file() {
            return Err(GuidanceError::NotAFile { path: shown() });
        }
        let file = fs::File::open(&real).map_err(io)?;
        let bytes = file.metadata().map_err(io)?.len();
        let mut content = Vec::new();
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content).map_err(io)?;
        if content.len() as u64 > FILE_BYTES_MAX {
            return Err(GuidanceError::TooLarge { path: shown(), bytes, max: FILE_BYTES_MAX });
        }
        String::from_utf8(content).map_err(|error| GuidanceError::NotUtf8 {
            path: shown(),
            offset: error.utf8_error().valid_up_to(),
        })
    }

    /// The Story document at `path`: any YAML, null where the file holds none.
    ///
    /// # Errors
    /// As [`Self::read_text`], or if it is not YAML.
    pub fn read_story(&self, path: &Path) -> Result<Value, GuidanceError> {
        yaml::read(&self.read_text(path)?).map_err(|message| GuidanceError::Syntax {
            path: PathBuf::from(self.relative(path)),
            format: "YAML",
            message,
        })
    }

    /// Writes `text` to `path` as a whole: a reader sees the old file or the new one. Folders are
    /// made as needed.
    ///
    /// # Errors
    /// If the path is outside the workspace or the system refuses.
    pub fn write_text(&self, path: &Path, text: &str) -> Result<(), GuidanceError> {
        let real = self.resolve(path)?;
        let io = |source| GuidanceError::Io { path: PathBuf::from(self.relative(path)), source };
        if real.is_dir() {
            return Err(GuidanceError::NotAFile { path: PathBuf::from(self.relative(path)) });
        }
        if let Some(folder) = real.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let mut name = real.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = real.with_file_name(name);
        // Made anew, so that a link planted under this name is replaced and not followed.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
        let written = fs::File::create_new(&part).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            fs::rename(&part, &real)
        });
        written.map_err(io)
    }

    /// What AGENT.json says of the agent; nothing if there is no such file.
    ///
    /// # Errors
    /// If it is there but cannot be read as a JSON object.
    pub fn agent(&self) -> Result<AgentFile, GuidanceError> {
        let path = Path::new("AGENT.json");
        let text = match self.read_text(path) {
            Ok(text) => text,
            Err(GuidanceError::Missing { .. }) => return Ok(AgentFile::default()),
            Err(error) => return Err(error),
        };
        match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(AgentFile { fields }),
            Ok(other) => {
                Err(GuidanceError::NotAMapping { path: path.to_owned(), found: kind_of(&other) })
            }
            Err(error) => Err(GuidanceError::Syntax {
                path: path.to_owned(),
                format: "JSON",
                message: error.to_string(),
            }),
        }
    }
}

/// AGENT.json: who the agent is and what time it is.
#[derive(Debug, Clone, Default)]
pub struct AgentFile {
    fields: Map<String, Value>,
}

impl AgentFile {
    #[cfg(test)]
    pub(super) fn of(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self { fields },
            other => panic!("no object: {other}"),
        }
    }

    /// The agent's number, `agent_id` or the profile's `id`.
    pub fn id(&self) -> Option<u64> {
        let id = self.fields.get("agent_id").and_then(Value::as_u64);
        id.or_else(|| self.profile()?.get("id")?.as_u64())
    }

    /// The agent's name, if not blank.
    pub fn name(&self) -> Option<&str> {
        let own = self.fields.get("name").and_then(Value::as_str);
        own.or_else(|| self.profile()?.get("name")?.as_str()).filter(|name| !name.trim().is_empty())
    }

    /// The profile.
    pub fn profile(&self) -> Option<&Map<String, Value>> {
        self.fields.get("profile")?.as_object()
    }

    /// The simulated time `current_time`.
    ///
    /// # Errors
    /// If there is none, or it is not a date and time.
    pub fn time(&self) -> Result<DateTime, GuidanceError> {
        match self.fields.get("current_time") {
            None | Some(Value::Null) => Err(GuidanceError::NoClock),
            Some(value) => read_time(value, "AGENT.json current_time"),
        }
    }
}

/// A simulated time as text: ISO 8601, zone dropped. `field` names it in the error.
///
/// # Errors
/// If it is not a date and time.
pub fn read_time(value: &Value, field: &'static str) -> Result<DateTime, GuidanceError> {
    let bad = || GuidanceError::BadClock {
        field,
        text: value.as_str().map_or_else(|| kind_of(value).to_owned(), str::to_owned),
    };
    let text = value.as_str().ok_or_else(bad)?.trim();
    let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    text.parse().map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Contract: ISO, with an optional trailing Z.
    #[test]
    fn times_are_read_with_and_without_a_zone() {
        let expected = jiff::civil::date(2026, 3, 2).at(6, 5, 0, 0);
        for text in [
            "2026-03-02T06:05:00",
            "2026-03-02 06:05",
            "2026-03-02T06:05:00Z",
            "2026-03-02T06:05:00+00:00",
        ] {
            assert_eq!(read_time(&json!(text), "t").unwrap(), expected, "{text}");
        }
        for bad in [json!("soon"), json!(12), json!("2026-02-30T00:00:00"), json!("")] {
            assert!(read_time(&bad, "t").is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("w")).unwrap();
        fs::write(folder.path().join("secret"), "s").unwrap();
        let workspace = Workspace::open(&folder.path().join("w")).unwrap();
        for path in ["../secret", "a/../../secret", "/etc/passwd", "no/../../x", ".."] {
            let error = workspace.read_text(Path::new(path)).unwrap_err();
            assert!(matches!(error, GuidanceError::Outside { .. }), "{path}: {error}");
            assert!(workspace.write_text(Path::new(path), "x").is_err(), "{path}");
        }
        workspace.write_text(Path::new("a/b.txt"), "hello").unwrap();
        assert_eq!(workspace.read_text(Path::new("a/b.txt")).unwrap(), "hello");
    }
}
