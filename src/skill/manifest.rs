//! Reads one SKILL.md: frontmatter between two `---` lines, then the body.
//!
//! Reading is lenient: a problem becomes a [`SkillDiagnostic`] with its line, never a stop. Rules:
//! one byte-order mark is dropped, CRLF and CR become LF, only a line that is exactly `---` opens
//! or closes the frontmatter, a missing name falls back to the folder's.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// Largest SKILL.md read, in bytes.
pub const SKILL_MD_BYTES_MAX: u64 = 1 << 20;

/// A problem found in a SKILL.md; the skill loads all the same unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDiagnostic {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Short stable code, for example `no-frontmatter`.
    pub code: &'static str,
    /// What was found and what is done about it.
    pub message: String,
}

impl fmt::Display for SkillDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, code, message } = self;
        write!(f, "{}:{line}: {code}: {message}", path.display())
    }
}

/// The contents of one SKILL.md.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillManifest {
    /// `name`, or the folder's name.
    pub name: String,
    /// `description`, or the first line of prose of the body; empty if there is neither.
    pub description: String,
    /// Hook type to script path relative to the skill's folder, sorted.
    pub hooks: Vec<(String, String)>,
    /// Name of the Rust implementation that runs this skill (`metadata.native`).
    pub native: Option<String>,
    /// Every frontmatter field as read.
    pub fields: Map<String, Value>,
    /// Text after the frontmatter, with LF line ends.
    pub body: String,
}

/// Reads a SKILL.md from its bytes. `path` is used in diagnostics and for the fallback name.
pub fn read_manifest(path: &Path, bytes: &[u8]) -> (SkillManifest, Vec<SkillDiagnostic>) {
    let mut found = Reader { path, diagnostics: Vec::new() };
    let text = found.decode(bytes);
    let (frontmatter, body, first_line) = found.split(&text);
    let fields = found.fields(frontmatter, first_line);
    let manifest = SkillManifest {
        name: found.name(&fields),
        description: text_of(fields.get("description")).unwrap_or_else(|| first_prose(body)),
        hooks: hooks_of(&fields),
        native: fields
            .get("metadata")
            .and_then(|metadata| metadata.get("native"))
            .and_then(|native| text_of(Some(native))),
        body: body.to_owned(),
        fields,
    };
    (manifest, found.diagnostics)
}

struct Reader<'a> {
    path: &'a Path,
    diagnostics: Vec<SkillDiagnostic>,
}

impl Reader<'_> {
    fn warn(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        let path = self.path.to_owned();
        self.diagnostics.push(SkillDiagnostic { path, line, code, message: message.into() });
    }

    fn decode(&mut self, bytes: &[u8]) -> String {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            let good = String::from_utf8_lossy(bytes).find('\u{FFFD}').unwrap_or(0);
            let line = 1 + bytes[..good].iter().filter(|b| **b == b'\n').count() as u32;
            self.warn(line, "not-utf8", "bytes that are not UTF-8 were replaced by U+FFFD");
        }
        text.replace("\r\n", "\n").replace('\r', "\n")
    }

    /// Frontmatter text, body text, and the line on which the frontmatter's text begins.
    fn split<'t>(&mut self, text: &'t str) -> (&'t str, &'t str, u32) {
        let Some(rest) = text.strip_prefix("---").and_then(|rest| {
            let (line, rest) = rest.split_once('\n')?;
            line.trim().is_empty().then_some(rest)
        }) else {
            self.warn(1, "no-frontmatter", "the file does not begin with a line '---'");
            return ("", text, 1);
        };
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim_end() == "---" {
                return (&rest[..at], &rest[at + line.len()..], 2);
            }
            at += line.len();
        }
        self.warn(1, "unclosed-frontmatter", "no second line '---'; all of it is read as body");
        ("", rest, 2)
    }

    fn fields(&mut self, frontmatter: &str, first_line: u32) -> Map<String, Value> {
        if frontmatter.trim().is_empty() {
            return Map::new();
        }
        match serde_yaml::from_str::<Value>(frontmatter) {
            Ok(Value::Object(fields)) => fields,
            Ok(other) => {
                let kind = format!("the frontmatter is not a mapping but {other:.40}");
                self.warn(first_line, "not-a-mapping", kind);
                Map::new()
            }
            Err(error) => {
                let line = error.location().map_or(0, |at| at.line() as u32);
                let message = error.to_string();
                let first = message.lines().next().unwrap_or("unreadable YAML").to_owned();
                self.warn(first_line + line.saturating_sub(1), "bad-yaml", first);
                plain_fields(frontmatter)
            }
        }
    }

    fn name(&mut self, fields: &Map<String, Value>) -> String {
        text_of(fields.get("name")).unwrap_or_else(|| {
            self.warn(1, "no-name", "no name; the folder's name is used");
            let folder = self.path.parent().and_then(Path::file_name);
            folder.map_or_else(|| "unnamed".to_owned(), |name| name.to_string_lossy().into_owned())
        })
    }
}

/// Top-level `key: value` lines of a frontmatter that is not YAML, each value as plain text.
fn plain_fields(frontmatter: &str) -> Map<String, Value> {
    let entry = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let plain = key.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        (plain && !key.is_empty()).then(|| (key.to_owned(), Value::String(value.trim().to_owned())))
    };
    frontmatter.lines().filter_map(entry).collect()
}

fn text_of(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn first_prose(body: &str) -> String {
    let prose = |line: &&str| !line.is_empty() && !line.starts_with(['#', '`', '-', '|']);
    body.lines().map(str::trim).find(prose).unwrap_or_default().to_owned()
}

fn hooks_of(fields: &Map<String, Value>) -> Vec<(String, String)> {
    let Some(Value::Object(hooks)) = fields.get("hooks") else { return Vec::new() };
    let mut pairs: Vec<_> = hooks
        .iter()
        .filter_map(|(hook, script)| Some((hook.clone(), text_of(Some(script))?)))
        .collect();
    pairs.sort();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (SkillManifest, Vec<SkillDiagnostic>) {
        read_manifest(Path::new("skills/walker/SKILL.md"), text.as_bytes())
    }

    /// Contract: one BOM is dropped, CRLF becomes LF, `---` inside a value does not close.
    #[test]
    fn reads_fields_and_body_whatever_the_line_ends() {
        let text = "\u{FEFF}---\r\nname: a --- b\r\ndescription: d\r\n---\r\nBody\r\n";
        let (manifest, diagnostics) = read(text);
        assert_eq!(manifest.name, "a --- b");
        assert_eq!(manifest.description, "d");
        assert_eq!(manifest.body, "Body\n");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn a_bad_file_still_gives_a_skill_and_says_where_it_is_bad() {
        let (manifest, diagnostics) = read("---\nname: x\nbad: [1, 2\n---\nText here.\n");
        assert_eq!(manifest.name, "x");
        assert_eq!(diagnostics[0].code, "bad-yaml");
        assert!(diagnostics[0].line >= 2, "{}", diagnostics[0]);
        let (manifest, diagnostics) = read("# Title\n\nSome prose.\n");
        assert_eq!(
            (manifest.name.as_str(), manifest.description.as_str()),
            ("walker", "Some prose.")
        );
        assert_eq!(
            diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(),
            ["no-frontmatter", "no-name"]
        );
    }
}
