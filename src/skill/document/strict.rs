//! The open standard's verdict (agentskills.io, as its reference validator gives it).
//!
//! It is a separate question from loading: in a survey of public skills more than two in five fail
//! it, most of them by legal YAML that the validator's parser does not take.

use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use super::diagnostic::{Findings, SkillDiagnostic};

/// The six fields of the standard.
const FIELDS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// What the open standard refuses in a SKILL.md that lies in the folder `dir_name`: nothing if it
/// is valid.
///
/// Source: contract 1.1 of the SKILL.md dialects.
pub fn strict(path: &Path, bytes: &[u8], dir_name: &str) -> Vec<SkillDiagnostic> {
    let mut found = Findings::new(path);
    check(bytes, dir_name, &mut found);
    found.into_inner()
}

fn check(bytes: &[u8], dir_name: &str, found: &mut Findings<'_>) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return found.error(1, "strict-encoding", "the file is not UTF-8");
    };
    if text.starts_with('\u{FEFF}') {
        return found.error(1, "strict-bom", "a byte-order mark stands before the frontmatter");
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let Some(rest) = text.strip_prefix("---") else {
        return found.error(1, "strict-no-frontmatter", "the file does not begin with ---");
    };
    // That reader cuts at the next `---`, wherever it stands.
    let Some(end) = rest.find("---") else {
        return found.error(1, "strict-unclosed", "there is no second ---");
    };
    let front = &rest[..end];
    let line = 1 + front.matches('\n').count() as u32;
    if !front.ends_with('\n') {
        let message = "this --- within a line ends the frontmatter for the standard's reader";
        found.warn(line, "strict-split", message);
    }
    yaml(front, found);
    let fields = match serde_yaml::from_str::<serde_json::Value>(front) {
        Ok(serde_json::Value::Object(fields)) => fields,
        Ok(_) => return found.error(2, "strict-yaml", "the frontmatter is not a mapping"),
        Err(error) => {
            let at = error.location().map_or(1, |at| at.line() as u32);
            let message = error.to_string();
            let first = message.lines().next().unwrap_or("not YAML").to_owned();
            return found.error(at, "strict-yaml", first);
        }
    };
    let keys = super::frontmatter::read_fields(front, 1, &mut Findings::new(found.path()));
    let line_of =
        |key: &str| keys.iter().find(|field| field.key == key).map_or(1, |field| field.line);
    let unknown: Vec<&str> =
        fields.keys().map(String::as_str).filter(|key| !FIELDS.contains(key)).collect();
    if let Some(first) = unknown.first() {
        let (unknown, known) = (unknown.join(", "), FIELDS.join(", "));
        let message = format!("fields outside the standard: {unknown}; it has {known}");
        found.error(line_of(first), "strict-field", message);
    }
    // Every scalar is a text for that reader, as it is written.
    let written = |key: &str| keys.get(key).and_then(|field| super::coerce::scalar(&field.node));
    name(written("name"), dir_name, line_of("name"), found);
    let description = written("description").unwrap_or_default();
    let length = description.chars().count();
    if description.trim().is_empty() {
        let message = "there must be a description";
        found.error(line_of("description"), "strict-description", message);
    } else if length > 1024 {
        let message = format!("the description has {length} characters; at most 1024");
        found.error(line_of("description"), "strict-description", message);
    }
    if fields.contains_key("compatibility") {
        let length = written("compatibility").unwrap_or_default().chars().count();
        if !(1..=500).contains(&length) {
            let message = format!("compatibility has {length} characters; 1 to 500");
            found.error(line_of("compatibility"), "strict-compatibility", message);
        }
    }
    let flat = |value: &serde_json::Value| {
        value.as_object().is_some_and(|map| map.values().all(|v| !v.is_object() && !v.is_array()))
    };
    if fields.get("metadata").is_some_and(|metadata| !flat(metadata)) {
        let message = "metadata is a flat mapping of texts";
        found.warn(line_of("metadata"), "strict-metadata", message);
    }
}

fn name(name: Option<&str>, dir_name: &str, line: u32, found: &mut Findings<'_>) {
    let name: String = name.unwrap_or_default().trim().nfkc().collect();
    for fault in name_faults(&name) {
        found.error(line, "strict-name", fault);
    }
    let folder: String = dir_name.nfkc().collect();
    if !name.is_empty() && name != folder {
        let message = format!("the name '{name}' must be that of its folder, '{dir_name}'");
        found.error(line, "strict-directory", message);
    }
}

/// What the open standard finds wrong with a skill's name (in Unicode's compatibility form).
/// A name without fault is no path: it holds letters, digits and hyphens only.
pub fn name_faults(name: &str) -> Vec<String> {
    let length = name.chars().count();
    let of_rule = [
        (length == 0, "there must be a name".to_owned()),
        (length > 64, format!("the name has {length} characters; at most 64")),
        (name != name.to_lowercase(), format!("the name '{name}' must be lower-case")),
        (
            name.starts_with('-') || name.ends_with('-'),
            format!("the name '{name}' must not begin or end with a hyphen"),
        ),
        (name.contains("--"), format!("the name '{name}' must not hold two hyphens in a row")),
        (
            !name.chars().all(|c| c.is_alphanumeric() || c == '-'),
            format!("the name '{name}' may hold letters, digits and hyphens only"),
        ),
    ];
    of_rule.into_iter().filter(|(broken, _)| *broken).map(|(_, fault)| fault).collect()
}

/// Legal YAML that the validator's parser does not take.
fn yaml(front: &str, found: &mut Findings<'_>) {
    for (code, line, what) in super::yaml::beyond_plain(front) {
        found.error(line, code, format!("{what}, which the standard's YAML does not have"));
    }
}

#[cfg(test)]
mod tests;
