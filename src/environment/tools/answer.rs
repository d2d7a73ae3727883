//! Checks a call against the table and answers it.

use serde_json::{Map, Value};

use super::table::{Argument, Form, TOOLS, Tool, ToolKind};
use crate::agent::activity::{Activity, PlaceKind};
use crate::agent::environment_call::{
    AnswerStatus, EnvironmentAct, EnvironmentAnswer, EnvironmentCall,
};
use crate::agent::message::{Message, MessageKind};
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::units::Point;
use crate::environment::Environment;

/// What tools see: the state at the start of the tick. Columns hold all persons by number.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The moment.
    pub context: &'a StepContext,
    /// The environment.
    pub town: &'a Environment,
    /// Who asks.
    pub agent: AgentId,
    /// Where everybody is.
    pub at: &'a [Whereabouts],
    /// Everybody's trip.
    pub trips: &'a [Trip],
    /// The way of a traveller along the network, empty as the crow flies.
    pub way: &'a (dyn Fn(AgentId) -> &'a [Point] + Sync),
    /// The messages that the one who asks can read.
    pub inbox: &'a [Message],
}

/// What a tool gives.
pub(super) struct Done {
    pub value: Value,
    pub text: String,
    pub act: Option<EnvironmentAct>,
}

/// The arguments of a call, checked.
#[derive(Default)]
pub(super) struct Arguments {
    pub person: Option<AgentId>,
    pub place: Option<PlaceId>,
    pub category: Option<PlaceKind>,
    pub activity: Option<Activity>,
    pub message: Option<MessageKind>,
    pub metres: Option<f32>,
}

/// Answers a call, and says what is to be done for it. Depends on the scene and the call alone.
pub fn answer(
    scene: &Scene<'_>,
    call: &EnvironmentCall,
) -> (EnvironmentAnswer, Option<EnvironmentAct>) {
    let refuse =
        |status, text: String| (EnvironmentAnswer::refused(call.agent, status, text), None);
    if scene.at.len() <= call.agent.index() {
        let text = format!(
            "no person {}; allowed is 0 to {}",
            call.agent,
            scene.at.len().saturating_sub(1)
        );
        return refuse(AnswerStatus::Fail, text);
    }
    let Some(tool) = Tool::find(&call.tool) else {
        return refuse(AnswerStatus::Unknown, unknown_tool(&call.tool));
    };
    if call.readonly && tool.kind == ToolKind::Act {
        let text = format!("{} changes something; this call is read-only", tool.name);
        return refuse(AnswerStatus::Fail, text);
    }
    let done = read(scene, tool, &call.arguments).and_then(|given| (tool.run)(scene, &given));
    match done {
        Err(why) => refuse(AnswerStatus::Fail, format!("{}: {why}", tool.name)),
        Ok(Done { value, text, act }) => {
            let status = match act {
                Some(_) => AnswerStatus::InProgress,
                None => AnswerStatus::Success,
            };
            (EnvironmentAnswer { agent: call.agent, ok: true, status, value, text }, act)
        }
    }
}

/// Says that there is no such tool, and which there are.
pub(super) fn unknown_tool(name: &str) -> String {
    let all: Vec<String> = TOOLS.iter().map(Tool::signature).collect();
    format!("no tool is called '{name}'; there is: {}", all.join(", "))
}

fn read(scene: &Scene<'_>, tool: &Tool, given: &Map<String, Value>) -> Result<Arguments, String> {
    let mut all = Arguments::default();
    let named =
        |argument: &Argument, key: &str| argument.name == key || argument.aliases.contains(&key);
    for (key, value) in given {
        let Some(argument) = tool.arguments.iter().find(|argument| named(argument, key)) else {
            return Err(format!("no argument '{key}'; allowed is {}", tool.signature()));
        };
        take(scene, argument.form, value, &mut all)
            .map_err(|allowed| format!("{key} is {value}; allowed is {allowed}"))?;
    }
    let given = |argument: &Argument| given.keys().any(|key| named(argument, key));
    match tool.arguments.iter().find(|argument| argument.required && !given(argument)) {
        Some(missing) => Err(format!(
            "'{}' ({}) is missing; allowed is {}",
            missing.name,
            missing.about,
            tool.signature()
        )),
        None => Ok(all),
    }
}

/// Puts one value where it belongs; the error is what is allowed.
fn take(scene: &Scene<'_>, form: Form, value: &Value, all: &mut Arguments) -> Result<(), String> {
    match form {
        Form::Person => all.person = Some(AgentId(index(value, scene.at.len())?)),
        Form::Place => all.place = Some(PlaceId(index(value, scene.town.places.len())?)),
        Form::Category => {
            all.category = Some(word(value, PlaceKind::ALL, PlaceKind::word)?);
        }
        Form::Activity => all.activity = Some(word(value, Activity::ALL, Activity::word)?),
        Form::Message => all.message = Some(word(value, MessageKind::ALL, MessageKind::word)?),
        Form::Metres => {
            let metres = number(value).filter(|metres| metres.is_finite() && *metres > 0.0);
            all.metres = Some(metres.ok_or("a number above 0")? as f32);
        }
    }
    Ok(())
}

/// A number, also one in a text: the argv of a skill is texts.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn index(value: &Value, count: usize) -> Result<u32, String> {
    let whole = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
    let found = whole.filter(|number| *number < count as u64);
    let found = found.and_then(|number| u32::try_from(number).ok());
    found.ok_or_else(|| format!("a whole number from 0 to {}", count.saturating_sub(1)))
}

fn word<T: Copy>(value: &Value, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|one| value.as_str() == Some(name(*one)));
    found.ok_or_else(|| all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", "))
}
