//! Phase 4 also answers what the leaves of behaviour trees asked for in the tick before: scripts,
//! tools of the environment, questions that the scenario answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemParam};

use super::hooks::{Scripts, inform, without_root};
use super::person::{self, People};
use super::python_trees;
use super::rows;
use crate::agent::environment_call::EnvironmentCall;
use crate::agent::file::FileChange;
use crate::agent::needs::Needs;
use crate::agent::perception::Perception;
use crate::agent::person::Person;
use crate::agent::request::{ScriptBatch, ScriptCall, ScriptEntry, ScriptReply, ScriptTier};
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};
use crate::behaviour::people::{Forest, Reply, Request, RequestKind};
use crate::behaviour::tree::NodeIndex;
use crate::behaviour::value::Value;
use crate::environment::tools::{Scene, answer};
use crate::step::desk::EnvironmentDesk;
use crate::step::state::{ChunkState, Chunks, Mail, Moment, Skills, StepFailure, Town};
use crate::step::state::{sole_table, write_files};

/// Answers to questions that the scenario gives, by question.
#[derive(Resource, Default)]
pub struct Answers(pub BTreeMap<String, String>);

/// What persons are, for those who ask.
type Columns = (
    &'static AgentId,
    &'static Person,
    &'static Perception,
    &'static Whereabouts,
    &'static Trip,
    &'static Needs,
);

/// What requests are answered with.
#[derive(SystemParam)]
pub struct Desk<'w, 's> {
    moment: Res<'w, Moment>,
    town: Res<'w, Town>,
    skills: Res<'w, Skills>,
    mail: Res<'w, Mail>,
    answers: Res<'w, Answers>,
    scripts: ResMut<'w, Scripts>,
    environment: ResMut<'w, EnvironmentDesk>,
    chunks: ResMut<'w, Chunks>,
    people: Query<'w, 's, Columns>,
}

/// Answers the requests of the tick before, and the questions that the scenario answers, by rising
/// agent. A tree in Python that waited for an answer goes on at once.
pub fn answer_trees(desk: Desk<'_, '_>) {
    let forest = Arc::clone(desk.skills.registry.forest());
    if forest.trees.is_empty() {
        return;
    }
    let Desk { moment, town, mail, answers, mut scripts, mut environment, .. } = desk;
    let (mut chunks, mut people) = (desk.chunks, desk.people);
    let requests: Vec<Request> =
        chunks.states.iter_mut().flat_map(|state| state.trees.letters.requests.drain(..)).collect();
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((_, persons, perceptions, at, trips, needs)) = sole_table(tables) else { return };
    let (mut replies, resumed) = answer_questions(&answers, &mut chunks);
    let (of_tools, mut of_scripts): (Vec<_>, Vec<_>) = requests
        .into_iter()
        .partition(|request| matches!(request.kind, RequestKind::Environment { .. }));
    of_scripts.extend(resumed);
    of_scripts.sort_by_key(|request| request.agent);
    if !of_tools.is_empty() {
        let chunks = &*chunks;
        let way = |agent: AgentId| chunks.way(agent);
        let (context, town) = (&moment.0, &*town.0);
        let answered = parallel::map(of_tools, |request| {
            let (agent, inbox) = (request.agent, mail.0.of(request.agent));
            let scene = Scene { context, town, agent, at, trips, way: &way, inbox };
            let (answer, act) = answer(&scene, &environment_call(&request));
            (request, answer, act)
        });
        for (request, answer, act) in answered {
            act.into_iter().for_each(|act| environment.note(request.agent, act));
            let text = match (&answer.value, answer.ok) {
                (serde_json::Value::String(text), true) => text.clone(),
                (value, true) => value.to_string(),
                (_, false) => answer.text,
            };
            replies.push(reply(&request, answer.ok, text));
        }
    }
    let crew = Crew { moment: &moment, town: &town, forest: &forest };
    let people = People { persons, perceptions, at, needs };
    replies.extend(crew.run_scripts(of_scripts, &mut scripts, &mut chunks, people));
    replies.sort_by_key(|reply| (reply.agent, reply.tree, reply.node));
    let Chunks { len, states } = &mut *chunks;
    for reply in replies {
        let state = &mut states[reply.agent.index() / *len];
        if !reply.ok {
            state.failures.push(failed(&reply, &forest));
        }
        state.trees.replies.push(reply);
    }
}

fn reply(request: &Request, ok: bool, text: String) -> Reply {
    let Request { agent, tree, node, .. } = *request;
    Reply { agent, tree, node, ok, text }
}

fn failed(reply: &Reply, forest: &Forest) -> StepFailure {
    let found = &forest.trees[reply.tree];
    let label = found.tree.label(reply.node);
    StepFailure {
        agent: reply.agent,
        phase: "serve",
        skill_index: Some(found.skill_index),
        code: "tree-request",
        message: format!(
            "`{}` ({}): {}",
            label.title,
            label.kind,
            rows::tail(reply.text.trim_end())
        ),
    }
}

fn environment_call(request: &Request) -> EnvironmentCall {
    let (tool, arguments) = match &request.kind {
        RequestKind::Environment { tool, arguments } => (tool.as_str(), arguments.as_slice()),
        RequestKind::Script(_) | RequestKind::Resume { .. } => ("", &[][..]),
    };
    let arguments =
        arguments.iter().map(|(name, value)| (name.as_str().to_owned(), value.json())).collect();
    EnvironmentCall { agent: request.agent, tool: tool.to_owned(), arguments, readonly: false }
}

/// Takes the questions that the scenario answers: what leaves hear, and what goes on.
fn answer_questions(answers: &Answers, chunks: &mut Chunks) -> (Vec<Reply>, Vec<Request>) {
    let (mut replies, mut resumed) = (Vec::new(), Vec::new());
    for state in &mut chunks.states {
        state.trees.questions.retain_mut(|question| {
            let Some(text) = answers.0.get(question.text.as_str()) else { return true };
            let (agent, tree, node) = (question.agent, question.tree, question.node);
            match question.state.take() {
                None => replies.push(Reply { agent, tree, node, ok: true, text: text.clone() }),
                Some(state) => {
                    let kind = RequestKind::Resume { state, answer: text.clone() };
                    resumed.push(Request { agent, tree, node, kind });
                }
            }
            false
        });
    }
    (replies, resumed)
}

/// What scripts are run with.
struct Crew<'a> {
    moment: &'a Moment,
    town: &'a Town,
    forest: &'a Forest,
}

impl Crew<'_> {
    /// Runs the scripts that leaves asked for: one batch for each leaf.
    fn run_scripts(
        &self,
        requests: Vec<Request>,
        scripts: &mut Scripts,
        chunks: &mut Chunks,
        people: People<'_>,
    ) -> Vec<Reply> {
        if requests.is_empty() {
            return Vec::new();
        }
        scripts.begin();
        let mut by_leaf: BTreeMap<(usize, NodeIndex), Vec<Request>> = BTreeMap::new();
        for request in requests {
            by_leaf.entry((request.tree, request.node)).or_default().push(request);
        }
        let root = scripts.workspaces.as_ref().map(|all| all.root().display().to_string());
        let mut replies = Vec::new();
        for ((tree, node), requests) in by_leaf {
            let found = &self.forest.trees[tree];
            let Some(script) = found.script(node) else { continue };
            let calls: Vec<ScriptCall> =
                requests.iter().map(|request| self.call(request, script.tier, people)).collect();
            let (entry, time_limit_ms) = match &found.python {
                None => (ScriptEntry::Command, None),
                Some(python) => (ScriptEntry::Tree(python.call.clone()), python.time_limit_ms),
            };
            let batch = ScriptBatch { script: Arc::clone(script), entry, calls, time_limit_ms };
            for (request, answered) in
                requests.iter().zip(self.run(&batch, scripts, chunks, people))
            {
                let result = without_root(answered.result, root.as_deref());
                let text = if result.ok { result.stdout } else { result.stderr };
                let is_tree = result.ok && found.python.is_some();
                match is_tree.then(|| python_trees::question(request, &text)).flatten() {
                    Some(question) => {
                        let state = &mut chunks.states[request.agent.index() / chunks.len];
                        state.trees.questions.push(question);
                    }
                    None => replies.push(reply(request, result.ok, text)),
                }
            }
        }
        replies
    }

    fn call(&self, request: &Request, tier: ScriptTier, people: People<'_>) -> ScriptCall {
        let (agent, row) = (request.agent, request.agent.index());
        let context = &self.moment.0;
        let salt = self.forest.trees[request.tree].salt ^ u64::from(request.node);
        let seed = context.seed ^ salt;
        let drawn = Stream::new(seed, agent, context.tick, Purpose::Script).bits_u64();
        let document = || person::document(context, &self.town.0, people, row);
        let argv = match (&self.forest.trees[request.tree].python, &request.kind) {
            (Some(python), kind) => vec![python_trees::argument(python, kind, &document())],
            (None, RequestKind::Script(values)) => {
                let text = |value: &Value| match value.json() {
                    serde_json::Value::String(text) => text,
                    other => other.to_string(),
                };
                values.iter().map(text).collect()
            }
            (None, _) => Vec::new(),
        };
        let person = (tier == ScriptTier::Rhai).then(document);
        ScriptCall { agent, seed: drawn, argv, person }
    }

    /// Runs one batch, in the persons' workspaces.
    fn run(
        &self,
        batch: &ScriptBatch,
        scripts: &mut Scripts,
        chunks: &mut Chunks,
        people: People<'_>,
    ) -> Vec<ScriptReply> {
        let rows: Vec<usize> = batch.calls.iter().map(|call| call.agent.index()).collect();
        if batch.script.tier != ScriptTier::Rhai
            && let Err(error) = inform(&self.moment.0, scripts, people.persons, &rows)
        {
            let reason = format!("no workspace for the script: {error}");
            return ScriptReply::none_begun(&batch.calls, &reason);
        }
        let Some(host) = scripts.host.as_mut() else {
            return ScriptReply::none_begun(&batch.calls, "nothing here runs scripts");
        };
        if host.is_quarantined(&batch.script) {
            let reason = "the script failed too often in a row and is no longer called";
            return ScriptReply::none_begun(&batch.calls, reason);
        }
        let replies = host.ask(batch);
        let touched: Vec<AgentId> =
            replies.iter().filter(|reply| reply.touched).map(|reply| reply.agent).collect();
        let collected = scripts.workspaces.as_mut().map(|all| all.collect(&touched));
        if scripts.keep_changes {
            let (changes, _) = collected.unwrap_or_default();
            self.write(&changes, chunks);
        }
        replies
    }

    fn write(&self, changes: &[FileChange], chunks: &mut Chunks) {
        for change in changes {
            let state: &mut ChunkState = &mut chunks.states[change.agent.index() / chunks.len];
            write_files(self.moment.0.tick, std::slice::from_ref(change), &mut state.rows.files);
        }
    }
}
