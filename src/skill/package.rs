//! One skill as the registry holds it.

use std::path::{Path, PathBuf};

use super::document::manifest::SKILL_MD_BYTES_MAX;
use super::document::{self, SkillDiagnostic, SkillManifest};

/// Where a skill comes from; a later scope wins the bare name (contract 1.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// Shipped with populace.
    BuiltIn,
    /// The user's own, from a root given on the command line.
    User,
    /// From a root of the project, which the scenario names.
    Workspace,
    /// A folder named by itself.
    Explicit,
}

impl SkillScope {
    /// The namespace of the scope's skills, unless a root gives another.
    pub const fn namespace(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Workspace => "custom",
            Self::Explicit => "explicit",
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
    /// What stands before the `@` of the id.
    pub namespace: String,
    /// Folder; `None` for a skill compiled in.
    pub root: Option<PathBuf>,
    /// Its SKILL.md, as diagnostics name it.
    pub document: PathBuf,
    /// What its SKILL.md says.
    pub manifest: SkillManifest,
    /// blake3 of the SKILL.md's bytes, in hex.
    pub content_hash: String,
}

impl Skill {
    /// A skill from the bytes of its SKILL.md. `namespace` is the scope's unless given.
    pub fn from_bytes(
        scope: SkillScope,
        namespace: Option<&str>,
        path: &Path,
        bytes: &[u8],
    ) -> (Option<Self>, Vec<SkillDiagnostic>) {
        let (manifest, diagnostics) = document::read(path, bytes, &|_| false);
        let skill = |manifest: SkillManifest| {
            let namespace = namespace.unwrap_or(scope.namespace()).to_owned();
            Self {
                id: format!("{namespace}@{}", manifest.name),
                scope,
                namespace,
                root: None,
                document: path.to_owned(),
                manifest,
                content_hash: blake3::hash(bytes).to_hex().to_string(),
            }
        };
        (manifest.map(skill), diagnostics)
    }

    /// Reads the skill in `folder`; `None` with a diagnostic if it cannot be read at all.
    pub fn read(
        scope: SkillScope,
        namespace: Option<&str>,
        folder: &Path,
    ) -> (Option<Self>, Vec<SkillDiagnostic>) {
        let path = folder.join("SKILL.md");
        let refuse =
            |code, message: String| (None, vec![SkillDiagnostic::error(&path, 1, code, message)]);
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
                let (skill, diagnostics) = Self::from_bytes(scope, namespace, &path, &bytes);
                let root = Some(folder.to_owned());
                (skill.map(|skill| Self { root, ..skill }), diagnostics)
            }
            Err(error) => refuse("unreadable", error.to_string()),
        }
    }

    /// The native implementation that the skill asks for, if it is none of `known`.
    pub fn unknown_native(&self, known: &[&str]) -> Option<&str> {
        self.manifest.native.as_deref().filter(|native| !known.contains(native))
    }

    /// The word for its kind: `native`, `bt`, `script` or `prompt`.
    pub const fn kind(&self) -> &'static str {
        self.manifest.kind.word()
    }
}
