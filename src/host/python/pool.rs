//! Chunks of calls go to workers, answers come back in order, and only guilty calls fail.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded};

use super::interpreter::Interpreter;
use super::protocol::{Answer, request_frame};
use super::worker::{Ended, Recipe, Worker, write_python_side};
use crate::agent::request::{ErrorType, ScriptBatch, ScriptCall, ScriptReply, ScriptResult};
use crate::host::error::HostError;
use crate::host::process::exit_code;
use crate::host::sandbox::{self, Limits};
use crate::host::settings::ScriptSettings;
use crate::host::workspace::WORKSPACE_BYTES_MAX;

/// Calls of one request: enough that the way there and back costs little, few enough that all
/// workers have some.
const CHUNK_MAX: usize = 256;
const CHUNK_MIN: usize = 16;

/// What came of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PythonOutcome {
    /// An answer.
    Done(ScriptReply),
    /// The script cannot be imported: it has to run as a program.
    ImportFailed,
}

/// Warm interpreters, started when they are first needed.
pub struct PythonPool {
    jobs: Vec<Sender<Job>>,
    threads: Vec<std::thread::JoinHandle<()>>,
    interpreter: Interpreter,
    /// Removed with the pool.
    folder: PathBuf,
}

/// What a worker's thread is told.
enum Job {
    /// Calls to carry out, and where the outcomes go.
    Run { batch: Arc<ScriptBatch>, calls: std::ops::Range<usize>, to: Sender<Vec<PythonOutcome>> },
    /// Forget all scripts.
    Forget,
}

impl PythonPool {
    /// Finds the interpreter and makes a pool for the workspaces below `workspaces`.
    ///
    /// # Errors
    /// No usable interpreter; no folder for the Python side.
    pub fn start(settings: &ScriptSettings, workspaces: &Path) -> Result<Self, HostError> {
        let interpreter = Interpreter::find(&settings.python)?;
        // Beside the workspaces, so that it is in memory and goes with them.
        let mut name = workspaces.file_name().unwrap_or_default().to_owned();
        name.push("-python");
        let folder = workspaces.with_file_name(name);
        write_python_side(&folder).map_err(HostError::io("write the Python side"))?;
        let mut readable = settings.readable.clone();
        readable.extend(interpreter.prefixes.iter().cloned());
        readable.push(folder.clone());
        let recipe = Arc::new(Recipe {
            program: interpreter.program.clone(),
            workspaces: workspaces.to_owned(),
            environment: sandbox::environment(&settings.environment),
            limits: Limits {
                // The worker sets it itself: it knows how large the interpreter is.
                memory_bytes: None,
                file_bytes: WORKSPACE_BYTES_MAX,
                processes: settings.processes,
                network: settings.network,
                readable,
                writable: vec![workspaces.to_owned()],
            },
            memory_bytes: settings.memory_bytes,
            output_bytes: settings.output_bytes,
            processes_max: settings.processes_max,
            folder: folder.clone(),
        });
        let (mut jobs, mut threads) = (Vec::new(), Vec::new());
        for number in 0..settings.workers.max(1) {
            let (send, receive) = bounded(1 << 16);
            let lane = Lane {
                recipe: Arc::clone(&recipe),
                number,
                started: 0,
                worker: None,
                time_limit: settings.time_limit,
            };
            let builder = std::thread::Builder::new().name(format!("python-{number}"));
            let thread = builder.spawn(move || lane.work(&receive));
            threads.push(thread.map_err(HostError::io("start a thread"))?);
            jobs.push(send);
        }
        Ok(Self { jobs, threads, interpreter, folder })
    }

    /// Folder of the modules that public skills import from their hosts.
    pub fn shims(&self) -> PathBuf {
        self.folder.join("shims")
    }

    /// The interpreter.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// Runs all calls of a batch; gives the outcomes in their order.
    ///
    /// Which worker gets which calls depends on their number and that of the workers alone, so
    /// that what a script keeps in its module does too.
    pub fn run(&mut self, batch: &ScriptBatch) -> Vec<PythonOutcome> {
        let count = batch.calls.len();
        let workers = self.jobs.len();
        let length = count.div_ceil(workers * 4).clamp(CHUNK_MIN, CHUNK_MAX);
        let batch = Arc::new(batch.clone());
        let mut waiting: Vec<Receiver<Vec<PythonOutcome>>> = Vec::new();
        for (chunk, start) in (0..count).step_by(length).enumerate() {
            let (to, outcomes) = bounded(1);
            let calls = start..count.min(start + length);
            let job = Job::Run { batch: Arc::clone(&batch), calls, to };
            // A lane lives as long as the pool; if it does not, the answer below is missing.
            let _ = self.jobs[chunk % workers].send(job);
            waiting.push(outcomes);
        }
        let mut all = Vec::with_capacity(count);
        for outcomes in waiting {
            let start = all.len();
            let due = length.min(count - start);
            match outcomes.recv() {
                Ok(mut outcomes) => all.append(&mut outcomes),
                Err(_) => all.extend(batch.calls[start..start + due].iter().map(|call| {
                    failed(call, ErrorType::Runtime, -1, "the worker's thread is gone".to_owned())
                })),
            }
        }
        all
    }

    /// Makes all workers forget the scripts they know.
    pub fn reload(&mut self) {
        for jobs in &self.jobs {
            let _ = jobs.send(Job::Forget);
        }
    }
}

impl Drop for PythonPool {
    fn drop(&mut self) {
        self.jobs.clear();
        for thread in self.threads.drain(..) {
            // A lane that panicked has nothing left to say.
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The thread of one worker.
struct Lane {
    recipe: Arc<Recipe>,
    number: usize,
    /// Workers started so far.
    started: u32,
    worker: Option<Worker>,
    time_limit: Duration,
}

impl Lane {
    fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Run { batch, calls, to } => {
                    let outcomes = self.run(&batch, &batch.calls[calls.clone()]);
                    // Whoever asked may be gone.
                    let _ = to.send(outcomes);
                }
                Job::Forget => {
                    if let Some(worker) = &mut self.worker {
                        worker.forget();
                    }
                }
            }
        }
    }

    fn run(&mut self, batch: &ScriptBatch, calls: &[ScriptCall]) -> Vec<PythonOutcome> {
        let limit = batch
            .time_limit_ms
            .map_or(self.time_limit, |limit| Duration::from_millis(u64::from(limit)));
        let mut outcomes: Vec<PythonOutcome> = Vec::with_capacity(calls.len());
        while outcomes.len() < calls.len() {
            let left = &calls[outcomes.len()..];
            let (answers, guilty) = self.ask(batch, left, limit);
            let answered = answers.len().min(left.len());
            outcomes.extend(left.iter().zip(answers).map(|(call, answer)| outcome(call, answer)));
            let Some((error_type, exit_code, message)) = guilty else { continue };
            // All calls before are answered and are not run again; this one is to blame.
            if let Some(call) = left.get(answered) {
                outcomes.push(failed(call, error_type, exit_code, message));
            }
        }
        outcomes
    }

    /// Asks the worker; gives the answers, and how the call after the last of them failed if not
    /// all were answered.
    fn ask(
        &mut self,
        batch: &ScriptBatch,
        calls: &[ScriptCall],
        limit: Duration,
    ) -> (Vec<Answer>, Option<(ErrorType, i32, String)>) {
        let mut worker = match self.take_worker() {
            Ok(worker) => worker,
            Err(error) => {
                return (Vec::new(), Some((ErrorType::Runtime, -1, error.to_string())));
            }
        };
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let ended = worker.ask(&request_frame(batch, calls, limit_ms), limit);
        let (answers, damage) = worker.journal();
        let complete = answers.len() >= calls.len();
        let guilty = match (ended, damage) {
            (Ended::Done { .. }, Some(reason)) => {
                let message = format!("the worker's journal was damaged: {reason}");
                (ErrorType::Runtime, -1, message)
            }
            (Ended::Done { done, spent }, None) => {
                // One that miscounts, or for which a script spoke, is not asked again.
                if !spent && done == answers.len() {
                    self.worker = Some(worker);
                }
                if done == answers.len() && done > 0 {
                    // What is left is asked of the next worker.
                    return (answers, None);
                }
                (ErrorType::Runtime, -1, "the worker left the call out".to_owned())
            }
            (Ended::Hung, _) => {
                let seconds = limit.as_secs_f64();
                (ErrorType::Timeout, -1, format!("command timed out after {seconds}s"))
            }
            (Ended::Crowded, _) => {
                let most = self.recipe.processes_max;
                (ErrorType::Runtime, -1, format!("more than {most} processes"))
            }
            (Ended::Died { status, said }, _) => died(status, &said),
        };
        (answers, (!complete).then_some(guilty))
    }

    fn take_worker(&mut self) -> Result<Worker, HostError> {
        if let Some(worker) = self.worker.take() {
            return Ok(worker);
        }
        self.started += 1;
        Worker::start(&self.recipe, &format!("{}-{}", self.number, self.started))
    }
}

fn outcome(call: &ScriptCall, answer: Answer) -> PythonOutcome {
    match answer {
        Answer::Result { result, touched } => {
            PythonOutcome::Done(ScriptReply { agent: call.agent, result, touched })
        }
        Answer::ImportFailed => PythonOutcome::ImportFailed,
    }
}

fn failed(
    call: &ScriptCall,
    error_type: ErrorType,
    exit_code: i32,
    message: String,
) -> PythonOutcome {
    let result = ScriptResult::failed(error_type, exit_code, message);
    // Nobody knows how far it came.
    PythonOutcome::Done(ScriptReply { agent: call.agent, result, touched: true })
}

/// How a call failed that took its worker with it.
fn died(status: Option<ExitStatus>, said: &str) -> (ErrorType, i32, String) {
    let Some(status) = status else {
        return (ErrorType::Runtime, -1, format!("the worker is gone: {said}"));
    };
    let exit_code = exit_code(status);
    let how = match exit_code {
        ..0 => format!("signal {}", -exit_code),
        0.. => format!("exit code {exit_code}"),
    };
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    (ErrorType::Runtime, exit_code, format!("the script ended its worker with {how}{said}"))
}
