//! Against contracts 1.1, 1.4, 1.5 and 1.6 of the SKILL.md dialects.

use super::*;

fn document(name: &str) -> Vec<u8> {
    format!("---\nname: {name}\ndescription: d\n---\nBody.\n").into_bytes()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Contract 1.6: the three actions and the keys of their answers.
#[test]
fn a_skill_is_made_changed_and_removed() {
    let work = tempfile::tempdir().unwrap();
    let skills = work.path().join("custom/skills");
    let made = manage(work.path(), ManageAction::Create(&document("日常-2")), "日常-2");
    let message = "skill '日常-2' is made";
    assert_eq!(made, json!({"success": true, "skill_id": "custom@日常-2", "message": message}));
    fs::write(skills.join("日常-2/notes.md"), "kept").unwrap();
    let new = [document("日常-2"), b"More.\n".to_vec()].concat();
    let edited = manage(work.path(), ManageAction::Edit(&new), "custom@日常-2");
    assert_eq!(edited["success"], true, "{edited}");
    assert_eq!(fs::read(skills.join("日常-2/SKILL.md")).unwrap(), new);
    assert_eq!(names(&skills.join("日常-2")), ["SKILL.md", "notes.md"]);
    assert_eq!(names(&skills), ["日常-2"], "nothing is left beside it");
    assert_eq!(manage(work.path(), ManageAction::Delete, "日常-2")["success"], true);
    assert!(names(&skills).is_empty());
}

/// Contract 1.1 (names), 1.4 (never a built-in's name), 1.5 (the path check that MS-Agent
/// lacks).
#[test]
fn what_is_not_an_agents_own_skill_is_refused_and_nothing_changes() {
    let work = tempfile::tempdir().unwrap();
    let refused = |action: ManageAction<'_>, id: &str, word: &str| {
        let answer = manage(work.path(), action, id);
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{id}: {answer}"));
        assert!(error.contains(word), "{id}: {error}");
        assert_eq!(answer.as_object().unwrap().len(), 1);
    };
    let long = "x".repeat(65);
    for id in ["../x", "/x", "a/b", "..", ".", "", "A", "a--b", "-a", "a\0", &long, "user@x"] {
        refused(ManageAction::Create(&document(id)), id, "name");
        refused(ManageAction::Delete, id, "name");
    }
    for id in ["daily-guidance", "ｄaily-guidance"] {
        refused(ManageAction::Create(&document(id)), id, "populace itself");
    }
    refused(ManageAction::Edit(&document("x")), "x", "no skill 'x'");
    refused(ManageAction::Delete, "x", "no skill 'x'");
    let big = [document("x"), vec![b'y'; 1 << 20]].concat();
    refused(ManageAction::Create(&big), "x", "at most 1048576");
    refused(ManageAction::Create(&document("y")), "x", "is 'y'");
    refused(ManageAction::Create(b"Only prose.\n"), "x", "has a name");
    refused(ManageAction::Create(b"---\nname: x\n---\nProse.\n"), "x", "has a description");
    refused(ManageAction::Create(&[0xFF]), "x", "UTF-8");
    assert!(names(work.path()).is_empty());

    let made = manage(work.path(), ManageAction::Create(&document("x")), "x");
    assert_eq!(made["success"], true);
    refused(ManageAction::Create(&document("x")), "x", "already");
}

#[test]
#[cfg(unix)]
fn links_are_neither_followed_nor_written_through() {
    use std::os::unix::fs::symlink;
    let (work, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let victim = other.path().join("x");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("SKILL.md"), "other").unwrap();
    let skills = work.path().join("custom/skills");
    let all = |id: &str| {
        let content = document(id);
        let actions =
            [ManageAction::Create(&content), ManageAction::Edit(&content), ManageAction::Delete];
        actions.map(|action| manage(work.path(), action, id))
    };
    // The folder of own skills, and then a skill itself, is a link.
    fs::create_dir(work.path().join("custom")).unwrap();
    symlink(other.path(), &skills).unwrap();
    assert!(all("x").iter().all(|answer| answer["error"].as_str().unwrap().contains("link")));
    fs::remove_file(&skills).unwrap();
    fs::create_dir(&skills).unwrap();
    symlink(&victim, skills.join("x")).unwrap();
    assert!(all("x").iter().all(|answer| answer["error"].as_str().unwrap().contains("link")));
    // A SKILL.md that is a link is replaced, and a folder that is one goes without what it
    // leads to.
    fs::create_dir(skills.join("y")).unwrap();
    symlink(victim.join("SKILL.md"), skills.join("y/SKILL.md")).unwrap();
    symlink(&victim, skills.join("y/folder")).unwrap();
    assert_eq!(all("y").map(|answer| answer["success"] == true), [false, true, true]);
    assert_eq!(fs::read_to_string(victim.join("SKILL.md")).unwrap(), "other");
}
