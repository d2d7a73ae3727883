//! The files that a scenario names, with what was in them when it was assembled.

use std::fs::File;
use std::io;

use crate::record::manifest::InputRef;
use crate::scenario::Scenario;
use crate::simulation::SimulationError;

/// Hashes the scenario's files.
///
/// # Errors
/// A file that cannot be read.
pub fn inputs(scenario: &Scenario) -> Result<Vec<InputRef>, SimulationError> {
    let reference = |path: &std::path::Path| {
        let file = scenario.resolve(path);
        let hash = || -> io::Result<blake3::Hash> {
            Ok(blake3::Hasher::new().update_reader(File::open(&file)?)?.finalize())
        };
        let action = || format!("read {}", file.display());
        let hash = hash().map_err(|source| SimulationError::Io { action: action(), source })?;
        Ok(InputRef { path: path.display().to_string(), hash: hash.to_hex().to_string() })
    };
    scenario.files().into_iter().map(reference).collect()
}
