//! The commands of daily-guidance over one agent's workspace.
//!
//! Every command answers with a block of YAML whose keys stand in a fixed order, and with an exit
//! code: 0 done (also for a Story refused by `plan` or `revise`, which the block explains), 1 not
//! possible now, 2 wrong use.

use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use super::arguments::{self, Call, Command, Mode};
use super::error::GuidanceError;
use super::validate::{self, Findings};
use super::workspace::{Workspace, read_time, story_file};
use super::{day_log, hook, yaml};

/// What `init` writes: a Story to fill in, made of comments only.
const TEMPLATE: &str = "\
# A day's Story, still to be written. Fill in the keys below, or submit the whole of it with
#   daily-guidance plan --date DATE --json JSON
#
# story_id: agent_0001:DATE
# date: 'DATE'
# status: ready
# segments:              # from '00:00' to '24:00', each starts where the one before ends
# - id: sleep_night
#   start: '00:00'
#   end: '07:00'
#   activity: sleep
#   location_policy: home_aoi
#   maslow_reason: {need: physiological.rest, reason: '', risk: '', required: required}
#   tpb_reason:
#     want: {reason: '', status: supported}
#     norm: {reason: '', status: supported}
#     can: {reason: '', status: supported}
#     proof: ''
#     choice: commit
# self_check: {maslow_result: pass, tpb_result: pass, issues: []}
# execution: {current_segment_id: sleep_night, completed_segments: [], actual_timeline: []}
# change_log: []
";

/// What a call of daily-guidance gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandResult {
    /// The result block; `None` for wrong use.
    pub yaml: Option<String>,
    /// What is to be said beside it: how the command line is wrong, and how to use it.
    pub stderr: String,
    /// 0 done, 1 not possible now, 2 wrong use.
    pub exit_code: i32,
}

/// Runs one command, or the lifecycle hook, over the workspace of one agent.
///
/// `argv` are the arguments without the program's name; none, or exactly `--args-json PAYLOAD`,
/// is the hook. `now` is the simulated time where the caller knows it; otherwise AGENT.json's
/// `current_time` counts. Reads and writes nothing outside `workspace`. Never panics on what it
/// finds there: that is told in the block.
pub fn run(workspace: &Path, argv: &[String], now: Option<DateTime>) -> CommandResult {
    let call = match arguments::parse(argv) {
        Ok(call) => call,
        Err(message) => {
            let stderr = format!("{}daily-guidance: {message}\n", arguments::USAGE);
            return CommandResult { yaml: None, stderr, exit_code: 2 };
        }
    };
    if call == Call::Help {
        let stderr = arguments::USAGE.to_owned();
        return CommandResult { yaml: None, stderr, exit_code: 0 };
    }
    let workspace = match Workspace::open(workspace) {
        Ok(workspace) => workspace,
        Err(error) => {
            let stderr = format!("daily-guidance: workspace {error}\n");
            return CommandResult { yaml: None, stderr, exit_code: 2 };
        }
    };
    let desk = Desk { workspace, now };
    let reply = match call {
        Call::Hook(payload) => hook::pre_step(&desk, payload.as_deref()),
        Call::Command(command) => run_command(&desk, command),
        Call::Help => unreachable!("answered above"),
    };
    let yaml = Some(yaml::write(&Value::Object(reply.block)));
    CommandResult { yaml, stderr: String::new(), exit_code: reply.exit_code }
}

fn run_command(desk: &Desk, command: Command) -> Reply {
    match command {
        Command::Init { date, story_file: file, force } => {
            let path = file.unwrap_or_else(|| story_file(date));
            init(desk, Path::new(&path), force)
        }
        Command::Check { date, path } => check(desk, path.map(PathBuf::from), date),
        Command::Plan { date, json } => {
            with_clock(desk, Mode::Plan, |now| plan(desk, now, date.as_deref(), &json))
        }
        Command::Revise { from, json } => {
            with_clock(desk, Mode::Revise, |now| day_log::revise(desk, now, &from, &json))
        }
        Command::Current => with_clock(desk, Mode::Current, |now| day_log::current(desk, now)),
        Command::Show { detail } => {
            with_clock(desk, Mode::Show, |now| day_log::show(desk, now, detail))
        }
        Command::Record { activity, location, note } => with_clock(desk, Mode::Record, |now| {
            day_log::record(desk, now, &activity, &location, note.as_deref())
        }),
        Command::Deviate { deviation, reason } => {
            with_clock(desk, Mode::Deviate, |now| day_log::deviate(desk, now, deviation, &reason))
        }
    }
}

/// Where a command works: the workspace and, if known, the simulated time.
pub(super) struct Desk {
    pub workspace: Workspace,
    pub now: Option<DateTime>,
}

impl Desk {
    /// The simulated time: the caller's, or AGENT.json's.
    pub fn clock(&self) -> Result<DateTime, GuidanceError> {
        match self.now {
            Some(now) => Ok(now),
            None => self.workspace.agent()?.time(),
        }
    }

    /// The Story of the day of `now`, which must be a mapping.
    pub fn story(&self, now: DateTime) -> Result<Map<String, Value>, GuidanceError> {
        let path = PathBuf::from(story_file(now.date()));
        match self.workspace.read_story(&path)? {
            Value::Object(story) => Ok(story),
            other => Err(GuidanceError::NotAMapping { path, found: validate::kind_of(&other) }),
        }
    }

    /// Writes the Story of the day of `now`.
    pub fn save(&self, now: DateTime, story: Map<String, Value>) -> Result<(), GuidanceError> {
        let text = yaml::write(&Value::Object(story));
        self.workspace.write_text(Path::new(&story_file(now.date())), &text)
    }
}

/// A result block under way.
pub(super) struct Reply {
    pub block: Map<String, Value>,
    pub exit_code: i32,
}

impl Reply {
    /// The block `{ok, <fields>}`.
    pub fn new(ok: bool, exit_code: i32, fields: Value) -> Self {
        let mut block = Map::new();
        block.insert("ok".to_owned(), Value::Bool(ok));
        if let Value::Object(fields) = fields {
            block.extend(fields);
        }
        Self { block, exit_code }
    }

    /// A command that cannot be carried out now.
    pub fn refusal(mode: Mode, reason: impl std::fmt::Display) -> Self {
        Self::new(false, 1, json!({"mode": mode.word(), "reason": reason.to_string()}))
    }

    /// A command refused because of what is wrong with a Story.
    pub fn findings(mode: Mode, exit_code: i32, findings: &Findings) -> Self {
        let fields = json!({
            "mode": mode.word(),
            "errors": findings.errors_block(),
            "recommend": findings.advice_block(),
        });
        Self::new(false, exit_code, fields)
    }
}

fn with_clock(
    desk: &Desk,
    mode: Mode,
    work: impl FnOnce(DateTime) -> Result<Reply, GuidanceError>,
) -> Reply {
    desk.clock().and_then(work).unwrap_or_else(|error| Reply::refusal(mode, error))
}

/// What is wrong with a file that cannot be read as a Story at all.
pub(super) fn unreadable(error: &GuidanceError) -> Findings {
    let hint = match error {
        GuidanceError::Missing { .. } => "; submit a Story with plan",
        _ => "",
    };
    Findings::error_only("story.yaml", format!("{error}{hint}"))
}

/// Findings on a JSON argument that cannot be read.
pub(super) fn bad_json(mode: Mode, message: &str) -> Findings {
    Findings::single(
        mode.word(),
        format!("--json {message}"),
        "pass one JSON text, its keys and texts in double quotes",
        "nothing was written",
    )
}

fn init(desk: &Desk, path: &Path, force: bool) -> Reply {
    let write = || {
        let created = force || !desk.workspace.exists(path)?;
        if created {
            desk.workspace.write_text(path, TEMPLATE)?;
        }
        Ok(created)
    };
    let next = "write the segments into the file and run check, or submit all of it with plan";
    match write() {
        Ok(created) => {
            let fields = json!({
                "mode": "init",
                "story_file": desk.workspace.relative(path),
                "created": created,
                "next": if created { next } else { "the file is kept; --force overwrites it" },
            });
            Reply::new(true, 0, fields)
        }
        Err(error) => {
            let outside = matches!(error, GuidanceError::Outside { .. });
            Reply { exit_code: if outside { 2 } else { 1 }, ..Reply::refusal(Mode::Init, error) }
        }
    }
}

fn check(desk: &Desk, path: Option<PathBuf>, date: Option<jiff::civil::Date>) -> Reply {
    let path = match (path, date) {
        (Some(path), _) => path,
        (None, Some(date)) => PathBuf::from(story_file(date)),
        (None, None) => match desk.clock() {
            Ok(now) => PathBuf::from(story_file(now.date())),
            Err(error) => return Reply::refusal(Mode::Check, error),
        },
    };
    let findings = match desk.workspace.read_story(&path) {
        Ok(story) => validate::validate_story(&story, "story.yaml"),
        Err(error) => unreadable(&error),
    };
    let fields = json!({
        "mode": "check",
        "story_file": desk.workspace.absolute(&path).to_string_lossy(),
        "errors": findings.errors_block(),
        "recommend": findings.advice_block(),
    });
    Reply::new(findings.is_empty(), i32::from(!findings.is_empty()), fields)
}

/// Submits a Story. A wrong one is refused as a whole and the old one stays.
fn plan(
    desk: &Desk,
    now: DateTime,
    date_given: Option<&str>,
    json: &str,
) -> Result<Reply, GuidanceError> {
    let payload: Value = match serde_json::from_str(json) {
        Ok(payload) => payload,
        Err(error) => {
            let findings = bad_json(Mode::Plan, &format!("is not JSON: {error}"));
            return Ok(Reply::findings(Mode::Plan, 0, &findings));
        }
    };
    let mut findings = validate::validate_plan(&payload);
    let self_check = merged_self_check(payload.get("self_check"));
    if findings.is_empty() {
        validate::check_self_check(&self_check, "story.yaml.self_check", &mut findings);
    }
    if !findings.is_empty() {
        return Ok(Reply::findings(Mode::Plan, 0, &findings));
    }
    let date = now.date().to_string();
    let mut story_id = payload["story_id"].clone();
    if let (Some(id), Some(wrong)) = (story_id.as_str(), payload["date"].as_str())
        && wrong != date
    {
        story_id = Value::from(id.replace(wrong, &date));
    }
    let segments = &payload["segments"];
    let story = json!({
        "story_id": story_id,
        "date": date,
        "status": "ready",
        "segments": segments,
        "self_check": self_check,
        "execution": new_execution(segments[0]["id"].clone()),
        "change_log": [story_created(&date, "the agent submitted this Story with plan")],
    });
    let Value::Object(story) = story else { unreachable!("built as an object") };
    desk.save(now, story)?;
    let mut fields = json!({
        "mode": "plan",
        "story_file": story_file(now.date()),
        "segments": segments.as_array().map_or(0, Vec::len),
        "next": "follow the current segment; record what happens, revise when the day changes",
    });
    if let Some(from) = date_given.filter(|given| *given != date) {
        fields["corrected_date"] = json!({"from": from, "to": date});
    }
    Ok(Reply::new(true, 0, fields))
}

/// The submitted self-check over a passed one; issues that are no list become none.
fn merged_self_check(submitted: Option<&Value>) -> Value {
    let mut merged = json!({"maslow_result": "pass", "tpb_result": "pass", "issues": []});
    if let (Some(Value::Object(submitted)), Value::Object(fields)) = (submitted, &mut merged) {
        fields.extend(submitted.clone());
        if !fields["issues"].is_array() {
            fields["issues"] = json!([]);
        }
    }
    merged
}

/// The state of a Story of which nothing has happened yet.
pub(super) fn new_execution(first_id: Value) -> Value {
    json!({
        "current_segment_id": first_id,
        "completed_segments": [],
        "actual_timeline": [],
        "pending_deviation": null,
    })
}

/// The first entry of a change log; `date` is `YYYY-MM-DD`.
pub(super) fn story_created(date: &str, reason: &str) -> Value {
    json!({
        "event_id": "story_0001",
        "type": "story_created",
        "time": format!("{date}T00:00:00"),
        "reason": reason,
    })
}

/// The time in a hook's payload, if it has one.
pub(super) fn payload_time(payload: &Value) -> Result<Option<DateTime>, GuidanceError> {
    match payload.get("time") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(value) => read_time(value, "payload time").map(Some),
    }
}
