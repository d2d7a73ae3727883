//! What this machine has: programs on the path, environment variables, its operating system.

use std::path::PathBuf;

/// The operating system, as Rust names it.
pub const OS: &str = std::env::consts::OS;

/// Whether a program of this name can be started.
pub fn has_program(name: &str) -> bool {
    // A name only: a path would say nothing about the machine.
    let is_name = !name.is_empty() && !name.contains(['/', '\\']);
    let path = std::env::var_os("PATH").unwrap_or_default();
    is_name && std::env::split_paths(&path).any(|folder| is_program(&folder.join(name)))
}

/// Whether an environment variable is set and not empty. Its value is not looked at further.
pub fn has_variable(name: &str) -> bool {
    let is_name = !name.is_empty() && !name.contains(['=', '\0']);
    is_name && std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// The path that `~` or `~/...` stands for; `None` for another path, or if there is no home.
pub fn below_home(path: &str) -> Option<PathBuf> {
    let rest = path.strip_prefix('~')?;
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty())?;
    Some(PathBuf::from(home).join(rest))
}

#[cfg(unix)]
fn is_program(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &std::path::Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn programs_are_files_on_the_path_that_may_be_run() {
        assert!(has_program("sh"));
        for name in ["no-such-program-anywhere", "", "/bin/sh", "../bin/sh"] {
            assert!(!has_program(name), "{name}");
        }
        assert!(has_variable("PATH") && !has_variable("NO_SUCH_VARIABLE_ANYWHERE"));
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        if !home.as_os_str().is_empty() {
            assert_eq!(below_home("~/skills"), Some(home.join("skills")));
        }
        assert_eq!((below_home("skills"), below_home("~other/skills")), (None, None));
        assert!(!has_variable("A=B") && !has_variable(""));
    }
}
