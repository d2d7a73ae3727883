//! What can be typed: one struct per subcommand.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod bench;
mod skills;
mod sweep;
mod tree;

pub use bench::BenchArgs;
pub use skills::{
    NewSkillKind, SkillEnvironmentArgs, SkillListArgs, SkillListMode, SkillManageAction,
    SkillManageArgs, SkillScriptArgs, SkillSearchArgs, SkillTreeArgs, SkillViewArgs, SkillsArgs,
    SkillsCommand, ToggleArgs,
};
pub use sweep::SweepArgs;
pub use tree::{TreeCommand, TreeFormat, TreeMode, TreePicture, TreeRunArgs};

/// Large-scale multi-agent social simulation.
///
/// A scenario (YAML) says what to simulate; a run writes a folder of Parquet tables.
#[derive(Debug, Parser)]
#[command(
    name = "populace",
    version,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        populace run scenarios/daily_mobility\n  \
        populace run scenarios/daily_mobility --agents 500 --set records.log=changed\n  \
        populace resume runs/daily_mobility-1\n  \
        populace inspect runs/daily_mobility-1 --agent 42\n  \
        populace hash runs/daily_mobility-1\n\n\
        Exit codes: 0 done; 1 done with failures; 2 wrong usage or scenario; 3 input or output; \
        130 interrupted."
)]
pub struct Cli {
    /// Format of log lines on stderr.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scenario and write a run folder.
    Run(RunArgs),
    /// Go on with a run that was stopped, from its last checkpoint.
    ///
    /// The tables become what they would have been without the pause. Refused if the scenario, a
    /// file that it names or a skill has changed since.
    Resume(ResumeArgs),
    /// Run a scenario with many values and seeds; one table holds what came of them.
    ///
    /// Each run is a process with a folder of its own; one that fails stops no other. The same
    /// command again goes on with what is left. Example: populace sweep scenarios/synthetic_city
    /// --param behaviour.revise.need=true,false --seeds 10 --jobs 2
    Sweep(SweepArgs),
    /// Check a scenario without running it; all mistakes are reported at once.
    Validate(ValidateArgs),
    /// Print the JSON schema of scenario files.
    Schema,
    /// List, search, view, check and run skills.
    Skills(SkillsArgs),
    /// Show one person's day as a timeline: planned, what happened, why.
    Inspect(InspectArgs),
    /// Print one line per table of a run: name, rows, content hash.
    Hash(HashArgs),
    /// Write one person's workspace (story.yaml, AGENT.json) to a folder.
    Workspace(WorkspaceArgs),
    /// Make a scenario of another engine's files.
    Import(ImportArgs),
    /// Measure speed and memory of this machine and build; prints a table.
    Bench(BenchArgs),
    /// Show, try out, convert and check behaviour trees.
    #[command(subcommand, after_help = tree::EXAMPLES)]
    Tree(TreeCommand),
}

/// Where a scenario is and what of it is overridden.
#[derive(Debug, Clone, Args)]
pub struct ScenarioArgs {
    /// A scenario.yaml, or the folder that holds it.
    pub scenario: PathBuf,
    /// Seed of all randomness.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Sample or replicate the population to this many persons.
    #[arg(long, value_name = "N")]
    pub agents: Option<u64>,
    /// Number of ticks.
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    /// Override any key: `--set records.log=changed` (repeatable).
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Folder with more skills, before those of the scenario (repeatable).
    #[arg(long = "skills", value_name = "DIR")]
    pub skill_roots: Vec<PathBuf>,
}

/// `populace run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The scenario.
    #[command(flatten)]
    pub scenario: ScenarioArgs,
    /// How it runs.
    #[command(flatten)]
    pub how: HowArgs,
    /// Run folder to write.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write into a run folder that is not empty; its old tables are removed.
    #[arg(long)]
    pub force: bool,
    /// Read skills again between ticks when their files change; the manifest says when. The tables
    /// then depend on what was changed when.
    #[arg(long)]
    pub watch: bool,
}

/// `populace resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// A run folder.
    pub run: PathBuf,
    /// How it runs.
    #[command(flatten)]
    pub how: HowArgs,
}

/// How a run runs and what it says.
#[derive(Debug, Args)]
pub struct HowArgs {
    /// Worker threads, 0 to 1024 (0 = one per core); the results do not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Agents per chunk of work; the results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub chunk: Option<u32>,
    /// No progress bar and no summary.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `populace validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The scenario.
    #[command(flatten)]
    pub scenario: ScenarioArgs,
}

/// `populace inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// A run folder.
    pub run: PathBuf,
    /// Number of the agent.
    #[arg(long)]
    pub agent: u32,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// `populace hash`.
#[derive(Debug, Args)]
pub struct HashArgs {
    /// A run folder.
    pub run: PathBuf,
    /// Print JSON instead of lines.
    #[arg(long)]
    pub json: bool,
}

/// `populace workspace`.
#[derive(Debug, Args)]
pub struct WorkspaceArgs {
    /// A run folder.
    pub run: PathBuf,
    /// Number of the agent.
    #[arg(long)]
    pub agent: u32,
    /// Folder to write; made if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// `populace import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Whose files.
    #[command(subcommand)]
    pub command: ImportCommand,
}

/// The subcommands of `populace import`.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Make a scenario of an AgentSociety 2 experiment; says what exists here and what does not.
    ///
    /// Beside the scenario it writes households.csv, persons.csv and, as it stood, what was left
    /// out. Exit code 0 if all was mapped or kept, 1 if something was left out.
    Agentsociety {
        /// init_config, .json or .yaml.
        init_config: PathBuf,
        /// steps.yaml.
        steps: PathBuf,
        /// Scenario to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Overwrite files that exist.
        #[arg(long)]
        force: bool,
        /// Print the report as JSON.
        #[arg(long)]
        json: bool,
    },
}
