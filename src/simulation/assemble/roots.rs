//! From the sources of a scenario's skills to folders: paths, `~`, and git.

use std::path::Path;

use crate::host::git::{self, GitSource};
use crate::host::machine;
use crate::record::manifest::SkillSource;
use crate::scenario::Scenario;
use crate::simulation::SimulationError;
use crate::skill::package::SkillScope;
use crate::skill::registry::SkillRoot;

/// The roots that the scenario names, and the commits of those that come from git: with these in
/// place of branches the run can be repeated.
///
/// # Errors
/// A git source that is none or cannot be had.
pub fn roots(scenario: &Scenario) -> Result<(Vec<SkillRoot>, Vec<SkillSource>), SimulationError> {
    let (mut roots, mut sources) = (Vec::new(), Vec::new());
    for root in &scenario.spec.skills.roots {
        let source = root.source();
        let path = match GitSource::parse(source) {
            Some(git) => {
                let fetched = git?.fetch(&git::cache())?;
                sources.push(SkillSource { source: source.to_owned(), commit: fetched.commit });
                fetched.folder
            }
            None => match machine::below_home(source) {
                Some(path) => path,
                None => scenario.resolve(Path::new(source)),
            },
        };
        roots.push(SkillRoot {
            path,
            scope: SkillScope::Workspace,
            namespace: root.namespace().map(str::to_owned),
            depth: root.depth(),
        });
    }
    Ok((roots, sources))
}
