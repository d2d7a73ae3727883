//! The commands that follow a day's Story: what is now, what happened, what changes.

use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use super::arguments::{Detail, Deviation, Mode};
use super::commands::{Desk, Reply, bad_json, unreadable};
use super::error::GuidanceError;
use super::revise::{Replacement, revise as replace};
use super::timeline::{active, clock_text, completed, span};
use super::validate::{Findings, check_segments, kind_of, validate_story};
use super::workspace::story_file;
use crate::base::time::iso_text;

/// Minutes after midnight; seconds are dropped.
pub(super) fn minute_of_day(now: DateTime) -> u16 {
    let minute = i32::from(now.hour()) * 60 + i32::from(now.minute());
    u16::try_from(minute).expect("an hour and a minute are not negative")
}

/// The keys of a segment in a result block, with those that its readers want beside.
pub(super) fn segment_block(segment: &Value, with_required: bool) -> Value {
    let mut block = Map::new();
    for key in ["id", "activity", "location_policy", "start", "end"] {
        block.insert(key.to_owned(), segment.get(key).cloned().unwrap_or_default());
    }
    let maslow = &segment["maslow_reason"];
    block.insert("maslow_need".to_owned(), maslow["need"].clone());
    if with_required {
        block.insert("maslow_required".to_owned(), maslow["required"].clone());
    }
    block.insert("tpb_choice".to_owned(), segment["tpb_reason"]["choice"].clone());
    Value::Object(block)
}

/// A list of a Story (empty where it is absent or something else).
fn list<'a>(parent: Option<&'a Value>, key: &str) -> &'a [Value] {
    parent.and_then(|parent| parent.get(key)).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn segments_of(story: &Map<String, Value>) -> &[Value] {
    story.get("segments").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A list of a Story to append to; made if it is absent.
fn list_mut<'a>(
    parent: &'a mut Map<String, Value>,
    key: &str,
    path: &'static str,
) -> Result<&'a mut Vec<Value>, GuidanceError> {
    let value = parent.entry(key).or_insert_with(|| json!([]));
    if value.is_null() {
        *value = json!([]);
    }
    let found = kind_of(value);
    value.as_array_mut().ok_or(GuidanceError::NotAList { field: path, found })
}

fn change_log(story: &mut Map<String, Value>) -> Result<&mut Vec<Value>, GuidanceError> {
    list_mut(story, "change_log", "story.yaml.change_log")
}

/// `current`: the segment that the clock is in.
pub(super) fn current(desk: &Desk, now: DateTime) -> Result<Reply, GuidanceError> {
    let path = story_file(now.date());
    let findings = match desk.workspace.read_story(path.as_ref()) {
        Err(error) => unreadable(&error),
        Ok(story) => {
            let findings = validate_story(&story, "story.yaml");
            if findings.is_empty() {
                return Ok(current_of(&story, now));
            }
            findings
        }
    };
    Ok(Reply::findings(Mode::Current, 1, &findings))
}

fn current_of(story: &Value, now: DateTime) -> Reply {
    let minute = minute_of_day(now);
    let segments = list(Some(story), "segments");
    let time = clock_text(minute);
    match active(segments, minute) {
        Some(at) => {
            let fields = json!({
                "mode": "current",
                "time": time,
                "current_segment": segment_block(&segments[at], true),
                "next_transition": segments[at]["end"],
            });
            Reply::new(true, 0, fields)
        }
        None => {
            let fields = json!({
                "mode": "current",
                "time": time,
                "gap": true,
                "reason": format!("no segment of today's Story covers {time}"),
                "recommend": "submit a Story from 00:00 to 24:00 with plan, or close the gap with \
                              revise",
            });
            Reply::new(false, 1, fields)
        }
    }
}

/// `show`: the Story's state; the Story need not be valid.
pub(super) fn show(desk: &Desk, now: DateTime, detail: Detail) -> Result<Reply, GuidanceError> {
    let story = desk.story(now)?;
    let minute = minute_of_day(now);
    let segments = segments_of(&story);
    let timeline = list(story.get("execution"), "actual_timeline");
    let log = story.get("change_log").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let done = completed(segments, minute);
    let current = active(segments, minute).and_then(|at| segments[at].get("id"));
    let mut fields = json!({
        "mode": "show",
        "story_id": story.get("story_id"),
        "status": story.get("status"),
        "current_time": clock_text(minute),
        "active_segment": current,
        "completed_count": done.len(),
        "total_segments": segments.len(),
        "actual_timeline_size": timeline.len(),
        "change_log_size": log.len(),
    });
    if detail == Detail::Full {
        fields["segments"] = json!(segments);
        fields["completed_segments"] = json!(done);
        fields["actual_timeline"] = json!(timeline);
        fields["change_log"] = json!(log);
    }
    Ok(Reply::new(true, 0, fields))
}

/// `record`: one entry into the timeline of what really happened, unless it is there already.
pub(super) fn record(
    desk: &Desk,
    now: DateTime,
    activity: &str,
    location: &str,
    note: Option<&str>,
) -> Result<Reply, GuidanceError> {
    let mut story = desk.story(now)?;
    let time = clock_text(minute_of_day(now));
    let mut entry = json!({"time": time, "activity": activity, "location": location});
    if let Some(note) = note {
        entry["note"] = json!(note);
    }
    let execution = story.entry("execution").or_insert_with(|| json!({}));
    let found = kind_of(execution);
    let Some(execution) = execution.as_object_mut() else {
        return Err(GuidanceError::NotAMapping { path: "story.yaml.execution".into(), found });
    };
    let path = "story.yaml.execution.actual_timeline";
    let timeline = list_mut(execution, "actual_timeline", path)?;
    let same = |old: &Value| {
        ["time", "activity", "location"].iter().all(|key| old.get(key) == entry.get(key))
    };
    let known = timeline.iter().find(|old| same(old)).cloned();
    let duplicate = known.is_some();
    if !duplicate {
        timeline.push(entry.clone());
    }
    let mut fields = json!({
        "mode": "record",
        "entry": known.unwrap_or(entry),
        "timeline_size": timeline.len(),
        "duplicate": duplicate,
    });
    if duplicate {
        fields["next"] = json!("this is recorded already; go on with the current segment");
    } else {
        desk.save(now, story)?;
    }
    Ok(Reply::new(true, 0, fields))
}

/// `deviate`: notes that the day goes otherwise than planned.
pub(super) fn deviate(
    desk: &Desk,
    now: DateTime,
    deviation: Deviation,
    reason: &str,
) -> Result<Reply, GuidanceError> {
    let mut story = desk.story(now)?;
    let log = change_log(&mut story)?;
    let event = json!({
        "event_id": format!("dev_{:04}", log.len() + 1),
        "type": deviation.word(),
        "time": iso_text(now),
        "reason": reason,
    });
    log.push(event.clone());
    if deviation == Deviation::RewriteRemainingDay {
        // What has begun is kept; what was still to come is to be planned anew.
        let minute = minute_of_day(now);
        let begun = |segment: &Value| span(segment).is_none_or(|(start, _)| start <= minute);
        if let Some(Value::Array(segments)) = story.get_mut("segments") {
            segments.retain(begun);
        }
        story.insert("status".to_owned(), json!("partial"));
    }
    let action = match deviation {
        Deviation::RecordOnly => "none; the Story stands as it is",
        Deviation::LocalPatch => "replace the segment concerned: revise --from ID --json SEGMENT",
        Deviation::RewriteRemainingDay => {
            "plan the rest of the day: revise --from ID --json SEGMENTS, with the id of the \
             segment now under way and a list that begins with it"
        }
        Deviation::Carryover => "keep what is left over in mind for the next day's Story",
    };
    let status = story.get("status").cloned();
    desk.save(now, story)?;
    let fields = json!({
        "mode": "deviate",
        "event": event,
        "action_required": action,
        "status": status,
    });
    Ok(Reply::new(true, 0, fields))
}

/// `revise`: replaces segments. A wrong replacement is refused as a whole.
pub(super) fn revise(
    desk: &Desk,
    now: DateTime,
    from: &str,
    json: &str,
) -> Result<Reply, GuidanceError> {
    let mut story = desk.story(now)?;
    let refuse =
        |message: &str| Ok(Reply::findings(Mode::Revise, 0, &bad_json(Mode::Revise, message)));
    let replacement = match serde_json::from_str(json) {
        Err(error) => return refuse(&format!("is not JSON: {error}")),
        Ok(value) => match Replacement::from_json(value) {
            Err(message) => return refuse(&message),
            Ok(replacement) => replacement,
        },
    };
    let Some(revised) = replace(segments_of(&story), from, replacement) else {
        let known: Vec<&Value> =
            segments_of(&story).iter().filter_map(|segment| segment.get("id")).collect();
        let fields = json!({
            "mode": "revise",
            "reason": format!(
                "the Story has no segment '{from}' and none in which the first replacement starts"
            ),
            "known_segments": known,
        });
        return Ok(Reply::new(false, 0, fields));
    };
    let total = revised.segments.len();
    story.insert("segments".to_owned(), Value::Array(revised.segments));
    let mut findings = Findings::default();
    check_segments(story.get("segments"), "story.yaml", &mut findings);
    if !findings.is_empty() {
        return Ok(Reply::findings(Mode::Revise, 0, &findings));
    }
    story.insert("status".to_owned(), json!("ready"));
    let log = change_log(&mut story)?;
    log.push(json!({
        "event_id": format!("rev_{:04}", log.len() + 1),
        "type": Deviation::RewriteRemainingDay.word(),
        "time": iso_text(now),
        "reason": format!("the agent revised the Story from segment {}", revised.from),
    }));
    desk.save(now, story)?;
    let fields = json!({
        "mode": "revise",
        "from": revised.from,
        "kept_head": revised.kept_head,
        "new_tail": total - revised.kept_head,
        "total_segments": total,
    });
    Ok(Reply::new(true, 0, fields))
}
