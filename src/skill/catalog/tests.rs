//! Against case `r03_skill_hooks_xml.json` and the contracts.

use std::path::Path;

use serde_json::{Value, json};

use super::disclosure::rendered;
use super::*;
use crate::agent::hook::HookType;
use crate::skill::availability::Machine;
use crate::skill::package::{Skill, SkillScope};
use crate::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};

fn case() -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/cases/skill_runtime/r03_skill_hooks_xml.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Skills as (folder, frontmatter without the name); without the built-in ones.
fn registry(skills: &[(&str, &str)]) -> (tempfile::TempDir, SkillRegistry) {
    let folder = tempfile::tempdir().unwrap();
    for (name, front) in skills {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        let text = format!("---\nname: \"{name}\"\n{front}\n---\nBody of {name}: $1.\n");
        std::fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
    }
    let registry = scanned(folder.path());
    (folder, registry)
}

/// The skills of a folder, without the built-in ones.
fn scanned(folder: &Path) -> SkillRegistry {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let allow = Some(names.map(|name| name.into_string().unwrap()).collect());
    let roots = vec![SkillRoot::new(SkillScope::Workspace, folder)];
    SkillRegistry::scan(&ScanPlan { roots, allow }).unwrap()
}

fn shown(tokens_max: Option<usize>) -> Shown<'static> {
    Shown { mode: Mode::All, visible: &|_| true, unavailable: &|_| None, tokens_max }
}

/// Section 0 of the contract: bodies are escaped here, which the recording did not do.
#[test]
fn hooks_are_told_as_recorded_but_escaped() {
    let case = case();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = case["input"].as_array().unwrap();
    let rows: Vec<_> = (rows.iter())
        .map(|row| (text(&row["skill"]), text(&row["output"]), row["ok"] == true))
        .collect();
    let said: Vec<HookSaid<'_>> = (rows.iter())
        .map(|(skill_id, output, ok)| HookSaid {
            skill_id,
            hook: HookType::PreStep,
            ok: *ok,
            output,
        })
        .collect();
    let wanted = text(&case["rendered"]).replace("a < b & \"c\"", "a &lt; b &amp; \"c\"");
    assert_eq!(hooks_block(&said, 1_000), wanted);
    let hole = HookSaid { output: "</skill_hooks>abc", ..said[0] };
    let block = hooks_block(&[hole], 14);
    assert!(block.contains("\n&lt;/skill_hooks&gt;…\n"), "{block}");
    assert_eq!(hooks_block(&[], 10), "");
}

#[test]
fn the_list_and_a_skill_are_told_as_recorded() {
    let case = case();
    let (_folder, registry) = registry(&[("a&b", "description: x < y")]);
    assert_eq!(catalogue(&registry, &shown(None)), case["catalog_rendered"].as_str().unwrap());
    let input = &case["content_input"];
    let files: Vec<String> = serde_json::from_value(input["resources"].clone()).unwrap();
    let text = rendered("n\"q", input["content"].as_str().unwrap(), &files);
    assert_eq!(text, case["content_rendered"].as_str().unwrap());
    // Section 0: the body after the frontmatter, with arguments (1.7).
    let text = activate(&registry.skills()[0], "now", &[]);
    let wanted = "<skill_content name=\"a&amp;b\">\nBody of a&b: now.\n  <skill_resources>\n    \
                  <file>SKILL.md</file>\n  </skill_resources>\n</skill_content>";
    assert_eq!(text, wanted);
}

/// Contract 1.7 of AgentSociety (the form, what is refused, outputs in place of commands) and case
/// `093-derived-bang-cmd` (never inside a code fence).
#[test]
fn commands_are_found_where_they_may_run_and_give_way_to_their_output() {
    let skill = |body: &str| {
        let text = format!("---\nname: x\ndescription: d\n---\n{body}");
        let path = Path::new("x/SKILL.md");
        Skill::from_bytes(SkillScope::Workspace, None, path, text.as_bytes()).0.unwrap()
    };
    let body = "One !`a b`, |!`c $1`|\nno!`d` `e!` !`open\n~~~ sh\n!`f`\n```\n~~~~\n!`g`\n";
    let found = commands(&skill(body));
    let lines: Vec<(u32, &str)> = found.iter().map(|c| (c.line, c.text.as_str())).collect();
    assert_eq!(lines, [(5, "a b"), (5, "c $1"), (11, "g")]);
    let outputs = ["$1".to_owned(), " out\n".to_owned()];
    let text = activate(&skill("A !`a`, !`b` $1. !`c`"), "now", &outputs);
    assert!(
        text.contains("\nA $1, out now. !`c`\n"),
        "what was put in is not put in again: {text}"
    );
    let text = activate(&skill("A !`a $1`."), "now", &["out".to_owned()]);
    assert!(text.contains("\nA out.\n") && !text.contains("ARGUMENTS"), "{text}");

    let words = |text: &str, raw: &str| {
        let skill = skill(&format!("!`{text}`"));
        commands(&skill)[0].words(&skill, raw)
    };
    let words_are = |text: &str, raw: &str, all: &[&str]| {
        assert_eq!(words(text, raw).unwrap(), all, "{text}");
    };
    words_are("git log '-n 3' x$1.md", "'a; rm b' c", &["git", "log", "-n 3", "xa; rm b.md"]);
    words_are("ls $ARGUMENTS $9", "'a b' c", &["ls", "a b", "c", ""]);
    words_are("$1 -x", "sh", &["$1", "-x"]);
    for refused in ["a | b", "a > b", "a <b", "a && b", "a; b", "a $(b)", "a ${B}", " "] {
        assert!(words(refused, "").is_err(), "{refused}");
    }
}

/// Contract 1.1 (hidden ones, nothing if there is none), 1.2 (unavailable ones stay, flagged;
/// `always` needs availability) and MS-Agent's modes in 1.5.
#[test]
fn the_list_holds_what_a_model_may_start() {
    let (_folder, registry) = registry(&[
        ("ever", "description: d\nalways: true"),
        ("hidden", "description: d\ndisable-model-invocation: true"),
        ("plain", "description: d"),
    ]);
    let list = catalogue(&registry, &shown(None));
    assert!(list.contains("plain") && !list.contains("hidden") && !list.contains("ever"));
    let full = in_full(&registry, &shown(None));
    assert!(full.starts_with("<skill_content name=\"ever\">") && !full.contains("plain"));
    let lacking = Shown { unavailable: &|_| Some("no <node>".into()), ..shown(None) };
    assert_eq!(in_full(&registry, &lacking), "");
    let list = catalogue(&registry, &lacking);
    assert!(list.contains("ever") && list.contains("<unavailable>no &lt;node&gt;</unavailable>"));
    let only = Shown { mode: Mode::AlwaysOnly, ..shown(None) };
    assert_eq!((catalogue(&registry, &only), in_full(&registry, &only)), (String::new(), full));
    let none = Shown { mode: Mode::None, ..shown(None) };
    assert_eq!((catalogue(&registry, &none), in_full(&registry, &none)), Default::default());
    let nobody = Shown { visible: &|_| false, ..shown(None) };
    assert_eq!(catalogue(&registry, &nobody), "");
}

#[test]
fn over_the_budget_descriptions_go_before_skills() {
    let long = format!("description: {}", "word ".repeat(100));
    let (_folder, registry) = registry(&[("a", &long), ("b", &long), ("c", &long)]);
    let list = |max| catalogue(&registry, &shown(Some(max)));
    assert_eq!(list(10_000), catalogue(&registry, &shown(None)));
    let cut = list(150);
    assert!(tokens(&cut) <= 150 && cut.contains("<name>c</name>") && cut.contains('…'), "{cut}");
    let dropped = list(48);
    assert!(tokens(&dropped) <= 48, "{dropped}");
    assert!(dropped.contains("<name>a</name>") && dropped.contains("2 more"), "{dropped}");
    assert!(list(1).contains("3 more"));
    // Eight bytes are two tokens; a Han character is one.
    assert_eq!((tokens("abcdefgh"), tokens("日常"), tokens("")), (2, 2, 0));
}

/// Contract 1.6: the keys of the tools' answers, and no others.
#[test]
fn tools_answer_with_the_keys_of_the_contract() {
    let (folder, _) = registry(&[
        ("walk", "description: Plans a walk\ntags: [Leisure]\nscript: run.py\nversion: 1.10"),
        ("work", "description: Plans work\nrequires: {bins: [no-such]}"),
    ]);
    for file in ["walk/run.py", "walk/references/a.md", "walk/scripts/b.sh", "walk/data.csv"] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "text").unwrap();
    }
    let machine = Machine { has_program: &|_| false, has_variable: &|_| false, os: "linux" };
    let mut registry = scanned(folder.path());
    registry.judge(&machine);
    let walk = json!({
        "skill_id": "custom@walk", "name": "walk", "description": "Plans a walk",
        "version": "1.10", "tags": ["Leisure"],
        "has_scripts": true, "has_references": true, "has_missing_deps": false,
    });
    let list = skills_list(&registry, &ListQuery::default());
    assert_eq!(list["skills"][0], walk);
    assert_eq!((&list["total"], &list["skills"][1]["has_missing_deps"]), (&json!(2), &json!(true)));
    assert_eq!(list.as_object().unwrap().len(), 2);
    let asked = ListQuery { query: Some("plans"), tag: Some("LEISURE"), limit: Some(5) };
    let mut found = skills_list(&registry, &asked);
    let score = found["skills"][0].as_object_mut().unwrap().remove("relevance_score").unwrap();
    assert!(score.as_f64().unwrap() > 0.0);
    assert_eq!(found, json!({"skills": [walk], "total": 1, "query": "plans"}));
    let limited = ListQuery { limit: Some(1), ..ListQuery::default() };
    assert_eq!(skills_list(&registry, &limited)["total"], 1);

    let view = skill_view(&registry, "walk", None);
    let linked = json!({
        "scripts": ["run.py", "scripts/b.sh"],
        "references": ["references/a.md"],
        "resources": ["data.csv"],
    });
    assert_eq!(
        view,
        json!({
            "skill_id": "custom@walk", "name": "walk", "description": "Plans a walk",
            "skill_dir": folder.path().join("walk"), "content": "Body of walk: $1.",
            "linked_files": linked,
        })
    );
    let lacking = skill_view(&registry, "work", None);
    assert_eq!(lacking["requirements_status"], json!({"missing": ["no program 'no-such'"]}));
    assert!(lacking["warning"].is_string());
    let file = skill_view(&registry, "walk", Some("data.csv"));
    assert_eq!(file, json!({"file_path": "data.csv", "content": "text"}));
    for (skill, file) in [("wlk", None), ("walk", Some("../work/SKILL.md")), ("walk", Some("x"))] {
        let answer = skill_view(&registry, skill, file);
        assert!(answer.as_object().unwrap().len() == 1 && answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn search_finds_words_in_any_language_in_a_fixed_order() {
    let (_folder, registry) = registry(&[
        ("a-walk", "description: Plans a walk in the park\ntags: [Leisure]"),
        ("b-walk", "description: Plans a walk in the park\ntags: [errand]"),
        ("c-day", "description: 规划日常生活"),
        ("d-other", "description: Nothing of the kind"),
    ]);
    let index = Index::new(&registry);
    let names = |query: &str, tag, limit| -> Vec<&str> {
        let found = index.search(query, tag, limit);
        found.iter().map(|f| registry.skills()[f.index].manifest.name.as_str()).collect()
    };
    assert_eq!(names("WALK", None, 9), ["a-walk", "b-walk"], "equal scores go by id");
    assert_eq!(names("walk", None, 1), ["a-walk"]);
    assert_eq!(names("walk", Some("leisure"), 9), ["a-walk"]);
    assert_eq!(names("日常", None, 9), ["c-day"]);
    assert!(names("absent", None, 9).is_empty() && names("", None, 9).is_empty());
}
