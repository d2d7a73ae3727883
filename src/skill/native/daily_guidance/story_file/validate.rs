//! Checks a Story document and says, field by field, what is wrong and what to do about it.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};

use super::timeline::{clock_text, minute_of};

/// Most errors listed; a Story that is wrong in more places is wrong as a whole.
pub const ERRORS_MAX: usize = 500;

/// The keys that a Story must have, in document order.
pub const STORY_KEYS: [&str; 7] =
    ["story_id", "date", "status", "segments", "self_check", "execution", "change_log"];
/// The keys that a segment must have besides `location_policy`, which nothing enforces.
pub const SEGMENT_KEYS: [&str; 6] =
    ["id", "start", "end", "activity", "maslow_reason", "tpb_reason"];
const MASLOW_KEYS: [&str; 4] = ["need", "reason", "risk", "required"];
const TPB_KEYS: [&str; 5] = ["want", "norm", "can", "proof", "choice"];
const REQUIRED: [&str; 3] = ["required", "soft_required", "optional"];
const STATUSES: [&str; 4] = ["supported", "weak", "missing", "contradicted"];
const CHOICES: [&str; 5] = ["commit", "revise", "delay", "skip", "observe"];
const RESULTS: [&str; 2] = ["pass", "revise"];

/// One thing wrong with a Story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Path of the field, such as `story.yaml.segments[3].start`.
    pub field: String,
    /// What was found and what is allowed.
    pub message: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// How to put one thing right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// Path of the field.
    pub field: String,
    /// What to do.
    pub action: String,
    /// Why it matters.
    pub meaning: &'static str,
}

/// Everything found wrong with a Story.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What is wrong, at most [`ERRORS_MAX`] and a last line that says there is more.
    pub errors: Vec<FieldError>,
    /// How to put it right; not every error has advice.
    pub advice: Vec<Advice>,
}

impl Findings {
    /// Findings of a single error.
    pub fn error_only(field: &str, message: impl Into<String>) -> Self {
        let mut findings = Self::default();
        findings.error(field, message);
        findings
    }

    /// Findings of a single error with advice.
    pub fn single(
        field: &str,
        message: impl Into<String>,
        action: impl Into<String>,
        meaning: &'static str,
    ) -> Self {
        let mut findings = Self::default();
        findings.advise(field, message, action, meaning);
        findings
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors as a result block lists them.
    pub fn errors_block(&self) -> Value {
        self.errors.iter().map(|error| Value::String(error.to_string())).collect()
    }

    /// The advice as a result block lists it.
    pub fn advice_block(&self) -> Value {
        let block = |advice: &Advice| {
            json!({
                "field": advice.field, "action": advice.action, "meaning": advice.meaning,
            })
        };
        self.advice.iter().map(block).collect()
    }

    fn error(&mut self, field: &str, message: impl Into<String>) -> bool {
        if self.errors.len() > ERRORS_MAX {
            return false;
        }
        let message = if self.errors.len() == ERRORS_MAX {
            "more is wrong here and below than is listed".to_owned()
        } else {
            message.into()
        };
        self.errors.push(FieldError { field: field.to_owned(), message });
        true
    }

    fn advise(
        &mut self,
        field: &str,
        message: impl Into<String>,
        action: impl Into<String>,
        meaning: &'static str,
    ) {
        if self.error(field, message) {
            self.advice.push(Advice { field: field.to_owned(), action: action.into(), meaning });
        }
    }

    /// Errors for what is not a mapping and for each key it lacks.
    fn keys(&mut self, value: &Value, path: &str, keys: &[&str]) {
        if !value.is_object() {
            self.error(path, format!("must be a mapping, not {}", kind_of(value)));
        }
        for key in keys {
            if value.get(key).is_none() {
                self.advise(
                    path,
                    format!("key '{key}' is missing"),
                    format!("add '{key}' here"),
                    "the Story cannot be followed or explained without it",
                );
            }
        }
    }

    fn word(&mut self, value: &Value, path: &str, key: &str, allowed: &[&str]) {
        let found = value.get(key).unwrap_or(&Value::Null);
        if !found.as_str().is_some_and(|word| allowed.contains(&word)) {
            let found = found_text(found);
            let allowed = allowed.join(", ");
            self.error(&format!("{path}.{key}"), format!("is {found}; allowed: {allowed}"));
        }
    }

    fn list(&mut self, value: &Value, path: &str, key: &str) {
        let found = value.get(key).unwrap_or(&Value::Null);
        if !found.is_array() {
            self.error(&format!("{path}.{key}"), format!("must be a list, not {}", kind_of(found)));
        }
    }
}

/// What a value is, in words.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// A value as shown in a message: short texts and numbers themselves, the rest by kind.
fn found_text(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 40 => format!("'{text}'"),
        Value::Number(number) => number.to_string(),
        other => kind_of(other).to_owned(),
    }
}

fn is_blank(value: Option<&Value>) -> bool {
    value.and_then(Value::as_str).is_none_or(|text| text.trim().is_empty())
}

/// Checks a whole Story document. `root` begins every field path (`story.yaml`).
pub fn validate_story(story: &Value, root: &str) -> Findings {
    let mut findings = Findings::default();
    if story.is_null() || story.as_object().is_some_and(serde_json::Map::is_empty) {
        findings.advise(
            root,
            "is empty",
            "submit a Story with `plan --date DATE --json JSON`",
            "without segments there is nothing to follow today",
        );
        return findings;
    }
    findings.keys(story, root, &STORY_KEYS);
    findings.word(story, root, "status", &["ready"]);
    check_segments(story.get("segments"), root, &mut findings);
    check_self_check(&story["self_check"], &format!("{root}.self_check"), &mut findings);
    check_execution(&story["execution"], &format!("{root}.execution"), &mut findings);
    check_change_log(&story["change_log"], &format!("{root}.change_log"), &mut findings);
    findings
}

/// Checks what `plan` submits: `story_id`, `date`, `segments` and, if given, `self_check`.
pub fn validate_plan(payload: &Value) -> Findings {
    let mut findings = Findings::default();
    if !payload.is_object() {
        findings.error("plan", format!("must be a mapping, not {}", kind_of(payload)));
        return findings;
    }
    findings.keys(payload, "plan", &["story_id", "date", "segments"]);
    for key in ["story_id", "date"] {
        if is_blank(payload.get(key)) {
            findings.error(&format!("plan.{key}"), "must be text that is not blank");
        }
    }
    check_segments(payload.get("segments"), "plan", &mut findings);
    findings
}

/// Checks the list `segments` of `root`.
pub fn check_segments(segments: Option<&Value>, root: &str, findings: &mut Findings) {
    let path = format!("{root}.segments");
    let segments = match segments {
        Some(Value::Array(segments)) if !segments.is_empty() => segments,
        found => {
            let found = found.map_or("missing", |value| match value {
                Value::Array(_) => "an empty list",
                other => kind_of(other),
            });
            findings.error(&path, format!("must be a list with at least one segment, not {found}"));
            return;
        }
    };
    let mut ids = BTreeSet::new();
    let mut previous_end = None;
    for (index, segment) in segments.iter().enumerate() {
        let at = format!("{path}[{index}]");
        findings.keys(segment, &at, &SEGMENT_KEYS);
        let id = segment.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
        match id {
            None => {
                findings.error(&format!("{at}.id"), "must be text that is not blank");
            }
            Some(id) if !ids.insert(id) => {
                findings.error(&path, format!("id '{id}' is used more than once"));
            }
            Some(_) => {}
        }
        let end = check_times(segment, &at, previous_end, findings);
        if id.is_some() && end.is_some() {
            previous_end = end;
        }
        check_maslow(&segment["maslow_reason"], &format!("{at}.maslow_reason"), findings);
        check_tpb(&segment["tpb_reason"], &at, findings);
    }
}

/// Checks start and end; gives the end if it is readable.
fn check_times(
    segment: &Value,
    at: &str,
    previous_end: Option<u16>,
    findings: &mut Findings,
) -> Option<u16> {
    let mut read = |key: &str| {
        let found = segment.get(key).unwrap_or(&Value::Null);
        let minute = found.as_str().and_then(minute_of);
        if minute.is_none() {
            findings.advise(
                &format!("{at}.{key}"),
                format!("is {}, not a time HH:MM", found_text(found)),
                "write quoted text from \"00:00\" to \"23:59\", or \"24:00\"",
                "the clock finds the current segment by these times",
            );
        }
        minute
    };
    let (start, end) = (read("start"), read("end"));
    if let (Some(start), Some(previous_end)) = (start, previous_end)
        && start != previous_end
    {
        let expected = clock_text(previous_end);
        findings.advise(
            &format!("{at}.start"),
            format!("is '{}' but the segment before ends at '{expected}'", clock_text(start)),
            format!("start at '{expected}', or move the end before"),
            "a person is always in exactly one segment",
        );
    }
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        findings.advise(
            &format!("{at}.end"),
            format!("is '{}', not after the start '{}'", clock_text(end), clock_text(start)),
            "end after the start; a night is two segments, until \"24:00\" and from \"00:00\"",
            "a segment needs time to happen in",
        );
    }
    end
}

fn check_maslow(maslow: &Value, at: &str, findings: &mut Findings) {
    findings.keys(maslow, at, &MASLOW_KEYS);
    if is_blank(maslow.get("need")) {
        findings.error(&format!("{at}.need"), "must name a need, such as physiological.rest");
    }
    findings.word(maslow, at, "required", &REQUIRED);
}

fn check_tpb(tpb: &Value, segment_at: &str, findings: &mut Findings) {
    let at = format!("{segment_at}.tpb_reason");
    findings.keys(tpb, &at, &TPB_KEYS);
    for key in ["want", "norm", "can"] {
        let at = format!("{at}.{key}");
        let component = tpb.get(key).unwrap_or(&Value::Null);
        findings.keys(component, &at, &["reason", "status"]);
        findings.word(component, &at, "status", &STATUSES);
    }
    if is_blank(tpb.get("proof")) {
        findings.advise(
            &format!("{at}.proof"),
            "must be text that is not blank",
            "say what in the profile or the situation supports the segment",
            "a choice that nothing supports cannot be checked",
        );
    }
    findings.word(tpb, &at, "choice", &CHOICES);
    if tpb["can"]["status"] == "contradicted" && tpb["choice"] == "commit" {
        findings.error(
            segment_at,
            "choice is commit although can.status is contradicted; choose revise, delay or skip",
        );
    }
}

/// Checks a `self_check` mapping.
pub fn check_self_check(self_check: &Value, at: &str, findings: &mut Findings) {
    findings.keys(self_check, at, &["maslow_result", "tpb_result", "issues"]);
    findings.word(self_check, at, "maslow_result", &RESULTS);
    findings.word(self_check, at, "tpb_result", &RESULTS);
    findings.list(self_check, at, "issues");
}

fn check_execution(execution: &Value, at: &str, findings: &mut Findings) {
    findings.keys(execution, at, &["current_segment_id", "completed_segments", "actual_timeline"]);
    findings.list(execution, at, "completed_segments");
    findings.list(execution, at, "actual_timeline");
}

fn check_change_log(change_log: &Value, at: &str, findings: &mut Findings) {
    let Some(events) = change_log.as_array() else {
        findings.error(at, format!("must be a list, not {}", kind_of(change_log)));
        return;
    };
    for (index, event) in events.iter().enumerate() {
        findings.keys(event, &format!("{at}[{index}]"), &["event_id", "type", "time"]);
    }
}
