//! SKILL.md files of every dialect, odd and broken ones, against what a load must give.
//!
//! The right answers are `tests/cases/skill_md/expected.tsv` (contract 1.8 of the dialects).

use std::fs;
use std::path::PathBuf;

use populace::skill::document::Severity;
use populace::skill::document::manifest::SkillKind;
use populace::skill::package::{Skill, SkillScope};
use populace::skill::registry::{ScanPlan, SkillRegistry, SkillRoot};
use serde_json::Value;

use crate::support::root;

struct Row {
    folder: String,
    loads: bool,
    name: String,
    description: String,
}

fn cases() -> PathBuf {
    root().join("tests/cases/skill_md")
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(cases().join("expected.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_owned();
        Row { folder: cell(0), loads: cells[1] == "LOAD", name: cell(2), description: cell(3) }
    };
    text.lines().skip(1).map(row).collect()
}

fn load(folder: &str) -> (Option<Skill>, Vec<(&'static str, u32, Severity)>) {
    let (skill, found) = Skill::read(SkillScope::Workspace, None, &cases().join(folder));
    (skill, found.iter().map(|d| (d.code, d.line, d.severity)).collect())
}

fn scan(root: PathBuf) -> SkillRegistry {
    let roots = vec![SkillRoot::new(SkillScope::Workspace, root)];
    SkillRegistry::scan(&ScanPlan { roots, allow: None }).unwrap()
}

#[test]
fn every_case_loads_or_is_skipped_as_expected() {
    let rows = rows();
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let (skill, found) = load(&row.folder);
        assert_eq!(skill.is_some(), row.loads, "{}: {found:?}", row.folder);
        let Some(skill) = skill else {
            assert!(found.iter().any(|(.., severity)| *severity == Severity::Error));
            continue;
        };
        assert_eq!(skill.manifest.name, row.name, "{}", row.folder);
        let description = &skill.manifest.description;
        assert!(description.starts_with(&row.description), "{}: {description}", row.folder);
        assert_eq!(skill.manifest.dir_name, row.folder);
    }
}

/// A folder with all of them at once loads all but the SKIP rows.
#[test]
fn one_bad_file_stops_no_other() {
    let registry = scan(cases());
    let own = registry.skills().iter().filter(|skill| skill.scope == SkillScope::Workspace);
    let expected = rows().iter().filter(|row| row.loads).count();
    assert_eq!(own.count(), expected);
    for row in rows().iter().filter(|row| !row.loads) {
        let told = registry.diagnostics().iter().any(|found| {
            found.severity == Severity::Error
                && found.path.ends_with(format!("{}/SKILL.md", row.folder))
        });
        assert!(told, "{} is skipped without a word", row.folder);
    }
}

/// The notes column of the table, and contract 1.8.
#[test]
fn fields_and_diagnostics_are_those_of_the_notes() {
    let manifest = |folder: &str| load(folder).0.unwrap().manifest;
    let codes = |folder: &str| -> Vec<&str> {
        load(folder).1.iter().filter(|d| d.2 != Severity::Note).map(|d| d.0).collect()
    };
    let brief = manifest("072-jianmu-concise-brief");
    assert_eq!((brief.kind, brief.push_to_chat), (SkillKind::Prompt, true));
    let echo = manifest("073-jianmu-bt-echo");
    let tree = echo.bt.as_ref().unwrap();
    assert_eq!((echo.kind, tree.tree.as_str(), tree.direct), (SkillKind::Bt, "tree.py", false));
    let full = manifest("074-jianmu-full-fields");
    assert!(matches!(&full.metadata, Value::Object(map) if !map.contains_key("_raw")));
    let finder = manifest("075-msagent-paper-finder").requires;
    assert!(!finder.tools.is_empty() && !finder.env.is_empty(), "{finder:?}");
    assert_eq!(codes("076-bareagent-api-review"), ["no-frontmatter"]);
    assert_eq!(codes("084-bom"), ["bom"]);
    assert_eq!(codes("085-bom-crlf"), ["bom", "crlf"]);
    assert_eq!(codes("086-cr-only"), ["crlf"]);
    assert!(!codes("087-derived-tab-indent").is_empty());
    assert_eq!(codes("088-derived-dup-key"), ["duplicate-key"]);
    assert_eq!(codes("089-derived-latin1"), ["not-utf8"]);
    assert!(manifest("093-derived-bang-cmd").body.contains("!`"), "kept, and not run");
    assert_eq!(codes("094-colon-in-description"), ["repaired-yaml"]);
    assert!(codes("095-dashes-in-value").is_empty());
    let yes = manifest("096-name-yes");
    assert_eq!((yes.name.as_str(), yes.version.as_str()), ("yes", "1.10"));
    let hooks = manifest("097-agentsociety-hooks").hooks;
    assert_eq!(hooks, [("pre_step".to_owned(), "scripts/main.py".to_owned())]);
    assert_eq!(codes("097-agentsociety-hooks"), ["missing-file"]);
    let foreign = manifest("098-foreign-hooks");
    assert!(foreign.hooks.is_empty() && foreign.extra.contains_key("hooks"));
    assert_eq!(codes("098-foreign-hooks"), ["foreign-hooks"]);
}

/// `r01_registry_scan.json`: what AgentSociety's own scan registers, as section 0 of its contract
/// corrects it (an en-dash of values is kept whole, a bad file stops nothing).
#[test]
fn a_recorded_scan_gives_the_same_skills() {
    let text = fs::read_to_string(root().join("tests/cases/skill_runtime/r01_registry_scan.json"));
    let case: Value = serde_json::from_str(&text.unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in case["files"].as_object().unwrap() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap().join("scripts")).unwrap();
        fs::write(path.parent().unwrap().join("scripts/a.py"), "").unwrap();
        fs::write(path, text.as_str().unwrap()).unwrap();
    }
    fs::create_dir(folder.path().join("no-skill-md")).unwrap();
    fs::write(folder.path().join("plain file"), "x").unwrap();
    let registry = scan(folder.path().to_owned());
    let own: Vec<&Skill> =
        registry.skills().iter().filter(|skill| skill.scope == SkillScope::Workspace).collect();
    for expected in case["descriptors"].as_array().unwrap() {
        let id = expected["skill_id"].as_str().unwrap();
        let skill = own.iter().find(|skill| skill.id == id);
        let skill = skill.unwrap_or_else(|| panic!("{id} is not registered"));
        let manifest = &skill.manifest;
        // Section 0 and contract 1.8: nothing is cut at `---` within a line, and what has no
        // description takes its first line of prose.
        let description = expected["description"].as_str().unwrap();
        if id == "custom@dashes" {
            assert_eq!(manifest.description, "a --- b");
        } else if !description.is_empty() {
            assert_eq!(manifest.description, description, "{id}");
        }
        assert_eq!(manifest.script.as_deref(), expected["script"].as_str(), "{id}");
        let hooks: Vec<(&str, &str)> =
            manifest.hooks.iter().map(|(kind, path)| (kind.as_str(), path.as_str())).collect();
        let wanted = expected["hooks"].as_object().unwrap();
        let wanted: Vec<(&str, &str)> =
            wanted.iter().map(|(kind, path)| (kind.as_str(), path.as_str().unwrap())).collect();
        assert_eq!(hooks, wanted, "{id}");
        let files = expected["resource_files"].as_array().unwrap();
        let files: Vec<&str> = files.iter().map(|file| file.as_str().unwrap()).collect();
        assert_eq!(skill.resource_files(), files, "{id}");
        assert!(skill.root.as_ref().unwrap().ends_with(expected["dir"].as_str().unwrap()));
    }
    // Names that begin with a dot or an underscore and the blank name stay out.
    assert_eq!(own.len(), case["descriptors"].as_array().unwrap().len());
    let dup = own.iter().find(|skill| skill.id == "custom@dup").unwrap();
    assert_eq!(dup.manifest.description, "first (dir dup-a)");
    let error = dup.read_file("../dup-b/SKILL.md").unwrap_err().to_string();
    assert!(error.contains("no such file inside"), "{error}");
}
