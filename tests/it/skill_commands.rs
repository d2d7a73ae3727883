//! What `populace skills` does beside a run: activation with commands, an agent's own skills, lists
//! for people and programs.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{populace, root, stderr};

fn write_skill(root: &Path, name: &str, text: &str) {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

/// Exit code, stdout and stderr of `populace skills --skills ROOT ARGS`.
fn skills(root: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = populace();
    // No file of whoever runs the tests counts.
    command.env("HOME", root).arg("skills").arg("--skills").arg(root).args(args);
    let output = command.output().unwrap();
    let out = String::from_utf8(output.stdout.clone()).unwrap();
    let code = output.status.code().unwrap();
    assert!(code < 100, "{args:?}: {}", stderr(&output));
    (code, out, stderr(&output))
}

/// Contract 1.7 of AgentSociety: stripped stdout in place of a command; off unless allowed, and
/// then literal with a warning; any failure fails the activation; no shell.
#[test]
#[cfg(unix)]
fn commands_run_only_if_they_are_allowed_and_all_of_them_must_be_well() {
    let folder = TempDir::new().unwrap();
    let (root, work) = (folder.path().join("s"), folder.path().join("w"));
    let head = "description: d\n---\n";
    let good = format!("---\nname: good\n{head}\nHas !`cat note.txt`, !`tee $1 copy.txt`.\n");
    write_skill(&root, "good", &good);
    let bad = format!("---\nname: bad\n{head}\nHas !`touch made.txt` !`ls no-such-file`.\n");
    write_skill(&root, "bad", &bad);
    write_skill(&root, "piped", &format!("---\nname: piped\n{head}!`cat note.txt | wc`\n"));
    fs::create_dir(&work).unwrap();
    fs::write(work.join("note.txt"), "\n  a note \n").unwrap();
    let path = work.to_str().unwrap();

    let (code, out, warning) = skills(&root, &["view", "good", "--activate", "x"]);
    assert_eq!(code, 0);
    assert!(out.contains("Has !`cat note.txt`, !`tee x copy.txt`."), "{out}");
    let first = "good/SKILL.md:6: the command `cat note.txt` stays text";
    assert!(warning.contains(first) && warning.lines().count() == 2, "{warning}");
    assert!(!work.join("copy.txt").exists());

    let allow = ["--allow-commands", "--workspace", path];
    let view =
        |name, args| skills(&root, &[&["view", name, "--activate", args], &allow[..]].concat());
    let (code, out, warning) = view("good", "'a;b | c'");
    assert_eq!((code, warning.as_str()), (0, ""));
    assert!(out.contains("\nHas a note, .\n"), "{out}");
    assert!(work.join("copy.txt").is_file() && work.join("a;b | c").is_file(), "no shell");

    let (code, out, error) = view("bad", "");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.contains("bad/SKILL.md:6: the command `ls no-such-file` failed: "), "{error}");
    assert!(!work.join("made.txt").exists(), "the workspace is as it was");
    let (code, _, error) = view("piped", "");
    assert!(code == 1 && error.contains("piped/SKILL.md:5: ") && error.contains("'|'"), "{error}");

    let (code, ..) = skills(&root, &["view", "good", "--activate", "x", "--allow-commands"]);
    assert_eq!(code, 2, "a workspace is needed");
}

/// Contract 1.6: the tool's answers; a skill that was made is one for AgentSociety's scan of the
/// workspace (its contract, 1.2).
#[test]
fn an_agents_own_skill_is_made_changed_and_removed() {
    let folder = TempDir::new().unwrap();
    let content = folder.path().join("new.md");
    fs::write(&content, "---\nname: owl\ndescription: Up late\n---\nStay up.\n").unwrap();
    let (content, work) = (content.to_str().unwrap(), folder.path().to_str().unwrap());
    let own = folder.path().join("custom/skills");
    let manage = |action: &str, name: &str| {
        let args = ["skills", "manage", action, name, "--workspace", work, "--content", content];
        let output = populace().args(args).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), answer)
    };
    assert_eq!(manage("create", "owl").1["skill_id"], "custom@owl");
    assert_eq!(skills(&own, &["view", "owl"]).0, 0);
    let (code, answer) = manage("create", "owl");
    assert_eq!(code, 1);
    assert!(answer["error"].as_str().unwrap().contains("already"), "{answer}");
    assert_eq!(manage("edit", "owl").1["success"], true);
    assert_eq!(manage("delete", "owl").0, 0);
    assert!(!own.join("owl").exists());
    let (code, answer) = manage("create", "../owl");
    assert!(code == 1 && answer["error"].is_string(), "{answer}");
}

/// Contract 1.6: the commands answer as the tools of MS-Agent do.
#[test]
fn json_is_what_the_tools_answer() {
    let folder = TempDir::new().unwrap();
    write_skill(folder.path(), "owl", "---\nname: owl\ndescription: Up late\n---\nStay up.\n");
    let json = |args: &[&str], wanted: i32| -> Value {
        let (code, out, error) = skills(folder.path(), args);
        assert_eq!(code, wanted, "{args:?}: {error}");
        serde_json::from_str(&out).unwrap()
    };
    let list = json(&["list", "--json"], 0);
    assert_eq!(list["total"], 3);
    let owl = &list["skills"][2];
    assert_eq!((&owl["skill_id"], &owl["has_missing_deps"]), (&"user@owl".into(), &false.into()));
    assert_eq!(json(&["search", "zebra", "--json"], 1)["total"], 0);
    assert_eq!(json(&["view", "owl", "--json"], 0)["content"], "Stay up.");
    let file = json(&["view", "owl", "--json", "--file", "SKILL.md"], 0);
    assert_eq!(file["file_path"], "SKILL.md");
    let error = json(&["view", "own", "--json"], 1);
    assert!(error["error"].as_str().unwrap().contains("did you mean 'owl'"), "{error}");
}

/// Contract 1.8: the loader is lenient and the validator separate, so each skill has two verdicts;
/// the cases of the lenient loader serve both.
#[test]
fn loading_and_the_open_standard_are_two_verdicts() {
    let cases = ["skills", "check", "tests/cases/skill_md", "--strict"];
    let output = populace().args(cases).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |name: &str| {
        let line = text.lines().find(|line| line.starts_with('│') && line.contains(name)).unwrap();
        line.split_whitespace().skip(2).take(3).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("075-msagent-paper-finder"), "yes 3 errors");
    assert_eq!(row("089-derived-latin1"), "no 1 error");
    assert_eq!(row("095-dashes-in-value"), "yes 1 error,");
    let output = populace().args(cases).arg("--json").output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts = document["verdicts"].as_array().unwrap();
    let of = |name: &str| verdicts.iter().find(|verdict| verdict["skill"] == name).unwrap();
    assert_eq!(of("089-derived-latin1")["loads"], false);
    assert_eq!((verdicts.len(), &of("084-bom")["valid"]), (20, &Value::Bool(false)));
}

/// MS-Agent's `disabled` (contract 1.5): who lists skills sees which are off and where, a model is
/// not told of them; and its modes of telling (row 31).
#[test]
fn skills_that_are_switched_off_are_listed_as_such() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_skill(path, "owl", "---\nname: owl\ndescription: Up late\n---\nStay up.\n");
    let lark = "---\nname: lark\ndescription: Up early\nalways: true\n---\nGet up.\n";
    write_skill(path, "lark", lark);
    assert_eq!(skills(path, &["disable", "owl", "--user"]).0, 0);

    let (_, table, _) = skills(path, &["list"]);
    let unfolded = table.replace(['│', '\n'], " ");
    let words: Vec<&str> = unfolded.split_whitespace().collect();
    let text = words.join(" ");
    assert!(
        text.contains("user@owl prompt [switched off in") && text.contains("Up late"),
        "{table}"
    );
    assert!(text.contains("user@lark prompt Up early"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "folded: {table}");
    let (_, xml, note) = skills(path, &["list", "--xml"]);
    assert!(!xml.contains("owl") && xml.contains("Get up."), "{xml}");
    assert!(note.contains("user@owl is left out"), "{note}");
    let (_, json, _) = skills(path, &["list", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let off = |name: &str| {
        let all = json["skills"].as_array().unwrap();
        all.iter().find(|skill| skill["name"] == name).unwrap().get("disabled").cloned()
    };
    assert_eq!((off("owl"), off("lark")), (Some(true.into()), None));

    let mode = |mode: &str| skills(path, &["list", "--xml", "--mode", mode]);
    assert!(mode("always_only").1.starts_with("<skill_content name=\"lark\">"));
    assert!(!mode("always_only").1.contains("<available_skills>"));
    assert_eq!((mode("none").0, mode("none").1.as_str()), (0, ""));
    assert_eq!(skills(path, &["list", "--mode", "none"]).0, 2, "a mode of the XML");

    // A scenario's own list counts for it, and the user's file does not.
    let scenario = path.join("scenario.yaml");
    let city = fs::read_to_string(root().join("scenarios/synthetic_city/scenario.yaml")).unwrap();
    assert!(!city.contains("\nskills:"));
    fs::write(&scenario, format!("{city}\nskills: {{disabled: [lark]}}\n")).unwrap();
    let (code, json, error) =
        skills(path, &["list", "--json", "--scenario", scenario.to_str().unwrap()]);
    assert_eq!(code, 0, "{error}");
    let json: Value = serde_json::from_str(&json).unwrap();
    let off = json["skills"].as_array().unwrap().iter().filter(|skill| skill["disabled"] == true);
    assert_eq!(off.map(|skill| &skill["skill_id"]).collect::<Vec<_>>(), ["user@lark"]);
}
