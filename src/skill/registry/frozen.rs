//! The frozen registry: skills by id, their native implementations, one hash over all.

use std::sync::Arc;

use super::scan::{Found, ScanPlan, scan};
use crate::agent::hook::HookType;
use crate::behaviour::people::Forest;
use crate::skill::document::SkillDiagnostic;
use crate::skill::error::SkillError;
use crate::skill::native::NativeSkill;
use crate::skill::package::Skill;
use crate::skill::tree::forest;

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
    forest: Arc<Forest>,
    diagnostics: Vec<SkillDiagnostic>,
}

impl SkillRegistry {
    /// Scans the built-in skills and the roots of `plan`, and freezes the result.
    ///
    /// A broken skill is reported in [`Self::diagnostics`] and stops nothing.
    ///
    /// # Errors
    /// [`SkillError::Root`] if a root cannot be listed.
    pub fn scan(plan: &ScanPlan) -> Result<Self, SkillError> {
        let Found { skills, diagnostics } = scan(plan)?;
        // By id, which is the order of the map.
        let skills = skills.into_values().collect();
        Ok(Self { skills, diagnostics, ..Self::default() })
    }

    /// Adds a skill of an earlier generation under its id, which must be free. Indices change, so
    /// this comes before [`Self::bind`].
    pub fn keep(&mut self, skill: Skill) {
        assert!(self.natives.is_empty(), "a skill is kept before natives are bound");
        let place = self.skills.partition_point(|other| other.id < skill.id);
        self.skills.insert(place, skill);
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

    /// Says of each skill what it misses, in the order of [`Self::skills`].
    pub(in crate::skill) fn set_missing(&mut self, missing: Vec<Vec<String>>) {
        for (skill, missing) in self.skills.iter_mut().zip(missing) {
            skill.missing = missing;
        }
    }

    /// What was wrong with the files read.
    pub fn diagnostics(&self) -> &[SkillDiagnostic] {
        &self.diagnostics
    }

    /// Compiles the trees of skills, once for the run; what is wrong with them joins the
    /// diagnostics.
    pub fn plant(&mut self) {
        let (forest, diagnostics) = forest(self);
        self.forest = Arc::new(forest);
        self.diagnostics.extend(diagnostics);
    }

    /// The trees of skills.
    pub fn forest(&self) -> &Arc<Forest> {
        &self.forest
    }

    /// Whether the skill with this index is a tree that a run ticks.
    pub fn is_planted(&self, index: usize) -> bool {
        self.forest.trees.iter().any(|tree| tree.skill_index == index)
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::skill::package::SkillScope;
    use crate::skill::registry::SkillRoot;

    fn write_skill(root: &Path, folder: &str, text: &str) {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        std::fs::write(root.join(folder).join("SKILL.md"), text).unwrap();
    }

    #[test]
    fn the_scenario_wins_the_bare_name_and_all_stay_reachable() {
        let root = tempfile::tempdir().unwrap();
        write_skill(root.path(), "b", "---\nname: daily-guidance\ndescription: mine\n---\n");
        write_skill(root.path(), "a", "---\nname: x\nbad: [broken\n---\nProse.\n");
        write_skill(root.path(), ".hidden", "---\nname: hidden\n---\n");
        let roots = vec![SkillRoot::new(SkillScope::Workspace, root.path())];
        let registry = SkillRegistry::scan(&ScanPlan { roots, allow: None }).unwrap();
        let id = |token| registry.skills()[registry.resolve(token).unwrap()].id.clone();
        assert_eq!(id("daily-guidance"), "custom@daily-guidance");
        assert_eq!(id("built-in@daily-guidance"), "built-in@daily-guidance");
        assert!(registry.skills().iter().all(|skill| skill.manifest.name != "hidden"));
        assert!(registry.diagnostics().iter().any(|d| d.code == "repaired-yaml"));
        let error = registry.resolve("daily-guidence").unwrap_err().to_string();
        assert!(error.contains("did you mean 'daily-guidance'"), "{error}");
    }
}
