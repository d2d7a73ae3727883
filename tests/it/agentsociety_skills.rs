//! Skills of the public release of AgentSociety 2 (PyPI `agentsociety2` 2.9.3), run as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use populace::record::{RunReader, RunStatus, TableId};
use populace::skill::native::daily_guidance::story_file::yaml;
use serde_json::Value;

use crate::support::python::{PythonKit, kit};
use crate::support::{RunDir, populace, stderr};

/// The kit, or `None` after saying why the test is skipped.
fn kit_or_skip() -> Option<&'static PythonKit> {
    kit().map_err(|reason| eprintln!("SKIPPED, the public wheel cannot be had: {reason}")).ok()
}

/// A scenario of 100 persons and eight hours for whom the published skill guides the day.
fn scenario(kit: &PythonKit, folder: &Path) -> String {
    let package = kit.wheel.join("agentsociety2");
    let text = format!(
        "name: published\nseed: 1\n\
         clock: {{start: 2026-03-02T06:00:00, tick_s: 3600, ticks: 8}}\n\
         population: {{source: synthetic, persons: 100}}\n\
         environment: {{city: {{source: grid, zones_x: 4, zones_y: 4, zone_m: 750}}}}\n\
         skills:\n  roots:\n    - {skills}\n    \
         - {{path: {mobility}, namespace: 'env:MobilitySpace'}}\n    \
         - {{path: {events}, namespace: 'env:EventSpace'}}\n  \
         default_activated: [custom@daily-guidance]\n\
         scripts: {{python: {python}, workers: 2}}\n\
         records: {{log: all, workspace: final}}\n",
        skills = package.join("agent/skills").display(),
        mobility = package.join("contrib/env/mobility_space/agent_skills").display(),
        events = package.join("contrib/env/event_space/agent_skills").display(),
        python = kit.venv.display(),
    );
    let path = folder.join("scenario.yaml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Files of table `workspace`, by path, of one agent.
fn files_of(run: &Path, agent: &str) -> Vec<(String, String)> {
    let out = tempfile::tempdir().unwrap();
    let output = populace()
        .args(["workspace", "--agent", agent, "--out"])
        .arg(out.path())
        .arg(run)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let listed = String::from_utf8(output.stdout).unwrap();
    let read = |path: &str| {
        let text = fs::read_to_string(path).unwrap();
        let name = Path::new(path).strip_prefix(out.path()).unwrap().display().to_string();
        (name, text)
    };
    listed.lines().map(read).collect()
}

/// The set of paths of all keys in a document, list positions left out.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = format!("{at}/{key}");
                found.insert(path.clone());
                keys(inner, &path, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| keys(inner, at, found)),
        _ => {}
    }
}

fn story_of(run: &Path) -> Value {
    let files = files_of(run, "3");
    let story = files.iter().find(|(name, _)| name.ends_with("2026-03-02/story.yaml"));
    yaml::read(&story.expect("a story.yaml").1).unwrap()
}

/// Must show of the skill system: the published `pre_step` hook runs in the pool, its Stories move
/// people, and its document and ours have the same structure.
#[test]
fn the_published_daily_guidance_guides_a_hundred_persons_for_eight_hours() {
    let Some(kit) = kit_or_skip() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(kit, folder.path());
    let run = RunDir::of(&[&path]);
    let reader = RunReader::open(&run.path()).unwrap();
    assert_eq!(reader.manifest().status, RunStatus::Completed);
    let rows = |table| reader.table(table).unwrap().row_count();
    assert_eq!(rows(TableId::Hooks), 800);
    assert_eq!(rows(TableId::Failures), 0);
    // Its default day has everybody leave for work at eight: nearly all make that trip.
    assert!(rows(TableId::Trips) >= 50, "{}", rows(TableId::Trips));

    let theirs = story_of(&run.path());
    assert_eq!(theirs["story_id"], "agent_0003:2026-03-02:default");
    let ours = RunDir::of(&[
        &path,
        "--set",
        "skills.default_activated=[built-in@daily-guidance]",
        "--set",
        "records.workspace=final",
    ]);
    let ours = story_of(&ours.path());
    let (mut left, mut right) = (BTreeSet::new(), BTreeSet::new());
    keys(&theirs, "", &mut left);
    keys(&ours, "", &mut right);
    let missing: Vec<_> = left.difference(&right).collect();
    assert!(missing.is_empty(), "keys of the published document that ours lacks: {missing:?}");
    for (key, value) in theirs.as_object().unwrap() {
        let kind = |value: &Value| match value {
            Value::String(_) => "text",
            Value::Array(_) => "list",
            Value::Object(_) => "map",
            _ => "other",
        };
        assert_eq!(kind(value), kind(&ours[key]), "{key}");
    }

    let again = RunDir::of(&[&path, "--threads", "1", "--chunk", "7"]);
    assert_eq!(run.hash(), again.hash());
}

/// Its environment skills are listed, are the environment's and run no script.
#[test]
fn the_published_environment_skills_are_calls_of_the_environment() {
    let Some(kit) = kit_or_skip() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(kit, folder.path());
    let run = RunDir::of(&[
        &path,
        "--ticks",
        "2",
        "--set",
        "skills.default_activated=[env:MobilitySpace@mobility,env:EventSpace@event]",
    ]);
    let reader = RunReader::open(&run.path()).unwrap();
    let ids: Vec<&str> = reader.manifest().skills.iter().map(|skill| skill.id.as_str()).collect();
    for id in ["env:EventSpace@event", "env:MobilitySpace@mobility", "custom@daily-guidance"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    assert_eq!(reader.table(TableId::Hooks).unwrap().row_count(), 0);
    assert_eq!(reader.manifest().status, RunStatus::Completed);
}
