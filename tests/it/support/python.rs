//! A Python environment for tests that need packages, made once per build directory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Folder of a virtual environment with PyYAML, and the unpacked wheel `agentsociety2` beside it.
pub struct PythonKit {
    /// The virtual environment.
    pub venv: PathBuf,
    /// The unpacked wheel.
    pub wheel: PathBuf,
}

/// The public release whose skills must work here unmodified.
const WHEEL: &str = "agentsociety2==2.9.3";

/// The kit, or why it cannot be had (no network, no Python): a test that needs it then says so and
/// is skipped.
pub fn kit() -> Result<&'static PythonKit, &'static str> {
    static KIT: OnceLock<Result<PythonKit, String>> = OnceLock::new();
    KIT.get_or_init(make).as_ref().map_err(String::as_str)
}

fn make() -> Result<PythonKit, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-kit-1");
    let kit = PythonKit { venv: folder.join("venv"), wheel: folder.join("wheel") };
    if folder.join("complete").exists() {
        return Ok(kit);
    }
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let path = |path: &Path| path.display().to_string();
    run("python3", &["-m", "venv", &path(&kit.venv)])?;
    let python = path(&kit.venv.join("bin/python"));
    let pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"];
    run(&python, &[&pip[..], &["install", "PyYAML"]].concat())?;
    let download = ["download", "--no-deps", "--only-binary", ":all:", "--dest"];
    run(&python, &[&pip[..], &download, &[&path(&folder), WHEEL]].concat())?;
    let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let mut names = entries.flatten().map(|entry| entry.path());
    let wheel = names.find(|name| name.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or("pip downloaded no wheel")?;
    run(&python, &["-m", "zipfile", "-e", &path(&wheel), &path(&kit.wheel)])?;
    std::fs::write(folder.join("complete"), "").map_err(|error| error.to_string())?;
    Ok(kit)
}

/// The interpreter of a virtual environment with py_trees 2.6.0, or why it cannot be had.
pub fn py_trees() -> Result<&'static Path, &'static str> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = PYTHON.get_or_init(|| make_with("py-trees-1", "py_trees==2.6.0"));
    made.as_ref().map(PathBuf::as_path).map_err(String::as_str)
}

/// The interpreter of a virtual environment with a binding of BehaviorTree.CPP, or why it cannot
/// be had.
pub fn bt_cpp() -> Result<&'static Path, &'static str> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = PYTHON.get_or_init(|| make_with("bt-cpp-1", "behaviortreepy==0.1.4"));
    made.as_ref().map(PathBuf::as_path).map_err(String::as_str)
}

fn make_with(folder: &str, package: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let python = folder.join("bin/python");
    if folder.join("complete").exists() {
        return Ok(python);
    }
    let _ = std::fs::remove_dir_all(&folder);
    run("python3", &["-m", "venv", &folder.display().to_string()])?;
    let pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"];
    let install = ["install", package];
    run(&python.display().to_string(), &[&pip[..], &install].concat())?;
    std::fs::write(folder.join("complete"), "").map_err(|error| error.to_string())?;
    Ok(python)
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {arguments:?} failed: {}", told.trim_end()))
}
