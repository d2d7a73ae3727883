//! What can be typed after `populace sweep`.

use std::path::PathBuf;

use clap::Args;

use super::ScenarioArgs;

/// `populace sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// The scenario; its section `sweep` says what is varied, as the options below do.
    #[command(flatten)]
    pub scenario: ScenarioArgs,
    /// A key and the values to try (repeatable): `--param behaviour.revise.need=true,false`.
    #[arg(long = "param", value_name = "PATH=A,B,C")]
    pub params: Vec<String>,
    /// How many seeds: the scenario's own and those that follow it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: Option<u32>,
    /// Runs at the same time (0 = one per core).
    #[arg(long, default_value_t = 0, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub jobs: u16,
    /// Worker threads of each run (0 = the cores shared out among the jobs).
    #[arg(long, default_value_t = 0, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Folder of the sweep: a run folder for each run, and sweep.csv.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No progress bar and no summary.
    #[arg(long, short)]
    pub quiet: bool,
}
