//! Finds the Python interpreter once, so that no call pays for a launcher script in front of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::host::error::HostError;
use crate::host::sandbox;

/// Longest time that an interpreter may take to say who it is.
const LIMIT: Duration = Duration::from_secs(30);

/// A Python interpreter that was asked who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    /// The program itself.
    pub program: PathBuf,
    /// Folders that it reads: its own and that of a virtual environment.
    pub prefixes: Vec<PathBuf>,
    /// Its version, such as `3.11.7`.
    pub version: String,
}

/// What an interpreter is asked.
const QUESTION: &str = "import sys; \
    print(sys.executable, sys.prefix, sys.base_prefix, sys.version.split()[0], \
    int(sys.version_info >= (3, 9)), sep='\\n')";

impl Interpreter {
    /// Finds the interpreter that `wanted` names: a command on the path, a program, or the folder
    /// of a virtual environment. A command may be a launcher (pyenv puts one on the path): what it
    /// launches is asked for its own place.
    ///
    /// # Errors
    /// [`HostError::Interpreter`] if it does not answer or is too old.
    pub fn find(wanted: &Path) -> Result<Self, HostError> {
        Self::find_within(wanted, LIMIT)
    }

    fn find_within(wanted: &Path, limit: Duration) -> Result<Self, HostError> {
        let fail = |reason: String| HostError::Interpreter { wanted: wanted.to_owned(), reason };
        let program = if wanted.is_dir() {
            let inner = ["bin/python3", "bin/python", "Scripts/python.exe"];
            let found = inner.iter().map(|name| wanted.join(name)).find(|path| path.exists());
            found.ok_or_else(|| fail("the folder holds no bin/python3".to_owned()))?
        } else {
            wanted.to_owned()
        };
        let output = ask(&program, limit)
            .map_err(|error| fail(format!("{}: {error}", program.display())))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = text.lines().collect();
        let [program, prefix, base, version, new_enough] = lines[..] else {
            let told = String::from_utf8_lossy(&output.stderr);
            let first = told.lines().last().unwrap_or("it said nothing");
            return Err(fail(format!("{}, {first}", output.status)));
        };
        if new_enough != "1" {
            return Err(fail(format!("it is version {version}")));
        }
        let mut prefixes = vec![PathBuf::from(prefix), PathBuf::from(base)];
        prefixes.dedup();
        let (program, version) = (PathBuf::from(program), version.to_owned());
        Ok(Self { program, prefixes, version })
    }
}

/// Asks the program who it is.
fn ask(program: &Path, limit: Duration) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(["-s", "-B", "-c", QUESTION]).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn()?;
    let deadline = Instant::now() + limit;
    // One that writes more than its pipe holds waits for a reader, and so is too late.
    while !sandbox::has_ended(&child) {
        if Instant::now() > deadline {
            sandbox::kill_group(child.id());
            let mut child = child;
            let _ = child.kill();
            let _ = child.wait();
            let message = format!("no answer within {} s", limit.as_secs_f64());
            return Err(std::io::Error::new(std::io::ErrorKind::TimedOut, message));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // What a launcher left behind would keep the pipes open.
    sandbox::kill_group(child.id());
    child.wait_with_output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn an_interpreter_that_hangs_is_an_error() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let launcher = folder.path().join("python3");
        std::fs::write(&launcher, "#!/bin/sh\nsleep 60\n").unwrap();
        std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(0o755)).unwrap();
        let limit = Duration::from_millis(200);
        let error = Interpreter::find_within(&launcher, limit).unwrap_err().to_string();
        assert!(error.contains("no answer within 0.2 s"), "{error}");
    }

    #[test]
    fn a_command_becomes_the_program_and_nonsense_is_named() {
        let found = Interpreter::find(Path::new("python3")).unwrap();
        assert!(found.program.is_absolute() && found.program.exists(), "{found:?}");
        assert!(found.version.starts_with("3."), "{found:?}");
        let error = Interpreter::find(Path::new("no-such-python")).unwrap_err().to_string();
        assert!(error.contains("no-such-python") && error.contains("scripts.python"), "{error}");
        let empty = tempfile::tempdir().unwrap();
        let error = Interpreter::find(empty.path()).unwrap_err().to_string();
        assert!(error.contains("holds no bin/python3"), "{error}");
    }
}
