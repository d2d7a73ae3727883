//! Files and folders that the scenario names: they must exist and be of a kind that we read.

use std::path::Path;

use super::checks::Checks;
use crate::scenario::explain::listed;
use crate::scenario::spec::{City, DiaryFiles, NetworkKind, Population, Spec, StorySource};

const TABLES: &[&str] = &[".csv", ".csv.gz", ".parquet"];
const TEXT_TABLES: &[&str] = &[".csv", ".csv.gz"];
const ROADS: &[&str] = &[".osm", ".osm.gz"];

pub(super) fn check(spec: &Spec, root: &Path, checks: &mut Checks) {
    for (at, path, endings) in named(spec) {
        file(&at, path, endings, root, checks);
    }
    for (index, skills) in spec.skills.roots.iter().enumerate() {
        let source = skills.source();
        // Those elsewhere are looked for when the skills are.
        let is_here = !source.starts_with("git+") && !source.starts_with('~');
        if is_here && !root.join(source).is_dir() {
            let message = format!("no folder `{source}`");
            checks.error(&format!("/skills/roots/{index}"), message, &looked_in(root));
        }
    }
}

/// The files that the scenario names: where it does, the path, and the endings that can be read.
pub(in crate::scenario) fn named(spec: &Spec) -> Vec<(String, &Path, &'static [&'static str])> {
    let mut files = Vec::new();
    let mut add = |at: &str, path, endings| files.push((at.to_owned(), path, endings));
    if let Some(Population::Table(table)) = &spec.population {
        add("/population/households/file", table.households.file.as_path(), TABLES);
        add("/population/persons/file", table.persons.file.as_path(), TABLES);
    }
    if let Some(environment) = &spec.environment {
        if let City::Zones(city) = &environment.city {
            add("/environment/city/zones/file", city.zones.file.as_path(), TEXT_TABLES);
        }
        let network = &environment.network;
        if let (NetworkKind::Osm, Some(path)) = (network.kind, &network.file) {
            add("/environment/network/file", path.as_path(), ROADS);
        }
    }
    let (at, diary) = match &spec.behaviour.story {
        StorySource::Diary(story) => ("/behaviour/story/diary", Some(&story.diary)),
        StorySource::Profile(story) => ("/behaviour/story/calibrate", story.calibrate.as_ref()),
    };
    if let Some(DiaryFiles { households, persons, tours, trips, .. }) = diary {
        add(&format!("{at}/households"), households.as_path(), TEXT_TABLES);
        add(&format!("{at}/persons"), persons.as_path(), TEXT_TABLES);
        add(&format!("{at}/tours"), tours.as_path(), TEXT_TABLES);
        add(&format!("{at}/trips"), trips.as_path(), TEXT_TABLES);
    }
    files
}

fn file(at: &str, path: &Path, endings: &[&str], root: &Path, checks: &mut Checks) {
    let shown = path.display();
    let name = path.to_string_lossy().to_lowercase();
    if !endings.iter().any(|ending| name.ends_with(ending)) {
        let message = format!("`{shown}` is not a file that can be read here");
        let help = format!("its name must end in {}", listed(endings.iter().copied()));
        return checks.error(at, message, &help);
    }
    let full = root.join(path);
    if full.is_dir() {
        checks.error(at, format!("`{shown}` is a folder, not a file"), "");
    } else if !full.exists() {
        checks.error(at, format!("no file `{shown}`"), &looked_in(root));
    }
}

fn looked_in(root: &Path) -> String {
    format!("relative paths start from the scenario's folder, `{}`", root.display())
}
