//! Folders that are kept in git: fetched once per commit into a cache, by the program `git`.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::error::HostError;
use super::sandbox::kill_group;

/// Longest time of one git command.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Where a folder is kept: `git+URL@REVISION`, or with `#FOLDER` a folder of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    url: String,
    /// A branch, a tag, or a commit in full.
    revision: String,
    folder: PathBuf,
}

/// A folder as it is in one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it is now.
    pub folder: PathBuf,
    /// The commit, 40 or 64 hexadecimal digits.
    pub commit: String,
}

impl GitSource {
    /// Reads a source; `None` if it does not begin with `git+`.
    ///
    /// # Errors
    /// [`HostError::Git`] for another scheme than https, ssh and file, a URL with a password, a
    /// missing revision, or a folder outside.
    pub fn parse(source: &str) -> Option<Result<Self, HostError>> {
        let rest = source.strip_prefix("git+")?;
        let refuse = |reason: &str| Some(Err(HostError::git(source, reason)));
        let (rest, folder) = rest.split_once('#').unwrap_or((rest, ""));
        let (scheme, place) = rest.split_once("://").unwrap_or(("", rest));
        if !["https", "ssh", "file"].contains(&scheme) {
            return refuse("its URL must begin with https://, ssh:// or file://");
        }
        // An @ before the first slash belongs to the user's name.
        let path_from = place.find('/').unwrap_or(place.len());
        if place[..path_from].split_once('@').is_some_and(|(user, _)| user.contains(':')) {
            return Some(Err(HostError::git(
                &format!("git+{scheme}://..."),
                "a password in the URL would be written into the manifest; git asks its own \
                 credential helpers",
            )));
        }
        let Some((path, revision)) = place[path_from..].rsplit_once('@') else {
            return refuse("a revision is missing: URL@BRANCH, URL@TAG or URL@COMMIT");
        };
        if revision.is_empty() || revision.starts_with('-') || revision.contains([' ', ':', '+']) {
            return refuse("its revision is no branch, tag or commit");
        }
        let folder = PathBuf::from(folder);
        if !folder.components().all(|part| matches!(part, Component::Normal(_))) {
            return refuse("the folder after # must lie inside the repository");
        }
        let url = format!("{scheme}://{}{path}", &place[..path_from]);
        Some(Ok(Self { url, revision: revision.to_owned(), folder }))
    }

    /// Sees to it that the folder is in `cache`. A commit that is there already needs no network;
    /// a branch or a tag is asked for each time, so that it is the present one.
    ///
    /// # Errors
    /// [`HostError::Git`] with git's own words.
    pub fn fetch(&self, cache: &Path) -> Result<Fetched, HostError> {
        let key = &blake3::hash(self.url.as_bytes()).to_hex()[..16];
        let at = |commit: &str| cache.join(format!("{key}-{commit}"));
        let is_commit = matches!(self.revision.len(), 40 | 64)
            && self.revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        let known = self.revision.to_ascii_lowercase();
        if is_commit && at(&known).is_dir() {
            return self.found(&at(&known), known);
        }
        std::fs::create_dir_all(cache).map_err(HostError::io("make the cache of git sources"))?;
        // Unfinished work has a name that nobody looks for.
        let work = cache.join(format!("{key}-{}.part", std::process::id()));
        let _ = std::fs::remove_dir_all(&work);
        let made = self.check_out(&work).and_then(|commit| {
            let place = at(&commit);
            if !place.is_dir() {
                std::fs::rename(&work, &place).map_err(HostError::io("keep a git source"))?;
            }
            self.found(&place, commit)
        });
        let _ = std::fs::remove_dir_all(&work);
        made
    }

    fn check_out(&self, work: &Path) -> Result<String, HostError> {
        std::fs::create_dir(work).map_err(HostError::io("make the cache of git sources"))?;
        self.git(work, &["init", "--quiet", "--template="])?;
        let shallow = ["fetch", "--quiet", "--no-tags", "--depth=1", &self.url, &self.revision];
        let fetched = if self.git(work, &shallow).is_ok() {
            "FETCH_HEAD"
        } else {
            // Not every server gives any commit by itself: then all, and it is among them.
            let all = ["fetch", "--quiet", "--tags", &self.url, "+refs/heads/*:refs/heads/*"];
            self.git(work, &all)?;
            &self.revision
        };
        let wanted = format!("{fetched}^{{commit}}");
        let output = self.git(work, &["rev-parse", "--verify", &wanted])?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        self.git(work, &["checkout", "--quiet", "--detach", &commit])?;
        Ok(commit)
    }

    fn found(&self, root: &Path, commit: String) -> Result<Fetched, HostError> {
        let folder = root.join(&self.folder);
        let inside = |real: PathBuf| real.starts_with(root.canonicalize().unwrap_or_default());
        if !folder.is_dir() || !folder.canonicalize().is_ok_and(inside) {
            let shown = self.folder.display();
            return Err(self.failed(&format!("commit {commit} has no folder '{shown}'")));
        }
        Ok(Fetched { folder, commit })
    }

    fn git(&self, work: &Path, arguments: &[&str]) -> Result<Output, HostError> {
        let mut command = Command::new("git");
        command.current_dir(work).args(["-c", "core.hooksPath=/dev/null"]).args(arguments);
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ALLOW_PROTOCOL", "https:ssh:file");
        command.env("GIT_LFS_SKIP_SMUDGE", "1").env("LC_ALL", "C");
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_repository_variable(name)) {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let child = command.spawn().map_err(|error| self.failed(&format!("git: {error}")))?;
        let group = child.id();
        let (send, output) = crossbeam::channel::bounded(1);
        std::thread::spawn(move || send.send(child.wait_with_output()));
        let output = output.recv_timeout(TIME_LIMIT).map_err(|_| {
            kill_group(group);
            self.failed(&format!("git took more than {} s", TIME_LIMIT.as_secs()))
        })?;
        let output = output.map_err(|error| self.failed(&format!("git: {error}")))?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(self.failed(said.trim()))
    }

    fn failed(&self, reason: &str) -> HostError {
        HostError::git(&format!("git+{}@{}", self.url, self.revision), reason)
    }
}

/// Whether a variable would lead git to another repository than the one it is started in.
fn is_repository_variable(name: &OsStr) -> bool {
    let all = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"];
    all.iter().any(|other| name == *other)
}

/// Folder of the cache: in the user's cache folder, or else among temporary files.
pub fn cache() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("populace/sources")
}

#[cfg(test)]
mod tests;
