//! The answers of the tools `skills_list` and `skill_view`, as JSON.
//!
//! Source: contract 1.6 of the SKILL.md dialects (MS-Agent's tools); the keys are exactly its own.

use serde_json::{Value, json};

use super::search::{Index, has_tag};
use crate::skill::package::Skill;
use crate::skill::registry::SkillRegistry;

/// What is asked of [`skills_list`]; nothing asks for all skills.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListQuery<'a> {
    /// Words to find; those that fit best come first. Without words the order is that of the ids.
    pub query: Option<&'a str>,
    /// Only skills with this tag, without regard to case.
    pub tag: Option<&'a str>,
    /// Most skills.
    pub limit: Option<usize>,
}

/// The skills that are asked for: `{"skills": [...], "total"}`, with `query` if words were asked
/// for and `relevance_score` in each skill then.
pub fn skills_list(registry: &SkillRegistry, asked: &ListQuery<'_>) -> Value {
    let limit = asked.limit.unwrap_or(usize::MAX);
    let all = registry.skills();
    let Some(query) = asked.query else {
        let fits = |skill: &&Skill| has_tag(skill, asked.tag);
        let rows: Vec<Value> = all.iter().filter(fits).take(limit).map(row).collect();
        let total = rows.len();
        return json!({"skills": rows, "total": total});
    };
    let found = Index::new(registry).search(query, asked.tag, limit);
    let rows = found.iter().map(|found| {
        let mut row = row(&all[found.index]);
        // Four digits say all that such a score can.
        row["relevance_score"] = json!((f64::from(found.score) * 1e4).round() / 1e4);
        row
    });
    let (rows, total): (Vec<Value>, usize) = (rows.collect(), found.len());
    json!({"skills": rows, "total": total, "query": query})
}

/// One skill in full, or a file of its folder: `{"file_path", "content"}`. `{"error"}` if there is
/// no such skill or file. The content of a skill is its body after the frontmatter.
pub fn skill_view(registry: &SkillRegistry, skill_id: &str, file_path: Option<&str>) -> Value {
    let found = registry.resolve(skill_id).and_then(|index| {
        let skill = &registry.skills()[index];
        match file_path {
            Some(path) => Ok(json!({"file_path": path, "content": skill.read_file(path)?})),
            None => Ok(view(skill)),
        }
    });
    found.unwrap_or_else(|error| json!({"error": error.to_string()}))
}

fn row(skill: &Skill) -> Value {
    let manifest = &skill.manifest;
    let files = LinkedFiles::of(skill);
    json!({
        "skill_id": skill.id,
        "name": manifest.name,
        "description": manifest.description,
        "version": manifest.version,
        "tags": manifest.tags,
        "has_scripts": !files.scripts.is_empty(),
        "has_references": !files.references.is_empty(),
        "has_missing_deps": !skill.is_available(),
    })
}

fn view(skill: &Skill) -> Value {
    let manifest = &skill.manifest;
    let LinkedFiles { scripts, references, resources } = LinkedFiles::of(skill);
    let mut view = json!({
        "skill_id": skill.id,
        "name": manifest.name,
        "description": manifest.description,
        "skill_dir": skill.root,
        "content": manifest.body.trim(),
        "linked_files": {
            "scripts": scripts, "references": references, "resources": resources,
        },
    });
    if !skill.is_available() {
        view["requirements_status"] = json!({"missing": skill.missing});
        view["warning"] = "it misses what it requires and cannot be used here".into();
    }
    view
}

/// The files of a skill's folder but its document, by what they are for.
#[derive(Default)]
struct LinkedFiles {
    /// Those below `scripts/`, and those that the document names as scripts.
    scripts: Vec<String>,
    /// Those below `references/`.
    references: Vec<String>,
    /// All others.
    resources: Vec<String>,
}

impl LinkedFiles {
    fn of(skill: &Skill) -> Self {
        let manifest = &skill.manifest;
        let document = skill.document.file_name().and_then(|name| name.to_str());
        let named = |path: &str| {
            manifest.script.as_deref() == Some(path)
                || manifest.hooks.iter().any(|(_, script)| script == path)
        };
        let mut files = Self::default();
        for path in skill.resource_files() {
            if Some(path.as_str()) == document {
                continue;
            }
            let kind = if path.starts_with("scripts/") || named(&path) {
                &mut files.scripts
            } else if path.starts_with("references/") {
                &mut files.references
            } else {
                &mut files.resources
            };
            kind.push(path);
        }
        files
    }
}
