//! Which skill a word names.

use unicode_normalization::UnicodeNormalization;

use super::SkillRegistry;
use crate::skill::error::SkillError;
use crate::skill::package::Skill;

impl SkillRegistry {
    /// Index of the skill that `token` names: an id; a bare name or folder; these in Unicode's
    /// compatibility form; at last without regard to case. Among skills that fit equally well the
    /// highest scope wins.
    ///
    /// # Errors
    /// [`SkillError::Ambiguous`] with the ids if that leaves several; [`SkillError::Unknown`] with
    /// the nearest name if there is none.
    pub fn resolve(&self, token: &str) -> Result<usize, SkillError> {
        self.resolve_among(token, |_| true, |_| false)
    }

    /// As [`Self::resolve`], among the skills that are `visible` (by index). Of several with the
    /// same name the only one that is `active` wins before scopes are compared (contract 1.3 of
    /// AgentSociety).
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn resolve_among(
        &self,
        token: &str,
        visible: impl Fn(usize) -> bool,
        active: impl Fn(usize) -> bool,
    ) -> Result<usize, SkillError> {
        let token = token.trim();
        let skills = self.skills();
        let seen: Vec<usize> = (0..skills.len()).filter(|index| visible(*index)).collect();
        let fits = |test: &dyn Fn(&Skill) -> bool| -> Vec<usize> {
            seen.iter().copied().filter(|index| test(&skills[*index])).collect()
        };
        let folded = fold(token);
        let steps: [&dyn Fn(&Skill) -> bool; 4] = [
            &|skill| skill.id == token,
            &|skill| skill.manifest.name == token,
            &|skill| skill.manifest.dir_name == token,
            &|skill| {
                let manifest = &skill.manifest;
                [&skill.id, &manifest.name, &manifest.dir_name].iter().any(|n| fold(n) == folded)
            },
        ];
        for step in steps {
            let all = fits(step);
            if all.is_empty() {
                continue;
            }
            return self.choose(token, &all, &active);
        }
        Err(self.unknown(token, &seen))
    }

    fn choose(
        &self,
        token: &str,
        all: &[usize],
        active: &dyn Fn(usize) -> bool,
    ) -> Result<usize, SkillError> {
        let on: Vec<usize> = all.iter().copied().filter(|index| active(*index)).collect();
        if let [only] = on[..] {
            return Ok(only);
        }
        let scope = |index: &usize| self.skills()[*index].scope;
        let highest = all.iter().map(scope).max();
        let best: Vec<usize> =
            all.iter().copied().filter(|index| Some(scope(index)) == highest).collect();
        match best[..] {
            [only] => Ok(only),
            _ => {
                let ids = best.iter().map(|index| self.skills()[*index].id.as_str());
                let ids = ids.collect::<Vec<_>>().join(", ");
                Err(SkillError::Ambiguous { name: token.to_owned(), ids })
            }
        }
    }

    fn unknown(&self, token: &str, seen: &[usize]) -> SkillError {
        let skills = seen.iter().map(|index| &self.skills()[*index]);
        let known: Vec<&str> = skills.clone().map(|skill| skill.id.as_str()).collect();
        let nearest = skills
            .flat_map(|skill| [skill.id.as_str(), skill.manifest.name.as_str()])
            .map(|name| (strsim::damerau_levenshtein(name, token), name))
            .min()
            .filter(|(distance, _)| *distance <= 3);
        SkillError::Unknown {
            name: token.to_owned(),
            known: known.join(", "),
            hint: nearest.map_or_else(String::new, |(_, n)| format!(" (did you mean '{n}'?)")),
        }
    }
}

/// Compatibility form, lower case.
fn fold(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::skill::package::SkillScope;
    use crate::skill::registry::{ScanPlan, SkillRoot};

    fn write(root: &Path, folder: &str, name: &str) {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        let text = format!("---\nname: {name}\ndescription: d\n---\n");
        std::fs::write(root.join(folder).join("SKILL.md"), text).unwrap();
    }

    /// Contract 1.8 (name against directory, precedence) and AgentSociety's 1.3.
    #[test]
    fn a_word_finds_the_skill_in_the_order_of_the_contract() {
        let (user, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(user.path(), "walk", "walker");
        write(user.path(), "cafe", "Caf\u{e9}");
        write(project.path(), "walk2", "walker");
        write(project.path(), "env", "mobility");
        write(project.path(), "deep/inner", "inner");
        let env = SkillRoot {
            namespace: Some("env:Space".to_owned()),
            ..SkillRoot::new(SkillScope::Workspace, project.path().join("env"))
        };
        let plan = ScanPlan {
            roots: vec![
                SkillRoot::new(SkillScope::Workspace, project.path()),
                env,
                SkillRoot::new(SkillScope::User, user.path()),
            ],
            allow: None,
        };
        let registry = SkillRegistry::scan(&plan).unwrap();
        let id =
            |token: &str| registry.resolve(token).map(|index| registry.skills()[index].id.clone());
        assert_eq!(id("walker").unwrap(), "custom@walker");
        assert_eq!(id("user@walker").unwrap(), "user@walker");
        assert_eq!(id("walk").unwrap(), "user@walker");
        assert_eq!(id("CAFE\u{301}").unwrap(), "user@Caf\u{e9}");
        assert!(id("inner").is_err(), "depth is 1");
        let error = id("mobility").unwrap_err().to_string();
        assert!(error.contains("custom@mobility, env:Space@mobility"), "{error}");
        let active = |index: usize| registry.skills()[index].id == "env:Space@mobility";
        let chosen = registry.resolve_among("mobility", |_| true, active).unwrap();
        assert_eq!(registry.skills()[chosen].id, "env:Space@mobility");
        assert!(registry.diagnostics().iter().any(|found| found.code == "shadowing"));

        let deep = ScanPlan {
            roots: vec![SkillRoot {
                depth: 2,
                ..SkillRoot::new(SkillScope::Workspace, project.path())
            }],
            allow: Some(vec!["inner".to_owned()]),
        };
        let registry = SkillRegistry::scan(&deep).unwrap();
        let ids: Vec<&str> = registry.skills().iter().map(|skill| skill.id.as_str()).collect();
        assert_eq!(ids, ["custom@inner"]);
    }
}
