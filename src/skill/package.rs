//! One skill as the registry holds it.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::document::manifest::SKILL_MD_BYTES_MAX;
use super::document::{self, SkillDiagnostic, SkillManifest};
use super::error::SkillError;
use super::resources;
use super::script::is_environment;

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
    /// blake3 over its SKILL.md and the files of its folder, in hex.
    pub content_hash: String,
    /// What it requires and this machine does not have, in words; nothing before
    /// [`SkillRegistry::judge`](super::registry::SkillRegistry::judge).
    pub missing: Vec<String>,
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
        let hash = blake3::hash(bytes).to_hex().to_string();
        let skill = manifest.map(|manifest| Self::of(scope, namespace, None, path, manifest, hash));
        (skill, diagnostics)
    }

    fn of(
        scope: SkillScope,
        namespace: Option<&str>,
        root: Option<&Path>,
        document: &Path,
        manifest: SkillManifest,
        content_hash: String,
    ) -> Self {
        let namespace = namespace.unwrap_or(scope.namespace()).to_owned();
        Self {
            id: format!("{namespace}@{}", manifest.name),
            scope,
            namespace,
            root: root.map(Path::to_owned),
            document: document.to_owned(),
            manifest,
            content_hash,
            missing: Vec::new(),
        }
    }

    /// Reads the skill in `folder`; `None`, with an error among the diagnostics, if it cannot be
    /// used. The folder itself may be a symbolic link; files in it count only if they lie inside.
    pub fn read(
        scope: SkillScope,
        namespace: Option<&str>,
        folder: &Path,
    ) -> (Option<Self>, Vec<SkillDiagnostic>) {
        let named = folder.join("SKILL.md");
        let refuse =
            |code, message: String| (None, vec![SkillDiagnostic::error(&named, 1, code, message)]);
        let root = match folder.canonicalize() {
            Ok(root) => root,
            Err(error) => return refuse("unreadable", error.to_string()),
        };
        let (path, twins) = match document_of(folder) {
            Some(found) => found,
            None => return refuse("no-document", "the folder has no SKILL.md".to_owned()),
        };
        match path.canonicalize() {
            Ok(real) if !real.starts_with(&root) => {
                return refuse("document-outside", "it is a link out of its folder".to_owned());
            }
            Ok(real) if !real.is_file() => return refuse("not-a-file", "not a file".to_owned()),
            Ok(_) => {}
            Err(error) => return refuse("unreadable", error.to_string()),
        }
        let bytes = match read_some(&path) {
            Ok(bytes) => bytes,
            Err(error) => return refuse("unreadable", error.to_string()),
        };
        let has_file = |file: &str| inside(&root, file).is_some();
        let (manifest, mut diagnostics) = document::read(&path, &bytes, &has_file);
        if twins {
            let message = "skill.md lies beside SKILL.md; it is not read";
            diagnostics.push(SkillDiagnostic::warning(&path, 1, "two-documents", message));
        }
        let Some(manifest) = manifest else { return (None, diagnostics) };
        let (files, cut) = resources::list(&root);
        if let Some(message) = cut {
            diagnostics.push(SkillDiagnostic::warning(&path, 1, "too-many-files", message));
        }
        let hash = resources::hash(&root, &files, &bytes);
        let skill = Self::of(scope, namespace, Some(folder), &path, manifest, hash);
        (Some(skill), diagnostics)
    }

    /// The files of the skill's folder, SKILL.md among them: relative paths with `/`, without
    /// regard to case, hidden ones and compiled Python left out. Empty for a skill compiled in.
    pub fn resource_files(&self) -> Vec<String> {
        let root = self.root.as_ref().and_then(|root| root.canonicalize().ok());
        root.map_or_else(Vec::new, |root| resources::list(&root).0)
    }

    /// A file of the skill's folder, symbolic links resolved.
    ///
    /// # Errors
    /// [`SkillError::File`] if there is no such file inside the folder.
    pub fn file(&self, path: &str) -> Result<PathBuf, SkillError> {
        let root = self.root.as_ref().and_then(|root| root.canonicalize().ok());
        let found = root.as_ref().and_then(|root| inside(root, path));
        found.ok_or_else(|| self.no_file(path, "there is no such file inside its folder".into()))
    }

    /// The text of a file of the skill's folder.
    ///
    /// # Errors
    /// [`SkillError::File`] if there is no such file inside the folder, or it is no text.
    pub fn read_file(&self, path: &str) -> Result<String, SkillError> {
        let found = self.file(path)?;
        let bytes = read_some(&found).map_err(|error| self.no_file(path, error.to_string()))?;
        String::from_utf8(bytes).map_err(|_| self.no_file(path, "it is not UTF-8".into()))
    }

    fn no_file(&self, path: &str, reason: String) -> SkillError {
        SkillError::File { skill: self.id.clone(), file: path.to_owned(), reason }
    }

    /// The native implementation that the skill asks for, if it is none of `known`.
    pub fn unknown_native(&self, known: &[&str]) -> Option<&str> {
        self.manifest.native.as_deref().filter(|native| !known.contains(native))
    }

    /// Whether it has all that it requires.
    pub const fn is_available(&self) -> bool {
        self.missing.is_empty()
    }

    /// The word for its kind: `native`, `bt`, `script` or `prompt`; `environment` for a skill that
    /// stands for calls of the environment.
    pub fn kind(&self) -> &'static str {
        if is_environment(&self.id) { "environment" } else { self.manifest.kind.word() }
    }
}

/// SKILL.md of a folder, or else skill.md; and whether both are there.
fn document_of(folder: &Path) -> Option<(PathBuf, bool)> {
    let entries = std::fs::read_dir(folder).ok()?;
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let has = |name: &str| names.iter().any(|other| other == name);
    match (has("SKILL.md"), has("skill.md")) {
        (true, twins) => Some((folder.join("SKILL.md"), twins)),
        (false, true) => Some((folder.join("skill.md"), false)),
        (false, false) => None,
    }
}

/// Whether the folder holds a skill.
pub fn holds_skill(folder: &Path) -> bool {
    document_of(folder).is_some()
}

/// The regular file at `path` below `root` (canonical), if it lies inside when links are resolved.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let normal = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(path).components().all(normal) {
        return None;
    }
    let found = root.join(path).canonicalize().ok()?;
    (found.starts_with(root) && found.is_file()).then_some(found)
}

/// A file's bytes, at most one more than are read of a SKILL.md.
fn read_some(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(SKILL_MD_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
