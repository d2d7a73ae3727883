//! Between the hot Story, ten bytes a segment, and its document `story.yaml`.
//!
//! [`render`] makes a complete, valid document; [`parse`] reads one back, ours or another's. What
//! the published document has no word for, a segment's `number` and `origin`, is kept in two keys
//! of our own where it is not the obvious one; other readers leave them alone.

use std::collections::BTreeSet;

use jiff::civil::{Date, DateTime};
use serde_json::{Map, Value, json};

use super::commands::story_created;
use super::timeline::{DAY_MIN, clock_text, field, span};
use super::validate::{FieldError, validate_story};
use super::{reasons, yaml};
use crate::agent::activity::Activity;
use crate::agent::person::{Person, Role};
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Origin, Segment, default_reason};
use crate::base::ids::AgentId;
use crate::base::time::iso_text;

/// What a document says of the person whose day it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonContext<'a> {
    /// The agent's number.
    pub agent: AgentId,
    /// Name used in the sentences.
    pub name: &'a str,
    /// Main role.
    pub role: Role,
    /// Completed years, if known.
    pub age: Option<u8>,
    /// Members of the household, if known.
    pub household_size: Option<u16>,
}

impl<'a> PersonContext<'a> {
    /// The context of a person of the population.
    pub fn of(agent: AgentId, name: &'a str, person: &Person) -> Self {
        Self {
            agent,
            name,
            role: person.role,
            age: Some(person.age),
            household_size: Some(person.household_size),
        }
    }
}

/// One revision made to a Story, for its change log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision<'a> {
    /// When.
    pub time: DateTime,
    /// Why.
    pub reason: &'a str,
}

/// The text of `story.yaml` for a day.
///
/// `segments` tile the day in order (minutes after midnight); what lies past 24:00 is cut, since
/// the document ends there. `minute` is the clock's minute of that day, which makes the segments
/// that ended completed; without it nothing has happened yet. The result is valid, and [`parse`]
/// gives the same segments, if they touch, each ends after its start and there is at least one.
pub fn render(
    person: &PersonContext<'_>,
    date: Date,
    minute: Option<u16>,
    segments: &[Segment],
    revisions: &[Revision<'_>],
) -> String {
    let kept: Vec<Segment> = segments
        .iter()
        .filter(|segment| segment.start_min < DAY_MIN)
        .map(|segment| Segment { end_min: segment.end_min.min(DAY_MIN), ..*segment })
        .collect();
    let minute = minute.unwrap_or(0);
    let story_id = format!("agent_{:04}:{date}", person.agent.0);
    let mut story = compose(story_id, person, date, &kept);
    let ids = segment_ids(&kept);
    let now = kept.iter().position(|s| s.start_min <= minute && minute < s.end_min);
    let past = kept.iter().zip(&ids).filter(|(segment, _)| segment.end_min <= minute);
    let done: Vec<&String> = past.map(|(_, id)| id).collect();
    story["execution"]["completed_segments"] = json!(done);
    story["execution"]["current_segment_id"] = json!(ids.get(now.unwrap_or(0)));
    if let Some(Value::Array(log)) = story.get_mut("change_log") {
        for revision in revisions {
            log.push(json!({
                "event_id": format!("rev_{:04}", log.len() + 1),
                "type": "local_patch",
                "time": iso_text(revision.time),
                "reason": revision.reason,
            }));
        }
    }
    yaml::write(&Value::Object(story))
}

/// A Story document of which nothing has happened yet, from segments within the day.
pub(super) fn compose(
    story_id: String,
    person: &PersonContext<'_>,
    date: Date,
    segments: &[Segment],
) -> Map<String, Value> {
    let ids = segment_ids(segments);
    let list: Vec<Value> = segments
        .iter()
        .zip(&ids)
        .enumerate()
        .map(|(index, (segment, id))| segment_document(person, segment, id, index))
        .collect();
    let date = date.to_string();
    let execution = super::commands::new_execution(json!(ids.first()));
    let story = json!({
        "story_id": story_id,
        "date": date,
        "status": "ready",
        "segments": list,
        "self_check": {"maslow_result": "pass", "tpb_result": "pass", "issues": []},
        "execution": execution,
        "change_log": [story_created(&date, "the day's Story was formed from the profile")],
    });
    match story {
        Value::Object(story) => story,
        _ => unreachable!("built as an object"),
    }
}

fn segment_document(
    person: &PersonContext<'_>,
    segment: &Segment,
    id: &str,
    index: usize,
) -> Value {
    let mut document = json!({
        "id": id,
        "start": clock_text(segment.start_min),
        "end": clock_text(segment.end_min),
        "activity": segment.activity.word(),
        "location_policy": segment.policy.word(),
        "maslow_reason": reasons::maslow_reason(person, segment),
        "tpb_reason": reasons::tpb_reason(person, segment),
    });
    if usize::from(segment.id) != index {
        document["number"] = json!(segment.id);
    }
    if segment.origin != Origin::Planned {
        document["origin"] = json!(segment.origin.word());
    }
    document
}

/// Ids of segments in a document: what and when, such as `work_morning`, with a count where one
/// would come twice.
pub fn segment_ids(segments: &[Segment]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut ids = Vec::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        let base = base_id(segment, segments.get(index + 1));
        let mut id = base.clone();
        let mut count = 2;
        while !used.insert(id.clone()) {
            id = format!("{base}_{count}");
            count += 1;
        }
        ids.push(id);
    }
    ids
}

fn base_id(segment: &Segment, next: Option<&Segment>) -> String {
    let hour = segment.start_min / 60;
    let part = match hour {
        0..12 => "morning",
        12..17 => "afternoon",
        _ => "evening",
    };
    let meal = match hour {
        0..11 => "breakfast",
        11..16 => "lunch",
        _ => "dinner",
    };
    match segment.activity {
        Activity::Sleep if hour < 5 => "sleep_night".to_owned(),
        Activity::Sleep if hour >= 18 => "sleep_late".to_owned(),
        Activity::Sleep => "nap".to_owned(),
        Activity::Home => format!("{part}_home"),
        Activity::Work => format!("work_{part}"),
        Activity::School => format!("school_{part}"),
        Activity::Meal => meal.to_owned(),
        Activity::Eat => format!("{meal}_out"),
        Activity::Leisure => "leisure".to_owned(),
        Activity::Other => "errand".to_owned(),
        Activity::Shop | Activity::Social | Activity::Escort => segment.activity.word().to_owned(),
        Activity::Travel => match next.map(|next| next.activity) {
            Some(Activity::Work) => "commute_to_work".to_owned(),
            Some(Activity::School) => "commute_to_school".to_owned(),
            Some(Activity::Home | Activity::Sleep) | None => "commute_home".to_owned(),
            Some(Activity::Eat | Activity::Meal) => "trip_to_meal".to_owned(),
            Some(Activity::Leisure) => "trip_to_leisure".to_owned(),
            Some(Activity::Other | Activity::Travel) => "trip".to_owned(),
            Some(other) => format!("trip_to_{}", other.word()),
        },
    }
}

/// The segments of a Story document in the words of the hot path.
///
/// Activities are read by their words and a few others' ([`read_activity`]), policies that are
/// unknown become [`LocationPolicy::City`], needs that are unknown the usual one of the activity.
/// Segments touch but need not cover the whole day, and may be more than a hot Story holds; ids are
/// distinct up to 256 segments.
///
/// # Errors
/// Everything that is wrong with the document, field by field.
pub fn parse(text: &str) -> Result<Vec<Segment>, Vec<FieldError>> {
    let story = yaml::read(text).map_err(|message| {
        vec![FieldError { field: "story.yaml".to_owned(), message: format!("no YAML: {message}") }]
    })?;
    let findings = validate_story(&story, "story.yaml");
    if !findings.is_empty() {
        return Err(findings.errors);
    }
    let documents = story["segments"].as_array().map_or(&[][..], Vec::as_slice);
    let mut segments: Vec<Segment> = documents.iter().filter_map(read_segment).collect();
    let numbers: Vec<u8> = documents
        .iter()
        .enumerate()
        .map(|(index, document)| {
            let number = document.get("number").and_then(Value::as_u64);
            number.and_then(|number| u8::try_from(number).ok()).unwrap_or(index as u8)
        })
        .collect();
    let distinct = numbers.iter().collect::<BTreeSet<_>>().len() == numbers.len();
    for (index, segment) in segments.iter_mut().enumerate() {
        segment.id = if distinct { numbers[index] } else { index as u8 };
    }
    Ok(segments)
}

/// One validated segment; its id is not yet set.
fn read_segment(document: &Value) -> Option<Segment> {
    let (start_min, end_min) = span(document)?;
    let activity = field(document, "activity").map_or(Activity::Other, read_activity);
    let policy = field(document, "location_policy").and_then(LocationPolicy::from_word);
    let maslow = document.get("maslow_reason")?;
    let (usual_need, usual_binding) = default_reason(activity);
    Some(Segment {
        id: 0,
        start_min,
        end_min,
        activity,
        policy: policy.unwrap_or(LocationPolicy::City),
        need: field(maslow, "need").and_then(MaslowNeed::from_word).unwrap_or(usual_need),
        binding: field(maslow, "required").and_then(Binding::from_word).unwrap_or(usual_binding),
        origin: field(document, "origin").and_then(Origin::from_word).unwrap_or(Origin::Planned),
    })
}

/// The activity that a free word means; [`Activity::Other`] if none is known.
pub fn read_activity(word: &str) -> Activity {
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    if let Some(activity) = Activity::from_word(&word) {
        return activity;
    }
    match word.as_str() {
        "sleeping" => Activity::Sleep,
        "home" | "at home" | "home activities" | "housework" | "chores" => Activity::Home,
        "working" => Activity::Work,
        "study" | "studying" | "class" | "university" => Activity::School,
        "shop" => Activity::Shop,
        "eat out" | "dining out" | "restaurant" => Activity::Eat,
        "eat" | "eating" | "breakfast" | "lunch" | "dinner" => Activity::Meal,
        "leisure" | "entertainment" | "exercise" | "sport" | "sports" => Activity::Leisure,
        "socialising" | "socializing" | "visit" => Activity::Social,
        "travel" | "commuting" | "trip" | "transit" => Activity::Travel,
        _ => Activity::Other,
    }
}

#[cfg(test)]
mod tests;
