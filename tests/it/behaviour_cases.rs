//! Trees against what BehaviorTree.CPP 4.10.0 and py_trees 2.6.0 did with them: the recorded cases
//! in tests/data/behaviour, status by status and note by note.

use std::fs;
use std::path::{Path, PathBuf};

use populace::behaviour::compile::compile;
use populace::behaviour::definition::Document;
use populace::behaviour::error::TreeError;
use populace::behaviour::format::read;
use populace::behaviour::interpret::TickMode;
use populace::behaviour::rehearse::{Rehearsal, StubWords};
use populace::behaviour::status::{Dialect, Status};
use populace::behaviour::tree::Tree;
use serde_json::{Map, Value, json};

fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/behaviour").join(folder);
    let mut cases: Vec<_> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn load(path: &Path) -> Result<Tree, TreeError> {
    let document: Document = read(path)?;
    compile(&document, path, &StubWords)
}

/// The line that BehaviorTree.CPP names in `Error at line 3: ...`.
fn line_of(message: &str) -> Option<u32> {
    let rest = message.strip_prefix("Error at line ")?;
    rest.split(':').next()?.parse().ok()
}

/// A tree of BehaviorTree.CPP until its root is done: `(roots, log and trace per tick)`.
fn play(tree: &Tree, mode: TickMode, ticks: usize) -> (Vec<String>, Vec<Value>) {
    let mut rehearsal = Rehearsal::new(tree, 1, 0);
    let (mut roots, mut records) = (Vec::new(), Vec::new());
    for tick in 1..=ticks {
        let notes = rehearsal.tick(mode);
        let word = |status: Status| status.word(Dialect::BtCpp);
        let root = notes.root.map_or("exception", word).to_owned();
        let trace: Vec<_> = notes
            .trace
            .iter()
            .map(|(node, from, to)| json!([tree.label(*node).title, word(*from), word(*to)]))
            .collect();
        records.push(json!({"tick": tick, "root": root, "log": notes.log, "trace": trace}));
        roots.push(root);
        if notes.root != Some(Status::Running) {
            break;
        }
    }
    (roots, records)
}

#[test]
fn trees_of_bt_cpp_do_what_was_recorded() {
    let cases = cases("bt_xml");
    assert_eq!(cases.len(), 30);
    for case in cases {
        let expected = json_of(&case.join("expected.json"));
        let first = &expected["tickExactlyOnce"][0];
        let tree = load(&case.join("tree.xml"));
        if let Some(message) = first["load_error"].as_str() {
            let TreeError::Invalid { problems, .. } = tree.unwrap_err() else {
                panic!("{case:?} is not refused as invalid")
            };
            // The third line is where the trees of all cases stand.
            let line = line_of(message).unwrap_or(3);
            assert_eq!(problems[0].line, line, "{case:?}: {problems:?}");
            continue;
        }
        let tree = tree.unwrap_or_else(|error| panic!("{error}"));
        let ticks = expected["max_ticks"].as_u64().unwrap() as usize;
        let (roots, records) = play(&tree, TickMode::ExactlyOnce, ticks);
        if first.get("exception").is_some() {
            assert_eq!(roots, ["exception"], "{case:?}");
        } else {
            let wanted = expected["tickExactlyOnce"].as_array().unwrap();
            assert_eq!(records.len(), wanted.len(), "{case:?}");
            for (got, want) in records.iter().zip(wanted) {
                assert_eq!(got, want, "{case:?}");
            }
        }
        let (roots, _) = play(&tree, TickMode::Once, ticks);
        assert_eq!(json!(roots), expected["tickOnce_roots"], "{case:?}");
    }
}

#[test]
fn trees_of_py_trees_do_what_was_recorded() {
    let cases = cases("py_trees");
    assert_eq!(cases.len(), 17);
    for case in cases {
        let expected = json_of(&case);
        let tree = load(&case).unwrap();
        let mut rehearsal = Rehearsal::new(&tree, 1, 0);
        let word = |status: Status| status.word(Dialect::PyTrees);
        for want in expected["expected"].as_array().unwrap() {
            let notes = rehearsal.tick(TickMode::ExactlyOnce);
            let title = |node: u16| tree.label(node).title.as_str();
            let status: Map<_, _> = (0..tree.node_count() as u16)
                .map(|node| {
                    (title(node).to_owned(), json!(word(notes.statuses[usize::from(node)])))
                })
                .collect();
            let got = json!({
                "tick": want["tick"],
                "root": notes.root.map(word),
                "tip": notes.tip.map(title),
                "log": notes.log,
                "status": status,
            });
            assert_eq!(&got, want, "{case:?}");
        }
    }
}
