//! What a behaviour tree in Python is asked, and what it says (Jianmu's run protocol).

use serde_json::{Map, Value, json};

use crate::behaviour::people::{PythonTree, Question, Request, RequestKind};

/// The argument of a call: what a run begins with, or goes on from. `person` is what scripts read
/// of a person.
pub fn argument(python: &PythonTree, kind: &RequestKind, person: &Value) -> String {
    let input = |name: &String| Some((name.clone(), person.get(name)?.clone()));
    let inputs: Map<String, Value> = python.inputs.iter().filter_map(input).collect();
    let mut argument = json!({ "messages": [], "inputs": inputs });
    if let RequestKind::Resume { state, answer } = kind {
        argument["state"] = serde_json::from_str(state).unwrap_or_default();
        argument["resume"] = json!({ "text": answer });
    }
    argument.to_string()
}

/// The question that a run waits for; nothing if it is done.
pub fn question(request: &Request, told: &str) -> Option<Question> {
    let mut told: Map<String, Value> = serde_json::from_str(told).ok()?;
    let suspended = told.get("suspended")?;
    let text = suspended.get("message").and_then(Value::as_str).unwrap_or_default().into();
    let state = Some(told.remove("state").unwrap_or_default().to_string());
    let Request { agent, tree, node, .. } = *request;
    Some(Question { agent, tree, node, text, state })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::request::TreeCall;
    use crate::base::ids::AgentId;

    fn python(inputs: &[&str]) -> PythonTree {
        let inputs = inputs.iter().map(|name| (*name).to_owned()).collect();
        PythonTree { call: TreeCall::default(), inputs, time_limit_ms: None }
    }

    /// Contract 2.2 and 2.10 of the SKILL.md dialects: `inputs` are those declared, an answer comes
    /// as the resume payload's `text`.
    #[test]
    fn a_run_is_given_the_attributes_that_it_declares_and_the_answer_that_it_waited_for() {
        let (tree, person) = (python(&["age", "colour"]), json!({ "age": 34, "role": "worker" }));
        let begun = argument(&tree, &RequestKind::Script(Vec::new()), &person);
        let begun: Value = serde_json::from_str(&begun).unwrap();
        assert_eq!(begun, json!({ "messages": [], "inputs": { "age": 34 } }));
        let resume = RequestKind::Resume { state: "[1]".to_owned(), answer: "yes".to_owned() };
        let resumed: Value = serde_json::from_str(&argument(&tree, &resume, &person)).unwrap();
        assert_eq!(resumed["state"], json!([1]));
        assert_eq!(resumed["resume"], json!({ "text": "yes" }));
    }

    #[test]
    fn a_suspended_run_asks_and_keeps_its_state() {
        let kind = RequestKind::Script(Vec::new());
        let request = Request { agent: AgentId(3), tree: 1, node: 2, kind };
        assert_eq!(question(&request, r#"{"status": "SUCCESS", "done": true}"#), None);
        let told = r#"{"suspended": {"message": "Where to?"}, "state": {"nodes": []}}"#;
        let asked = question(&request, told).unwrap();
        assert_eq!((asked.agent, asked.tree, asked.node), (AgentId(3), 1, 2));
        assert_eq!(
            (asked.text.as_str(), asked.state.as_deref()),
            ("Where to?", Some(r#"{"nodes":[]}"#))
        );
    }
}
