//! The floors of the house: imports only go down, and a dependency lives in its room.
//!
//! The rules are the two tables below; everything else reads the source and compares. Tests at
//! the foot of a file may import any room below `cli` and any crate.

use crate::rust_text::{RustText, read_folder, root};

/// One room: its floor, and the rooms that it may import. Mind (behaviour, skill), world
/// (environment, population) and outside (host) meet in `agent` and `step` only.
struct Room {
    name: &'static str,
    floor: u8,
    imports: &'static [&'static str],
}

const fn room(name: &'static str, floor: u8, imports: &'static [&'static str]) -> Room {
    Room { name, floor, imports }
}

#[rustfmt::skip]
const ROOMS: &[Room] = &[
    room("base",        1, &[]),
    room("agent",       2, &["base"]),
    room("scenario",    3, &["base", "agent"]),
    room("environment", 3, &["base", "agent"]),
    room("behaviour",   3, &["base", "agent"]),
    room("host",        3, &["base", "agent"]),
    room("record",      3, &["base", "agent"]),
    room("model",       4, &["base", "scenario"]),
    room("population",  4, &["base", "agent", "scenario", "environment"]),
    room("skill",       4, &["base", "agent", "behaviour"]),
    room("step",        5, &["base", "agent", "scenario", "environment", "behaviour", "host",
                             "record", "population", "skill"]),
    room("simulation",  6, &["base", "agent", "scenario", "environment", "behaviour", "host",
                             "record", "model", "population", "skill", "step"]),
    room("cli",         7, &["base", "agent", "scenario", "environment", "behaviour", "host",
                             "record", "population", "skill", "step", "simulation"]),
    room("main",        8, &["cli"]),
];

/// A crate (or a path into one) and the only rooms or files that may name it.
#[rustfmt::skip]
const CRATES: &[(&str, &[&str])] = &[
    // parallelism, time and the operating system
    ("rayon",                  &["base/parallel.rs"]),
    ("crossbeam",              &["record/", "host/"]),
    ("tokio",                  &["host/llm"]),
    ("std::thread::spawn",     &["record/", "host/", "cli/sweep"]),
    ("std::thread::scope",     &["record/", "host/", "cli/sweep"]),
    ("std::thread::Builder",   &["record/", "host/", "cli/sweep"]),
    ("std::process::Command",  &["host/", "cli/"]),
    ("std::env",               &["host/", "cli/"]),
    ("std::time::Instant",     &["host/", "record/", "simulation/", "cli/"]),
    ("std::time::SystemTime",  &["record/", "simulation/", "cli/"]),
    // randomness comes from base::rng::Stream, never from the system
    ("rand::rng",              &[]),
    ("rand::random",           &[]),
    ("rand::rngs",             &[]),
    // the world
    ("bevy_ecs",               &["base/ids.rs", "agent/", "behaviour/", "population/", "step/",
                                 "simulation/"]),
    ("bevy_ecs::world",        &["population/", "step/", "simulation/"]),
    ("bevy_ecs::schedule",     &["population/", "step/", "simulation/"]),
    ("bevy_ecs::prelude::World",    &["population/", "step/", "simulation/"]),
    ("bevy_ecs::prelude::Schedule", &["population/", "step/", "simulation/"]),
    ("fast_paths",             &["environment/"]),
    ("rstar",                  &["environment/"]),
    ("quick_xml",              &["environment/", "behaviour/"]),
    // behaviour trees
    ("ustr",                   &["behaviour/"]),
    ("winnow",                 &["behaviour/"]),
    ("libm",                   &["behaviour/"]),
    ("unicode_ident",          &["behaviour/"]),
    // scripts and what confines them
    ("rhai",                   &["host/"]),
    ("landlock",               &["host/"]),
    ("libc",                   &["host/"]),
    ("seccompiler",            &["host/"]),
    ("rustix",                 &["host/"]),
    ("base64",                 &["agent/"]),
    ("bm25",                   &["skill/"]),
    // what comes in
    ("serde_yaml",             &["scenario/", "skill/", "behaviour/"]),
    ("jsonschema",             &["scenario/", "skill/"]),
    ("schemars",               &["scenario/", "agent/"]),
    ("csv",                    &["scenario/", "environment/", "population/", "simulation/sweep/"]),
    // what goes out
    ("arrow",                  &["record/"]),
    ("parquet",                &["record/"]),
    ("hdrhistogram",           &["record/", "simulation/"]),
    ("postcard",               &["simulation/checkpoint/"]),
    ("blake3",                 &["record/", "scenario/", "skill/", "host/", "simulation/"]),
    // the command line
    ("anyhow",                 &["cli/"]),
    ("clap",                   &["cli/"]),
    ("comfy_table",            &["cli/"]),
    ("ctrlc",                  &["cli/"]),
    ("indicatif",              &["cli/"]),
    ("tracing_subscriber",     &["cli/"]),
];

const CLI_FLOOR: u8 = 7;

fn find_room(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}

/// A path named in code: `use a::{b, c as d}` gives `a::b` and `a::c`.
#[derive(Debug, PartialEq)]
struct NamedPath {
    line: usize,
    segments: Vec<String>,
}

/// A word (with its line, from 1), `::`, or a single other character.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            out.push((index + 1, &rest[..length]));
            rest = rest[length..].trim_start();
        }
    }
    out
}

fn starts_path(token: &str) -> bool {
    token == "*" || token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Every path of two segments or more in blanked code.
fn named_paths(code: &str) -> Vec<NamedPath> {
    let tokens = tokens(code);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if starts_path(tokens[at].1) {
            at = read_path(&tokens, at, Vec::new(), &mut out);
        } else {
            at += 1;
        }
    }
    out
}

/// Reads the path, or the tree of a `use`, at `at`; returns where it ends.
fn read_path(
    tokens: &[(usize, &str)],
    mut at: usize,
    mut segments: Vec<String>,
    out: &mut Vec<NamedPath>,
) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    loop {
        let line = tokens[at].0;
        segments.push(token(at).to_owned());
        at += 1;
        if token(at) == "::" && starts_path(token(at + 1)) {
            at += 1;
        } else if token(at) == "::" && token(at + 1) == "{" {
            return read_group(tokens, at + 2, &segments, out);
        } else {
            if segments.len() > 1 {
                segments.retain(|segment| segment != "self");
                out.push(NamedPath { line, segments });
            }
            return at;
        }
    }
}

/// Reads the branches between `{` and `}` of a `use`; `at` is just inside.
fn read_group(
    tokens: &[(usize, &str)],
    mut at: usize,
    stem: &[String],
    out: &mut Vec<NamedPath>,
) -> usize {
    while at < tokens.len() && tokens[at].1 != "}" {
        if starts_path(tokens[at].1) {
            at = read_path(tokens, at, stem.to_vec(), out);
            while at < tokens.len() && !matches!(tokens[at].1, "," | "}") {
                at += 1; // `as name`
            }
        } else {
            at += 1;
        }
    }
    at + 1
}

/// Whether `path` names `wanted` or something in it; a glob names all that it could bring in.
fn names(path: &[String], wanted: &str) -> bool {
    let wanted: Vec<&str> = wanted.split("::").collect();
    let same = path.iter().zip(&wanted).all(|(a, b)| a == b || a == "*");
    let whole = path.len() >= wanted.len();
    let opens_door = path.len() > 1 || path.last().is_some_and(|last| last == "*");
    same && (whole || opens_door)
}

fn check_crate(path: &[String], file: &str) -> Option<String> {
    let broken = CRATES.iter().find(|(name, homes)| {
        names(path, name) && !homes.iter().any(|home| file.starts_with(home))
    })?;
    let homes = if broken.1.is_empty() { "nowhere".to_owned() } else { broken.1.join(", ") };
    Some(format!("`{}` is used only in: {homes}", broken.0))
}

fn check_room(path: &[String], home: &str, in_test: bool) -> Option<String> {
    let target = path[1].as_str();
    if target.starts_with(|c: char| c.is_uppercase()) || target == "*" {
        return Some(format!("import `{target}` from its owning room, not through the root"));
    }
    let Some(room) = find_room(target) else {
        return Some(format!("`{target}` is no room: name the owning room"));
    };
    let own = find_room(home)?;
    let allowed =
        target == home || own.imports.contains(&target) || (in_test && room.floor < CLI_FLOOR);
    let (from, to) = (own.floor, room.floor);
    let why = match from.cmp(&to) {
        std::cmp::Ordering::Less => "climbs",
        std::cmp::Ordering::Equal => "goes sideways",
        std::cmp::Ordering::Greater => "joins two rooms that never meet",
    };
    (!allowed).then(|| {
        let list = own.imports.join(", ");
        format!("`{home}` (floor {from}) -> `{target}` (floor {to}) {why}; it may import: {list}")
    })
}

/// A path of `super`s must not leave its room: the rule would not see where it goes.
fn check_super(path: &[String], file: &str) -> Option<String> {
    let up = path.iter().take_while(|segment| *segment == "super").count();
    let names = file.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    (up >= names).then(|| "`super` leaves the room: write `crate::room`".to_owned())
}

/// Every broken rule of one file, as `src/file:line: rule`.
fn check(text: &RustText) -> Vec<String> {
    let file = text.path.as_str();
    let home = file.split('/').next().unwrap_or(file).trim_end_matches(".rs");
    if home == "lib" {
        return Vec::new();
    }
    if find_room(home).is_none() {
        return vec![format!("src/{file}:1: room `{home}` has no floor in tests/it/house.rs")];
    }
    let mut problems = Vec::new();
    for NamedPath { line, segments } in named_paths(&text.code) {
        let in_test = text.in_test[line - 1];
        let broken = match segments[0].as_str() {
            "crate" | "populace" if segments.len() > 1 => check_room(&segments, home, in_test),
            "super" => check_super(&segments, file),
            _ if in_test => None,
            _ => check_crate(&segments, file),
        };
        if let Some(rule) = broken {
            problems.push(format!("src/{file}:{line}: {} : {rule}", segments.join("::")));
        }
    }
    problems
}

#[test]
fn imports_only_go_down() {
    let files = read_folder(&root().join("src"));
    assert!(files.len() > 10, "src was not read");
    let problems: Vec<String> = files.iter().flat_map(check).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn the_table_of_rooms_goes_down_itself() {
    for room in ROOMS {
        for target in room.imports {
            let below = find_room(target).unwrap_or_else(|| panic!("no room {target}"));
            assert!(below.floor < room.floor, "{} -> {target}", room.name);
        }
    }
}

/// The broken rules of a snippet placed at `path`.
fn verdict(path: &str, source: &str) -> Vec<String> {
    check(&RustText::new(path, source))
}

#[test]
fn an_import_that_climbs_is_refused() {
    let found = verdict("base/time.rs", "\nuse crate::agent::Intent;\n");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("src/base/time.rs:2:") && found[0].contains("climbs"),
        "{found:?}"
    );
    assert_eq!(verdict("skill/a.rs", "fn f() { crate::step::run(); }").len(), 1);
    assert_eq!(verdict("main.rs", "use populace::simulation::run;").len(), 1);
    assert_eq!(verdict("base/time.rs", "use super::super::agent::Intent;").len(), 1);
}

#[test]
fn an_import_that_goes_sideways_is_refused_inside_groups_too() {
    let source =
        "use crate::{\n  base::time::Tick,\n  environment::{\n    place::Places,\n  },\n};";
    let found = verdict("host/batch.rs", source);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("src/host/batch.rs:4:"), "{found:?}");
    assert!(found[0].contains("sideways"), "{found:?}");
    let never = verdict("skill/react.rs", "use crate::environment::place::Places;");
    assert!(never[0].contains("never meet"), "{never:?}");
}

#[test]
fn a_root_re_export_is_refused() {
    assert_eq!(verdict("step/act.rs", "use crate::Intent;").len(), 1);
    assert_eq!(verdict("step/act.rs", "use crate::*;").len(), 1);
    assert_eq!(verdict("step/act.rs", "use crate::utils::clamp;").len(), 1);
}

#[test]
fn a_crate_outside_its_room_is_refused() {
    let refused = [
        ("step/act.rs", "use rayon::prelude::*;"),
        ("skill/a.rs", "use std::process::{self, Command};"),
        ("skill/a.rs", "use std::{fs, process::Command as Run};"),
        ("agent/a.rs", "use bevy_ecs::prelude::*;"),
        ("population/a.rs", "fn f() -> u32 { rand::random() }"),
        ("population/a.rs", "fn f() { std::env::var(\"HOME\"); }"),
        ("step/a.rs", "fn f() { let t = std::time::Instant::now(); }"),
    ];
    for (path, source) in refused {
        assert!(!verdict(path, source).is_empty(), "{path}: {source}");
    }
}

#[test]
fn what_the_rules_allow_passes() {
    let allowed = [
        ("base/parallel.rs", "use rayon::prelude::*;"),
        ("agent/a.rs", "use bevy_ecs::prelude::Component;\nuse crate::base::ids::AgentId;"),
        ("main.rs", "fn main() -> std::process::ExitCode { populace::cli::main() }"),
        ("base/a.rs", "// use crate::agent::Intent;\nconst A: &str = \"crate::cli::run\";"),
        ("skill/native/a.rs", "use super::super::registry::SkillRegistry;"),
        ("skill/a.rs", "#[cfg(test)]\nmod tests { use crate::environment::place::Places; }"),
        ("step/a.rs", "pub(crate) use crate::agent::intent::{Intent, IntentKind as Kind};"),
    ];
    for (path, source) in allowed {
        assert_eq!(verdict(path, source), Vec::<String>::new(), "{path}: {source}");
    }
    let climbs = "#[cfg(test)]\nmod tests { use crate::cli::run; }";
    assert_eq!(verdict("skill/a.rs", climbs).len(), 1, "a test may not import cli");
}
