//! Whatever the bytes are, a SKILL.md is read or refused: no panic, no endless work, every
//! diagnostic with a line of the file, and a name that can stand in an id.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use populace::skill::document::{self, Severity};

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("skills/walker/SKILL.md");
    // Files whose name has an even number of bytes are there.
    let (manifest, diagnostics) = document::read(path, bytes, &|file| file.len().is_multiple_of(2));
    let lines = 1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    for diagnostic in &diagnostics {
        assert!((1..=lines as u32 + 1).contains(&diagnostic.line), "{diagnostic}");
    }
    let skipped = diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(manifest.is_none(), skipped, "skipped exactly if an error says why");
    if let Some(manifest) = manifest {
        assert!(!manifest.name.is_empty() && !manifest.description.is_empty());
        let bad = |c: char| c.is_control() || matches!(c, '@' | '/' | '\\');
        assert!(!manifest.name.contains(bad), "{:?}", manifest.name);
        assert!(!manifest.body.contains('\r'));
    }
});
