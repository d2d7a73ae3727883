//! The folder of checkpoints in a run folder: the last two, and which of them can be used.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::Checkpoint;
use crate::record::RecordError;

/// Name of the folder in a run folder.
const FOLDER: &str = "checkpoints";

/// How the names of checkpoints end.
const EXTENSION: &str = "checkpoint";

/// Checkpoints that are kept: if the last is damaged, the one before is used.
const KEPT: usize = 2;

/// Where the checkpoint after `ticks_done` ticks is kept.
pub fn path(run: &Path, ticks_done: u32) -> PathBuf {
    run.join(FOLDER).join(format!("tick-{ticks_done:010}.{EXTENSION}"))
}

/// What there is of a run to go on from.
#[derive(Debug, Default)]
pub struct Found {
    /// The newest that is intact, if there is one.
    pub checkpoint: Option<Checkpoint>,
    /// Newer ones that are not, and why.
    pub damaged: Vec<(PathBuf, String)>,
}

/// Looks for the newest checkpoint that is intact.
///
/// # Errors
/// The operating system's refusal to list the folder.
pub fn find(run: &Path) -> Result<Found, RecordError> {
    let mut found = Found::default();
    for path in newest_first(run)? {
        match Checkpoint::read(&path) {
            Ok(checkpoint) => {
                found.checkpoint = Some(checkpoint);
                break;
            }
            Err(why) => found.damaged.push((path, why)),
        }
    }
    Ok(found)
}

/// Whether there is a checkpoint to go on from, if it is intact.
pub fn is_there(run: &Path) -> bool {
    newest_first(run).is_ok_and(|paths| !paths.is_empty())
}

/// Removes all but the last checkpoints, and what was left unfinished.
///
/// # Errors
/// The operating system's refusal to list or remove something.
pub fn tidy(run: &Path) -> Result<(), RecordError> {
    let kept = newest_first(run)?;
    let kept = &kept[..kept.len().min(KEPT)];
    for path in files(run)? {
        if !kept.contains(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes the folder of checkpoints.
///
/// # Errors
/// The operating system's refusal to list or remove something.
pub fn clear(run: &Path) -> Result<(), RecordError> {
    let folder = run.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::io("remove", &folder)(error))
        }
        _ => Ok(()),
    }
}

/// Removes one checkpoint.
///
/// # Errors
/// The operating system's refusal.
pub fn remove(path: &Path) -> Result<(), RecordError> {
    fs::remove_file(path).map_err(RecordError::io("remove", path))
}

/// The checkpoints that are there, the newest first.
fn newest_first(run: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let mut paths = files(run)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    // The number of ticks is padded, so names rise with it.
    paths.sort_unstable();
    paths.reverse();
    Ok(paths)
}

/// What is in the folder.
fn files(run: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let folder = run.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    list().map_err(RecordError::io("list", &folder))
}
