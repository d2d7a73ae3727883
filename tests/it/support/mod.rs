//! What the tests share: the command, run folders, and the checks that every run must pass.

pub mod checks;
pub mod faulty;
pub mod invariants;
pub mod python;
pub mod stage;
pub mod town;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The command under test, started in the root of the repository.
pub fn populace() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_populace"));
    command.current_dir(root());
    command
}

/// Root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A run folder that is removed with this value.
pub struct RunDir {
    folder: TempDir,
}

impl RunDir {
    /// Runs `populace run ARGS --out FOLDER --quiet` and expects exit code 0.
    pub fn of(args: &[&str]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let output = populace()
            .arg("run")
            .args(args)
            .arg("--quiet")
            .arg("--out")
            .arg(folder.path().join("run"))
            .output()
            .expect("the command starts");
        assert!(output.status.success(), "run {args:?} failed:\n{}", stderr(&output));
        Self { folder }
    }

    /// The run folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// What `populace hash` prints of it.
    pub fn hash(&self) -> String {
        let output = populace().arg("hash").arg(self.path()).output().expect("the command starts");
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// What a command printed on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
