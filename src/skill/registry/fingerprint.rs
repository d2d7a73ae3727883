//! Whether anything in the folders of skills changed, without reading it.

use std::path::Path;
use std::time::UNIX_EPOCH;

use super::scan::{ScanPlan, packages};
use crate::skill::resources;

/// Hash of the names, sizes and times of all files of all packages. Another one means that the
/// skills should be read again; the same one, that they are as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(blake3::Hash);

impl ScanPlan {
    /// The present state of the packages.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        for root in &self.roots {
            // A root that cannot be listed has no packages: that is a state like any other.
            for package in packages(root, &mut Vec::new()).unwrap_or_default() {
                note(&package, &mut hasher);
            }
        }
        Fingerprint(hasher.finalize())
    }
}

fn note(package: &Path, hasher: &mut blake3::Hasher) {
    hasher.update(package.as_os_str().as_encoded_bytes()).update(b"\0");
    let Ok(root) = package.canonicalize() else { return };
    for file in resources::list(&root).0 {
        let about = root.join(&file).metadata();
        let time = about.as_ref().ok().and_then(|about| about.modified().ok());
        let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let size = about.map_or(0, |about| about.len());
        hasher.update(file.as_bytes()).update(b"\0");
        hasher.update(&size.to_le_bytes()).update(&since.as_nanos().to_le_bytes());
    }
}
