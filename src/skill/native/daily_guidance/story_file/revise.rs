//! Puts replacement segments into a Story's list of segments.

use serde_json::{Value, json};

use super::timeline::{field, minute_of, span};

/// What replaces segments.
#[derive(Debug, Clone, PartialEq)]
pub enum Replacement {
    /// One segment: a patch; what follows the patched segment stays.
    Patch(Value),
    /// A list: everything from a segment on.
    Tail(Vec<Value>),
}

impl Replacement {
    /// Takes a list, an object with a list `segments`, or one segment object.
    ///
    /// # Errors
    /// What was expected, if it is none of these or an empty list.
    pub fn from_json(mut value: Value) -> Result<Self, String> {
        if let Some(Value::Array(segments)) = value.get_mut("segments") {
            value = Value::Array(std::mem::take(segments));
        }
        match value {
            Value::Array(segments) if !segments.is_empty() => Ok(Self::Tail(segments)),
            Value::Object(_) => Ok(Self::Patch(value)),
            _ => Err("must be a list of at least one segment, or one segment".to_owned()),
        }
    }

    fn first(&self) -> Option<&Value> {
        match self {
            Self::Patch(segment) => Some(segment),
            Self::Tail(segments) => segments.first(),
        }
    }
}

/// A revised list of segments.
#[derive(Debug, Clone, PartialEq)]
pub struct Revised {
    /// Id of the first segment replaced.
    pub from: String,
    /// Segments before it, kept as they were.
    pub kept_head: usize,
    /// All segments.
    pub segments: Vec<Value>,
}

/// Replaces segments of `original`, from the one with id `from` on; if there is none, from the one
/// in which the first replacement starts. `None` if there is neither.
///
/// A patch that leaves time of the patched segment before or after itself keeps it as
/// `<id>_before_patch` and `<id>_after_patch`; a tail keeps the time before itself if its place
/// was inferred. The result is not yet checked: a patch that reaches beyond its segment gives
/// segments that do not touch.
pub fn revise(original: &[Value], from: &str, replacement: Replacement) -> Option<Revised> {
    let named = original.iter().position(|segment| field(segment, "id") == Some(from));
    let first_start = replacement.first().and_then(|first| field(first, "start"));
    let at = named.or_else(|| {
        let start = minute_of(first_start?)?;
        super::timeline::active(original, start)
    })?;
    let old = &original[at];
    let mut segments = original[..at].to_vec();
    match replacement {
        Replacement::Patch(patch) => {
            let moved = |key| {
                let time = field(&patch, key).filter(|time| minute_of(time).is_some())?;
                (Some(time) != field(old, key)).then_some(time)
            };
            let before = moved("start").map(|start| part(old, "before_patch", "end", start));
            let after = moved("end").map(|end| part(old, "after_patch", "start", end));
            segments.extend(before);
            segments.push(patch);
            segments.extend(after);
            segments.extend_from_slice(&original[at + 1..]);
        }
        Replacement::Tail(tail) => {
            let start = tail.first().and_then(|first| field(first, "start"));
            let cut = start.filter(|start| {
                named.is_none()
                    && span(old).is_some_and(|(old_start, _)| {
                        minute_of(start).is_some_and(|start| old_start < start)
                    })
            });
            segments.extend(cut.map(|start| part(old, "before_patch", "end", start)));
            segments.extend(tail);
        }
    }
    Some(Revised { from: field(old, "id").unwrap_or(from).to_owned(), kept_head: at, segments })
}

/// A copy of `segment` with one end moved and an id that says which part it is.
fn part(segment: &Value, suffix: &str, key: &str, time: &str) -> Value {
    let mut part = segment.clone();
    part["id"] = json!(format!("{}_{suffix}", field(segment, "id").unwrap_or("segment")));
    part[key] = json!(time);
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(id: &str, start: &str, end: &str) -> Value {
        json!({"id": id, "start": start, "end": end})
    }

    fn day() -> Vec<Value> {
        vec![
            segment("night", "00:00", "08:00"),
            segment("work", "08:00", "17:00"),
            segment("evening", "17:00", "24:00"),
        ]
    }

    fn outline(revised: &Revised) -> Vec<(String, String, String)> {
        let text = |s: &Value, key: &str| field(s, key).unwrap().to_owned();
        revised.segments.iter().map(|s| (text(s, "id"), text(s, "start"), text(s, "end"))).collect()
    }

    fn assert_outline(revised: &Revised, expected: &[(&str, &str, &str)]) {
        let owned = |(a, b, c): &(&str, &str, &str)| (a.to_string(), b.to_string(), c.to_string());
        assert_eq!(outline(revised), expected.iter().map(owned).collect::<Vec<_>>());
    }

    /// Contract, revise (a): a prefix, the patch, a suffix, and the later segments.
    #[test]
    fn a_patch_keeps_both_ends_of_its_segment() {
        let patch = Replacement::Patch(segment("lunch", "12:00", "13:00"));
        let revised = revise(&day(), "work", patch).unwrap();
        assert_eq!(revised.kept_head, 1);
        assert_outline(
            &revised,
            &[
                ("night", "00:00", "08:00"),
                ("work_before_patch", "08:00", "12:00"),
                ("lunch", "12:00", "13:00"),
                ("work_after_patch", "13:00", "17:00"),
                ("evening", "17:00", "24:00"),
            ],
        );
    }

    #[test]
    fn a_patch_of_the_same_times_replaces_its_segment() {
        let patch = Replacement::Patch(segment("home_office", "08:00", "17:00"));
        let revised = revise(&day(), "work", patch).unwrap();
        assert_eq!(revised.segments.len(), 3);
        assert_eq!(revised.segments[1]["id"], "home_office");
    }

    /// Contract, revise (b): a tail replaces the rest; a prefix only where its place is inferred.
    #[test]
    fn a_tail_replaces_the_rest() {
        let tail = || Replacement::Tail(vec![segment("gym", "18:00", "24:00")]);
        let named = revise(&day(), "evening", tail()).unwrap();
        assert_outline(
            &named,
            &[("night", "00:00", "08:00"), ("work", "08:00", "17:00"), ("gym", "18:00", "24:00")],
        );
        let inferred = revise(&day(), "nope", tail()).unwrap();
        assert_eq!(inferred.from, "evening");
        assert_eq!(inferred.segments.len(), 4);
        assert_eq!(inferred.segments[2]["id"], "evening_before_patch");
        assert_eq!(inferred.segments[2]["end"], "18:00");
    }

    #[test]
    fn a_place_that_cannot_be_found_is_none() {
        let tail = Replacement::Tail(vec![segment("x", "24:00", "24:00")]);
        assert_eq!(revise(&day(), "nope", tail), None);
        assert_eq!(revise(&[], "nope", Replacement::Patch(json!({}))), None);
    }

    #[test]
    fn replacements_are_unwrapped() {
        let tail = Replacement::Tail(vec![json!({"id": "a"})]);
        assert_eq!(Replacement::from_json(json!({"segments": [{"id": "a"}]})).unwrap(), tail);
        assert_eq!(Replacement::from_json(json!([{"id": "a"}])).unwrap(), tail);
        let patch = Replacement::Patch(json!({"id": "a"}));
        assert_eq!(Replacement::from_json(json!({"id": "a"})).unwrap(), patch);
        for bad in [json!([]), json!(3), json!("x"), json!(null), json!({"segments": []})] {
            assert!(Replacement::from_json(bad).is_err());
        }
    }
}
