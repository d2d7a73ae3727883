//! Files that a SKILL.md names: scripts, hooks, trees, tools.

use std::path::{Component, Path};

use serde_json::{Map, Value};

use super::coerce::{scalar, text};
use super::diagnostic::Findings;
use super::frontmatter::{Field, Fields};
use super::yaml::{Content, Node};

/// A path with `/`, as Windows writes it too, and without a leading `./`.
pub(super) fn slashed(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    path.trim_start_matches("./").to_owned()
}

/// Whether the skill's folder holds the file.
///
/// # Errors
/// The code of the diagnostic if it does not.
pub(super) fn named_file(path: &str, has_file: &dyn Fn(&str) -> bool) -> Result<(), &'static str> {
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || !Path::new(path).components().all(inside) {
        return Err("outside-folder");
    }
    if has_file(path) { Ok(()) } else { Err("missing-file") }
}

/// What a code of [`named_file`] means, for a message.
pub(super) fn why_not(code: &str) -> &'static str {
    match code {
        "outside-folder" => "leads out of the skill's folder; dropped",
        _ => "is not a file in the skill's folder",
    }
}

/// The default script, if the file is there.
pub(super) fn script(
    fields: &Fields,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) -> Option<String> {
    let line = fields.get("script")?.line;
    let path = slashed(&text(fields, "script", found)?);
    kept("the script", path, line, has_file, found)
}

fn kept(
    what: &str,
    path: String,
    line: u32,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) -> Option<String> {
    match named_file(&path, has_file) {
        Ok(()) => Some(path),
        Err(code) => {
            found.warn(line, code, format!("{what} '{path}' {}", why_not(code)));
            None
        }
    }
}

/// Hooks in AgentSociety's shape: hook type to a file that is there. What has another shape goes
/// to `extra` and is never executed. The older pair `hook` and `hook_script` adds one and wins over
/// an equal one.
pub(super) fn hooks(
    fields: &Fields,
    has_file: &dyn Fn(&str) -> bool,
    extra: &mut Map<String, Value>,
    found: &mut Findings<'_>,
) -> Vec<(String, String)> {
    let mut hooks: Vec<(String, String)> = Vec::new();
    if let Some(field) = fields.get("hooks") {
        match &field.node.content {
            Content::Map(entries) => {
                let mut foreign = Map::new();
                for (kind, node) in entries {
                    match scalar(node) {
                        Some(path) => add(&mut hooks, kind, path, node, has_file, found),
                        None => {
                            foreign.insert(kind.clone(), node.value());
                        }
                    }
                }
                if !foreign.is_empty() {
                    keep_foreign(field, Value::Object(foreign), extra, found);
                }
            }
            Content::List(_) | Content::Scalar { .. } => {
                keep_foreign(field, field.node.value(), extra, found);
            }
        }
    }
    match (fields.get("hook"), fields.get("hook_script")) {
        (Some(kind), Some(script)) => {
            if let (Some(kind), Some(path)) = (scalar(&kind.node), scalar(&script.node)) {
                add(&mut hooks, kind, path, &script.node, has_file, found);
            }
        }
        (Some(one), None) | (None, Some(one)) => {
            let message = format!("'{}' does nothing without its other half", one.key);
            found.warn(one.line, "half-hook", message);
        }
        (None, None) => {}
    }
    hooks.sort();
    hooks
}

fn add(
    hooks: &mut Vec<(String, String)>,
    kind: &str,
    path: &str,
    node: &Node,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) {
    let kind = kind.trim();
    let Some(path) = kept(&format!("hook {kind}:"), slashed(path), node.line, has_file, found)
    else {
        return;
    };
    if kind.is_empty() {
        return;
    }
    hooks.retain(|(other, _)| other != kind);
    hooks.push((kind.to_owned(), path));
}

fn keep_foreign(
    field: &Field,
    value: Value,
    extra: &mut Map<String, Value>,
    found: &mut Findings<'_>,
) {
    let message = "hooks in another product's shape are kept as they are and never executed";
    found.warn(field.line, "foreign-hooks", message);
    extra.insert("hooks".to_owned(), value);
}
