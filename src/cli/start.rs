//! Reads the arguments and calls the subcommand.

use std::process::ExitCode;

use clap::Parser;

use super::args::{Cli, Command, LogFormat};
use super::{
    bench, exit, hash, import, inspect, report, run, skills, sweep, tree, validate, workspace,
};
use crate::scenario;

/// Runs the command line of this process to its exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(cli.log_format);
    let outcome = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Resume(args) => run::resume(args),
        Command::Sweep(args) => sweep::sweep(args),
        Command::Validate(args) => validate::validate(args),
        Command::Schema => schema(),
        Command::Skills(args) => skills::skills(args),
        Command::Inspect(args) => inspect::inspect(args),
        Command::Hash(args) => hash::hash(args),
        Command::Workspace(args) => workspace::workspace(args),
        Command::Import(args) => import::import(args),
        Command::Bench(args) => bench::bench(args),
        Command::Tree(command) => tree::tree(command),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => exit::report(&error),
    }
}

fn start_log(format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("POPULACE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.with_target(true).init(),
        LogFormat::Json => log.json().init(),
    }
}

fn schema() -> anyhow::Result<u8> {
    report::say(&format!("{:#}", scenario::schema()));
    Ok(exit::DONE)
}
