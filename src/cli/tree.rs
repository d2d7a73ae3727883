//! `populace tree`: shows, tries out, converts and checks behaviour trees.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::{TreeCommand, TreeFormat, TreeMode, TreePicture, TreeRunArgs};
use super::{exit, report, tree_file};
use crate::behaviour::compile::compile;
use crate::behaviour::definition::Document;
use crate::behaviour::draw::{TextStyle, dot, svg, text};
use crate::behaviour::format::{self, Format};
use crate::behaviour::interpret::TickMode;
use crate::behaviour::lint::lint;
use crate::behaviour::people::{PersonWords, leaf_of_people};
use crate::behaviour::rehearse::{Rehearsal, StubWords, TickNotes};
use crate::behaviour::status::{Dialect, Status};
use crate::behaviour::tree::Tree;

/// Carries out a subcommand of `tree`.
pub fn tree(command: &TreeCommand) -> anyhow::Result<u8> {
    match command {
        TreeCommand::Show { file, picture, out, python } => {
            let drawing = draw(&tree_file::read(file, python.as_deref())?, *picture);
            match out {
                Some(out) => write(out, &drawing)?,
                None => report::say(&drawing),
            }
            Ok(exit::DONE)
        }
        TreeCommand::Run(args) => run(args),
        TreeCommand::Convert { from, to, format, python } => {
            let document = tree_file::read(from, python.as_deref())?;
            let format = match format {
                Some(format) => format.format(),
                None => target_format(to, document.dialect)?,
            };
            write(to, &format::write(&document, format)?)?;
            Ok(exit::DONE)
        }
        TreeCommand::Lint { file, python } => check(file, python.as_deref()),
        TreeCommand::Schema => {
            report::say(&serde_json::to_string_pretty(&format::yaml_schema())?);
            Ok(exit::DONE)
        }
    }
}

/// An `.xml` is written in the dialect that the tree has.
fn target_format(path: &Path, dialect: Dialect) -> anyhow::Result<Format> {
    Ok(match (Format::of_path(path)?, dialect) {
        (Format::Xml, Dialect::PyTrees) => Format::PyTreesXml,
        (format, _) => format,
    })
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn draw(document: &Document, picture: TreePicture) -> String {
    match picture {
        TreePicture::Text => text(document, TextStyle::Unicode),
        TreePicture::Ascii => text(document, TextStyle::Ascii),
        TreePicture::Dot => dot(document),
        TreePicture::Svg => svg(document),
    }
}

/// `tree lint`: mistakes end with exit code 2, doubts with 1.
fn check(file: &Path, python: Option<&Path>) -> anyhow::Result<u8> {
    let document = tree_file::read(file, python)?;
    let tree = match leaf_of_people(&document) {
        Some(_) => compile(&document, file, &PersonWords)?,
        None => compile(&document, file, &StubWords)?,
    };
    let remarks = lint(&document);
    for remark in &remarks {
        report::say(&remark.told(file));
    }
    let nodes = tree.node_count();
    let bytes = tree.bytes_per_agent();
    let doubts = match remarks.len() {
        1 => "1 doubt".to_owned(),
        count => format!("{count} doubts"),
    };
    report::say(&format!("{nodes} nodes, {bytes} bytes per agent, {doubts}"));
    Ok(if remarks.is_empty() { exit::DONE } else { exit::FAILURES })
}

/// `tree run`: a tree of BehaviorTree.CPP runs until its root is done, one of py_trees is ticked
/// anew after that.
fn run(args: &TreeRunArgs) -> anyhow::Result<u8> {
    let document = tree_file::read(&args.file, args.python.as_deref())?;
    if let Some(leaf) = leaf_of_people(&document) {
        anyhow::bail!(
            "{}:{}: `{}` is for persons, and there is nobody here: name the tree in a SKILL.md and \
             use `populace run`",
            args.file.display(),
            leaf.at.line,
            leaf.kind
        );
    }
    let tree = compile(&document, &args.file, &StubWords)?;
    let mode = match args.mode {
        TreeMode::ExactlyOnce => TickMode::ExactlyOnce,
        TreeMode::Once => TickMode::Once,
    };
    let mut rehearsal = Rehearsal::new(&tree, args.tick_s, args.seed);
    let mut ticks = Vec::new();
    for _ in 0..args.ticks {
        let notes = rehearsal.tick(mode);
        let goes_on = match (tree.dialect(), notes.root) {
            (_, None) => false,
            (Dialect::BtCpp, root) => root == Some(Status::Running),
            (Dialect::PyTrees, _) => true,
        };
        ticks.push(notes);
        if !goes_on {
            break;
        }
    }
    if args.json {
        report::say(&as_json(&tree, &ticks).to_string());
    } else {
        report::say(&as_text(&tree, &ticks));
        for (name, value) in rehearsal.blackboard() {
            report::say(&format!("{name} = {value}"));
        }
    }
    let failure = ticks.iter().find_map(|notes| notes.failure.as_deref());
    if let Some(failure) = failure {
        report::complain(&format!("error: {}: {failure}", args.file.display()));
    }
    Ok(if failure.is_some() { exit::FAILURES } else { exit::DONE })
}

fn root_word(tree: &Tree, notes: &TickNotes) -> &'static str {
    notes.root.map_or("exception", |status| status.word(tree.dialect()))
}

/// What happened, tick by tick, in the words of the recorded cases.
fn as_json(tree: &Tree, ticks: &[TickNotes]) -> Value {
    let word = |status: Status| status.word(tree.dialect());
    let title = |node| tree.label(node).title.as_str();
    let trace = |notes: &TickNotes| -> Vec<Value> {
        let step = |(node, from, to): &(u16, Status, Status)| {
            json!([title(*node), word(*from), word(*to)])
        };
        notes.trace.iter().map(step).collect()
    };
    let mut object = json!({
        "dialect": tree.dialect().word(),
        "roots": ticks.iter().map(|notes| root_word(tree, notes)).collect::<Vec<_>>(),
        "log": ticks.iter().map(|notes| &notes.log).collect::<Vec<_>>(),
        "trace": ticks.iter().map(trace).collect::<Vec<_>>(),
    });
    if tree.dialect() == Dialect::PyTrees {
        let statuses = |notes: &TickNotes| -> serde_json::Map<String, Value> {
            let named = notes.statuses.iter().zip(0..);
            named.map(|(status, node)| (title(node).to_owned(), word(*status).into())).collect()
        };
        object["tips"] = ticks.iter().map(|notes| notes.tip.map(title)).collect();
        object["statuses"] = ticks.iter().map(|notes| Value::from(statuses(notes))).collect();
    }
    if let Some(failure) = ticks.iter().find_map(|notes| notes.failure.as_deref()) {
        object["exception"] = failure.into();
    }
    object
}

fn as_text(tree: &Tree, ticks: &[TickNotes]) -> String {
    let has_tips = tree.dialect() == Dialect::PyTrees;
    let row = |(tick, notes): (usize, &TickNotes)| {
        let mut row = vec![tick.to_string(), root_word(tree, notes).to_owned()];
        if has_tips {
            row.push(notes.tip.map_or("", |node| &tree.label(node).title).to_owned());
        }
        row.push(notes.log.join("; "));
        row
    };
    let rows = (1..).zip(ticks).map(row).collect();
    if has_tips {
        report::table(&["tick", "root", "tip", "what happened"], rows, &[0])
    } else {
        report::table(&["tick", "root", "what happened"], rows, &[0])
    }
}

impl TreeFormat {
    const fn format(self) -> Format {
        match self {
            Self::Yaml => Format::Yaml,
            Self::Json => Format::Json,
            Self::Xml => Format::Xml,
            Self::PyTreesXml => Format::PyTreesXml,
            Self::Workflow => Format::Workflow,
        }
    }
}
