//! Persons' workspaces as real folders, for those whose scripts need them.
//!
//! The folders lie on a file system in memory where there is one. They are made when a person's
//! first script runs, so a run without scripts makes none; they go when [`Workspaces`] is dropped.

mod saved;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::agent::file::FileChange;
use crate::base::ids::AgentId;
use crate::base::parallel;

pub use saved::SavedFolder;

/// Name of the file that the engine writes and a script only reads.
pub const AGENT_FILE: &str = "AGENT.json";

/// Largest sum of the files of one workspace, in bytes.
pub const WORKSPACE_BYTES_MAX: u64 = 64 << 20;

/// Most files and folders of one workspace.
const ENTRIES_MAX: usize = 10_000;

/// What is known of one workspace: path and hash of each file, by path.
type Known = BTreeMap<String, blake3::Hash>;

/// All workspaces of a run.
#[derive(Debug)]
pub struct Workspaces {
    root: PathBuf,
    known: BTreeMap<AgentId, Known>,
}

impl Workspaces {
    /// An empty root: in memory where the system offers that, else in the folder for temporary
    /// files. Roots left behind by processes that were killed are removed.
    ///
    /// # Errors
    /// The operating system's refusal to make a folder.
    pub fn create() -> io::Result<Self> {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        remove_leftovers(&parent);
        let own = std::process::id();
        let mut number = 0_u32;
        loop {
            let root = parent.join(format!("populace-{own}-{number}"));
            match make_private(&root) {
                Ok(()) => return Ok(Self { root, known: BTreeMap::new() }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The folder that holds all workspaces.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of one person's workspace: `agent_0007` and so on, as AgentSociety names it.
    pub fn folder(&self, agent: AgentId) -> PathBuf {
        self.root.join(folder_name(agent))
    }

    /// Whether the person has a folder.
    pub fn has(&self, agent: AgentId) -> bool {
        self.known.contains_key(&agent)
    }

    /// Makes the person's folder with these files, which then count as known.
    ///
    /// # Errors
    /// The operating system's refusal; a path that leads outside.
    pub fn add(&mut self, agent: AgentId, files: &[(String, Vec<u8>)]) -> io::Result<()> {
        let folder = self.folder(agent);
        fs::create_dir_all(&folder)?;
        let mut known = Known::new();
        for (path, bytes) in files {
            write_inside(&folder, path, bytes)?;
            known.insert(path.clone(), blake3::hash(bytes));
        }
        self.known.insert(agent, known);
        Ok(())
    }

    /// Makes the person's folder with the files of another folder; its links are not followed. A
    /// folder that is not there is an empty one.
    ///
    /// # Errors
    /// The folder is too large, or the operating system's refusal.
    pub fn copy_in(&mut self, agent: AgentId, from: &Path) -> io::Result<()> {
        let files = read_all(from).map_err(io::Error::other)?;
        self.add(agent, &files.into_iter().collect::<Vec<_>>())?;
        match fs::read(from.join(AGENT_FILE)) {
            Ok(bytes) => fs::write(self.folder(agent).join(AGENT_FILE), bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes what changed in the person's folder since [`Self::copy_in`] to another folder.
    ///
    /// # Errors
    /// The workspace is too large, a link stands where a file is to be written, or the operating
    /// system's refusal.
    pub fn copy_out(&mut self, agent: AgentId, to: &Path) -> io::Result<()> {
        let (changes, overfull) = self.collect(&[agent]);
        if let Some(full) = overfull.first() {
            return Err(io::Error::other(format!("the script left {}", full.reason)));
        }
        for FileChange { path, bytes, .. } in &changes {
            no_links(to, path)?;
            match bytes {
                Some(bytes) => write_inside(to, path, bytes)?,
                None => fs::remove_file(to.join(path))?,
            }
        }
        Ok(())
    }

    /// Writes each person's AGENT.json; `texts` by rising agent, all of whom have a folder. In
    /// parallel.
    ///
    /// # Errors
    /// The first refusal of the operating system, in the order of the agents.
    pub fn write_agent_files(&self, texts: &[(AgentId, String)]) -> io::Result<()> {
        const CHUNK: usize = 256;
        let mut outcomes: Vec<io::Result<()>> = texts.chunks(CHUNK).map(|_| Ok(())).collect();
        let work: Vec<_> = texts.chunks(CHUNK).zip(&mut outcomes).collect();
        parallel::for_each(work, |(chunk, outcome)| {
            *outcome = chunk.iter().try_for_each(|(agent, text)| {
                fs::write(self.folder(*agent).join(AGENT_FILE), text)
            });
        });
        outcomes.into_iter().collect()
    }

    /// What changed in the workspaces of `agents` (rising) since it was last asked, by agent and
    /// path, and the workspaces that are too large to be kept. AGENT.json is the engine's and never
    /// among the changes.
    pub fn collect(&mut self, agents: &[AgentId]) -> (Vec<FileChange>, Vec<Overfull>) {
        let mut changes = Vec::new();
        let mut overfull = Vec::new();
        for agent in agents {
            let folder = self.folder(*agent);
            let Some(known) = self.known.get_mut(agent) else { continue };
            match read_all(&folder) {
                Ok(files) => note_changes(*agent, known, files, &mut changes),
                Err(reason) => overfull.push(Overfull { agent: *agent, reason }),
            }
        }
        (changes, overfull)
    }

    /// All files of a person's workspace but AGENT.json, by path.
    pub fn files(&self, agent: AgentId) -> Vec<FileChange> {
        let files = read_all(&self.folder(agent)).unwrap_or_default();
        let file = |(path, bytes)| FileChange { agent, path, bytes: Some(bytes) };
        files.into_iter().map(file).collect()
    }
}

impl Drop for Workspaces {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A workspace that could not be read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overfull {
    /// Whose.
    pub agent: AgentId,
    /// Why.
    pub reason: String,
}

/// Name of a person's folder.
pub fn folder_name(agent: AgentId) -> String {
    format!("agent_{:04}", agent.0)
}

fn note_changes(
    agent: AgentId,
    known: &mut Known,
    files: BTreeMap<String, Vec<u8>>,
    changes: &mut Vec<FileChange>,
) {
    let first = changes.len();
    known.retain(|path, _| {
        let there = files.contains_key(path) || path == AGENT_FILE;
        if !there {
            changes.push(FileChange { agent, path: path.clone(), bytes: None });
        }
        there
    });
    for (path, bytes) in files {
        let hash = blake3::hash(&bytes);
        if known.get(&path) != Some(&hash) {
            known.insert(path.clone(), hash);
            changes.push(FileChange { agent, path, bytes: Some(bytes) });
        }
    }
    changes[first..].sort_by(|a, b| a.path.cmp(&b.path));
}

/// All regular files below `folder` but AGENT.json, by path with `/`. Symbolic links are not
/// followed and not read: they could lead outside.
fn read_all(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![(folder.to_owned(), String::new())];
    let (mut entry_count, mut byte_count) = (0_usize, 0_u64);
    while let Some((folder, prefix)) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            entry_count += 1;
            if entry_count > ENTRIES_MAX {
                return Err(format!("more than {ENTRIES_MAX} files and folders"));
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                waiting.push((entry.path(), path));
            } else if about.is_file() && path != AGENT_FILE {
                byte_count += about.len();
                if byte_count > WORKSPACE_BYTES_MAX {
                    return Err(format!("more than {WORKSPACE_BYTES_MAX} bytes"));
                }
                if let Ok(bytes) = fs::read(entry.path()) {
                    files.insert(path, bytes);
                }
            }
        }
    }
    Ok(files)
}

/// Refuses a path that goes by way of a symbolic link below `folder`: it could lead outside.
fn no_links(folder: &Path, path: &str) -> io::Result<()> {
    let mut at = folder.to_owned();
    for part in Path::new(path).components() {
        at.push(part);
        if at.symlink_metadata().is_ok_and(|about| about.is_symlink()) {
            let message = format!("{} is a symbolic link", at.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    Ok(())
}

/// Writes a file below `folder`; `path` must not lead out of it.
fn write_inside(folder: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
    fs::write(place_inside(folder, path)?, bytes)
}

/// Where `path` is below `folder`, the folders on the way made; it must not lead out of it.
fn place_inside(folder: &Path, path: &str) -> io::Result<PathBuf> {
    let inside =
        Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !inside {
        let message = format!("'{path}' does not lie inside a workspace");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(path)
}

#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Removes roots whose process is gone. Only where processes can be looked up.
fn remove_leftovers(parent: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix("populace-")) else {
            continue;
        };
        let Some((process, _)) = rest.split_once('-') else { continue };
        let gone = process
            .parse::<u32>()
            .is_ok_and(|id| !Path::new("/proc").join(id.to_string()).exists());
        if gone {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_once_by_path_and_the_engines_file_never() {
        let mut all = Workspaces::create().unwrap();
        let agent = AgentId(7);
        all.add(agent, &[("notes/a.txt".to_owned(), b"one".to_vec())]).unwrap();
        let folder = all.folder(agent);
        assert!(folder.ends_with("agent_0007"));
        all.write_agent_files(&[(agent, "{}".to_owned())]).unwrap();
        assert_eq!(all.collect(&[agent]).0, []);

        fs::write(folder.join("notes/a.txt"), "two").unwrap();
        fs::write(folder.join("b.bin"), [0xFF, 0]).unwrap();
        let change = |path: &str, bytes: Option<&[u8]>| FileChange {
            agent,
            path: path.to_owned(),
            bytes: bytes.map(<[u8]>::to_vec),
        };
        let expected = [change("b.bin", Some(&[0xFF, 0])), change("notes/a.txt", Some(b"two"))];
        assert_eq!(all.collect(&[agent]).0, expected);
        assert_eq!(expected[0].content().1, "/wA=");
        fs::remove_file(folder.join("notes/a.txt")).unwrap();
        assert_eq!(all.collect(&[agent]).0, [change("notes/a.txt", None)]);
        assert_eq!(all.collect(&[agent]).0, []);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed_and_paths_stay_inside() {
        let mut all = Workspaces::create().unwrap();
        let (one, two) = (AgentId(1), AgentId(2));
        all.add(one, &[]).unwrap();
        all.add(two, &[("secret".to_owned(), b"s".to_vec())]).unwrap();
        std::os::unix::fs::symlink(all.folder(two), all.folder(one).join("link")).unwrap();
        assert_eq!(all.collect(&[one]).0, []);
        assert!(all.add(one, &[("../agent_0002/x".to_owned(), Vec::new())]).is_err());
        let root = all.root().to_owned();
        drop(all);
        assert!(!root.exists());
    }
}
