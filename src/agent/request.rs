//! Mind to outside: a script to run for one person, and what it gave.
//!
//! Calls of one script in one tick travel as one [`ScriptBatch`]; the answers come back in the
//! order of the calls, which is that of rising [`AgentId`], however they were carried out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::activity::words;
use super::hook::HookType;
use crate::base::ids::AgentId;

words! {
    /// How a call ended. The five words are AgentSociety's, contract 1.4.
    ErrorType {
        /// It did what it should.
        None = "none",
        /// It was refused before it began: no such script, outside its folder, not visible.
        Validation = "validation",
        /// The script failed, broke a limit, or its worker died.
        Runtime = "runtime",
        /// It took too long.
        Timeout = "timeout",
        /// The script asked to exit; it is well if it asked for 0.
        SystemExit = "systemexit",
    }
}

words! {
    /// What runs a script.
    ScriptTier {
        /// A warm Python interpreter.
        Python = "python",
        /// A process of its own, started by its `#!` line.
        Executable = "executable",
        /// The embedded rule language.
        Rhai = "rhai",
    }
}

/// What a script gave: the same five fields whatever ran it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptResult {
    /// Whether the call is well.
    pub ok: bool,
    /// 0 if well; the script's own code, 1 for an exception, -1 where it was refused or stopped,
    /// minus the signal where its process was killed.
    pub exit_code: i32,
    /// What it returned or, run as a program, printed.
    pub stdout: String,
    /// Traceback or error output.
    pub stderr: String,
    /// How it ended.
    pub error_type: ErrorType,
}

impl ScriptResult {
    /// A call that is well and gave `stdout`.
    pub fn done(stdout: impl Into<String>) -> Self {
        let (stdout, stderr) = (stdout.into(), String::new());
        Self { ok: true, exit_code: 0, stdout, stderr, error_type: ErrorType::None }
    }

    /// A call that failed with nothing to show but `stderr`.
    pub fn failed(error_type: ErrorType, exit_code: i32, stderr: impl Into<String>) -> Self {
        let (stdout, stderr) = (String::new(), stderr.into());
        Self { ok: false, exit_code, stdout, stderr, error_type }
    }

    /// A call that was refused before it began.
    pub fn refused(stderr: impl Into<String>) -> Self {
        Self::failed(ErrorType::Validation, -1, stderr)
    }
}

/// A script of a skill, found and checked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScriptRef {
    /// `namespace@name` of its skill.
    pub skill_id: String,
    /// Name of its skill.
    pub skill_name: String,
    /// Folder of its skill, absolute, symbolic links resolved.
    pub skill_dir: PathBuf,
    /// The script, absolute, symbolic links resolved, inside `skill_dir`.
    pub path: PathBuf,
    /// What runs it.
    pub tier: ScriptTier,
}

/// The moment that a hook is told of. With the agent's number it is the hook's payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookMoment {
    /// Which hook.
    pub hook: HookType,
    /// Length of a tick in seconds: AgentSociety's `tick`.
    pub tick_s: u32,
    /// Simulated time, `YYYY-MM-DDTHH:MM:SS`, without a zone.
    pub time: String,
    /// Steps begun, the one under way included: 1 in the first tick.
    pub step_count: u32,
}

/// A behaviour tree that a Python file builds: what all its calls share. The argv of a call is one
/// JSON object with what differs: `messages`, `inputs` and, to go on with a suspended run, its
/// `state` and the answer under `resume`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TreeCall {
    /// Whether the tree is told as a document instead of being run.
    pub describe: bool,
    /// Tools of the host that it asks for.
    pub tools: Vec<String>,
    /// Files with tools of its own, relative to its skill's folder.
    pub tool_files: Vec<String>,
    /// Outputs that must be there when it is done.
    pub required: Vec<String>,
    /// The skill's `constraints`; `max_iterations` is the most ticks of a call.
    pub constraints: serde_json::Value,
}

/// How the script is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptEntry {
    /// As the builder of a behaviour tree; in Python only.
    Tree(TreeCall),
    /// As a lifecycle hook: argv is `--args-json PAYLOAD`, made by the host for each agent.
    Hook(HookMoment),
    /// With the argv of each call.
    Command,
}

/// One person's call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptCall {
    /// Whose; the working directory is this person's workspace.
    pub agent: AgentId,
    /// Seed of the call's own random stream.
    pub seed: u64,
    /// Arguments; empty for a hook.
    pub argv: Vec<String>,
    /// What the embedded language sees as `person`; other tiers read files of the workspace.
    pub person: Option<serde_json::Value>,
}

/// All calls of one script in one tick, by rising agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptBatch {
    /// What to run.
    pub script: Arc<ScriptRef>,
    /// How.
    pub entry: ScriptEntry,
    /// For whom.
    pub calls: Vec<ScriptCall>,
    /// Time limit of each call in milliseconds, if another than the scenario's.
    pub time_limit_ms: Option<u32>,
}

/// A script that failed so often in a row that it is no longer called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    /// Its skill.
    pub skill_id: String,
    /// Its file name.
    pub script: String,
    /// The last line of its last error.
    pub last_error: String,
}

/// A script that failed the last time it was called: what its runner remembers of that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingScript {
    /// Its skill.
    pub skill_id: String,
    /// Its path within the skill's folder.
    pub script: String,
    /// Failures in a row.
    pub in_a_row: u32,
    /// The last line of its last error.
    pub last_error: String,
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptReply {
    /// Whose.
    pub agent: AgentId,
    /// What came of it.
    pub result: ScriptResult,
    /// Whether files of the workspace may have changed.
    pub touched: bool,
}

impl ScriptReply {
    /// One answer for each call, in their order, whatever a host gave: the first that names the
    /// call's person. A call without any has failed; an answer that nobody asked for is dropped.
    pub fn settle(calls: &[ScriptCall], replies: Vec<Self>) -> Vec<Self> {
        let fits = |(call, reply): (&ScriptCall, &Self)| call.agent == reply.agent;
        if calls.len() == replies.len() && calls.iter().zip(&replies).all(fits) {
            return replies;
        }
        let mut by_agent = BTreeMap::new();
        for reply in replies {
            by_agent.entry(reply.agent).or_insert(reply);
        }
        let mut settled = Vec::with_capacity(calls.len());
        for call in calls {
            let none = || Self::none_begun(std::slice::from_ref(call), "the call had no answer");
            match by_agent.remove(&call.agent) {
                Some(reply) => settled.push(reply),
                None => settled.append(&mut none()),
            }
        }
        settled
    }

    /// The answers to calls none of which could be begun, all for the same reason.
    pub fn none_begun(calls: &[ScriptCall], reason: &str) -> Vec<Self> {
        let reply = |call: &ScriptCall| Self {
            agent: call.agent,
            result: ScriptResult::failed(ErrorType::Runtime, -1, reason),
            touched: false,
        };
        calls.iter().map(reply).collect()
    }
}
