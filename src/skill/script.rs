//! From a skill to the script that a call or a hook of it runs (contract 1.4 of AgentSociety).

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::package::Skill;
use super::registry::SkillRegistry;
use crate::agent::hook::HookType;
use crate::agent::request::{ScriptRef, ScriptResult, ScriptTier};

/// A hook of a skill that is a script.
#[derive(Debug, Clone)]
pub struct ScriptHook {
    /// Index of the skill in the registry.
    pub skill_index: usize,
    /// Which hook.
    pub kind: HookType,
    /// What it runs.
    pub script: Arc<ScriptRef>,
    /// Sets the random numbers of this hook apart from those of others: depends on its skill's id
    /// and the hook alone, so that other skills change nothing.
    pub salt: u64,
}

/// Two answers with the same fingerprint say the same. Never 0.
pub fn fingerprint(result: &ScriptResult) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(result.ok)]).update(result.stdout.as_bytes());
    first_u64(&hasher.finalize()).max(1)
}

pub(super) fn first_u64(hash: &blake3::Hash) -> u64 {
    hash.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// All script hooks of the skills, by skill and hook: the order in which they run. Skills with a
/// native implementation run that instead; skills of the environment run no script, and those that
/// miss what they require run nothing.
pub fn script_hooks(registry: &SkillRegistry) -> Vec<ScriptHook> {
    let mut hooks = Vec::new();
    for (skill_index, skill) in registry.skills().iter().enumerate() {
        let runs = skill.is_available() && !is_environment(&skill.id);
        if registry.is_bound(skill_index) || !runs {
            continue;
        }
        for (hook, path) in &skill.manifest.hooks {
            let Some(kind) = HookType::from_word(hook) else { continue };
            let Ok(script) = script_of(skill, Some(path)) else { continue };
            let key = format!("{} {kind}", skill.id);
            let salt = first_u64(&blake3::hash(key.as_bytes()));
            hooks.push(ScriptHook { skill_index, kind, script: Arc::new(script), salt });
        }
    }
    hooks
}

/// Whether the skill is one of the environment's, which runs no script.
pub fn is_environment(id: &str) -> bool {
    id.starts_with("env:")
}

/// The script that a call runs: `path` within the skill's folder, or the skill's default script if
/// none is given.
///
/// # Errors
/// A result of type `validation`, with AgentSociety's words, if there is no such script.
pub fn script_of(skill: &Skill, path: Option<&str>) -> Result<ScriptRef, Box<ScriptResult>> {
    let refuse = |message: String| Box::new(ScriptResult::refused(message));
    let default = skill.manifest.script.as_deref();
    let Some(path) = path.or(default) else {
        let why = "Script path is required because this skill declares no default script";
        return Err(refuse(why.to_owned()));
    };
    // A bare file name may stand for the default script in its folder.
    let path = match default {
        Some(default) if !path.contains('/') && Path::new(default).ends_with(path) => default,
        _ => path,
    };
    let Some(root) = skill.root.as_deref().and_then(|root| root.canonicalize().ok()) else {
        return Err(refuse(format!("Script not found: {path}")));
    };
    let leaves = Path::new(path)
        .components()
        .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
    let wanted = root.join(path);
    let found: Option<PathBuf> = wanted.canonicalize().ok();
    match found {
        Some(found) if !found.starts_with(&root) => {
            Err(refuse("Script path escapes skill directory".to_owned()))
        }
        Some(found) if found.is_file() => Ok(ScriptRef {
            skill_id: skill.id.clone(),
            skill_name: skill.manifest.name.clone(),
            skill_dir: root,
            tier: tier_of(&found),
            path: found,
        }),
        None if leaves => Err(refuse("Script path escapes skill directory".to_owned())),
        _ => Err(refuse(format!("Script not found: {path}"))),
    }
}

fn tier_of(path: &Path) -> ScriptTier {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => ScriptTier::Python,
        Some("rhai") => ScriptTier::Rhai,
        _ => ScriptTier::Executable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::request::ErrorType;
    use crate::skill::package::SkillScope;

    /// Rows of case `r02_skill_runtime.json`: which paths are taken and how others are refused.
    #[test]
    fn paths_are_resolved_as_in_the_recorded_cases() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("one-arg");
        std::fs::create_dir_all(folder.join("scripts")).unwrap();
        let text = "---\nname: one-arg\ndescription: d\nscript: scripts/s.py\n---\n";
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
        std::fs::write(folder.join("scripts/s.py"), "").unwrap();
        std::fs::write(root.path().join("outside.py"), "").unwrap();
        let skill = Skill::read(SkillScope::Workspace, None, &folder).0.unwrap();
        for path in [None, Some("s.py"), Some("scripts/s.py")] {
            let script = script_of(&skill, path).unwrap();
            assert_eq!(script.tier, ScriptTier::Python);
            assert!(script.path.ends_with("one-arg/scripts/s.py"));
        }
        let refusal = |path: &str| {
            let refused = script_of(&skill, Some(path)).unwrap_err();
            assert_eq!((refused.exit_code, refused.error_type), (-1, ErrorType::Validation));
            refused.stderr
        };
        assert_eq!(refusal("scripts/none.py"), "Script not found: scripts/none.py");
        assert_eq!(refusal("other.py"), "Script not found: other.py");
        assert_eq!(refusal("../outside.py"), "Script path escapes skill directory");
        assert_eq!(refusal("/etc/passwd"), "Script path escapes skill directory");
    }
}
