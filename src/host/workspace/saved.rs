//! Workspaces as a checkpoint keeps them: all that a script may have left in them.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Known, Workspaces, place_inside};
use crate::base::ids::AgentId;

/// One person's workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFolder {
    agent: AgentId,
    /// Path and hash of each file that was seen last.
    known: Vec<(String, [u8; 32])>,
    /// What is there now, folders before what is in them.
    entries: Vec<(String, Entry)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Entry {
    Folder,
    File {
        /// Permissions; 0 where there are none.
        mode: u32,
        bytes: Vec<u8>,
    },
    /// A symbolic link, and what it says.
    Link(String),
}

impl Workspaces {
    /// All workspaces, by agent.
    ///
    /// # Errors
    /// A folder that the operating system refuses to list.
    pub fn save(&self) -> io::Result<Vec<SavedFolder>> {
        let saved = |(agent, known): (&AgentId, &Known)| {
            let hashes = known.iter().map(|(path, hash)| (path.clone(), *hash.as_bytes()));
            let mut entries = Vec::new();
            list(&self.folder(*agent), "", &mut entries)?;
            Ok(SavedFolder { agent: *agent, known: hashes.collect(), entries })
        };
        self.known.iter().map(saved).collect()
    }

    /// Makes the workspaces what they were when they were saved.
    ///
    /// # Errors
    /// The operating system's refusal; a path that leads outside.
    pub fn restore(&mut self, saved: Vec<SavedFolder>) -> io::Result<()> {
        for SavedFolder { agent, known, entries } in saved {
            self.add(agent, &[])?;
            let folder = self.folder(agent);
            for (path, entry) in &entries {
                put(&folder, path, entry)?;
            }
            let known = known.into_iter().map(|(path, hash)| (path, hash.into()));
            self.known.insert(agent, known.collect());
        }
        Ok(())
    }
}

/// Appends what is in `folder`, which is `prefix` within the workspace. What cannot be read, and
/// what is neither file nor folder nor link, is left out: the engine does not see it either.
fn list(folder: &Path, prefix: &str, entries: &mut Vec<(String, Entry)>) -> io::Result<()> {
    let mut names = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    names.sort_by_key(fs::DirEntry::file_name);
    for name in names {
        let path = format!("{prefix}{}", name.file_name().to_string_lossy());
        let about = name.metadata()?;
        if about.is_dir() {
            let inside = format!("{path}/");
            entries.push((path, Entry::Folder));
            list(&name.path(), &inside, entries)?;
        } else if about.is_symlink() {
            let to = fs::read_link(name.path())?.to_string_lossy().into_owned();
            entries.push((path, Entry::Link(to)));
        } else if about.is_file()
            && let Ok(bytes) = fs::read(name.path())
        {
            entries.push((path, Entry::File { mode: mode_of(&about), bytes }));
        }
    }
    Ok(())
}

fn put(folder: &Path, path: &str, entry: &Entry) -> io::Result<()> {
    let place = place_inside(folder, path)?;
    match entry {
        Entry::Folder => fs::create_dir(place),
        Entry::File { mode, bytes } => {
            fs::write(&place, bytes)?;
            set_mode(&place, *mode)
        }
        Entry::Link(to) => link(to, &place),
    }
}

#[cfg(unix)]
fn mode_of(about: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode()
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(unix)]
fn link(to: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, path)
}

#[cfg(not(unix))]
fn mode_of(_: &fs::Metadata) -> u32 {
    0
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn link(to: &str, path: &Path) -> io::Result<()> {
    fs::write(path, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contract: what scripts left is there again, and what counts as known does too.
    #[test]
    #[cfg(unix)]
    fn a_workspace_comes_back_as_it_was() {
        let (one, two) = (AgentId(3), AgentId(12_345));
        let mut all = Workspaces::create().unwrap();
        all.add(one, &[("notes/a.txt".to_owned(), b"seen".to_vec())]).unwrap();
        all.add(two, &[]).unwrap();
        let folder = all.folder(one);
        fs::write(folder.join("notes/a.txt"), "changed since").unwrap();
        fs::write(folder.join("raw"), [0, 0xFF]).unwrap();
        set_mode(&folder.join("raw"), 0o100_751).unwrap();
        fs::create_dir(folder.join("empty")).unwrap();
        link("raw", &folder.join("link")).unwrap();
        let saved = all.save().unwrap();
        let bytes = postcard::to_allocvec(&saved).unwrap();

        let mut again = Workspaces::create().unwrap();
        again.restore(postcard::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(again.save().unwrap(), saved);
        assert!(again.has(two) && !again.has(AgentId(4)));
        assert!(again.folder(one).join("empty").is_dir());
        assert_eq!(fs::read_link(again.folder(one).join("link")).unwrap(), Path::new("raw"));
        let changed: Vec<String> =
            again.collect(&[one]).0.into_iter().map(|change| change.path).collect();
        assert_eq!(changed, ["notes/a.txt", "raw"], "as it would have been without the pause");
    }

    #[test]
    fn a_path_that_leads_outside_is_refused() {
        let entry = Entry::File { mode: 0o644, bytes: Vec::new() };
        let entries = vec![("../agent_0001/x".to_owned(), entry)];
        let saved = SavedFolder { agent: AgentId(0), known: Vec::new(), entries };
        assert!(Workspaces::create().unwrap().restore(vec![saved]).is_err());
    }
}
