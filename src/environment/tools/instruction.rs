//! From the argv of a skill `env:…` to a call (contract 1.8 of AgentSociety).

use serde_json::{Map, Value};

use super::answer::unknown_tool;
use super::table::Tool;
use crate::agent::environment_call::{AnswerStatus, EnvironmentAnswer, EnvironmentCall};
use crate::base::ids::AgentId;

/// The first word names a tool; the rest is `--key value` pairs or one JSON object. Without a word
/// the current state is observed.
///
/// # Errors
/// The answer that says what is wrong with the argv and what is allowed.
pub fn read_call(
    agent: AgentId,
    argv: &[String],
    readonly: bool,
) -> Result<EnvironmentCall, Box<EnvironmentAnswer>> {
    let refuse = |status, text| Box::new(EnvironmentAnswer::refused(agent, status, text));
    let Some((name, rest)) = argv.split_first() else {
        let tool = "observe".to_owned();
        return Ok(EnvironmentCall { agent, tool, arguments: Map::new(), readonly });
    };
    let Some(tool) = Tool::find(name) else {
        return Err(refuse(AnswerStatus::Unknown, unknown_tool(name)));
    };
    let arguments = arguments(rest).map_err(|found| {
        let allowed = "pairs of --key and value, or one JSON object";
        let signature = tool.signature();
        refuse(AnswerStatus::Fail, format!("{signature}: found '{found}'; allowed is {allowed}"))
    })?;
    Ok(EnvironmentCall { agent, tool: name.clone(), arguments, readonly })
}

/// The error is what was found instead.
fn arguments(rest: &[String]) -> Result<Map<String, Value>, String> {
    if let [one] = rest
        && let Ok(Value::Object(map)) = serde_json::from_str(one)
    {
        return Ok(map);
    }
    let pair = |pair: &[String]| match pair {
        [key, value] if key.len() > 2 && key.starts_with("--") => {
            Ok((key[2..].to_owned(), Value::String(value.clone())))
        }
        other => Err(other.join(" ")),
    };
    rest.chunks(2).map(pair).collect()
}
