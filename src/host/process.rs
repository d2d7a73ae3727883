//! One call as a process of its own: executable scripts, and Python files that no worker can
//! import.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::sandbox::{self, Limits, kill_group};
use crate::agent::request::{ErrorType, ScriptRef, ScriptResult};

/// How often a running process is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// A program to run for one person.
#[derive(Debug)]
pub struct Program<'a> {
    /// The program and what comes before the arguments.
    pub words: Vec<PathBuf>,
    /// The arguments.
    pub argv: &'a [String],
    /// Its working directory: the person's workspace.
    pub workspace: &'a Path,
    /// Variables of the call.
    pub environment: Vec<(String, String)>,
    /// What confines it; it may read and write its workspace besides.
    pub limits: &'a Limits,
    /// Longest time.
    pub time_limit: Duration,
    /// Most bytes of stdout and stderr, each.
    pub output_bytes: usize,
    /// Most processes at a time.
    pub processes_max: u32,
}

/// The variables that name the skill and the workspace of a call (contract 1.4).
pub fn call_variables(script: &ScriptRef, workspace: &Path) -> [(String, String); 4] {
    [
        ("SKILL_ID".to_owned(), script.skill_id.clone()),
        ("SKILL_NAME".to_owned(), script.skill_name.clone()),
        ("SKILL_DIR".to_owned(), script.skill_dir.display().to_string()),
        ("AGENT_WORK_DIR".to_owned(), workspace.display().to_string()),
    ]
}

/// The words that start a script: itself if it may be executed, else what its `#!` line names.
///
/// # Errors
/// Neither: what would make it startable.
pub fn starting_words(path: &Path) -> Result<Vec<PathBuf>, String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
        if about.permissions().mode() & 0o111 != 0 {
            return Ok(vec![path.to_owned()]);
        }
    }
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(first);
    let Some(named) = line.strip_prefix("#!") else {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(format!("{name} is neither executable nor begins with a #! line"));
    };
    let mut words: Vec<PathBuf> = named.split_whitespace().map(PathBuf::from).collect();
    words.push(path.to_owned());
    Ok(words)
}

/// Runs the program to its end, or to a limit. Whatever it started is ended with it.
pub fn run(program: &Program<'_>) -> ScriptResult {
    let [first, rest @ ..] = program.words.as_slice() else {
        return ScriptResult::refused("no program to run");
    };
    let mut command = Command::new(first);
    command.args(rest).args(program.argv).current_dir(program.workspace);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut limits = program.limits.clone();
    limits.writable.push(program.workspace.to_owned());
    let started = sandbox::confine(&mut command, &program.environment, &limits)
        .map_err(|error| error.to_string())
        .and_then(|()| command.spawn().map_err(|error| format!("{}: {error}", first.display())));
    match started {
        Ok(child) => Watched::new(child, program).finish(),
        Err(reason) => ScriptResult::failed(ErrorType::Runtime, -1, reason),
    }
}

/// A process under way.
struct Watched<'a> {
    child: Child,
    program: &'a Program<'a>,
    deadline: Instant,
}

/// How a process ended.
enum End {
    /// By itself.
    Exited,
    /// By a limit: the result.
    Stopped(ErrorType, String),
}

impl<'a> Watched<'a> {
    fn new(child: Child, program: &'a Program<'a>) -> Self {
        Self { child, program, deadline: Instant::now() + program.time_limit }
    }

    fn finish(mut self) -> ScriptResult {
        let max = self.program.output_bytes;
        let stdout = self.child.stdout.take();
        let stderr = self.child.stderr.take();
        let group = self.child.id();
        let (end, stdout, stderr) = std::thread::scope(|scope| {
            let out = scope.spawn(move || read_some(stdout, max, group));
            let err = scope.spawn(move || read_some(stderr, max, group));
            let end = self.wait();
            // What it left behind would keep the pipes open for ever.
            kill_group(group);
            let joined = |handle: std::thread::ScopedJoinHandle<'_, (Vec<u8>, bool)>| {
                handle.join().unwrap_or_default()
            };
            (end, joined(out), joined(err))
        });
        // Only now: until it is waited for, its number is no other process's.
        let status = self.child.wait();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        if stdout.1 || stderr.1 {
            let message = format!("more than {max} bytes of output");
            return ScriptResult::failed(ErrorType::Runtime, 1, message);
        }
        let (stdout, stderr) = (text(stdout.0), text(stderr.0));
        match end {
            End::Stopped(error_type, message) => {
                ScriptResult { ok: false, exit_code: -1, stdout, stderr: message, error_type }
            }
            End::Exited => match status {
                Ok(status) => exited(status, stdout, stderr),
                Err(error) => ScriptResult::failed(ErrorType::Runtime, -1, error.to_string()),
            },
        }
    }

    fn wait(&mut self) -> End {
        loop {
            if sandbox::has_ended(&self.child) {
                return End::Exited;
            }
            if Instant::now() > self.deadline {
                self.stop();
                let seconds = self.program.time_limit.as_secs_f64();
                return End::Stopped(
                    ErrorType::Timeout,
                    format!("command timed out after {seconds}s"),
                );
            }
            let most = self.program.processes_max;
            if group_size(self.child.id()) > most as usize {
                self.stop();
                return End::Stopped(ErrorType::Runtime, format!("more than {most} processes"));
            }
            std::thread::sleep(LOOK);
        }
    }

    fn stop(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.kill();
    }
}

/// The code with which a process ended itself; minus the signal if one ended it.
pub(super) fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    signal.map_or_else(|| status.code().unwrap_or(-1), |signal| -signal)
}

fn exited(status: ExitStatus, stdout: String, stderr: String) -> ScriptResult {
    let exit_code = exit_code(status);
    let ok = status.success();
    let error_type = if ok { ErrorType::None } else { ErrorType::Runtime };
    ScriptResult { ok, exit_code, stdout, stderr, error_type }
}

/// Reads a pipe to its end, at most `max` bytes. A process that writes more is killed with its
/// group; the flag says so.
fn read_some(pipe: Option<impl Read>, max: usize, group: u32) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let Some(pipe) = pipe else { return (bytes, false) };
    // An interrupted read gives what was read so far.
    let _ = pipe.take(max as u64 + 1).read_to_end(&mut bytes);
    let over = bytes.len() > max;
    if over {
        kill_group(group);
    }
    (bytes, over)
}

/// Number of processes in the group, as far as the system shows them.
pub(super) fn group_size(group: u32) -> usize {
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let group = group.to_string();
    let is_member = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str()?.parse::<u32>().ok()?;
        let about = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // After the name in brackets: state, parent, group.
        let member = about.rsplit_once(')')?.1.split_whitespace().nth(2)?;
        (member == group).then_some(())
    };
    entries.flatten().filter_map(is_member).count()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn shell(script: &str, change: impl FnOnce(&mut Program<'_>)) -> ScriptResult {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits {
            memory_bytes: Some(1 << 30),
            file_bytes: 1 << 20,
            processes: true,
            ..Limits::default()
        };
        let words = vec!["/bin/sh".into(), "-c".into(), script.into()];
        let mut program = Program {
            words,
            argv: &[],
            workspace: folder.path(),
            environment: sandbox::environment(&[]),
            limits: &limits,
            time_limit: Duration::from_secs(10),
            output_bytes: 1 << 16,
            processes_max: 32,
        };
        change(&mut program);
        run(&program)
    }

    #[test]
    fn a_program_gives_its_output_and_its_code() {
        assert_eq!(shell("echo made > f; cat f", |_| {}), ScriptResult::done("made\n"));
        let result = shell("echo out; echo err >&2; exit 4", |_| {});
        assert_eq!((result.exit_code, result.error_type), (4, ErrorType::Runtime));
        assert_eq!((result.stdout.as_str(), result.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(shell("kill -9 $$", |_| {}).exit_code, -9);
    }

    /// The abuse list of the skill system's issue, for processes.
    #[test]
    fn limits_end_a_program_and_all_that_it_started() {
        let slow = |program: &mut Program<'_>| program.time_limit = Duration::from_millis(300);
        let result = shell("while :; do :; done", slow);
        assert_eq!((result.error_type, result.exit_code), (ErrorType::Timeout, -1));
        assert_eq!(result.stderr, "command timed out after 0.3s");
        // A slow bomb: it would double every half second, and stops by itself.
        let bomb = "f() { [ $1 -gt 9 ] || { sleep 0.5; f $(($1 + 1)) & f $(($1 + 1)) & }; }; \
                    f 0; sleep 9";
        let result = shell(bomb, |program| program.processes_max = 8);
        assert_eq!(result.error_type, ErrorType::Runtime, "{result:?}");
        assert!(result.stderr.contains("more than 8 processes"), "{result:?}");
        let result = shell("yes | head -c 100000000", |_| {});
        assert_eq!(result.error_type, ErrorType::Runtime);
        assert!(result.stderr.contains("bytes of output"), "{}", result.stderr.len());
        // Who stays behind is ended with the call and cannot leave the group.
        let begun = Instant::now();
        let result = shell("(setsid sleep 60 || sleep 60) & echo left", |_| {});
        assert_eq!(result.stdout, "left\n");
        assert!(begun.elapsed() < Duration::from_secs(9));
    }

    #[test]
    fn a_program_sees_its_workspace_and_no_secrets() {
        let result = shell("env | cut -d= -f1 | sort | tr '\\n' ' '", |program| {
            program.environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
        });
        assert_eq!(result.stdout, "PATH PWD ", "{result:?}");
        if !sandbox::Confinement::here().landlock {
            #[expect(clippy::print_stderr, reason = "a skipped test says so")]
            {
                eprintln!("SKIPPED: this kernel has no Landlock, so files are not confined");
            }
            return;
        }
        let other = tempfile::tempdir().unwrap();
        std::fs::write(other.path().join("key"), "k").unwrap();
        let result = shell(&format!("cat {}/key", other.path().display()), |_| {});
        assert_eq!(result.error_type, ErrorType::Runtime, "{result:?}");
        assert_eq!(result.stdout, "");
        assert!(!shell("echo x > /etc/populace-test", |_| {}).ok);
    }
}
