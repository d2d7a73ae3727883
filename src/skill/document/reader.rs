//! The lenient loader: one SKILL.md of any dialect to one manifest.

use std::path::Path;

use super::coerce;
use super::diagnostic::{Findings, SkillDiagnostic};
use super::fields::{identity, manifest};
use super::frontmatter::{Fields, read_fields};
use super::manifest::SkillManifest;
use super::split::{Fence, first_prose, split};
use super::text::decode;

/// Reads a SKILL.md from its bytes; no bytes make it panic or take long.
///
/// `path` is named in diagnostics, and the folder in it is the fallback name. `has_file` says
/// whether the skill's folder holds a regular file at a path relative to it (with `/`, without
/// `..`) that does not lead out of it by a link.
///
/// The manifest is `None` exactly if a diagnostic is an error. Diagnostics are sorted by line.
///
/// Source: contract 1.8 of the SKILL.md dialects; AgentSociety's contract, 1.1 and 1.2, as its
/// section 0 corrects it.
pub fn read(
    path: &Path,
    bytes: &[u8],
    has_file: &dyn Fn(&str) -> bool,
) -> (Option<SkillManifest>, Vec<SkillDiagnostic>) {
    let mut found = Findings::new(path);
    let manifest = decode(bytes, &mut found).and_then(|text| {
        let folder = path.parent().and_then(Path::file_name);
        let dir_name = folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let parts = parts(&text, &mut found);
        let name = identity(&parts.fields, &dir_name, &mut found);
        let description = description(&parts, &mut found)?;
        let mut manifest = manifest(&parts.fields, has_file, &mut found);
        (manifest.name, manifest.dir_name) = (name, dir_name);
        (manifest.description, manifest.body) = (description, parts.body.to_owned());
        manifest.body_line = parts.body_line;
        Some(manifest)
    });
    (manifest.filter(|_| !found.has_error()), found.into_inner())
}

/// The fields, the body, and where prose may begin.
struct Parts<'t> {
    fields: Fields,
    body: &'t str,
    prose: &'t str,
    body_line: u32,
}

/// Cuts the text and reads its fields. An unclosed frontmatter counts only if all of it can be
/// read as fields; otherwise the file has none, as for AgentSociety, and goes by its folder's name.
fn parts<'t>(text: &'t str, found: &mut Findings<'_>) -> Parts<'t> {
    let cut = split(text);
    let (body, prose) = (cut.body, cut.body);
    let before = text.len() - body.len();
    let body_line = 1 + u32::try_from(text[..before].matches('\n').count()).unwrap_or(u32::MAX - 1);
    match cut.fence {
        Fence::Closed => Parts { fields: read_fields(cut.front, 2, found), body, prose, body_line },
        Fence::Missing => {
            let message = "the first line is not '---'; the name is the folder's and the \
                           description the first line of prose";
            found.warn(1, "no-frontmatter", message);
            Parts { fields: Fields::default(), body, prose, body_line }
        }
        Fence::Unclosed => {
            let mut own = Findings::new(found.path());
            let fields = read_fields(cut.front, 2, &mut own);
            let fields = Some(fields).filter(|fields| fields.clean);
            let message = match fields {
                Some(_) => "no second line '---'; the fields end at the first empty line",
                None => "no second line '---', and what follows is not only fields; read as body",
            };
            found.warn(1, "unclosed-frontmatter", message);
            match fields {
                Some(fields) => {
                    found.extend(own.into_inner());
                    Parts { fields, body, prose, body_line }
                }
                None => {
                    let whole = text.split_once('\n').map_or("", |(_, rest)| rest);
                    let prose = after_fields(whole);
                    Parts { fields: Fields::default(), body: whole, prose, body_line: 2 }
                }
            }
        }
    }
}

/// What follows the leading `key: value` lines.
fn after_fields(text: &str) -> &str {
    let is_field = |line: &str| {
        let key = line.split(": ").next().unwrap_or_default();
        key.len() < line.trim_end().len() && !key.contains(' ')
    };
    let fields = text.split_inclusive('\n').take_while(|line| is_field(line));
    &text[fields.map(str::len).sum::<usize>()..]
}

/// `description`, or the first line of prose; `None`, with an error, if there is neither.
fn description(parts: &Parts<'_>, found: &mut Findings<'_>) -> Option<String> {
    let line = parts.fields.get("description").map_or(1, |field| field.line);
    if let Some(text) = coerce::text(&parts.fields, "description", found) {
        let count = text.chars().count();
        if count > 1024 {
            let message = format!("{count} characters; other readers take at most 1024");
            found.note(line, "long-description", message);
        }
        return Some(text);
    }
    let Some(prose) = first_prose(parts.prose) else {
        let message = "no description, neither as a field nor as a line of prose; skipped";
        found.error(line, "no-description", message);
        return None;
    };
    if parts.fields.iter().next().is_some() {
        let message = format!("no description; its first line of prose is used: '{prose:.60}'");
        found.warn(parts.body_line, "description-from-body", message);
    }
    Some(prose.to_owned())
}
