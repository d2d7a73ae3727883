//! One skill as the registry holds it.

use std::path::{Path, PathBuf};

use super::manifest::{SKILL_MD_BYTES_MAX, SkillDiagnostic, SkillManifest, read_manifest};

/// Where a skill comes from; a later scope wins the bare name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// Shipped with populace.
    BuiltIn,
    /// The user's own, from a root given on the command line.
    User,
    /// From a root named by the scenario.
    Scenario,
}

impl SkillScope {
    /// The namespace of the scope's skills.
    pub const fn namespace(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Scenario => "custom",
        }
    }
}

/// One skill: a folder with a SKILL.md, or a built-in one compiled in.
#[derive(Debug, Clone)]
pub struct Skill {
    /// `namespace@name`.
    pub id: String,
    /// Scope it was found in.
    pub scope: SkillScope,
    /// Folder; `None` for a skill compiled in.
    pub root: Option<PathBuf>,
    /// What its SKILL.md says.
    pub manifest: SkillManifest,
    /// blake3 of the SKILL.md's bytes, in hex.
    pub content_hash: String,
}

impl Skill {
    /// A skill from the bytes of its SKILL.md.
    pub fn from_bytes(
        scope: SkillScope,
        root: Option<&Path>,
        path: &Path,
        bytes: &[u8],
    ) -> (Self, Vec<SkillDiagnostic>) {
        let (manifest, diagnostics) = read_manifest(path, bytes);
        let skill = Self {
            id: format!("{}@{}", scope.namespace(), manifest.name),
            scope,
            root: root.map(Path::to_owned),
            manifest,
            content_hash: blake3::hash(bytes).to_hex().to_string(),
        };
        (skill, diagnostics)
    }

    /// Reads the skill in `folder`; `None` with a diagnostic if it cannot be read at all.
    pub fn read(scope: SkillScope, folder: &Path) -> (Option<Self>, Vec<SkillDiagnostic>) {
        let path = folder.join("SKILL.md");
        let refuse = |code, message: String| {
            (None, vec![SkillDiagnostic { path: path.clone(), line: 1, code, message }])
        };
        match std::fs::metadata(&path) {
            Ok(about) if !about.is_file() => return refuse("not-a-file", "not a file".to_owned()),
            Ok(about) if about.len() > SKILL_MD_BYTES_MAX => {
                let size = about.len();
                return refuse(
                    "too-large",
                    format!("{size} bytes; at most {SKILL_MD_BYTES_MAX} are read"),
                );
            }
            _ => {}
        }
        match std::fs::read(&path) {
            Ok(bytes) => {
                let (skill, diagnostics) = Self::from_bytes(scope, Some(folder), &path, &bytes);
                (Some(skill), diagnostics)
            }
            Err(error) => refuse("unreadable", error.to_string()),
        }
    }

    /// The native implementation that the skill asks for, if it is none of `known`.
    pub fn unknown_native(&self, known: &[&str]) -> Option<&str> {
        self.manifest.native.as_deref().filter(|native| !known.contains(native))
    }

    /// `native`, `script` or `prompt`.
    pub fn kind(&self) -> &'static str {
        let scripted =
            !self.manifest.hooks.is_empty() || self.manifest.fields.contains_key("script");
        match (&self.manifest.native, scripted) {
            (Some(_), _) => "native",
            (None, true) => "script",
            (None, false) => "prompt",
        }
    }
}
