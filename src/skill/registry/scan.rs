//! From roots to skills: which folders are packages, and which of two with one id counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::skill::document::SkillDiagnostic;
use crate::skill::error::SkillError;
use crate::skill::native::{NATIVE_NAMES, builtin_documents};
use crate::skill::package::{Skill, SkillScope, holds_skill};

/// Most folders looked at below one root (the open standard's client guide).
const FOLDERS_MAX: usize = 2_000;

/// A folder of packages, or one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillRoot {
    /// The folder.
    pub path: PathBuf,
    /// Where it comes from: a higher scope wins the bare name.
    pub scope: SkillScope,
    /// Namespace of its skills, if another than the scope's.
    pub namespace: Option<String>,
    /// How deep packages are looked for; 1 = direct children.
    pub depth: u8,
}

impl SkillRoot {
    /// A folder whose direct children are packages.
    pub fn new(scope: SkillScope, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), scope, namespace: None, depth: 1 }
    }
}

/// What to scan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScanPlan {
    /// The roots; those of a higher scope may come in any order.
    pub roots: Vec<SkillRoot>,
    /// The only skills to keep, by id, name or folder; all if `None`, none if empty.
    pub allow: Option<Vec<String>>,
}

/// Skills by id, and what was wrong with files.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub skills: BTreeMap<String, Skill>,
    pub diagnostics: Vec<SkillDiagnostic>,
}

/// Reads the built-in skills and those of all roots. No file stops the scan.
///
/// Scopes go from low to high; in a scope roots go in the given order and packages by the bytes of
/// their path. Of two skills with one id the first counts; the other is told.
pub(super) fn scan(plan: &ScanPlan) -> Result<Found, SkillError> {
    let mut found = Found::default();
    for document in builtin_documents() {
        let (path, bytes) = (Path::new(document.path), document.text.as_bytes());
        let (scope, namespace) = (SkillScope::BuiltIn, document.namespace);
        let (skill, diagnostics) = Skill::from_bytes(scope, namespace, path, bytes);
        found.add(skill, diagnostics);
    }
    let mut roots: Vec<&SkillRoot> = plan.roots.iter().collect();
    roots.sort_by_key(|root| root.scope);
    for root in roots {
        for folder in packages(root, &mut found.diagnostics)? {
            let namespace = root.namespace.as_deref();
            let (skill, diagnostics) = Skill::read(root.scope, namespace, &folder);
            found.add(skill, diagnostics);
        }
    }
    found.tell_shadowed();
    if let Some(allow) = &plan.allow {
        found.keep_only(allow);
    }
    Ok(found)
}

impl Found {
    fn add(&mut self, skill: Option<Skill>, diagnostics: Vec<SkillDiagnostic>) {
        self.diagnostics.extend(diagnostics);
        let Some(skill) = skill else { return };
        if let Some(native) = skill.unknown_native(&NATIVE_NAMES) {
            let known = NATIVE_NAMES.join(", ");
            let message = format!("no native implementation '{native}'; there is: {known}");
            self.warn(&skill, "unknown-native", message);
        }
        match self.skills.get(&skill.id) {
            Some(first) => {
                let taken =
                    format!("{} is taken already ({}); passed over", skill.id, place(first));
                self.warn(&skill, "shadowed", taken);
            }
            None => {
                self.skills.insert(skill.id.clone(), skill);
            }
        }
    }

    fn warn(&mut self, skill: &Skill, code: &'static str, message: String) {
        self.diagnostics.push(SkillDiagnostic::warning(&skill.document, 1, code, message));
    }

    /// Says which bare names a higher scope takes from a lower one.
    fn tell_shadowed(&mut self) {
        let mut winners: BTreeMap<&str, &Skill> = BTreeMap::new();
        for skill in self.skills.values() {
            let winner = winners.entry(&skill.manifest.name).or_insert(skill);
            if skill.scope > winner.scope {
                *winner = skill;
            }
        }
        let mut told = Vec::new();
        for skill in self.skills.values() {
            let winner = winners[skill.manifest.name.as_str()];
            if skill.scope < winner.scope {
                let (name, id) = (&skill.manifest.name, &skill.id);
                let message =
                    format!("'{name}' means {} now; {id} is still reachable by its id", winner.id);
                told.push(SkillDiagnostic::warning(&winner.document, 1, "shadowing", message));
            }
        }
        self.diagnostics.extend(told);
    }

    fn keep_only(&mut self, allow: &[String]) {
        self.skills.retain(|id, skill| {
            let names = [id.as_str(), &skill.manifest.name, &skill.manifest.dir_name];
            allow.iter().any(|word| names.contains(&word.as_str()))
        });
    }
}

fn place(skill: &Skill) -> String {
    skill.root.as_ref().map_or("compiled in".to_owned(), |root| root.display().to_string())
}

/// The package folders of a root, by the bytes of their path. A root that holds a SKILL.md itself
/// is one package, whatever its name; below it, names that begin with `.` or `_` are passed over.
pub(super) fn packages(
    root: &SkillRoot,
    diagnostics: &mut Vec<SkillDiagnostic>,
) -> Result<Vec<PathBuf>, SkillError> {
    if root.path.is_dir() && holds_skill(&root.path) {
        return Ok(vec![root.path.clone()]);
    }
    let fail = |source| SkillError::Root { path: root.path.clone(), source };
    // The root itself must be readable; what lies below is passed over if it is not.
    std::fs::read_dir(&root.path).map_err(fail)?;
    let mut packages = Vec::new();
    let mut level = vec![root.path.clone()];
    let mut seen = 0_usize;
    for _ in 0..root.depth.max(1) {
        let mut next = Vec::new();
        for folder in level {
            for child in children(&folder) {
                seen += 1;
                if seen > FOLDERS_MAX {
                    let message = format!("only {FOLDERS_MAX} folders are looked at");
                    let told = SkillDiagnostic::warning(&root.path, 1, "too-many-files", message);
                    diagnostics.push(told);
                    return Ok(sorted(packages));
                }
                let list = if holds_skill(&child) { &mut packages } else { &mut next };
                list.push(child);
            }
        }
        level = next;
    }
    Ok(sorted(packages))
}

fn sorted(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    paths
}

/// The folders in a folder that may be packages.
fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let visible = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| !name.starts_with(['.', '_'])) && path.is_dir()
    };
    sorted(entries.flatten().map(|entry| entry.path()).filter(visible).collect())
}
