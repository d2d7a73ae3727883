//! The one registry that all agents share: scanned once, sorted, frozen behind an `Arc`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::document::SkillDiagnostic;
use super::error::SkillError;
use super::native::{NATIVE_NAMES, NativeSkill, builtin_documents};
use super::package::{Skill, SkillScope};
use crate::agent::hook::HookType;

/// A native implementation together with the skill that it runs.
#[derive(Clone)]
struct NativeBinding {
    skill_index: usize,
    native: Arc<dyn NativeSkill>,
}

/// All skills of a run, read-only.
///
/// Skills are sorted by id, so an index is stable for the run and hooks run in id order.
#[derive(Clone, Default)]
pub struct SkillRegistry {
    skills: Vec<Skill>,
    natives: Vec<NativeBinding>,
    diagnostics: Vec<SkillDiagnostic>,
}

impl SkillRegistry {
    /// Scans the built-in skills, then `user_roots`, then `scenario_roots`, and freezes the result.
    ///
    /// A root's direct child folders that hold a SKILL.md are its skills; names that begin with
    /// `.` or `_` are passed over. A broken skill is reported in [`Self::diagnostics`] and stops
    /// nothing.
    ///
    /// # Errors
    /// [`SkillError::Root`] if a root cannot be listed.
    pub fn scan(user_roots: &[PathBuf], scenario_roots: &[PathBuf]) -> Result<Self, SkillError> {
        let mut registry = Self::default();
        for (path, text) in builtin_documents() {
            let found =
                Skill::from_bytes(SkillScope::BuiltIn, None, Path::new(path), text.as_bytes());
            registry.add(found.0, found.1);
        }
        let scoped = user_roots
            .iter()
            .map(|root| (SkillScope::User, root))
            .chain(scenario_roots.iter().map(|root| (SkillScope::Workspace, root)));
        for (scope, root) in scoped {
            for folder in skill_folders(root)? {
                let (skill, diagnostics) = Skill::read(scope, None, &folder);
                registry.add(skill, diagnostics);
            }
        }
        registry.skills.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(registry)
    }

    fn add(&mut self, skill: Option<Skill>, diagnostics: Vec<SkillDiagnostic>) {
        self.diagnostics.extend(diagnostics);
        let Some(skill) = skill else { return };
        if let Some(native) = skill.unknown_native(&NATIVE_NAMES) {
            let known = NATIVE_NAMES.join(", ");
            self.diagnostics.push(SkillDiagnostic::warning(
                &skill.document,
                1,
                "unknown-native",
                format!("no native implementation '{native}'; there is: {known}"),
            ));
        }
        if let Some(first) = self.skills.iter().find(|other| other.id == skill.id) {
            let place = |skill: &Skill| {
                skill.root.as_ref().map_or("compiled in".to_owned(), |r| r.display().to_string())
            };
            self.diagnostics.push(SkillDiagnostic::warning(
                &skill.document,
                1,
                "shadowed",
                format!("{} is taken already ({}); passed over", skill.id, place(first)),
            ));
            return;
        }
        self.skills.push(skill);
    }

    /// Gives skill `id` its native implementation.
    ///
    /// # Errors
    /// [`SkillError::Unknown`] if there is no such skill.
    pub fn bind(&mut self, id: &str, native: Arc<dyn NativeSkill>) -> Result<(), SkillError> {
        let skill_index = self.resolve(id)?;
        self.natives.push(NativeBinding { skill_index, native });
        self.natives.sort_by_key(|binding| binding.skill_index);
        Ok(())
    }

    /// All skills, sorted by id.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// What was wrong with the files read.
    pub fn diagnostics(&self) -> &[SkillDiagnostic] {
        &self.diagnostics
    }

    /// Whether the skill with this index has a native implementation, which a run calls.
    pub fn is_bound(&self, index: usize) -> bool {
        self.natives.iter().any(|binding| binding.skill_index == index)
    }

    /// Native skills that have a hook of this type, in id order, with their indices.
    pub fn natives(&self, hook: HookType) -> impl Iterator<Item = (usize, &dyn NativeSkill)> {
        self.natives
            .iter()
            .filter(move |binding| binding.native.hooks().contains(&hook))
            .map(|binding| (binding.skill_index, &*binding.native))
    }

    /// Index of the skill that `token` names: an id, or a bare name, for which the highest scope
    /// wins.
    ///
    /// # Errors
    /// [`SkillError::Unknown`], with the nearest id.
    pub fn resolve(&self, token: &str) -> Result<usize, SkillError> {
        if let Some(index) = self.skills.iter().position(|skill| skill.id == token) {
            return Ok(index);
        }
        let named = self.skills.iter().enumerate().filter(|(_, s)| s.manifest.name == token);
        if let Some((index, _)) = named.max_by_key(|(_, skill)| skill.scope) {
            return Ok(index);
        }
        let known: Vec<&str> = self.skills.iter().map(|skill| skill.id.as_str()).collect();
        let nearest = self
            .skills
            .iter()
            .flat_map(|skill| [skill.id.as_str(), skill.manifest.name.as_str()])
            .map(|name| (strsim::damerau_levenshtein(name, token), name))
            .min()
            .filter(|(distance, _)| *distance <= 3);
        Err(SkillError::Unknown {
            name: token.to_owned(),
            known: known.join(", "),
            hint: nearest.map_or_else(String::new, |(_, n)| format!(" (did you mean '{n}'?)")),
        })
    }

    /// Hash of all ids and contents, in hex.
    pub fn content_hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for skill in &self.skills {
            hasher.update(skill.id.as_bytes()).update(b"\0");
            hasher.update(skill.content_hash.as_bytes()).update(b"\n");
        }
        hasher.finalize().to_hex().to_string()
    }
}

fn skill_folders(root: &Path) -> Result<Vec<PathBuf>, SkillError> {
    let fail = |source| SkillError::Root { path: root.to_owned(), source };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(root).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let hidden = name.is_none_or(|name| name.starts_with(['.', '_']));
        if !hidden && path.join("SKILL.md").exists() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_skill(root: &Path, folder: &str, text: &str) {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        std::fs::write(root.join(folder).join("SKILL.md"), text).unwrap();
    }

    #[test]
    fn the_scenario_wins_the_bare_name_and_all_stay_reachable() {
        let root = tempfile::tempdir().unwrap();
        write_skill(root.path(), "b", "---\nname: daily-guidance\ndescription: mine\n---\n");
        write_skill(root.path(), "a", "---\nname: [broken\n---\n");
        write_skill(root.path(), ".hidden", "---\nname: hidden\n---\n");
        let registry = SkillRegistry::scan(&[], &[root.path().to_owned()]).unwrap();
        let id = |token| registry.skills()[registry.resolve(token).unwrap()].id.clone();
        assert_eq!(id("daily-guidance"), "custom@daily-guidance");
        assert_eq!(id("built-in@daily-guidance"), "built-in@daily-guidance");
        assert!(registry.skills().iter().all(|skill| skill.manifest.name != "hidden"));
        assert!(registry.diagnostics().iter().any(|d| d.code == "bad-yaml"));
        let error = registry.resolve("daily-guidence").unwrap_err().to_string();
        assert!(error.contains("did you mean 'daily-guidance'"), "{error}");
    }
}
