//! Which skills there are in a run, and which of them run.

use std::fs;
use std::path::Path;

use populace::record::{RunReader, TableId};

use crate::support::{RunDir, populace, stderr};

/// A skill whose hook is a rule that says `word`.
fn write_skill(root: &Path, name: &str, requires: &str, word: &str) {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "---\nname: {name}\ndescription: says {word}\nhooks: {{pre_step: hook.rhai}}\n\
         requires: {requires}\n---\n"
    );
    fs::write(folder.join("SKILL.md"), text).unwrap();
    fs::write(folder.join("hook.rhai"), format!("fn pre_step(person, moment) {{ \"{word}\" }}"))
        .unwrap();
}

fn scenario(folder: &Path, skills: &Path, more: &str) -> String {
    let text = format!(
        "name: registry\nseed: 1\n\
         clock: {{start: 2026-03-02T06:00:00, tick_s: 3600, ticks: 2}}\n\
         population: {{source: synthetic, persons: 20}}\n\
         environment: {{city: {{source: grid, zones_x: 2, zones_y: 2, zone_m: 750}}}}\n\
         skills:\n  roots: [{skills}]\n{more}records: {{log: all}}\n",
        skills = skills.display(),
    );
    let path = folder.join("scenario.yaml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Contract 1.2 of the SKILL.md dialects: what misses something is flagged and not dropped; it is
/// told why, and its hooks do not run.
#[test]
fn a_skill_that_misses_something_is_listed_and_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("skills");
    write_skill(&skills, "able", "{bins: [sh], os: [linux, darwin]}", "hello");
    write_skill(&skills, "unable", "{bins: [no-such-program], env: [NO_SUCH_KEY]}", "never");
    let on = "  default_activated: [able, unable]\n";
    let scenario = scenario(folder.path(), &skills, on);
    let reasons = "no program 'no-such-program'; no environment variable 'NO_SUCH_KEY'";

    let output = populace().args(["validate", &scenario]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output));
    let warning = format!("unable is switched on, but unavailable and not run: {reasons}");
    assert!(told.contains(&warning), "{told}");

    let run = RunDir::of(&[&scenario]);
    let reader = RunReader::open(&run.path()).unwrap();
    let manifest = reader.manifest();
    let missing = |name: &str| {
        manifest.skills.iter().find(|skill| skill.id == name).unwrap().missing.join("; ")
    };
    assert_eq!((missing("custom@unable"), missing("custom@able")), (reasons.into(), "".into()));
    // 20 persons, two ticks, the one skill that can run.
    assert_eq!(reader.table(TableId::Hooks).unwrap().row_count(), 40);
    assert_eq!(reader.table(TableId::Failures).unwrap().row_count(), 0);
}
