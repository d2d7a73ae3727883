//! One warm interpreter: started, asked, watched, killed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;

use super::protocol::{self, Answer, Note};
use crate::host::error::HostError;
use crate::host::process::group_size;
use crate::host::sandbox::{self, Limits};

/// Time beyond a call's own limit before its worker is killed: the worker ends the call itself if
/// it can.
const SLACK: Duration = Duration::from_millis(1_000);

/// How often the journal is looked at while a worker is busy.
const LOOK: Duration = Duration::from_millis(100);

/// Time that an interpreter may take to begin.
const START_LIMIT: Duration = Duration::from_secs(60);

/// Last bytes kept of what a worker writes on stderr.
const STDERR_BYTES: usize = 8_192;

/// How workers of a pool are started.
#[derive(Debug)]
pub struct Recipe {
    /// The interpreter.
    pub program: PathBuf,
    /// Folder with the Python side; scripts read it.
    pub folder: PathBuf,
    /// Folder of the workspaces.
    pub workspaces: PathBuf,
    /// Environment of the scripts.
    pub environment: Vec<(String, String)>,
    /// What confines the process.
    pub limits: Limits,
    /// Memory beyond the interpreter's own, in bytes.
    pub memory_bytes: u64,
    /// Most output of one call.
    pub output_bytes: usize,
    /// Most processes at a time, the worker's own among them.
    pub processes_max: u32,
}

/// How a request ended.
#[derive(Debug)]
pub enum Ended {
    /// The first `done` calls have an answer; `spent` workers are to be replaced.
    Done {
        /// Calls answered.
        done: usize,
        /// Whether a fresh worker should take over.
        spent: bool,
    },
    /// A call did not end in time.
    Hung,
    /// A call started more processes than it may.
    Crowded,
    /// The process is gone, or speaks nonsense.
    Died {
        /// How it ended, if it did.
        status: Option<ExitStatus>,
        /// What it said last.
        said: String,
    },
}

/// A running interpreter.
pub struct Worker {
    child: Child,
    /// Whether the process was waited for: its number may then be another's.
    reaped: bool,
    /// Requests go there, notes come from there.
    line: UnixStream,
    /// Bytes of a frame that is not complete yet.
    pending: Vec<u8>,
    /// Has no name, so that no other worker finds it.
    journal: File,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    /// Most processes at a time, where scripts may start any at all.
    processes_max: Option<u32>,
}

impl Worker {
    /// Starts an interpreter and waits until it is ready. `name` is unique in the recipe's folder.
    ///
    /// # Errors
    /// It cannot be started, or does not answer.
    pub fn start(recipe: &Recipe, name: &str) -> Result<Self, HostError> {
        let journal = nameless(&recipe.folder.join(format!("journal-{name}")));
        let journal = journal.map_err(HostError::io("make a worker's journal"))?;
        let written = journal.try_clone().map_err(HostError::io("share a worker's journal"))?;
        let (line, far_end) =
            UnixStream::pair().map_err(HostError::io("make a line to a worker"))?;
        // Names only: the values may be secret, and everybody sees a process's arguments.
        let variables: Vec<&String> = recipe.environment.iter().map(|(name, _)| name).collect();
        let config = json!({
            "version": protocol::VERSION,
            "root": recipe.workspaces,
            "shims": recipe.folder.join("shims"),
            "variables": variables,
            "memory_bytes": recipe.memory_bytes,
            "output_bytes": recipe.output_bytes,
        });
        let mut command = Command::new(&recipe.program);
        command.args(["-s", "-B", "-X", "utf8"]).arg(recipe.folder.join("worker.py"));
        command.arg(config.to_string()).current_dir(&recipe.workspaces);
        command.stdin(OwnedFd::from(far_end)).stdout(written).stderr(Stdio::piped());
        sandbox::confine(&mut command, &recipe.environment, &recipe.limits)?;
        // Sets and dictionaries of scripts then have the same order in every run.
        command.env("PYTHONHASHSEED", "0");
        let mut child = command.spawn().map_err(HostError::io("start a Python worker"))?;
        // It holds the far end of the line: while it lives, nobody hears the worker hang up.
        drop(command);
        let stderr = drain(child.stderr.take().expect("it was asked for as a pipe"))?;
        let processes_max = recipe.limits.processes.then_some(recipe.processes_max);
        let (reaped, pending) = (false, Vec::new());
        let mut worker = Self { child, reaped, line, pending, journal, stderr, processes_max };
        match worker.note(Instant::now() + START_LIMIT) {
            Ok(Some(Note::Ready { ready })) if ready == protocol::VERSION => Ok(worker),
            other => {
                worker.kill();
                let reason = format!("{other:?}; stderr: {}", worker.said());
                Err(HostError::Worker { reason })
            }
        }
    }

    /// Sends a request and waits until its calls are answered, one hangs for `limit` or starts too
    /// many processes, or the process is gone. The answers are then in the journal.
    pub fn ask(&mut self, frame: &[u8], limit: Duration) -> Ended {
        if self.line.write_all(frame).is_err() {
            return self.died();
        }
        let mut seen = 0;
        let mut moved = Instant::now();
        loop {
            match self.note(Instant::now() + LOOK) {
                Ok(Some(Note::Done { done, spent })) => return Ended::Done { done, spent },
                Ok(None) => {}
                Ok(Some(Note::Ready { .. })) | Err(_) => return self.died(),
            }
            if self.processes_max.is_some_and(|most| group_size(self.child.id()) > most as usize) {
                self.kill();
                return Ended::Crowded;
            }
            let length = self.journal.metadata().map_or(0, |about| about.len());
            if length != seen {
                (seen, moved) = (length, Instant::now());
            } else if moved.elapsed() > limit + SLACK {
                self.kill();
                return Ended::Hung;
            }
        }
    }

    /// The answers to the last request, as far as there are any, and what is wrong with the
    /// journal after them if a script wrote into it.
    pub fn journal(&self) -> (Vec<Answer>, Option<String>) {
        match self.journal_bytes() {
            Ok(bytes) => protocol::read_journal(&bytes),
            Err(error) => (Vec::new(), Some(error.to_string())),
        }
    }

    fn journal_bytes(&self) -> std::io::Result<Vec<u8>> {
        // Where the worker writes next is its own: both share one position in the file.
        let length = usize::try_from(self.journal.metadata()?.len()).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length];
        self.journal.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    /// Makes the worker forget all scripts.
    pub fn forget(&mut self) {
        // A worker that is gone has forgotten everything.
        let _ = self.line.write_all(&protocol::forget_frame());
    }

    /// Ends the process and all that it started.
    pub fn kill(&mut self) {
        let _ = self.reap();
    }

    /// Kills the group while its number is still its own, and waits for the process.
    fn reap(&mut self) -> Option<ExitStatus> {
        if !std::mem::replace(&mut self.reaped, true) {
            sandbox::kill_group(self.child.id());
            let _ = self.child.kill();
        }
        self.child.wait().ok()
    }

    fn died(&mut self) -> Ended {
        // The end of the line is seen a little before that of the process: how it ended is told
        // if it does so by itself.
        let patience = Instant::now() + LOOK;
        while !sandbox::has_ended(&self.child) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = self.reap();
        Ended::Died { status, said: self.said() }
    }

    fn said(&self) -> String {
        let bytes: Vec<u8> =
            self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// The next frame of the line; `None` if there is none by `deadline`.
    fn note(&mut self, deadline: Instant) -> Result<Option<Note>, String> {
        loop {
            if let Some((body, rest)) = protocol::split_frame(&self.pending)? {
                let note = protocol::read_note(body)?;
                self.pending = rest.to_vec();
                return Ok(Some(note));
            }
            if !readable(&self.line, deadline)? {
                return Ok(None);
            }
            let mut buffer = [0_u8; 4_096];
            match self.line.read(&mut buffer) {
                Ok(0) => return Err("the line is closed".to_owned()),
                Ok(count) => self.pending.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A new file that takes up no name: it is gone when nobody has it open any more.
fn nameless(path: &Path) -> std::io::Result<File> {
    let file = File::options().read(true).append(true).create_new(true).open(path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

/// Whether there is something to read by `deadline`.
fn readable(line: &UnixStream, deadline: Instant) -> Result<bool, String> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout =
        Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
    let mut fds = [PollFd::new(line, PollFlags::IN)];
    match poll(&mut fds, Some(&timeout)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.to_string()),
    }
}

/// Keeps the end of what the process writes on stderr, so that its pipe is never full.
fn drain(mut errors: ChildStderr) -> Result<Arc<Mutex<VecDeque<u8>>>, HostError> {
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let sink = Arc::clone(&kept);
    let read = move || {
        let mut buffer = [0_u8; 4_096];
        while let Ok(count) = errors.read(&mut buffer) {
            if count == 0 {
                break;
            }
            let mut kept = sink.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[..count]);
            let over = kept.len().saturating_sub(STDERR_BYTES);
            kept.drain(..over);
        }
    };
    let builder = std::thread::Builder::new().name("python-stderr".to_owned());
    builder.spawn(read).map_err(HostError::io("start a thread"))?;
    Ok(kept)
}

/// Writes the Python side into `folder`.
///
/// # Errors
/// The operating system's refusal.
pub fn write_python_side(folder: &Path) -> std::io::Result<()> {
    for (path, text) in PYTHON_SIDE {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// A file of the Python side: where it is written to, and its text.
macro_rules! python_side {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("worker/", $path)))),*]
    };
}

/// The files of the Python side: the worker, and the modules that public skills import from their
/// hosts.
const PYTHON_SIDE: &[(&str, &str)] = python_side![
    "worker.py",
    "populace_worker/__init__.py",
    "populace_worker/awaited.py",
    "populace_worker/call.py",
    "populace_worker/config.py",
    "populace_worker/context.py",
    "populace_worker/deadline.py",
    "populace_worker/describe.py",
    "populace_worker/frames.py",
    "populace_worker/guard.py",
    "populace_worker/loader.py",
    "populace_worker/nodes.py",
    "populace_worker/output.py",
    "populace_worker/restore.py",
    "populace_worker/seeds.py",
    "populace_worker/server.py",
    "populace_worker/state.py",
    "populace_worker/tools.py",
    "populace_worker/trees.py",
    "shims/agentsociety2/__init__.py",
    "shims/agentsociety2/agent/__init__.py",
    "shims/agentsociety2/agent/base/__init__.py",
    "shims/agentsociety2/agent/base/skill_hook_context.py",
    "shims/jianmu/__init__.py",
    "shims/jianmu/engine/__init__.py",
    "shims/jianmu/engine/behaviour.py",
    "shims/jianmu/interaction.py",
    "shims/jianmu/node/__init__.py",
    "shims/jianmu/node/base.py",
    "shims/jianmu/skill.py",
    "shims/jianmu/state.py",
    "shims/jianmu/tree.py",
    "shims/populace/__init__.py",
];
