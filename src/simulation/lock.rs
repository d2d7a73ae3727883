//! One process at a time writes into a run folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::error::SimulationError;

/// Keeps other processes out of a run folder; ends with its process, however that ends.
#[derive(Debug)]
pub struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    /// Locks the folder, which must exist. Where folders cannot be locked, nothing is.
    ///
    /// # Errors
    /// Another process has locked it.
    pub fn take(dir: &Path) -> Result<Self, SimulationError> {
        let Ok(folder) = File::open(dir) else { return Ok(Self { _folder: None }) };
        match folder.try_lock() {
            Err(TryLockError::WouldBlock) => {
                Err(SimulationError::UnderWay { dir: dir.to_path_buf() })
            }
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _folder: Some(folder) }),
        }
    }
}
