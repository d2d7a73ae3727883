//! Guards of size, words and leftovers. Each rule is one function from a file to its problems,
//! with a test that it can fail; the last tests apply the rules to the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::rust_text::{RustText, body_start, closing, collect, line_of, read_folder, root};

const LINE_COLUMNS_MAX: usize = 100;
const FILE_CODE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const EXPECTS_PER_1000_LINES_MAX: f64 = 3.0;

/// Files whose lines are held to [`LINE_COLUMNS_MAX`].
const CODE: &[&str] = &["rs", "py", "sh", "toml"];
/// Files that people wrote, whose words are read.
const PROSE: &[&str] = &["rs", "py", "sh", "toml", "md", "yaml", "yml", "ipynb"];
/// Words that mark unfinished work.
const MARKERS: &[&str] = &["dbg!", "todo!", "unimplemented!", "TODO", "FIXME", "XXX"];
/// Parts of identifiers that the glossary has another word for.
const SYNONYMS: &[(&str, &str)] = &[
    ("npc", "agent or person"),
    ("callback", "hook"),
    ("plugin", "skill"),
    ("timestep", "tick"),
    ("ensemble", "sweep"),
];
/// Names that say nothing about what a file is for.
const VAGUE_NAMES: &[&str] = &["utils", "util", "common", "misc", "helpers", "helper"];
/// Marks of one machine: absolute folders, and settings that point a build at a private mirror.
const MACHINE_FOLDERS: &[&str] = &["/work/", "/root/", "/home/"];
const MIRROR_WORDS: &[&str] =
    &["artifactory", "index-url", "replace-with", "://index.", "://files."];
/// This file names what it forbids.
const THIS_FILE: &str = "tests/it/tidy.rs";

/// A file of the repository: its path from the root, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    fn is(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| extensions.contains(&e)) || self.path == ".ci/run"
    }

    /// The lines (from 1) where `broken` says what is wrong, as `path:line: what`.
    fn problems<'a>(&'a self, broken: impl Fn(&'a str) -> Option<String>) -> Vec<String> {
        let lines = self.text.lines().enumerate();
        let found = lines.filter_map(|(index, line)| broken(line).map(|what| (index + 1, what)));
        found.map(|(line, what)| format!("{}:{line}: {what}", self.path)).collect()
    }
}

// ---- rules on any text ----

fn long_lines(file: &File) -> Vec<String> {
    if !file.is(CODE) {
        return Vec::new();
    }
    file.problems(|line| {
        let columns = line.chars().count();
        (columns > LINE_COLUMNS_MAX && !line.contains("://"))
            .then(|| format!("{columns} columns, at most {LINE_COLUMNS_MAX}"))
    })
}

fn leftovers(file: &File) -> Vec<String> {
    if !file.is(PROSE) || file.path == THIS_FILE {
        return Vec::new();
    }
    file.problems(|line| {
        let marker = MARKERS.iter().find(|marker| has_word(line, marker))?;
        Some(format!("unfinished work: `{marker}`"))
    })
}

fn spelling(file: &File) -> Vec<String> {
    if !file.is(PROSE) || file.path == THIS_FILE {
        return Vec::new();
    }
    file.problems(|line| {
        let line = line.replace("BehaviorTree", "").replace("behaviortree", "");
        let line = line.replace("behavior_tree", "");
        let wrong = line.to_lowercase().contains("behavior") && !cites_a_year(&line);
        wrong.then(|| "spell it `behaviour` (a cited title, with its year, keeps its own)".into())
    })
}

/// Whether the line holds a year in brackets, as a citation does.
fn cites_a_year(line: &str) -> bool {
    line.split('(').skip(1).any(|rest| {
        let inside = rest.split(')').next().unwrap_or("");
        inside.len() == 4 && inside.bytes().all(|b| b.is_ascii_digit())
    })
}

fn machine_traces(file: &File) -> Vec<String> {
    if file.path == THIS_FILE || file.path == "Cargo.lock" {
        return Vec::new();
    }
    file.problems(|line| {
        let folder = MACHINE_FOLDERS.iter().find(|folder| {
            line.match_indices(*folder).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "_-.)}*".contains(c))
            })
        });
        let found = folder.or_else(|| MIRROR_WORDS.iter().find(|word| line.contains(*word)))?;
        Some(format!("`{found}` is true on one machine only"))
    })
}

/// Whether `word` stands in `line` on its own, not inside a longer word.
fn has_word(line: &str, word: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !is_word(before) && (word.ends_with('!') || !is_word(after))
    })
}

// ---- rules on Rust ----

fn code_line_count(text: &RustText) -> usize {
    text.product_lines().filter(|(_, line)| !line.trim().is_empty()).count()
}

fn long_file(text: &RustText) -> Vec<String> {
    let count = code_line_count(text);
    let too_long = count > FILE_CODE_LINES_MAX;
    let say = || format!("{}:1: {count} lines of code, at most {FILE_CODE_LINES_MAX}", text.path);
    too_long.then(say).into_iter().collect()
}

fn long_functions(text: &RustText) -> Vec<String> {
    let mut problems = Vec::new();
    for (start, _) in text.code.match_indices("fn ") {
        let before = text.code[..start].chars().next_back();
        let named = text.code[start + 3..].starts_with(|c: char| c.is_alphabetic() || c == '_');
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || !named {
            continue;
        }
        let first = line_of(&text.code, start);
        let Some(open) = body_start(&text.code, start) else { continue };
        let count = line_of(&text.code, closing(&text.code, open)) - first + 1;
        if count > FUNCTION_LINES_MAX && !text.in_test[first] {
            let line = first + 1;
            let path = &text.path;
            let what = format!("function of {count} lines, at most {FUNCTION_LINES_MAX}");
            problems.push(format!("{path}:{line}: {what}"));
        }
    }
    problems
}

fn unwraps(text: &RustText) -> Vec<String> {
    let found = text.product_lines().filter(|(_, line)| line.contains(".unwrap()"));
    found.map(|(line, _)| format!("{}:{line}: `unwrap` outside tests", text.path)).collect()
}

fn expect_count(text: &RustText) -> usize {
    text.product_lines().map(|(_, line)| line.matches(".expect(").count()).sum()
}

fn synonyms(text: &RustText) -> Vec<String> {
    let mut problems = Vec::new();
    for (line, code) in text.product_lines() {
        let words = code.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        for word in words {
            if let Some((_, ours)) = SYNONYMS.iter().find(|(theirs, _)| word.starts_with(theirs)) {
                problems.push(format!("{}:{line}: `{word}` is called {ours} here", text.path));
            }
        }
    }
    problems
}

fn vague_name(text: &RustText) -> Vec<String> {
    let names = text.path.trim_end_matches(".rs").split('/');
    let vague = names.filter(|name| VAGUE_NAMES.contains(name));
    vague.map(|name| format!("{}:1: `{name}` does not say what it holds", text.path)).collect()
}

/// `mod.rs` says what the room is for, lists its parts, and holds no logic.
fn door(text: &RustText) -> Vec<String> {
    if !text.path.ends_with("mod.rs") {
        return Vec::new();
    }
    let logic = |line: &str| ["fn ", "impl ", "impl<", "macro_rules!"].iter().any(|w| has(line, w));
    let mut problems: Vec<String> = text
        .product_lines()
        .filter(|(_, line)| logic(line))
        .map(|(line, _)| format!("{}:{line}: `mod.rs` is a door: no logic", text.path))
        .collect();
    if !text.raw.starts_with("//!") {
        problems.push(format!("{}:1: `mod.rs` begins with what the room is for", text.path));
    }
    problems
}

fn has(line: &str, start: &str) -> bool {
    line.split_whitespace().any(|word| start.starts_with(word)) && line.contains(start)
}

// ---- rules on what users read and write ----

fn yaml_parses(file: &File) -> Vec<String> {
    // Cases are odd on purpose.
    if file.path.starts_with("tests/cases/") {
        return Vec::new();
    }
    let yaml = if file.path.ends_with("/SKILL.md") {
        let Some(front) = frontmatter(&file.text) else {
            return vec![format!("{}:1: no frontmatter between two `---` lines", file.path)];
        };
        front
    } else if file.path.starts_with("scenarios/") && file.is(&["yaml", "yml"]) {
        file.text.as_str()
    } else {
        return Vec::new();
    };
    match serde_yaml::from_str::<serde_json::Value>(yaml) {
        Ok(serde_json::Value::Object(_)) => Vec::new(),
        Ok(_) => vec![format!("{}:1: not a mapping", file.path)],
        Err(error) => vec![format!("{}:1: {error}", file.path)],
    }
}

fn frontmatter(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---\n")?;
    rest.find("\n---").map(|end| &rest[..end])
}

/// Relative link targets of a Markdown file, with their lines; code is not read.
fn links(file: &File) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut in_fence = false;
    for (index, line) in file.text.lines().enumerate() {
        in_fence ^= line.trim_start().starts_with("```");
        let prose = line.split('`').step_by(2).filter(|_| !in_fence);
        for target in prose.flat_map(|text| text.split("](").skip(1)) {
            let target = target.split([')', ' ', '#']).next().unwrap_or("");
            if !target.is_empty() && !target.contains(':') {
                out.push((index + 1, target));
            }
        }
    }
    out
}

fn dead_links(file: &File, root: &Path) -> Vec<String> {
    if !file.is(&["md"]) {
        return Vec::new();
    }
    let folder = root.join(&file.path).parent().map(Path::to_owned).unwrap_or_default();
    let dead = links(file).into_iter().filter(|(_, target)| !folder.join(target).exists());
    dead.map(|(line, target)| format!("{}:{line}: no file `{target}`", file.path)).collect()
}

fn undescribed_scenarios(paths: &[String]) -> Vec<String> {
    let folders = paths.iter().filter_map(|path| path.strip_suffix("/scenario.yaml"));
    folders
        .filter(|folder| !paths.contains(&format!("{folder}/README.md")))
        .map(|folder| format!("{folder}: no README.md beside scenario.yaml"))
        .collect()
}

/// A notebook is committed without outputs: they are made anew from a run.
fn notebook_outputs(file: &File) -> Vec<String> {
    if !file.is(&["ipynb"]) || file.path == ".ci/run" {
        return Vec::new();
    }
    let notebook: serde_json::Value = match serde_json::from_str(&file.text) {
        Ok(notebook) => notebook,
        Err(error) => return vec![format!("{}:1: {error}", file.path)],
    };
    let cells = notebook["cells"].as_array().cloned().unwrap_or_default();
    let full = |cell: &serde_json::Value| {
        cell["outputs"].as_array().is_some_and(|outputs| !outputs.is_empty())
            || cell["execution_count"].is_number()
    };
    let dirty = cells.iter().enumerate().filter(|(_, cell)| full(cell));
    dirty.map(|(index, _)| format!("{}: cell {index} has outputs", file.path)).collect()
}

// ---- the repository ----

/// Paths of the repository's files, sorted: git's list, or all but generated folders.
fn repository_paths() -> Vec<String> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let git = Command::new("git").args(arguments).current_dir(root()).output();
    let listed = git.ok().filter(|output| output.status.success() && !output.stdout.is_empty());
    let mut paths: Vec<String> = match listed {
        Some(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
        }
        None => walk(),
    };
    paths.sort();
    paths.dedup();
    paths
}

fn walk() -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_file() {
            found.push(path);
        } else if !matches!(name.as_str(), "target" | "runs" | ".git") {
            collect(&path, &mut found);
        }
    }
    let name = |path: &std::path::PathBuf| {
        path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
    };
    found.iter().map(name).collect()
}

/// The repository's text files, without data and recorded cases that came from elsewhere.
fn repository_files() -> Vec<File> {
    let foreign = |path: &String| path.starts_with("tests/data/") || path.contains("/data/");
    let read = |path: String| {
        let text = fs::read_to_string(root().join(&path)).ok()?;
        Some(File { path, text })
    };
    repository_paths().into_iter().filter(|path| !foreign(path)).filter_map(read).collect()
}

fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn the_repository_is_tidy() {
    let files = repository_files();
    assert!(files.iter().any(|file| file.path == "Cargo.toml"), "the repository was not read");
    let rules: &[fn(&File) -> Vec<String>] =
        &[long_lines, leftovers, spelling, machine_traces, yaml_parses, notebook_outputs];
    let mut problems: Vec<String> =
        files.iter().flat_map(|file| rules.iter().flat_map(move |rule| rule(file))).collect();
    problems.extend(files.iter().flat_map(|file| dead_links(file, &root())));
    problems.extend(undescribed_scenarios(&repository_paths()));
    report(&problems);
}

#[test]
fn the_source_is_tidy() {
    let texts = read_folder(&root().join("src"));
    let rules: &[fn(&RustText) -> Vec<String>] =
        &[long_file, long_functions, unwraps, synonyms, vague_name, door];
    let found = texts.iter().flat_map(|text| rules.iter().flat_map(move |rule| rule(text)));
    report(&found.map(|problem| format!("src/{problem}")).collect::<Vec<_>>());
}

#[test]
#[expect(clippy::print_stdout, reason = "the count is read in the test's output")]
fn expects_are_few() {
    let texts = read_folder(&root().join("src"));
    let lines: usize = texts.iter().map(code_line_count).sum();
    let expects: usize = texts.iter().map(expect_count).sum();
    let per_1000_lines = expects as f64 * 1_000.0 / lines as f64;
    println!("{expects} `expect` in {lines} lines of code: {per_1000_lines:.2} per 1,000 lines");
    assert!(per_1000_lines <= EXPECTS_PER_1000_LINES_MAX, "{expects} in {lines} lines");
}

// ---- each rule can fail ----

fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}

fn rust(path: &str, source: &str) -> RustText {
    RustText::new(path, source)
}

#[test]
fn rules_on_text_can_fail() {
    let long = "x".repeat(LINE_COLUMNS_MAX + 1);
    assert_eq!(long_lines(&file("a.rs", &long)), ["a.rs:1: 101 columns, at most 100"]);
    assert!(long_lines(&file("a.md", &long)).is_empty());
    assert!(long_lines(&file("a.rs", &format!("// https://a.b/{long}"))).is_empty());

    for marker in MARKERS {
        assert_eq!(leftovers(&file("a.py", &format!("\n# {marker}("))).len(), 1, "{marker}");
    }
    assert!(leftovers(&file("a.rs", "let a = XXXL; MY_TODO_LIST")).is_empty());

    assert_eq!(spelling(&file("README.md", "Behavior trees")).len(), 1);
    let kept = "BehaviorTree.CPP, behaviour, and \"Choice behavior\" (1974)";
    assert!(spelling(&file("README.md", kept)).is_empty());

    for text in ["see /work/a", "`/root/x`", "\"/home/me/x\"", "url = \"https://index.a.b\""] {
        assert_eq!(machine_traces(&file("a.toml", text)).len(), 1, "{text}");
    }
    assert!(
        machine_traces(&file("a.md", "home/work/school, ../work/a, at home/home/x")).is_empty()
    );
}

#[test]
fn rules_on_rust_can_fail() {
    let lines = "let a = 1;\n".repeat(FILE_CODE_LINES_MAX + 1);
    assert_eq!(long_file(&rust("a.rs", &lines)).len(), 1);
    let only_comments = "// a\n\n".repeat(FILE_CODE_LINES_MAX + 1);
    assert!(long_file(&rust("a.rs", &only_comments)).is_empty());

    let body = "    g(\"}\");\n".repeat(FUNCTION_LINES_MAX - 1);
    let long = format!("struct A;\npub fn f<T>(a: [u8; 4]) -> T {{\n{body}}}\n");
    assert_eq!(long_functions(&rust("a.rs", &long)), ["a.rs:2: function of 71 lines, at most 70"]);
    let short = long.replacen("    g(\"}\");\n", "", 1);
    assert!(long_functions(&rust("a.rs", &short)).is_empty());

    assert_eq!(unwraps(&rust("a.rs", "fn f() { g().unwrap(); }")).len(), 1);
    assert!(
        unwraps(&rust("a.rs", "/// a.unwrap()\n#[cfg(test)]\nmod t { x.unwrap() }")).is_empty()
    );
    assert_eq!(expect_count(&rust("a.rs", "a.expect(\"b\"); // .expect(")), 1);

    assert_eq!(synonyms(&rust("a.rs", "let npc_count = 1;")).len(), 1);
    assert!(synonyms(&rust("a.rs", "let agent_count = 1; // npc")).is_empty());
    assert_eq!(vague_name(&rust("base/utils.rs", "")).len(), 1);
    assert!(vague_name(&rust("base/units.rs", "")).is_empty());

    assert_eq!(door(&rust("a/mod.rs", "//! A room.\npub fn f() {}")).len(), 1);
    assert_eq!(door(&rust("a/mod.rs", "mod b;")).len(), 1);
    assert!(door(&rust("a/mod.rs", "//! A fn room.\nmod b;\npub use b::run_fn;")).is_empty());
}

#[test]
fn rules_on_documents_can_fail() {
    assert_eq!(yaml_parses(&file("scenarios/a/scenario.yaml", "a: [1")).len(), 1);
    assert_eq!(yaml_parses(&file("scenarios/a/scenario.yaml", "- 1")).len(), 1);
    assert!(yaml_parses(&file("scenarios/a/scenario.yaml", "name: a")).is_empty());
    assert_eq!(yaml_parses(&file("skills/a/SKILL.md", "name: a")).len(), 1);
    assert_eq!(yaml_parses(&file("skills/a/SKILL.md", "---\na: {\n---\n")).len(), 1);
    assert!(yaml_parses(&file("skills/a/SKILL.md", "---\nname: a\n---\nText")).is_empty());

    let text = "[a](src/lib.rs#x) [b](no.md)\n`[c](no.md)`\n```\n[d](no.md)\n```\n[e](https://x.y)";
    assert_eq!(dead_links(&file("README.md", text), &root()), ["README.md:1: no file `no.md`"]);

    let paths = ["scenarios/a/scenario.yaml", "scenarios/a/README.md", "scenarios/b/scenario.yaml"];
    let paths: Vec<String> = paths.iter().map(|path| (*path).into()).collect();
    assert_eq!(undescribed_scenarios(&paths).len(), 1);

    let full = r#"{"cells": [{"outputs": [1]}, {"outputs": [], "execution_count": null}]}"#;
    assert_eq!(notebook_outputs(&file("a.ipynb", full)), ["a.ipynb: cell 0 has outputs"]);
    assert_eq!(notebook_outputs(&file("a.ipynb", "{")).len(), 1);
}
