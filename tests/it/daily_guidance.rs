//! daily-guidance's commands against recorded cases, hostile workspaces, and PyYAML.
//!
//! The right answers of the cases were recorded from the published skill; the rules by which they
//! are compared are in `tests/cases/daily_guidance/README.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::civil::DateTime;
use populace::skill::native::daily_guidance::story_file::{CommandResult, run, validate, yaml};
use serde_json::{Value, json};

const STORY: &str = "state/daily_guidance/2026-03-02/story.yaml";

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/daily_guidance");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn case(name: &str) -> Value {
    cases().into_iter().find(|(id, _)| id.starts_with(name)).unwrap().1
}

/// A workspace with the files of a case.
fn workspace_of(case: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in case["files_before"].as_object().unwrap() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.as_str().unwrap()).unwrap();
    }
    folder
}

fn call(workspace: &Path, argv: &[&str]) -> CommandResult {
    let argv: Vec<String> = argv.iter().map(|item| (*item).to_owned()).collect();
    run(workspace, &argv, None)
}

fn block(result: &CommandResult) -> Value {
    yaml::read(result.yaml.as_deref().unwrap()).unwrap()
}

/// Every file below `folder`, by its relative path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Whether `found` is what `expected` asks for; where it is not, says so into `wrong`.
fn compare(expected: &Value, found: &Value, at: &str, root: &str, wrong: &mut Vec<String>) {
    let mut fail = || wrong.push(format!("{at}: expected {expected}, found {found}"));
    match expected {
        Value::String(text) if text == "__any__" && found.is_string() => {}
        Value::String(text) if text == "__nonempty__" => {
            if found.as_str().is_none_or(str::is_empty) {
                fail();
            }
        }
        Value::String(text) => {
            if found.as_str() != Some(&text.replace("<workspace>", root)) {
                fail();
            }
        }
        Value::Object(fields) if fields.contains_key("__paths__") => {
            let mut paths: Vec<&str> =
                fields["__paths__"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
            let messages = found.as_array().map_or(&[][..], Vec::as_slice);
            let messages = messages.iter().flat_map(Value::as_str);
            let mut named: Vec<&str> =
                messages.map(|message| message.split(": ").next().unwrap()).collect();
            paths.sort_unstable();
            named.sort_unstable();
            let free = paths == ["__any__"] && named.len() == 1;
            if paths != named && !free {
                fail();
            }
        }
        Value::Object(fields) if fields.contains_key("__list_len__") => {
            let empty = found.as_array().is_none_or(Vec::is_empty);
            if !found.is_array() || empty != (fields["__list_len__"] == 0) {
                fail();
            }
        }
        Value::Object(fields) => {
            let keys = |value: &Value| {
                value.as_object().map(|f| f.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
            };
            // Order counts: result blocks and documents have fixed keys in a fixed order.
            if keys(expected) != keys(found) {
                fail();
                return;
            }
            for (key, value) in fields {
                compare(value, &found[key], &format!("{at}.{key}"), root, wrong);
            }
        }
        Value::Array(items) => {
            if found.as_array().is_none_or(|found| found.len() != items.len()) {
                fail();
                return;
            }
            for (index, item) in items.iter().enumerate() {
                compare(item, &found[index], &format!("{at}[{index}]"), root, wrong);
            }
        }
        other => {
            if other != found {
                fail();
            }
        }
    }
}

#[test]
fn every_recorded_case_gives_the_recorded_answer() {
    let cases = cases();
    assert!(cases.len() >= 19, "only {} cases found", cases.len());
    let mut wrong = Vec::new();
    for (name, case) in cases {
        let folder = workspace_of(&case);
        let before = files(folder.path());
        let argv: Vec<&str> =
            case["argv"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        let result = call(folder.path(), &argv);
        let root = folder.path().to_string_lossy().into_owned();
        let expect = &case["expect"];
        let found = result.yaml.as_deref().map_or(Value::Null, |text| yaml::read(text).unwrap());
        compare(&expect["result"], &found, &name, &root, &mut wrong);
        let code = json!(result.exit_code);
        compare(&expect["exit_code"], &code, &format!("{name} exit code"), &root, &mut wrong);
        assert_eq!(result.yaml.is_none(), !result.stderr.is_empty(), "{name}: {result:?}");

        let after = files(folder.path());
        let changed: Vec<&String> =
            after.keys().filter(|path| after.get(*path) != before.get(*path)).collect();
        let changed = json!(changed);
        compare(&expect["files_changed"], &changed, &format!("{name} files"), &root, &mut wrong);
        assert!(before.keys().all(|path| after.contains_key(path)), "{name}: a file is gone");
        for (path, content) in expect["files_after"].as_object().unwrap() {
            let text = String::from_utf8(after[path].clone()).unwrap();
            let at = format!("{name} {path}");
            compare(content, &yaml::read(&text).unwrap(), &at, &root, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Contract: advice for missing keys, gaps, ends before starts, bad times and blank proofs; in c05
/// those are eleven of its sixteen errors.
#[test]
fn advice_is_given_where_the_contract_lists_it() {
    let case = case("c05");
    let folder = workspace_of(&case);
    let argv: Vec<&str> = case["argv"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    let found = block(&call(folder.path(), &argv));
    let advice = found["recommend"].as_array().unwrap();
    assert_eq!(advice.len(), 11, "{advice:#?}");
    let keys: Vec<&String> = advice[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["field", "action", "meaning"]);
}

/// Contract, section 0: inside a step the commands see the simulated time, not AGENT.json's.
#[test]
fn the_callers_clock_counts_before_the_files() {
    let folder = workspace_of(&case("c12"));
    let now: DateTime = "2026-03-02T20:15:40".parse().unwrap();
    let result = run(folder.path(), &["current".to_owned()], Some(now));
    let found = block(&result);
    assert_eq!((&found["time"], result.exit_code), (&json!("20:15"), 0));
    assert_eq!(found["current_segment"]["id"], "evening");
    assert_eq!(found["current_segment"]["maslow_required"], "soft_required");
    assert_eq!(found["next_transition"], "23:00");
}

/// Contract, section 0: the segments after the one under way are dropped, not those after the
/// first; the Story is partial until revised.
#[test]
fn a_rewritten_day_keeps_what_has_begun() {
    let folder = workspace_of(&case("c12"));
    let argv = ["deviate", "--type", "rewrite_remaining_day", "--reason", "storm"];
    let found = block(&call(folder.path(), &argv));
    assert_eq!(found["status"], "partial");
    let shown = block(&call(folder.path(), &["show", "--format", "full"]));
    assert_eq!(
        (&shown["total_segments"], &shown["active_segment"]),
        (&json!(6), &json!("work_pm"))
    );
    let keys: Vec<&String> = shown.as_object().unwrap().keys().skip(10).collect();
    let expected = ["segments", "completed_segments", "actual_timeline", "change_log"];
    assert_eq!(keys, expected);
    let check = call(folder.path(), &["check"]);
    assert_eq!(check.exit_code, 1);
    assert_eq!(block(&check)["errors"].as_array().unwrap().len(), 1);

    let mut tail = json!([shown["segments"][5], shown["segments"][5]]);
    tail[0]["end"] = json!("15:00");
    tail[1]["id"] = json!("shelter");
    tail[1]["start"] = json!("15:00");
    tail[1]["end"] = json!("24:00");
    let argv = ["revise", "--from", "work_pm", "--json", &tail.to_string()];
    let revised = block(&call(folder.path(), &argv));
    assert_eq!(revised["ok"], true, "{revised}");
    assert_eq!((&revised["kept_head"], &revised["new_tail"]), (&json!(5), &json!(2)));
    assert_eq!(call(folder.path(), &["check"]).exit_code, 0);
}

/// Contract: same minute, activity and place is a duplicate whatever the note says.
#[test]
fn a_duplicate_record_leaves_the_file_alone() {
    let folder = workspace_of(&case("c12"));
    let argv = ["record", "--activity", "work", "--location", "office"];
    assert_eq!(block(&call(folder.path(), &argv))["duplicate"], false);
    let before = files(folder.path());
    let again = [&argv[..], &["--note", "once", "more"]].concat();
    let result = call(folder.path(), &again);
    let found = block(&result);
    assert_eq!((&found["duplicate"], &found["timeline_size"]), (&json!(true), &json!(1)));
    assert_eq!(found["entry"].get("note"), None, "the entry that stands is shown");
    assert!(found["next"].is_string());
    assert_eq!(files(folder.path()), before);
}

/// Contract: a wrong date is put right in the Story and in its id.
#[test]
fn a_plan_for_another_day_is_moved_to_the_clocks() {
    let case = case("c03");
    let folder = workspace_of(&case);
    let json = case["argv"][4].as_str().unwrap().replace("2026-03-02", "2025-01-09");
    let argv = ["plan", "--date", "2025-01-09", "--json", &json];
    let found = block(&call(folder.path(), &argv));
    let corrected = json!({"from": "2025-01-09", "to": "2026-03-02"});
    assert_eq!(found["corrected_date"], corrected);
    let story = yaml::read(&fs::read_to_string(folder.path().join(STORY)).unwrap()).unwrap();
    assert_eq!(story["story_id"], "agent_0007:2026-03-02");
    assert_eq!(story["date"], "2026-03-02");
}

/// Contract: init keeps a file unless forced, and stays in the workspace (exit code 2).
#[test]
fn init_keeps_what_is_there_and_stays_inside() {
    let folder = workspace_of(&case("c12"));
    let before = files(folder.path());
    let kept = call(folder.path(), &["init", "--date", "2026-03-02"]);
    assert_eq!((kept.exit_code, &block(&kept)["created"]), (0, &json!(false)));
    let outside =
        call(folder.path(), &["init", "--date", "2026-03-02", "--story-file", "../x.yaml"]);
    assert_eq!((outside.exit_code, &block(&outside)["ok"]), (2, &json!(false)));
    assert_eq!(files(folder.path()), before);
    call(folder.path(), &["init", "--date", "2026-03-02", "--force"]);
    let check = call(folder.path(), &["check"]);
    assert_eq!(check.exit_code, 1);
    assert!(block(&check)["errors"][0].as_str().unwrap().contains("empty"));
}

/// Contract: the hook tells of an open time, and of a Story that cannot be followed.
#[test]
fn the_hook_tells_what_it_finds() {
    let gap = workspace_of(&case("c09"));
    let found = block(&call(gap.path(), &[]));
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    let told = ["ok", "skill", "story_file", "date", "created"];
    assert_eq!(keys, [&told[..], &["current_time", "active_segment", "note"]].concat());
    assert_eq!(found["active_segment"], Value::Null);

    fs::write(gap.path().join(STORY), "# to do\n").unwrap();
    let result = call(gap.path(), &[]);
    let found = block(&result);
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(keys, [&told[..], &["errors", "recommend", "next"]].concat());
    assert_eq!((&found["ok"], result.exit_code), (&json!(false), 0));
}

/// Contract: unknown keys are not ours to drop.
#[test]
fn unknown_keys_survive_a_rewrite() {
    let folder = workspace_of(&case("c12"));
    let path = folder.path().join(STORY);
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replacen("- id: breakfast\n", "- id: breakfast\n  mood: 'no'\n", 1);
    fs::write(&path, format!("{text}weather: [rain, 3.5, ~]\n")).unwrap();
    call(folder.path(), &["deviate", "--type", "carryover", "--reason", "工作没做完"]);
    let text = fs::read_to_string(&path).unwrap();
    let story = yaml::read(&text).unwrap();
    assert_eq!(story["weather"], json!(["rain", 3.5, null]));
    assert_eq!(story["segments"][1]["mood"], "no");
    assert!(text.contains("工作没做完"));
}

/// Whatever lies in the workspace, every command answers and nothing outside is touched.
#[test]
fn hostile_workspaces_are_answered() {
    let story = case("c12")["files_before"][STORY].as_str().unwrap().to_owned();
    let contents: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\xff\xfe\x00garbage".to_vec(),
        b"{[}".to_vec(),
        b"- just\n- a list\n".to_vec(),
        b"segments: {}\nexecution: 3\nchange_log: no\n".to_vec(),
        b"segments: [1, null, {id: 3}, {id: a, start: 720, end: [x]}, {id: a, start: '00:00', \
          end: '00:00'}]\nexecution: {actual_timeline: x}\n"
            .to_vec(),
        "[".repeat(20_000).into_bytes(),
        [b"a: &a [x, x, x, x]\n".to_vec(), b"b: &b [*a, *a, *a, *a, *a, *a]\n".to_vec()].concat(),
        b"a: &a [*a]\n".to_vec(),
        vec![b'x'; 2 << 20],
        story.replace("ready", "maybe").into_bytes(),
    ];
    for content in &contents {
        let folder = workspace_of(&case("c03"));
        let path = folder.path().join(STORY);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        for argv in every_command() {
            let result = call(folder.path(), &argv);
            let found = block(&result);
            let fine = ["record", "deviate", "show", "init"].contains(&argv[0]);
            assert!(fine || found["ok"] == false, "{argv:?}: {found}");
            if argv[0] != "record" && argv[0] != "deviate" {
                assert_eq!(&fs::read(&path).unwrap(), content, "{argv:?}");
            }
            fs::write(&path, content).unwrap();
        }
    }
}

fn every_command() -> Vec<Vec<&'static str>> {
    vec![
        vec!["--args-json", "{}"],
        vec!["check"],
        vec!["current"],
        vec!["show", "--format", "full"],
        vec!["record", "--activity", "a", "--location", "b"],
        vec!["deviate", "--type", "rewrite_remaining_day", "--reason", "r"],
        vec!["revise", "--from", "a", "--json", "[{\"start\": \"08:00\"}]"],
        vec!["revise", "--from", "a", "--json", "{\"start\": \"00:00\", \"end\": \"00:30\"}"],
        vec!["init", "--date", "2026-03-02"],
    ]
}

#[test]
fn odd_agent_files_are_answered() {
    for text in ["", "null", "[]", "{", "{\"current_time\": 5}", "{\"current_time\": \"noon\"}"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("AGENT.json"), text).unwrap();
        for argv in every_command().into_iter().filter(|argv| argv[0] != "init") {
            let result = call(folder.path(), &argv);
            assert_eq!((result.exit_code, &block(&result)["ok"]), (1, &json!(false)), "{argv:?}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for payload in ["[]", "{", "{\"time\": \"later\"}", "{\"time\": 5}"] {
        let result = call(folder.path(), &["--args-json", payload]);
        let found = block(&result);
        assert_eq!((&found["ok"], &found["skill"]), (&json!(false), &json!("daily-guidance")));
        assert!(found["error"].is_string(), "{found}");
    }
    assert!(files(folder.path()).is_empty());
    assert_eq!(call(&folder.path().join("nowhere"), &["current"]).exit_code, 2);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_workspace_and_folders_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("story.yaml");
    let valid = case("c12")["files_before"][STORY].as_str().unwrap().to_owned();
    fs::write(&secret, &valid).unwrap();
    let day = Path::new(STORY).parent().unwrap();
    for link in ["file", "folder", "dangling", "directory"] {
        let folder = workspace_of(&case("c03"));
        let day = folder.path().join(day);
        fs::create_dir_all(day.parent().unwrap()).unwrap();
        if link == "folder" {
            std::os::unix::fs::symlink(outside.path(), &day).unwrap();
        } else {
            fs::create_dir_all(&day).unwrap();
            let target = day.join("story.yaml");
            match link {
                "file" => std::os::unix::fs::symlink(&secret, target).unwrap(),
                "dangling" => {
                    std::os::unix::fs::symlink(outside.path().join("new"), target).unwrap();
                }
                _ => fs::create_dir(target).unwrap(),
            }
        }
        let json = case("c03")["argv"][4].as_str().unwrap().to_owned();
        let mut commands = every_command();
        commands.retain(|argv| argv[0] != "init");
        commands.push(vec!["init", "--force", "--date", "2026-03-02"]);
        commands.push(vec!["plan", "--json", &json]);
        for argv in commands {
            let found = block(&call(folder.path(), &argv));
            assert_eq!(found["ok"], false, "{link} {argv:?}: {found}");
        }
        assert_eq!(fs::read_to_string(&secret).unwrap(), valid, "{link}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{link}");
    }

    let folder = workspace_of(&case("c12"));
    let part = folder.path().join(day).join("story.yaml.part");
    std::os::unix::fs::symlink(&secret, part).unwrap();
    let argv = ["deviate", "--type", "carryover", "--reason", "planted link"];
    assert_eq!(block(&call(folder.path(), &argv))["ok"], true);
    assert_eq!(fs::read_to_string(&secret).unwrap(), valid);
}

/// PyYAML reads what we write as we mean it: all times are text, all texts themselves.
#[test]
fn pyyaml_reads_our_stories() {
    let folder = workspace_of(&case("c01"));
    call(folder.path(), &["--args-json", "{\"time\": \"2026-03-02T00:00:00\"}"]);
    let odd =
        "no|on|~|null|12:30|1_000|0x1f|.5|=|<<|2026-03-02|- a|# b|a: b|'|\"|工作|\u{85}|\u{feff}|y";
    for word in odd.split('|') {
        call(folder.path(), &["record", "--activity", word, "--location", word]);
    }
    let path = folder.path().join(STORY);
    let code = "import json, sys, yaml; \
                print(json.dumps(yaml.safe_load(open(sys.argv[1], encoding='utf-8'))))";
    let Ok(output) = Command::new("python3").args(["-c", code]).arg(&path).output() else {
        return skip("python3 is not there");
    };
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("No module named 'yaml'"), "{message}");
        return skip("PyYAML is not there");
    }
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = yaml::read(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(theirs, ours);
    assert_eq!(ours["execution"]["actual_timeline"].as_array().unwrap().len(), 20);
    assert_eq!(validate::validate_story(&theirs, "s").errors, []);
}

#[allow(clippy::print_stderr, reason = "a skipped check must be seen")]
fn skip(why: &str) {
    eprintln!("skipped, because {why}");
}
