//! What users can type and feed: damaged files, odd values, closed pipes. Nothing panics, every
//! refusal says where and what to do next.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use populace::base::rng::{Purpose, Stream};
use populace::record::{RunReader, RunStatus, TableId, hash_run};
use populace::scenario::{Scenario, ScenarioError};
use tempfile::TempDir;

use crate::support::checks::check_run;
use crate::support::{RunDir, populace, root, stderr};

const CITY: &str = "scenarios/synthetic_city";
const NAMES: [&str; 3] = ["daily_mobility", "synthetic_city", "zurich_commuters"];
/// Codes that the command documents; a panic ends with another (101).
const CODES: [i32; 4] = [0, 1, 2, 3];

fn call(args: &[&str]) -> Output {
    populace().args(args).output().expect("the command starts")
}

/// Exit code and stderr of a run into a folder of its own; never a panic.
fn attempt(args: &[&str]) -> (i32, String) {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("run");
    let out = out.to_str().expect("UTF-8");
    let output = call(&[&["run"], args, &["--quiet", "--out", out]].concat());
    let said = stderr(&output);
    let code = output.status.code().expect("no signal");
    assert!(CODES.contains(&code) && !said.contains("panicked"), "{args:?}: {code}: {said}");
    (code, said)
}

/// Expects a refusal with this code and all of these texts.
fn refused(args: &[&str], code: i32, texts: &[&str]) {
    let output = call(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    for text in texts {
        assert!(said.contains(text), "{args:?} does not say '{text}':\n{said}");
    }
}

/// The scenarios and their data, in a folder where they can be damaged.
fn copied() -> TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).expect("a folder");
        for entry in std::fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            let target = to.join(path.file_name().expect("a name"));
            if path.is_dir() {
                copy(&path, &target);
            } else {
                std::fs::copy(&path, &target).expect("writable");
            }
        }
    }
    let folder = TempDir::new().expect("a temporary folder");
    copy(&root().join("scenarios"), folder.path());
    folder
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).expect("the data");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn pack(path: &Path, bytes: &[u8]) {
    let file = std::fs::File::create(path).expect("writable");
    let mut writer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    writer.write_all(bytes).expect("writable");
    writer.finish().expect("writable");
}

/// `text` with the value of one column in one line (from 1, the header) replaced. The tables of
/// the diary quote nothing.
fn with_value(text: &str, line: usize, column: &str, value: &str) -> String {
    let header = text.lines().next().expect("a header");
    let at = header.split(',').position(|name| name == column).expect("the column");
    let change = |(index, row): (usize, &str)| {
        let mut cells: Vec<&str> = row.split(',').collect();
        if index + 1 == line {
            cells[at] = value;
        }
        cells.join(",") + "\n"
    };
    text.lines().enumerate().map(change).collect()
}

/// A scenario's text with a few bytes, lines or words wrong.
fn mutated(text: &str, index: u32) -> Vec<u8> {
    const WORDS: [&str; 12] =
        ["-1", "1e400", "null", "[]", "{}", "~", "yes", "0x10", "*a", "&a", "''", "9999999999999"];
    let mut stream = Stream::of_index(7, index, Purpose::Script);
    let mut draw = |count: usize| stream.bits() as usize % count.max(1);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = draw(lines.len());
    match index % 6 {
        0 => drop(lines.remove(at)),
        1 => {
            let other = draw(lines.len());
            lines.swap(at, other);
        }
        2 => {
            let word = WORDS[draw(WORDS.len())];
            let key = lines[at].split(':').next().unwrap_or_default().to_owned();
            lines[at] = format!("{key}: {word}");
        }
        3 => lines.truncate(at),
        4 => lines[at].insert_str(0, &" ".repeat(1 + draw(9))),
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = draw(bytes.len());
            bytes[at] = draw(256) as u8;
            return bytes;
        }
    }
    lines.join("\n").into_bytes()
}

/// 240 damaged scenarios: none panics, each that fails does so at a line. Some go through the
/// command, and some of those that are still allowed are run.
#[test]
fn damaged_scenarios_are_refused_with_a_line_or_run() {
    let folder = copied();
    let (mut failed, mut loaded) = (0, 0);
    for index in 0..240 {
        let scenario = folder.path().join(NAMES[index as usize % 3]).join("scenario.yaml");
        let text = std::fs::read_to_string(&scenario).expect("the scenario");
        std::fs::write(&scenario, mutated(&text, index / 3)).expect("writable");
        let path = scenario.to_str().expect("UTF-8");
        match Scenario::load(&scenario, &[]) {
            Ok(_) => {
                loaded += 1;
                if loaded % 6 == 0 {
                    attempt(&[path, "--agents", "30", "--ticks", "2"]);
                }
            }
            Err(ScenarioError::Invalid(list)) => {
                failed += 1;
                assert!(list.iter().all(|one| one.line > 0) && !list.is_empty());
                if failed % 12 == 0 {
                    refused(&["validate", path], 2, &["scenario.yaml:", "not valid"]);
                }
            }
            Err(other) => panic!("{other}"),
        }
        std::fs::write(&scenario, text).expect("writable");
    }
    assert!(failed >= 120 && loaded >= 12, "{failed} failed, {loaded} loaded");
}

#[test]
fn damaged_data_is_refused_where_it_is_wrong() {
    let folder = copied();
    let data = folder.path().join("data/bay_area_diary");
    let scenario = folder.path().join("daily_mobility");
    let args = [scenario.to_str().expect("UTF-8"), "--agents", "30", "--ticks", "1"];
    let cases = [
        ("persons", "age", "banana", "persons.csv.gz:6"),
        ("persons", "age", "999", "persons.csv.gz:6"),
        ("persons", "household_id", "99999999", "persons.csv.gz:6"),
        ("persons", "ptype", "77", "persons.csv.gz:6"),
        ("households", "income", "much", "households.csv.gz:6"),
        ("trips", "depart", "31", "trips.csv.gz:6"),
        ("trips", "depart", "nan", "trips.csv.gz:6"),
        ("trips", "purpose", "flying", "trips.csv.gz:6"),
        ("tours", "start", "-2", "tours.csv.gz:6"),
        ("land_use", "TOTHH", "-5", "land_use.csv.gz:6"),
    ];
    for (table, column, value, place) in cases {
        let file = data.join(format!("{table}.csv.gz"));
        let whole = std::fs::read(&file).expect("the data");
        pack(&file, with_value(&unpacked(&file), 6, column, value).as_bytes());
        let (code, said) = attempt(&args);
        assert_eq!(code, 2, "{table}.{column}: {said}");
        for text in [place, column, value] {
            assert!(said.contains(text), "{table}.{column} does not say '{text}': {said}");
        }
        // A message that stands twice helps nobody.
        assert_eq!(said.matches(place).count(), 1, "{said}");
        std::fs::write(&file, whole).expect("writable");
    }
    for table in ["persons", "trips", "land_use"] {
        let file = data.join(format!("{table}.csv.gz"));
        let whole = std::fs::read(&file).expect("the data");
        for bytes in [&whole[..whole.len() / 2], &[], b"hello\n"] {
            std::fs::write(&file, bytes).expect("writable");
            let (code, said) = attempt(&args);
            assert!(code >= 2 && said.contains(&format!("{table}.csv.gz")), "{said}");
        }
        std::fs::write(&file, whole).expect("writable");
    }
}

#[test]
fn a_road_extract_cut_short_or_garbled_never_panics() {
    let folder = copied();
    let scenario = folder.path().join("zurich_commuters");
    let args = [scenario.to_str().expect("UTF-8"), "--agents", "30", "--ticks", "1"];
    let file = folder.path().join("data/zurich_roads/zrh-center-bigroads.osm.gz");
    let whole = std::fs::read(&file).expect("the roads");
    let text = unpacked(&file);
    let cut = text.len() / 2;
    std::fs::write(&file, &whole[..whole.len() / 3]).expect("writable");
    let (code, said) = attempt(&args);
    assert!(code >= 2 && said.contains("bigroads.osm.gz:"), "{said}");
    for bytes in [&text.as_bytes()[..cut], b"<osm/>", b"", b"hello"] {
        pack(&file, bytes);
        let (code, said) = attempt(&args);
        assert!(code == 2 && said.contains("bigroads.osm.gz"), "{said}");
    }
    for index in 0..10 {
        let mut stream = Stream::of_index(11, index, Purpose::Script);
        let mut bytes = text.clone().into_bytes();
        for _ in 0..20 {
            let at = stream.bits() as usize % bytes.len();
            bytes[at] = stream.bits() as u8;
        }
        pack(&file, &bytes);
        attempt(&args);
    }
}

/// A few bytes of every table go wrong: an error or another hash, no panic.
#[test]
fn a_damaged_run_is_an_error_whatever_the_byte() {
    let run = RunDir::of(&[CITY, "--agents", "60", "--ticks", "60"]);
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [run.path(), run.path().join("steps"), run.path().join("hooks")] {
        let entries = std::fs::read_dir(folder).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.is_file() && !path.ends_with("telemetry.json"));
    files.sort();
    let before = hash_run(&run.path()).expect("whole");
    let mut noticed = 0;
    for (index, file) in files.iter().enumerate() {
        let whole = std::fs::read(file).expect("the file");
        for round in 0..25 {
            let mut stream = Stream::of_index(round, index as u32, Purpose::Script);
            let mut bytes = whole.clone();
            for _ in 0..1 + round % 4 {
                let at = stream.bits() as usize % bytes.len();
                bytes[at] ^= 1 << (stream.bits() % 8);
            }
            std::fs::write(file, bytes).expect("writable");
            noticed += u32::from(hash_run(&run.path()).ok().as_ref() != Some(&before));
        }
        std::fs::write(file, whole).expect("writable");
    }
    assert!(noticed > 100, "only {noticed} noticed");
    assert_eq!(hash_run(&run.path()).expect("whole again"), before);
}

#[test]
fn overrides_name_the_key_that_was_meant() {
    for (set, meant) in [
        ("recrods.log=all", "did you mean `records`?"),
        ("records.logg=all", "did you mean `log`?"),
        ("clock.tick=60", "did you mean `ticks`?"),
    ] {
        refused(&["validate", CITY, "--set", set], 2, &["command line:1:1", meant]);
    }
    refused(&["validate", CITY, "--set", "=5"], 2, &["not a path"]);
}

#[test]
fn skills_that_nobody_has_are_refused_wherever_they_stand() {
    for (set, key) in [
        ("skills.default_activated=[daily-guidence]", "skills.default_activated"),
        ("skills.disabled=[daily-guidence]", "skills.disabled"),
        ("skills.groups=[{activate: [daily-guidence]}]", "skills.groups.0.activate"),
        ("skills.groups=[{deactivate: [daily-guidence]}]", "skills.groups.0.deactivate"),
    ] {
        for command in ["validate", "run"] {
            refused(&[command, CITY, "--set", set], 2, &[key, "did you mean 'daily-guidance'?"]);
        }
    }
    let group = "{where: {share: 0.5}, activate: [daily-guidance]}";
    let many = format!("skills.groups=[{}]", vec![group; 65].join(", "));
    refused(&["validate", CITY, "--set", &many], 2, &["at most 64 entries", "found 65"]);
    let most = format!("skills.groups=[{}]", vec![group; 64].join(", "));
    assert_eq!(attempt(&[CITY, "--agents", "30", "--ticks", "2", "--set", &most]).0, 0);
}

/// Persons who had a Story in a run with this override of `skills`.
fn guided(set: &str) -> usize {
    let run = RunDir::of(&[CITY, "--agents", "300", "--ticks", "100", "--set", set]);
    check_run(&run.path());
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let stories = reader.table(TableId::Stories).expect("stories").read().expect("rows");
    let mut agents = stories.u32s("agent_id").expect("a column");
    agents.sort_unstable();
    agents.dedup();
    agents.len()
}

/// Switching the skill off by any of its names takes the Story from everybody or from a group.
#[test]
fn skills_are_switched_by_any_name_and_by_group() {
    assert_eq!(guided("seed=1"), 300);
    for nobody in [
        "skills.disabled=[daily-guidance]",
        "skills.disabled=[built-in@daily-guidance]",
        "skills.groups=[{deactivate: [built-in@daily-guidance]}]",
        "skills.groups=[{where: {share: 1}, deactivate: [daily-guidance]}]",
    ] {
        assert_eq!(guided(nobody), 0, "{nobody}");
    }
    // 300 draws of one half: 150, standard deviation 8.7.
    let half = guided("skills.groups=[{where: {share: 0.5}, deactivate: [daily-guidance]}]");
    assert!((120..=180).contains(&half), "{half}");
}

#[test]
fn skill_files_full_of_garbage_stop_no_run() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        let skill = folder.path().join(name);
        std::fs::create_dir_all(&skill).expect("a folder");
        std::fs::write(skill.join("SKILL.md"), bytes).expect("writable");
    };
    let noise: Vec<u8> =
        (0..3_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    write("noise", &noise);
    write("empty", b"");
    write("large", &vec![b'x'; 2 << 20]);
    write("open", b"---\nname: [1,\n---");
    write("odd", b"---\nname: \"x@y\\0z\"\nhooks: 7\nmetadata: 3\n---\n");
    write(
        "bomb",
        b"---\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nname: [*b,*b]\n---\n",
    );
    write("native", b"---\nname: warp\nmetadata: {native: warp-drive}\n---\nProse.\n");
    write("twin", b"---\nname: warp\n---\nProse.\n");
    std::fs::create_dir_all(folder.path().join("folder/SKILL.md")).expect("a folder");
    let set = format!("skills.roots=[{}]", folder.path().display());
    let run = RunDir::of(&[CITY, "--agents", "50", "--ticks", "3", "--set", &set]);
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let warnings = reader.manifest().warnings.join("\n");
    for code in [
        "not-utf8",
        "too-large",
        "repaired-yaml",
        "no-description",
        "unknown-native",
        "shadowed",
        "not-a-file",
    ] {
        assert!(warnings.contains(code), "no {code} in {warnings}");
    }
    let output = call(&["skills", "check", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
}

/// A user's skill takes the bare name of the built-in one; if no run calls it, a warning says so.
#[test]
fn a_skill_that_does_nothing_is_warned_about() {
    let folder = TempDir::new().expect("a temporary folder");
    let skill = folder.path().join("mine");
    std::fs::create_dir_all(&skill).expect("a folder");
    std::fs::write(skill.join("SKILL.md"), "---\nname: daily-guidance\ndescription: d\n---\n")
        .expect("writable");
    let path = folder.path().to_str().expect("UTF-8");
    let run = RunDir::of(&[CITY, "--agents", "50", "--ticks", "3", "--skills", path]);
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let warnings = reader.manifest().warnings.join("\n");
    assert!(warnings.contains("user@daily-guidance is switched on"), "{warnings}");
    assert!(warnings.contains("did you mean built-in@daily-guidance?"), "{warnings}");
}

#[test]
fn a_person_who_was_not_recorded_is_refused_with_what_to_do() {
    for tables in ["[metrics]", "[persons, stays, trips]"] {
        let set = format!("records.tables={tables}");
        let run = RunDir::of(&[CITY, "--agents", "50", "--ticks", "3", "--set", &set]);
        let path = run.path();
        let path = path.to_str().expect("UTF-8");
        let out = run.path().join("files");
        let out = out.to_str().expect("UTF-8");
        refused(&["inspect", path, "--agent", "0"], 2, &["stories", "records.tables"]);
        refused(&["workspace", path, "--agent", "0", "--out", out], 2, &["records.tables"]);
        refused(&["inspect", path, "--agent", "4294967295"], 2, &["4294967295", "0 to 49"]);
    }
}

/// Without shops and restaurants some persons fail: rows, exit code 1, or a stop, as the scenario
/// says; the tables stay whole.
#[test]
fn failures_of_persons_follow_the_scenario() {
    let folder = copied();
    let file = folder.path().join("data/bay_area_diary/land_use.csv.gz");
    let mut text = unpacked(&file);
    for line in 2..=text.lines().count() {
        for column in ["RETEMPN", "FPSEMPN", "HEREMPN"] {
            text = with_value(&text, line, column, "0");
        }
    }
    pack(&file, text.as_bytes());
    let scenario = folder.path().join("daily_mobility");
    let run = |name: &str, set: &str| {
        let out = folder.path().join(name);
        let output = populace()
            .args(["run", scenario.to_str().expect("UTF-8"), "--agents", "300"])
            .args(["--set", set, "--out", out.to_str().expect("UTF-8")])
            .output()
            .expect("the command starts");
        check_run(&out);
        let status = RunReader::open(&out).expect("a run folder").manifest().status;
        (output.status.code(), status, output)
    };
    let (code, status, output) = run("continue", "failures.policy=continue");
    assert_eq!((code, status), (Some(1), RunStatus::CompletedWithFailures));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("table failures"), "{said}");
    let (code, status, _) = run("allowed", "failures.allowed_share=1");
    assert_eq!((code, status), (Some(0), RunStatus::CompletedWithFailures));
    let (code, status, output) = run("stop", "failures.policy=stop");
    assert_eq!((code, status), (Some(1), RunStatus::Failed));
    assert!(stderr(&output).contains("failures.policy is stop"), "{}", stderr(&output));
}

/// One person, one tick, one agent per chunk, more threads than persons.
#[test]
fn the_smallest_runs_are_whole_and_threads_do_not_matter() {
    let small = RunDir::of(&[CITY, "--agents", "1", "--ticks", "1"]);
    check_run(&small.path());
    let one = RunDir::of(&[CITY, "--agents", "70", "--ticks", "60", "--chunk", "1"]);
    check_run(&one.path());
    for threads in ["0", "1", "64"] {
        let run = RunDir::of(&[CITY, "--agents", "70", "--ticks", "60", "--threads", threads]);
        assert_eq!(run.hash(), one.hash(), "{threads} threads");
    }
}

/// Three days: each with a Story of its own for everybody.
#[test]
fn a_run_of_days_gives_everybody_a_story_each_day() {
    let run = RunDir::of(&[CITY, "--agents", "200", "--set", "clock.until=2026-03-05T00:00:00"]);
    check_run(&run.path());
    let reader = RunReader::open(&run.path()).expect("a run folder");
    let stories = reader.table(TableId::Stories).expect("stories").read().expect("rows");
    let agents = stories.u32s("agent_id").expect("a column");
    let mut days: Vec<_> =
        stories.dates("day").expect("a column").into_iter().zip(agents).collect();
    days.sort_unstable();
    days.dedup();
    assert_eq!(days.len(), 3 * 200);
}

/// A reader that has read enough ends nothing badly.
#[test]
fn a_closed_pipe_is_no_panic() {
    for args in [&["schema"][..], &["skills", "list"], &["skills", "view", "daily-guidance"]] {
        let mut child = populace()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    }
}

/// Every `--json` is one JSON document, and nothing else is on stdout.
#[test]
fn json_is_json() {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("run");
    let out = out.to_str().expect("UTF-8");
    let run = ["run", CITY, "--agents", "50", "--ticks", "3", "--json", "--out", out];
    for (args, key) in [
        (&run[..], "/manifest/status"),
        (&["hash", out, "--json"], "/0/hash"),
        (&["inspect", out, "--agent", "0", "--json"], "/timeline/0/start"),
        (&["schema"], "/title"),
    ] {
        let output = call(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(document.pointer(key).is_some_and(serde_json::Value::is_string), "{args:?}");
    }
}

/// Contract 1.1 (list and verdict of the open standard), 1.6 (keys of a search), 1.7 of
/// AgentSociety (arguments).
#[test]
fn skills_are_listed_searched_activated_and_judged() {
    let folder = TempDir::new().expect("a temporary folder");
    let skill = folder.path().join("greet");
    std::fs::create_dir_all(&skill).expect("a folder");
    let text = "---\nname: greet\ndescription: 问候日常\nversion: 2\n---\nHello $1, !`date`.\n";
    std::fs::write(skill.join("SKILL.md"), text).expect("writable");
    let path = folder.path().to_str().expect("UTF-8");
    let said = |args: &[&str], code: i32| {
        let output = call(&[&["skills", "--skills", path], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let list = said(&["list", "--xml"], 0);
    assert!(list.starts_with("<available_skills>\n") && list.contains("<name>greet</name>"));
    assert!(said(&["list", "--xml", "--budget", "1"], 0).contains("3 more"));
    let found: serde_json::Value =
        serde_json::from_str(&said(&["search", "日常", "--json"], 0)).expect("JSON");
    assert_eq!(found["total"], 1);
    assert_eq!(found["skills"][0]["skill_id"], "user@greet");
    assert_eq!(said(&["search", "zebra"], 1), "");
    let body = said(&["view", "greet", "--activate", "'you all'"], 0);
    assert!(body.contains("Hello you all, !`date`.\n"), "commands stay text: {body}");
    assert_eq!(said(&["view", "greet", "--file", "SKILL.md"], 0), text);
    assert_eq!(said(&["check", path], 0), "1 skills, 0 problems\n");
    let judged = said(&["check", path, "--strict"], 1);
    assert!(judged.contains("SKILL.md:4: strict-field: ") && judged.contains("version"));
}
