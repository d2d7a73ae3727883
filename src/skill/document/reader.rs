//! Reads one SKILL.md: frontmatter between two `---` lines, then the body.
//!
//! Reading is lenient: a problem becomes a [`SkillDiagnostic`] with its line, never a stop. Rules:
//! one byte-order mark is dropped, CRLF and CR become LF, only a line that is exactly `---` opens
//! or closes the frontmatter, a missing name falls back to the folder's.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::diagnostic::SkillDiagnostic;
use super::manifest::{Invocation, Requires, SkillKind, SkillManifest, Tools};

/// Reads a SKILL.md from its bytes. `path` is used in diagnostics and for the fallback name;
/// `has_file` says whether the skill's folder holds a file of this relative path.
pub fn read(
    path: &Path,
    bytes: &[u8],
    has_file: &dyn Fn(&str) -> bool,
) -> (Option<SkillManifest>, Vec<SkillDiagnostic>) {
    let mut found = Reader { path, diagnostics: Vec::new() };
    let text = found.decode(bytes);
    let (frontmatter, body, first_line) = found.split(&text);
    let fields = found.fields(frontmatter, first_line);
    let native =
        fields.get("metadata").and_then(|m| m.get("native")).and_then(|n| text_of(Some(n)));
    let hooks: Vec<_> = hooks_of(&fields).into_iter().filter(|hook| has_file(&hook.1)).collect();
    let script = text_of(fields.get("script")).filter(|script| has_file(script));
    let kind = match (&native, hooks.is_empty() && script.is_none()) {
        (Some(_), _) => SkillKind::Native,
        (None, false) => SkillKind::Script,
        (None, true) => SkillKind::Prompt,
    };
    let dir_name = path.parent().and_then(Path::file_name);
    let manifest = SkillManifest {
        name: found.name(&fields),
        dir_name: dir_name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        description: text_of(fields.get("description")).unwrap_or_else(|| first_prose(body)),
        body: body.to_owned(),
        kind,
        version: text_of(fields.get("version")).unwrap_or_else(|| "latest".to_owned()),
        author: text_of(fields.get("author")),
        tags: Vec::new(),
        always: false,
        requires: Requires::default(),
        hooks,
        script,
        native,
        bt: None,
        tools: Tools::default(),
        constraints: json!({}),
        allowed_tools: Vec::new(),
        role: None,
        push_to_chat: false,
        invocation: Invocation::default(),
        license: None,
        compatibility: None,
        metadata: fields.get("metadata").cloned().unwrap_or_else(|| json!({})),
        extra: Map::new(),
        fields,
    };
    (Some(manifest), found.diagnostics)
}

struct Reader<'a> {
    path: &'a Path,
    diagnostics: Vec<SkillDiagnostic>,
}

impl Reader<'_> {
    fn warn(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        self.diagnostics.push(SkillDiagnostic::warning(self.path, line, code, message));
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

    fn load(text: &str) -> (SkillManifest, Vec<SkillDiagnostic>) {
        let path = Path::new("skills/walker/SKILL.md");
        let (manifest, diagnostics) = read(path, text.as_bytes(), &|_| true);
        (manifest.unwrap(), diagnostics)
    }

    /// Contract: one BOM is dropped, CRLF becomes LF, `---` inside a value does not close.
    #[test]
    fn reads_fields_and_body_whatever_the_line_ends() {
        let text = "\u{FEFF}---\r\nname: a --- b\r\ndescription: d\r\n---\r\nBody\r\n";
        let (manifest, diagnostics) = load(text);
        assert_eq!(manifest.name, "a --- b");
        assert_eq!(manifest.description, "d");
        assert_eq!(manifest.body, "Body\n");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn a_bad_file_still_gives_a_skill_and_says_where_it_is_bad() {
        let (manifest, diagnostics) = load("---\nname: x\nbad: [1, 2\n---\nText here.\n");
        assert_eq!(manifest.name, "x");
        assert_eq!(diagnostics[0].code, "bad-yaml");
        assert!(diagnostics[0].line >= 2, "{}", diagnostics[0]);
        let (manifest, diagnostics) = load("# Title\n\nSome prose.\n");
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
