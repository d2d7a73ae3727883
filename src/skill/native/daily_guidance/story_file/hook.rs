//! The pre-step hook as text: makes the day's Story if there is none, and says what is on now.

use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::commands::{Desk, Reply, payload_time, unreadable};
use super::day_log::{minute_of_day, segment_block};
use super::default_story;
use super::error::GuidanceError;
use super::timeline::{active, clock_text};
use super::validate::{kind_of, validate_story};
use super::workspace::{AgentFile, story_file};

const SKILL: &str = "daily-guidance";

/// Runs the hook with its payload as JSON text.
///
/// The time is the payload's `time`, else the caller's, else AGENT.json's. Exit code 0 if the
/// day's file was looked at, even if its Story is refused; 1 if not even the time is known.
pub(super) fn pre_step(desk: &Desk, payload: Option<&str>) -> Reply {
    guide(desk, payload).unwrap_or_else(|error| {
        Reply::new(false, 1, json!({"skill": SKILL, "error": error.to_string()}))
    })
}

fn guide(desk: &Desk, payload: Option<&str>) -> Result<Reply, GuidanceError> {
    let payload = read_payload(payload)?;
    let now = match payload_time(&payload)? {
        Some(now) => now,
        None => desk.clock()?,
    };
    let path = story_file(now.date());
    let created = !desk.workspace.exists(path.as_ref())?;
    if created {
        // A profile that cannot be read must not leave the agent without a day.
        let agent = desk.workspace.agent().unwrap_or_else(|_| AgentFile::default());
        let id = payload.get("agent_id").and_then(Value::as_u64).or_else(|| agent.id());
        desk.save(now, default_story::compose(id.unwrap_or(0), &agent, now.date()))?;
    }
    let mut fields = json!({
        "skill": SKILL,
        "story_file": path,
        "date": now.date().to_string(),
        "created": created,
    });
    let (story, findings) = match desk.workspace.read_story(path.as_ref()) {
        Ok(story) => {
            let findings = validate_story(&story, "story.yaml");
            (story, findings)
        }
        Err(error) => (Value::Null, unreadable(&error)),
    };
    if !findings.is_empty() {
        fields["errors"] = findings.errors_block();
        fields["recommend"] = findings.advice_block();
        fields["next"] = json!(
            "today's Story cannot be followed: correct these fields and submit all of it with \
             plan --date DATE --json JSON before you act"
        );
        return Ok(Reply::new(false, 0, fields));
    }
    tell_current(&mut fields, &story, now);
    Ok(Reply::new(true, 0, fields))
}

fn read_payload(payload: Option<&str>) -> Result<Value, GuidanceError> {
    let Some(text) = payload.filter(|text| !text.trim().is_empty()) else {
        return Ok(Value::Null);
    };
    let value: Value = serde_json::from_str(text).map_err(|error| GuidanceError::Syntax {
        path: "--args-json".into(),
        format: "JSON",
        message: error.to_string(),
    })?;
    if value.is_object() {
        return Ok(value);
    }
    Err(GuidanceError::NotAMapping { path: "--args-json".into(), found: kind_of(&value) })
}

fn tell_current(fields: &mut Value, story: &Value, now: DateTime) {
    let minute = minute_of_day(now);
    let segments = story["segments"].as_array().map_or(&[][..], Vec::as_slice);
    fields["current_time"] = json!(clock_text(minute));
    let Some(at) = active(segments, minute) else {
        fields["active_segment"] = Value::Null;
        fields["note"] = json!(
            "the Story leaves this time open: act as fits the day, or close the gap with revise"
        );
        return;
    };
    let segment = &segments[at];
    fields["active_segment"] = segment_block(segment, false);
    let word = |key: &str| match segment.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "unspecified".to_owned(),
    };
    fields["guidance"] = json!(format!(
        "Until {} do: {}. Where: {}. Go there first if you are elsewhere; if this cannot be done, \
         note it with deviate or change it with revise.",
        word("end"),
        word("activity"),
        word("location_policy"),
    ));
}
