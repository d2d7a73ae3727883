//! Which skills there are in a run, and which of them run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use populace::record::{RunReader, TableId};
use populace::scenario::Scenario;
use populace::simulation::assemble::{AssembleOptions, assemble};
use populace::simulation::run::{Progress, RunOptions, run};

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

/// `skills run` gives a script a copy of the workspace, writes back what it changed and ends with
/// its exit code (contract 1.4 of AgentSociety: the result object and its fields).
#[test]
#[cfg(unix)]
fn a_script_is_run_over_a_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let (skills, workspace) = (folder.path().join("skills"), folder.path().join("w"));
    write_skill(&skills, "count", "{}", "x");
    let script = "#!/bin/sh\n\
                  n=$(cat notes/count 2>/dev/null || echo 0); mkdir -p notes\n\
                  echo $((n + 1)) > notes/count; echo \"$1 $n\"; exit \"$2\"\n";
    fs::write(skills.join("count/count.sh"), script).unwrap();
    let call = |arguments: &[&str]| {
        let mut command = populace();
        command.args(["skills", "run", "count", "--script", "count.sh", "--skills"]);
        command.arg(&skills).arg("--workspace").arg(&workspace).args(arguments);
        command.output().unwrap()
    };
    let first = call(&["--", "said", "0"]);
    assert_eq!((first.status.code(), &*first.stdout), (Some(0), &b"said 0\n"[..]));
    let second = call(&["--json", "--", "said", "7"]);
    assert_eq!(second.status.code(), Some(7));
    let result: serde_json::Value = serde_json::from_slice(&second.stdout).unwrap();
    let expected = serde_json::json!({
        "ok": false, "exit_code": 7, "stdout": "said 1\n", "stderr": "", "error_type": "runtime"
    });
    assert_eq!(result, expected);
    assert_eq!(fs::read_to_string(workspace.join("notes/count")).unwrap(), "2\n");

    // A link in the workspace leads no write outside.
    fs::remove_file(workspace.join("notes/count")).unwrap();
    let outside = folder.path().join("outside");
    fs::write(&outside, "mine").unwrap();
    std::os::unix::fs::symlink(&outside, workspace.join("notes/count")).unwrap();
    let third = call(&["--", "said", "0"]);
    assert_eq!(third.status.code(), Some(3), "{}", stderr(&third));
    assert!(stderr(&third).contains("is a symbolic link"), "{}", stderr(&third));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
}

/// A skill as `skills new` makes it loads without a word; a prompt skill is one of the open
/// standard (contract 1.1), and the hook of a script skill is found.
#[test]
fn a_new_skill_is_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    let call = |arguments: &[&str]| {
        populace().arg("skills").args(arguments).current_dir(folder.path()).output().unwrap()
    };
    for (name, kind) in [("night-owl", "prompt"), ("早起", "script")] {
        let output = call(&["new", name, "--dir", "mine", "--kind", kind]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let checked = call(&["check", "mine", "--json"]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    let strict = call(&["check", "mine", "--strict"]);
    let told = String::from_utf8_lossy(&strict.stdout).into_owned();
    let wrong = "早起/SKILL.md:4: strict-field: fields outside the standard: hooks";
    assert!(!told.contains("night-owl/SKILL.md:") && told.contains(wrong), "{told}");
    for bad in ["Night", "../out", "a--b", "night-owl"] {
        let output = call(&["new", bad, "--dir", "mine"]);
        assert!(!output.status.success(), "{bad}");
    }
    assert!(!folder.path().join("out").exists());
    let view = call(&["list", "--skills", "mine", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&view.stdout).unwrap();
    let has_scripts = |name: &str| {
        let skills = listed["skills"].as_array().unwrap();
        skills.iter().find(|skill| skill["name"] == name).unwrap()["has_scripts"].clone()
    };
    assert_eq!((has_scripts("night-owl"), has_scripts("早起")), (false.into(), true.into()));
}

/// A folder kept in git is fetched, used, and pinned in the manifest by its commit.
#[test]
fn a_git_source_is_pinned_in_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let origin = folder.path().join("origin");
    write_skill(&origin.join("skills"), "able", "{}", "hello");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let mut command = std::process::Command::new("git");
        command.args(identity).args(arguments).current_dir(&origin);
        let output = command.output().ok()?;
        assert!(output.status.success(), "{}", stderr(&output));
        Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    };
    if git(&["init", "--quiet", "--initial-branch=main"]).is_none() {
        eprintln!("SKIPPED: there is no git");
        return;
    }
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    let commit = git(&["rev-parse", "HEAD"]).unwrap();
    let source = format!("git+file://{}@main#skills", origin.display());
    let on = "  default_activated: [able]\n";
    let scenario = scenario(folder.path(), Path::new(&source), on);
    let out = folder.path().join("run");
    let output = populace()
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .args(["run", "--quiet", &scenario, "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let reader = RunReader::open(&out).unwrap();
    let [pinned] = reader.manifest().skill_sources.as_slice() else { panic!("one source") };
    assert_eq!((&pinned.source, &pinned.commit), (&source, &commit));
    assert_eq!(reader.table(TableId::Hooks).unwrap().row_count(), 40);
}

/// With `--watch` a changed skill is a new generation from the next tick on, a broken edit keeps
/// the last good version, and the manifest says so; without it nothing changes (contract 1.8).
#[test]
fn skills_that_change_during_a_run_are_read_again_only_if_they_are_watched() {
    let said = |watch: bool| {
        let folder = tempfile::tempdir().unwrap();
        let skills = folder.path().join("skills");
        write_skill(&skills, "able", "{}", "hello");
        write_skill(&skills, "calm", "{}", "calm");
        let on = "  default_activated: [able]\n  groups: [{activate: [late]}]\n";
        let on = if watch { on } else { "  default_activated: [able]\n" };
        let path = scenario(folder.path(), &skills, on);
        let overrides = [("clock.ticks".to_owned(), "7".to_owned())];
        let scenario = Scenario::load(Path::new(&path), &overrides).unwrap();
        let options =
            AssembleOptions { chunk_len: 8, skill_roots: &[], overrides: Vec::new(), watch };
        let assembly = assemble(&scenario, &options).unwrap();
        let mut edit = |done: Progress| match done.ticks_done {
            2 => fs::write(
                skills.join("able/hook.rhai"),
                "fn pre_step(person, moment) { \"changed\" }",
            )
            .unwrap(),
            3 => fs::write(skills.join("able/SKILL.md"), [0xFF, 0xFE]).unwrap(),
            4 => {
                write_skill(&skills, "late", "{}", "late");
                let text = "---\nname: late\ndescription: d\nhooks: {pre_step: h.py}\n---\n";
                fs::write(skills.join("late/SKILL.md"), text).unwrap();
                fs::write(skills.join("late/h.py"), "def pre_step():\n    return 'late'\n")
                    .unwrap();
            }
            5 => fs::remove_dir_all(skills.join("late")).unwrap(),
            _ => {}
        };
        let out = folder.path().join("run");
        let stop = AtomicBool::new(false);
        let mut options =
            RunOptions { out: out.clone(), force: false, stop: &stop, progress: &mut edit };
        let manifest = run(assembly, &mut options).unwrap().manifest;
        let rows = RunReader::open(&out).unwrap().table(TableId::Hooks).unwrap().read().unwrap();
        let mut said = vec![BTreeSet::new(); 7];
        let (ticks, outputs) = (rows.u32s("tick").unwrap(), rows.texts("output").unwrap());
        for (tick, output) in ticks.iter().zip(outputs) {
            said[*tick as usize].insert(output.unwrap().to_owned());
        }
        let said: Vec<String> =
            said.iter().map(|said| said.iter().cloned().collect::<Vec<_>>().join("+")).collect();
        (said, manifest.skill_generations)
    };
    let (still, generations) = said(false);
    assert_eq!((still[0].as_str(), still[1].as_str()), ("hello", "hello"));
    assert!(still.iter().all(|said| !said.contains("late")) && generations.is_empty());

    let (words, generations) = said(true);
    let expected = ["hello", "hello", "changed", "changed", "changed+late", "changed", "changed"];
    assert_eq!(words, expected);
    let changed = |index: usize| {
        let change = &generations[index].changed;
        change.iter().map(|one| (one.id.as_str(), one.hash.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(generations.iter().map(|one| one.tick).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!(changed(0), [("custom@able", true)]);
    assert_eq!(changed(1), []);
    assert!(generations[1].kept[0].starts_with("custom@able: "), "{:?}", generations[1].kept);
    assert_eq!(generations[1].registry_hash, generations[0].registry_hash);
    assert_eq!(
        (changed(2), changed(3)),
        (vec![("custom@late", true)], vec![("custom@late", false)])
    );
}

/// What `skills disable` writes, a scenario that names the file honours (contract 1.5: `disabled`
/// and `sources`); other scenarios do not.
#[test]
fn a_skill_that_is_switched_off_is_seen_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("skills");
    write_skill(&skills, "able", "{}", "hello");
    write_skill(&skills, "loud", "{}", "shout");
    let file = folder.path().join("skills.json");
    let switch = |word: &str, name: &str| {
        let mut command = populace();
        command.args(["skills", word, name, "--skills"]).arg(&skills).arg("--file").arg(&file);
        command.output().unwrap()
    };
    assert!(switch("disable", "loud").status.success());
    assert_eq!(switch("disable", "lout").status.code(), Some(2));
    let on = "  default_activated: [able, loud]\n";
    let hooks = |more: &str| {
        let path = scenario(folder.path(), &skills, &format!("{on}{more}"));
        let run = RunDir::of(&[&path]);
        RunReader::open(&run.path()).unwrap().table(TableId::Hooks).unwrap().row_count()
    };
    assert_eq!((hooks("  toggles: skills.json\n"), hooks("")), (40, 80));
    fs::write(&file, "{\n\"disabled\": 3}").unwrap();
    let path = scenario(folder.path(), &skills, "  toggles: skills.json\n");
    let output = populace().args(["validate", &path]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("skills.json:2:"), "{}", stderr(&output));
}
