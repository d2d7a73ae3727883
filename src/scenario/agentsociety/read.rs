//! Reads the two files and names what is wrong in them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::scenario::ScenarioError;
use crate::scenario::diagnostic::Severity;
use crate::scenario::explain::{Finding, quote};
use crate::scenario::load::Texts;
use crate::scenario::locate::{Tree, parse_within};

/// Most values in one file: some 30,000 agents with 30 fields each.
const NODES_MAX: usize = 2_000_000;

/// One file: its name and what it says.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) tree: Tree,
}

/// The two files of one experiment, checked.
pub struct Society {
    pub(super) init: Source,
    pub(super) steps: Source,
    /// Folder of the first file; relative folders of skills start there.
    pub(super) folder: PathBuf,
}

/// Reads `init` (JSON or YAML) and `steps` (YAML or JSON).
///
/// # Errors
/// A file that cannot be read, or says what the source refuses: all mistakes of a file at once.
pub fn read(init: &Path, steps: &Path) -> Result<Society, ScenarioError> {
    let folder = init.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(Society {
        folder: folder.unwrap_or(Path::new(".")).to_owned(),
        init: source(init, check_init)?,
        steps: source(steps, check_steps)?,
    })
}

fn source(path: &Path, check: fn(&Value, &mut Faults)) -> Result<Source, ScenarioError> {
    let io = |source| ScenarioError::Io { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(io)?;
    let mut texts = Texts::new(path);
    let text = text.trim_start_matches('\u{feff}');
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    texts.texts[0].1 = if is_json { json_as_yaml(text) } else { text.to_owned() };
    let tree = parse_within(&texts.texts[0].1, 0, NODES_MAX).map_err(|error| {
        let fault = texts.diagnostic(error.spot, Severity::Error, error.message, None);
        ScenarioError::Invalid(vec![fault])
    })?;
    let mut faults = Faults(Vec::new());
    check(&tree.value, &mut faults);
    let mut errors = texts.repeats(&tree);
    errors.extend(texts.show(&tree, &faults.0, Severity::Error));
    if !errors.is_empty() {
        return Err(ScenarioError::Invalid(errors));
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(Source { name, tree })
}

/// JSON is YAML but for two things: tabs between values, and characters beyond U+FFFF that are
/// escaped as two surrogates. Lines stay what they are.
fn json_as_yaml(text: &str) -> String {
    let text = text.replace('\t', " ");
    let unit = |escape: Option<&str>| -> Option<u16> {
        let digits = escape?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = [unit(rest.get(..6)), unit(rest.get(6..12))].map(Option::unwrap_or_default);
        let escaped = char::decode_utf16(pair).next().and_then(Result::ok);
        if let Some(character) = escaped.filter(|c| u32::from(*c) > 0xFFFF) {
            plain.push(character);
            rest = &rest[12..];
        } else {
            // A backslash and what it escapes: after two of them `u` is a plain letter.
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
            plain.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    plain.push_str(rest);
    plain
}

/// Mistakes so far.
struct Faults(Vec<Finding>);

impl Faults {
    fn add(&mut self, pointer: &str, message: String) {
        let (pointer, help) = (pointer.to_owned(), None);
        self.0.push(Finding { pointer, on_key: false, message, help });
    }

    fn expect(&mut self, at: &str, key: &str, found: Option<&Value>, expected: &str) {
        let found = found.map_or_else(|| "nothing".to_owned(), quote);
        let at = if found == "nothing" { at.to_owned() } else { format!("{at}/{key}") };
        self.add(&at, format!("`{key}`: expected {expected}, found {found}"));
    }

    fn text<'a>(&mut self, at: &str, map: &'a Value, key: &str) -> &'a str {
        let found = map.get(key);
        let text = found.and_then(Value::as_str).filter(|text| !text.is_empty());
        if text.is_none() {
            self.expect(at, key, found, "some text");
        }
        text.unwrap_or_default()
    }

    fn integer(&mut self, at: &str, map: &Value, key: &str, min: i64, max: i64) -> i64 {
        let found = map.get(key);
        let number = found.and_then(Value::as_i64).filter(|number| (min..=max).contains(number));
        if number.is_none() {
            let expected = format!("a whole number from {min} to {max}");
            self.expect(at, key, found, &expected);
        }
        number.unwrap_or(min)
    }

    fn list<'a>(&mut self, at: &str, map: &'a Value, key: &str) -> &'a [Value] {
        let found = map.get(key);
        let list = found.and_then(Value::as_array).filter(|list| !list.is_empty());
        if list.is_none() {
            self.expect(at, key, found, "a list with at least 1 entry");
        }
        list.map_or(&[], Vec::as_slice)
    }
}

fn check_init(value: &Value, faults: &mut Faults) {
    let mut kinds = Vec::new();
    for (index, module) in faults.list("", value, "env_modules").iter().enumerate() {
        let at = format!("/env_modules/{index}");
        let kind = faults.text(&at, module, "module_type");
        if kinds.contains(&kind) {
            faults.add(&at, format!("module type `{kind}` stands twice: each is allowed once"));
        }
        kinds.push(kind);
    }
    let mut ids = std::collections::BTreeSet::new();
    for (index, agent) in faults.list("", value, "agents").iter().enumerate() {
        let at = format!("/agents/{index}");
        let id = faults.integer(&at, agent, "agent_id", i64::MIN, i64::MAX);
        faults.text(&at, agent, "agent_type");
        if !ids.insert(id) && agent.get("agent_id").is_some() {
            let message = format!("agent_id `{id}` stands twice: each agent has its own");
            faults.add(&format!("{at}/agent_id"), message);
        }
        match agent.get("kwargs") {
            None => {}
            Some(Value::Object(kwargs)) => {
                let other = kwargs.get("id").filter(|own| own.as_i64() != Some(id));
                faults.0.extend(other.map(|other| Finding {
                    pointer: format!("{at}/kwargs/id"),
                    on_key: false,
                    message: format!("`id` {} differs from `agent_id` {id}", quote(other)),
                    help: None,
                }));
            }
            found => faults.expect(&at, "kwargs", found, "a map of keys"),
        }
    }
}

/// The kinds of step.
const STEPS: &str = "`run`, `ask`, `intervene` or `questionnaire`";

fn check_steps(value: &Value, faults: &mut Faults) {
    let start = faults.text("", value, "start_t");
    if !start.is_empty() && super::map::start_of(start).is_none() {
        let expected = "a date and time such as `2026-03-02T03:00:00`";
        faults.expect("", "start_t", value.get("start_t"), expected);
    }
    let mut runs = 0;
    let steps = faults.list("", value, "steps");
    for (index, step) in steps.iter().enumerate() {
        let at = format!("/steps/{index}");
        match step.get("type").and_then(Value::as_str) {
            Some("run") => {
                runs += 1;
                faults.integer(&at, step, "num_steps", 1, i64::from(u32::MAX) - 1);
                if step.get("tick").is_some() {
                    faults.integer(&at, step, "tick", 1, 86_400);
                }
            }
            Some("ask") => drop(faults.text(&at, step, "question")),
            Some("intervene") => drop(faults.text(&at, step, "instruction")),
            Some("questionnaire") => {
                faults.text(&at, step, "questionnaire_id");
                faults.list(&at, step, "questions");
            }
            _ => faults.expect(&at, "type", step.get("type"), STEPS),
        }
    }
    if runs == 0 && !steps.is_empty() {
        faults.add("/steps", "no step of type `run`: a scenario needs at least 1 tick".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::json_as_yaml;

    /// The pair D83D DE00 is U+1F600 (the Unicode standard's table of UTF-16).
    #[test]
    fn surrogates_become_characters() {
        assert_eq!(json_as_yaml(r#"{"a":"\u4e2d\ud83d\ude00"}"#), "{\"a\":\"\\u4e2d\u{1f600}\"}");
        assert_eq!(json_as_yaml(r#""\\\ud83d\ude00""#), "\"\\\\\u{1f600}\"");
        assert_eq!(json_as_yaml(r#""\\ud83d\ude00""#), r#""\\ud83d\ude00""#);
        assert_eq!(json_as_yaml("{\t}"), "{ }");
    }
}
