//! Reads Rust source as text for the guards `house` and `tidy`: which characters are code, and
//! which lines belong to tests. A lexer, not a parser: enough to find imports and functions.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file, ready to be searched.
pub struct RustText {
    /// Path relative to the folder that was read, with `/` between names.
    pub path: String,
    /// The file as it is.
    pub raw: String,
    /// The file with comments, strings and character literals blanked; same lines.
    pub code: String,
    /// Whether each line (from 0) belongs to a test.
    pub in_test: Vec<bool>,
}

impl RustText {
    /// Reads `raw` as the file at `path`.
    pub fn new(path: &str, raw: &str) -> Self {
        let code = blank_comments_and_literals(raw);
        let in_test = test_lines(path, &code);
        Self { path: path.to_owned(), raw: raw.to_owned(), code, in_test }
    }

    /// The code lines outside tests, numbered from 1.
    pub fn product_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.lines().enumerate();
        lines.filter(|(index, _)| !self.in_test[*index]).map(|(index, line)| (index + 1, line))
    }
}

/// The repository's root folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every `.rs` file under `folder`, sorted by path.
pub fn read_folder(folder: &Path) -> Vec<RustText> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        RustText::new(&name, &fs::read_to_string(path).unwrap())
    };
    paths.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).map(read).collect()
}

/// Adds every file under `folder` to `out`.
pub fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, out) } else { out.push(path) }
    }
}

/// Where the bracket that opens at byte `open` of blanked code closes (or the end of the code).
pub fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_i32;
    for (offset, c) in code[open..].char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset;
        }
    }
    code.len()
}

/// The line (from 0) of byte `offset`.
pub fn line_of(code: &str, offset: usize) -> usize {
    code[..offset].matches('\n').count()
}

/// Where the body of the item that starts at byte `start` begins: the offset of its `{`, or
/// `None` if a `;` ends it first.
pub fn body_start(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (offset, c) in code[start..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(start + offset),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn test_lines(path: &str, code: &str) -> Vec<bool> {
    let whole = path.ends_with("/tests.rs") || path.contains("/tests/");
    let mut lines = vec![whole; code.lines().count() + 1];
    for (start, attribute) in code.match_indices("#[cfg(test)]") {
        let after = start + attribute.len();
        let end = body_start(code, after).map_or(after, |open| closing(code, open));
        let first = line_of(code, start);
        let last = line_of(code, end.min(code.len()));
        lines[first..=last].fill(true);
    }
    lines
}

/// Replaces everything that is not code by spaces, keeping line breaks and line lengths.
pub fn blank_comments_and_literals(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = blank_end(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            let end = end.min(chars.len());
            out.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// Where the comment or literal that starts at `at` ends; `at` itself if none starts there.
fn blank_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    let inside_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    match chars[at] {
        '/' if next == Some('/') => find(chars, at, |c| c == '\n'),
        '/' if next == Some('*') => block_comment_end(chars, at),
        '"' => quoted_end(chars, at, '"'),
        '\'' if next == Some('\\') || chars.get(at + 2) == Some(&'\'') => {
            quoted_end(chars, at, '\'')
        }
        'r' | 'b' | 'c' if !inside_word => raw_string_end(chars, at),
        _ => at,
    }
}

fn find(chars: &[char], from: usize, wanted: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| wanted(*c)).map_or(chars.len(), |offset| from + offset)
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn raw_string_end(chars: &[char], start: usize) -> usize {
    let after_prefix = find(chars, start, |c| !matches!(c, 'r' | 'b' | 'c'));
    let quote = find(chars, after_prefix, |c| c != '#');
    let is_raw = chars[start..after_prefix].contains(&'r') && after_prefix - start <= 2;
    if !is_raw || chars.get(quote) != Some(&'"') {
        return start;
    }
    let hash_count = quote - after_prefix;
    let mut at = quote + 1;
    while at < chars.len() {
        let closes = chars[at] == '"'
            && chars.len() > at + hash_count
            && chars[at + 1..=at + hash_count].iter().all(|c| *c == '#');
        if closes {
            return at + hash_count + 1;
        }
        at += 1;
    }
    chars.len()
}

#[test]
fn only_code_is_left() {
    let source =
        "a // b\n/* c /* d */ e */ f \"g \\\" h\" i r#\"j\" k\"# l 'm' n '\\'' <'o> r#p b\"q\"";
    let blank = blank_comments_and_literals(source);
    let words: Vec<&str> = blank.split_whitespace().collect();
    assert_eq!(words, ["a", "f", "i", "l", "n", "<'o>", "r#p", "b"]);
    assert_eq!(blank.chars().count(), source.chars().count());
}

#[test]
fn test_modules_are_told_from_the_product() {
    let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { '}' ; }\n}\nfn c() {}\n";
    let text = RustText::new("base/x.rs", source);
    let lines: Vec<usize> = text.product_lines().map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 6]);
    assert!(RustText::new("base/tests.rs", source).product_lines().next().is_none());
}
