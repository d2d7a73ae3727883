//! The command `populace`: an exit code, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    populace::cli::main()
}
