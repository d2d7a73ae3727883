//! What a skill needs and brings: `requires` and `tools` in all their shapes.

use serde_json::{Map, Value};

use super::coerce::{list, texts, wrong_type};
use super::diagnostic::Findings;
use super::files::{named_file, slashed, why_not};
use super::frontmatter::Fields;
use super::manifest::{Requires, Tools};
use super::yaml::Content;

/// `requires`: a mapping of kinds, or a list or text of other skills.
pub(super) fn requires(fields: &Fields, found: &mut Findings<'_>) -> Requires {
    let mut all = Requires::default();
    let Some(field) = fields.get("requires") else { return all };
    let Content::Map(entries) = &field.node.content else {
        match texts(&field.node) {
            Some(skills) => all.skills = skills,
            None => wrong_type(field, "a mapping, or a list of skills", found),
        }
        return all;
    };
    for (key, node) in entries {
        let kind = match key.as_str() {
            "bins" | "runtime" => &mut all.bins,
            "env" => &mut all.env,
            "os" => &mut all.os,
            "tools" => &mut all.tools,
            "skills" => &mut all.skills,
            _ => {
                let message = format!("'requires.{key}' means nothing here; kept as it is");
                found.warn(node.line, "unknown-requirement", message);
                all.extra.insert(key.clone(), node.value());
                continue;
            }
        };
        match texts(node) {
            Some(words) => kind.extend(words),
            None if node.is_null() => {}
            None => {
                let message = format!("'requires.{key}' must be a list of texts; ignored");
                found.warn(node.line, "wrong-type", message);
            }
        }
    }
    all
}

/// `tools`: names, a mapping with `builtin`, or a list of objects with a `name`; and the files of
/// `tools_entry`.
pub(super) fn tools(
    fields: &Fields,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) -> Tools {
    let mut tools = Tools::default();
    if let Some(field) = fields.get("tools") {
        match &field.node.content {
            Content::Map(entries) => {
                let mut extra = Map::new();
                for (key, node) in entries {
                    match texts(node).filter(|_| key == "builtin") {
                        Some(names) => tools.builtin = names,
                        None => {
                            extra.insert(key.clone(), node.value());
                        }
                    }
                }
                if !extra.is_empty() {
                    tools.extra = Value::Object(extra);
                }
            }
            Content::List(items) => {
                let mut objects = Vec::new();
                for item in items {
                    let value = item.value();
                    match &item.content {
                        Content::Scalar { text, .. } => tools.builtin.push(text.trim().to_owned()),
                        _ => {
                            if let Some(name) = value["name"].as_str() {
                                tools.builtin.push(name.to_owned());
                            }
                            objects.push(value);
                        }
                    }
                }
                if !objects.is_empty() {
                    tools.extra = Value::Array(objects);
                }
            }
            Content::Scalar { .. } => tools.builtin = list(fields, "tools", found),
        }
    }
    let line = fields.get("tools_entry").map_or(1, |field| field.line);
    for path in list(fields, "tools_entry", found) {
        let path = slashed(&path);
        match named_file(&path, has_file) {
            Ok(()) => tools.entries.push(path),
            Err(code) => {
                found.warn(line, code, format!("the tools entry '{path}' {}", why_not(code)));
            }
        }
    }
    tools
}
