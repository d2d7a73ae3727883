//! The files of a skill's folder: their list, and one hash over all of them.

use std::path::Path;

/// Most files listed of one skill.
const FILES_MAX: usize = 10_000;
/// Deepest folder below the skill's.
const DEPTH_MAX: usize = 16;
/// Largest file whose bytes count in the hash; of a larger one name and size do.
const HASHED_BYTES_MAX: u64 = 16 << 20;

/// Relative paths with `/` of the regular files below `root` (canonical), sorted without regard to
/// case and then by bytes; and what was left out, if a bound was met.
///
/// Names that begin with a dot, `__pycache__` and compiled Python are not listed (contract 1.3 of
/// the SKILL.md dialects). Links are listed if they lead to a file inside, and folders behind links
/// are not entered.
pub(super) fn list(root: &Path) -> (Vec<String>, Option<String>) {
    let mut files = Vec::new();
    let mut cut = None;
    let mut waiting = vec![(root.to_owned(), String::new(), 0_usize)];
    while let Some((folder, prefix, depth)) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let compiled = name.ends_with(".pyc") || name.ends_with(".pyo");
            if name.starts_with('.') || name == "__pycache__" || compiled {
                continue;
            }
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if depth == DEPTH_MAX {
                    cut = Some(format!("folders deeper than {DEPTH_MAX} are not listed"));
                } else {
                    waiting.push((entry.path(), path, depth + 1));
                }
                continue;
            }
            let real = if kind.is_symlink() { entry.path().canonicalize().ok() } else { None };
            let leads_in = real.is_some_and(|real| real.starts_with(root) && real.is_file());
            if !(kind.is_file() || leads_in) {
                continue;
            }
            if files.len() == FILES_MAX {
                cut = Some(format!("only {FILES_MAX} files are listed"));
                break;
            }
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| (path.to_lowercase(), path.clone()));
    (files, cut)
}

/// blake3 over the document and every listed file, in hex.
pub(super) fn hash(root: &Path, files: &[String], document: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(document);
    for file in files {
        let path = root.join(file);
        let size = std::fs::metadata(&path).map_or(0, |about| about.len());
        hasher.update(b"\0").update(file.as_bytes()).update(&size.to_le_bytes());
        if size <= HASHED_BYTES_MAX
            && let Ok(bytes) = std::fs::read(&path)
        {
            hasher.update(&bytes);
        }
    }
    hasher.finalize().to_hex().to_string()
}
