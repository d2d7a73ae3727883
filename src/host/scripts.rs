//! Runs scripts of every tier, and stops calling those that only fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::ScriptHost;
use super::error::HostError;
use super::process::{Program, call_variables, run, starting_words};
use super::python::{PythonOutcome, PythonPool};
use super::rhai::Rules;
use super::sandbox::{self, Confinement, Limits};
use super::settings::ScriptSettings;
use super::workspace::{WORKSPACE_BYTES_MAX, folder_name};
use crate::agent::request::{
    ErrorType, FailingScript, Quarantined, ScriptBatch, ScriptCall, ScriptEntry, ScriptRef,
    ScriptReply, ScriptResult, ScriptTier,
};

/// Runs scripts: Python in a pool of workers, executables as processes, rules in this process.
pub struct ScriptRunner {
    settings: ScriptSettings,
    /// Folder of the workspaces; none where no script needs one.
    workspaces: Option<PathBuf>,
    python: Option<PythonPool>,
    rules: Rules,
    /// Those that failed the last time, by skill and path within it.
    failing: BTreeMap<(String, String), FailingScript>,
}

impl ScriptRunner {
    /// A runner. The Python pool is started with the first Python script that is called.
    pub fn new(settings: ScriptSettings, workspaces: Option<PathBuf>) -> Self {
        let (python, rules, failing) = (None, Rules::default(), BTreeMap::new());
        Self { settings, workspaces, python, rules, failing }
    }

    /// Starts the Python pool, so that a wrong interpreter is found before the run.
    ///
    /// # Errors
    /// No usable interpreter.
    pub fn start_python(&mut self) -> Result<(), HostError> {
        if let (None, Some(workspaces)) = (&self.python, &self.workspaces) {
            self.python = Some(PythonPool::start(&self.settings, workspaces)?);
        }
        Ok(())
    }

    fn run_batch(&mut self, batch: &ScriptBatch) -> Vec<ScriptReply> {
        if self.is_quarantined(&batch.script) {
            let refuse = |call: &ScriptCall| self.quarantine_reply(&batch.script, call);
            return batch.calls.iter().map(refuse).collect();
        }
        let tier = batch.script.tier;
        if matches!(batch.entry, ScriptEntry::Tree(_)) && tier != ScriptTier::Python {
            let why = format!("a tree is built in Python, not by a file of tier '{tier}'");
            return ScriptReply::none_begun(&batch.calls, &why);
        }
        let replies = match tier {
            ScriptTier::Rhai => self.rules.run(batch, self.settings.output_bytes),
            ScriptTier::Executable => self.run_processes(batch, &batch.calls),
            ScriptTier::Python => self.run_python(batch),
        };
        self.count_failures(&batch.script, &replies);
        replies
    }

    fn run_python(&mut self, batch: &ScriptBatch) -> Vec<ScriptReply> {
        if let Err(error) = self.start_python() {
            let message = error.to_string();
            return ScriptReply::none_begun(&batch.calls, &message);
        }
        let Some(pool) = &mut self.python else {
            return ScriptReply::none_begun(&batch.calls, "no folder for workspaces was made");
        };
        let outcomes = pool.run(batch);
        // What cannot be imported runs as a program.
        let unimportable: Vec<ScriptCall> = batch
            .calls
            .iter()
            .zip(&outcomes)
            .filter(|(_, outcome)| **outcome == PythonOutcome::ImportFailed)
            .map(|(call, _)| call.clone())
            .collect();
        let mut programs = self.run_processes(batch, &unimportable).into_iter();
        let reply = |outcome| match outcome {
            PythonOutcome::Done(reply) => Some(reply),
            PythonOutcome::ImportFailed => programs.next(),
        };
        outcomes.into_iter().filter_map(reply).collect()
    }

    /// Each call as a process, as many at a time as there are workers.
    fn run_processes(&self, batch: &ScriptBatch, calls: &[ScriptCall]) -> Vec<ScriptReply> {
        let Some(workspaces) = &self.workspaces else {
            return ScriptReply::none_begun(calls, "no folder for workspaces was made");
        };
        let script = &batch.script;
        let words = match script.tier {
            ScriptTier::Python => match &self.python {
                Some(pool) => Ok(vec![
                    pool.interpreter().program.clone(),
                    "-s".into(),
                    "-B".into(),
                    script.path.clone(),
                ]),
                None => Err("no Python interpreter".to_owned()),
            },
            ScriptTier::Executable | ScriptTier::Rhai => starting_words(&script.path),
        };
        let words = match words {
            Ok(words) => words,
            Err(reason) => return ScriptReply::none_begun(calls, &reason),
        };
        let limit = batch.time_limit_ms.map_or(self.settings.time_limit, |limit| {
            std::time::Duration::from_millis(u64::from(limit))
        });
        let mut environment = sandbox::environment(&self.settings.environment);
        if let (ScriptTier::Python, Some(pool)) = (script.tier, &self.python) {
            // As in a worker: the same modules, the same order of sets.
            environment.push(("PYTHONPATH".to_owned(), pool.shims().display().to_string()));
            environment.push(("PYTHONHASHSEED".to_owned(), "0".to_owned()));
        }
        let limits = self.process_limits(script);
        let one = |call: &ScriptCall| -> ScriptReply {
            let workspace = workspaces.join(folder_name(call.agent));
            let argv = arguments(&batch.entry, call);
            let mut environment = environment.clone();
            environment.extend(call_variables(script, &workspace));
            let result = run(&Program {
                words: words.clone(),
                argv: &argv,
                workspace: &workspace,
                environment,
                limits: &limits,
                time_limit: limit,
                output_bytes: self.settings.output_bytes,
                processes_max: self.settings.processes_max,
            });
            ScriptReply { agent: call.agent, result, touched: true }
        };
        let mut replies: Vec<Option<ScriptReply>> = vec![None; calls.len()];
        let lanes = calls.len().div_ceil(self.settings.workers.max(1)).max(1);
        std::thread::scope(|scope| {
            for (calls, replies) in calls.chunks(lanes).zip(replies.chunks_mut(lanes)) {
                let one = &one;
                scope.spawn(move || {
                    for (call, reply) in calls.iter().zip(replies) {
                        *reply = Some(one(call));
                    }
                });
            }
        });
        replies.into_iter().flatten().collect()
    }

    fn process_limits(&self, script: &ScriptRef) -> Limits {
        let mut readable = self.settings.readable.clone();
        readable.push(script.skill_dir.clone());
        if let Some(pool) = &self.python {
            readable.extend(pool.interpreter().prefixes.iter().cloned());
            readable.push(pool.shims());
        }
        Limits {
            memory_bytes: Some(self.settings.memory_bytes),
            file_bytes: WORKSPACE_BYTES_MAX,
            // A Python file that no worker can import is under the rule of Python scripts.
            processes: script.tier == ScriptTier::Executable || self.settings.processes,
            network: self.settings.network,
            readable,
            writable: Vec::new(),
        }
    }

    fn quarantine_reply(&self, script: &ScriptRef, call: &ScriptCall) -> ScriptReply {
        let failing = self.failing.get(&key(script));
        let last = failing.map_or("", |failing| failing.last_error.as_str());
        let count = self.settings.failures_max;
        let message = format!("quarantined after {count} failures in a row: {last}");
        ScriptReply { agent: call.agent, result: ScriptResult::refused(message), touched: false }
    }

    /// Counts failures in the order of the replies. A batch that was begun is not cut short: what
    /// its calls gave stands.
    fn count_failures(&mut self, script: &ScriptRef, replies: &[ScriptReply]) {
        for reply in replies {
            let result = &reply.result;
            if result.ok {
                if !self.is_quarantined(script) {
                    self.failing.remove(&key(script));
                }
            } else if result.error_type != ErrorType::Validation {
                let key = key(script);
                let (skill_id, script) = key.clone();
                let failing = self.failing.entry(key).or_insert_with(|| FailingScript {
                    skill_id,
                    script,
                    in_a_row: 0,
                    last_error: String::new(),
                });
                failing.in_a_row = failing.in_a_row.saturating_add(1);
                let last = result.stderr.trim_end().lines().last().unwrap_or_default();
                failing.last_error = last.to_owned();
            }
        }
    }
}

impl ScriptHost for ScriptRunner {
    fn run(&mut self, batches: &[ScriptBatch]) -> Vec<Vec<ScriptReply>> {
        batches.iter().map(|batch| self.run_batch(batch)).collect()
    }

    fn reload(&mut self) {
        self.rules.forget();
        self.failing.clear();
        if let Some(pool) = &mut self.python {
            pool.reload();
        }
    }

    fn is_quarantined(&self, script: &ScriptRef) -> bool {
        self.failing
            .get(&key(script))
            .is_some_and(|failing| failing.in_a_row >= self.settings.failures_max)
    }

    fn quarantined(&self) -> Vec<Quarantined> {
        let all = self.failing.values();
        let out = all.filter(|failing| failing.in_a_row >= self.settings.failures_max);
        let entry = |failing: &FailingScript| Quarantined {
            skill_id: failing.skill_id.clone(),
            script: file_name(Path::new(&failing.script)),
            last_error: failing.last_error.clone(),
        };
        out.map(entry).collect()
    }

    fn failing(&self) -> Vec<FailingScript> {
        self.failing.values().cloned().collect()
    }

    fn recall(&mut self, failing: Vec<FailingScript>) {
        let entry = |one: FailingScript| ((one.skill_id.clone(), one.script.clone()), one);
        self.failing = failing.into_iter().map(entry).collect();
    }

    fn confinement(&self) -> Confinement {
        Confinement::here()
    }
}

/// What a script is known by wherever its skill lies.
fn key(script: &ScriptRef) -> (String, String) {
    let inside = script.path.strip_prefix(&script.skill_dir).unwrap_or(&script.path);
    (script.skill_id.clone(), inside.to_string_lossy().into_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The argv of a call: that of a hook is exactly `--args-json PAYLOAD`, with the payload's keys in
/// the order of contract 1.5 and Python's separators.
fn arguments(entry: &ScriptEntry, call: &ScriptCall) -> Vec<String> {
    let ScriptEntry::Hook(moment) = entry else { return call.argv.clone() };
    let payload = format!(
        "{{\"hook_type\": \"{}\", \"tick\": {}, \"time\": \"{}\", \"agent_id\": {}, \
         \"step_count\": {}}}",
        moment.hook, moment.tick_s, moment.time, call.agent.0, moment.step_count
    );
    vec!["--args-json".to_owned(), payload]
}
