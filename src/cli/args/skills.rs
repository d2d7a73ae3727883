//! What can be typed after `populace skills`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `populace skills`.
#[derive(Debug, Args)]
pub struct SkillsArgs {
    /// Folder with more skills (repeatable).
    #[arg(long = "skills", value_name = "DIR", global = true)]
    pub skill_roots: Vec<PathBuf>,
    /// What to do with them.
    #[command(subcommand)]
    pub command: SkillsCommand,
}

/// The subcommands of `populace skills`.
#[derive(Debug, Subcommand)]
pub enum SkillsCommand {
    /// List all skills; those that are switched off say where.
    ///
    /// Example: populace skills list --scenario scenarios/synthetic_city --xml --mode always_only
    List(SkillListArgs),
    /// Find skills by words in their names, descriptions and tags; exit code 1 if there is none.
    ///
    /// Example: populace skills search day plan --limit 3
    Search(SkillSearchArgs),
    /// Show one skill: its description, where it is, its text.
    ///
    /// Example: populace skills view diary --skills my_skills --activate today --allow-commands
    /// --workspace w
    View(SkillViewArgs),
    /// Switch a skill off, in a skills.json that scenarios may name under `skills.toggles`.
    ///
    /// Example: populace skills disable night-owl --skills my_skills
    Disable(ToggleArgs),
    /// Switch a skill on again.
    Enable(ToggleArgs),
    /// Begin a skill: a folder with a SKILL.md, and a script if it is to have one.
    ///
    /// Example: populace skills new night-owl --dir my_skills --kind script
    New {
        /// Its name: lower-case letters, digits and single hyphens.
        name: String,
        /// Folder to make it in.
        #[arg(long, value_name = "DIR", default_value = ".")]
        dir: PathBuf,
        /// What it is to be.
        #[arg(long, value_enum, default_value_t = NewSkillKind::Prompt)]
        kind: NewSkillKind,
    },
    /// Make, change or remove a skill of one agent's own; prints the tool's answer as JSON.
    ///
    /// Exit code 1 if it is refused. Example: populace skills manage create night-owl --workspace w
    /// --content SKILL.md
    Manage(SkillManageArgs),
    /// Check every skill under a folder; exit code 1 if one has problems.
    Check {
        /// Folder whose direct children are skills.
        root: PathBuf,
        /// Check by the rules of the open standard too.
        #[arg(long)]
        strict: bool,
        /// Print JSON instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Run a skill's command over one person's workspace.
    ///
    /// Examples: populace skills run daily-guidance --workspace w -- current;
    /// populace skills run summary --skills my_skills --workspace w --json -- today;
    /// populace skills run env:City@mobility --scenario s --agent 3 -- find_nearby_places
    /// --category shop; populace skills run bt-echo --skills my_skills --direct -- "hello"
    Run {
        /// `namespace@name` or a bare name.
        skill: String,
        /// The person's workspace; not for skills of the environment.
        #[arg(long, value_name = "DIR", conflicts_with = "scenario")]
        workspace: Option<PathBuf>,
        /// For scripts: which, and how.
        #[command(flatten)]
        script: SkillScriptArgs,
        /// For behaviour trees: how they are run.
        #[command(flatten)]
        tree: SkillTreeArgs,
        /// For skills of the environment: what to ask.
        #[command(flatten)]
        environment: SkillEnvironmentArgs,
        /// Arguments for the skill, after `--`. For a behaviour tree: its inputs as a JSON object,
        /// and messages of the user.
        #[arg(last = true)]
        arguments: Vec<String>,
    },
}

/// How all skills are listed.
#[derive(Debug, Args)]
pub struct SkillListArgs {
    /// Print JSON instead of a table: what the tool skills_list answers.
    #[arg(long, conflicts_with = "xml")]
    pub json: bool,
    /// Print what a language model is told: names and descriptions in XML.
    #[arg(long)]
    pub xml: bool,
    /// Most tokens of the XML, about four bytes each; descriptions are cut first.
    #[arg(long, value_name = "N", requires = "xml")]
    pub budget: Option<usize>,
    /// Which skills the XML tells of.
    #[arg(long, value_enum, default_value_t = SkillListMode::All, requires = "xml")]
    pub mode: SkillListMode,
    /// List the skills of this scenario, with those that it switches off.
    #[arg(long, value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,
}

/// Which skills a model is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum SkillListMode {
    /// Those that are always on in full, all others by name and description.
    All,
    /// Those that are always on, in full.
    AlwaysOnly,
    /// None.
    None,
}

/// Which skills are found, and how they are listed.
#[derive(Debug, Args)]
pub struct SkillSearchArgs {
    /// The words.
    #[arg(required = true)]
    pub words: Vec<String>,
    /// Only skills with this tag.
    #[arg(long)]
    pub tag: Option<String>,
    /// Most skills.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
    /// Print JSON instead of a table: what the tool skills_list answers.
    #[arg(long)]
    pub json: bool,
}

/// What is shown of a skill.
#[derive(Debug, Args)]
pub struct SkillViewArgs {
    /// `namespace@name` or a bare name.
    pub skill: String,
    /// Print this file of its folder instead.
    #[arg(long, value_name = "PATH", conflicts_with = "activate")]
    pub file: Option<String>,
    /// Print what activation with these arguments tells a model.
    #[arg(long, value_name = "ARGS", num_args = 0..=1, default_missing_value = "")]
    pub activate: Option<String>,
    /// Print JSON: what the tool skill_view answers; exit code 1 if that is an error.
    #[arg(long, conflicts_with = "activate")]
    pub json: bool,
    /// Run the commands in its text (`!` before backticks), confined to the workspace and without
    /// a shell, and put their output in.
    #[arg(long, requires = "activate", requires = "workspace")]
    pub allow_commands: bool,
    /// The person's workspace, in which commands run.
    #[arg(long, value_name = "DIR", requires = "allow_commands")]
    pub workspace: Option<PathBuf>,
}

/// What is done with which of an agent's own skills.
#[derive(Debug, Args)]
pub struct SkillManageArgs {
    /// What to do.
    pub action: SkillManageAction,
    /// Its name: lower-case letters, digits and single hyphens.
    pub skill: String,
    /// The agent's workspace; the skill is in its folder custom/skills.
    #[arg(long, value_name = "DIR")]
    pub workspace: PathBuf,
    /// File to take the SKILL.md from; `-` is stdin.
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub content: PathBuf,
}

/// What is done with a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SkillManageAction {
    /// Make it.
    Create,
    /// Change its SKILL.md.
    Edit,
    /// Remove it.
    Delete,
}

/// Which skill is switched, and where that is kept.
#[derive(Debug, Args)]
pub struct ToggleArgs {
    /// `namespace@name` or a bare name.
    pub skill: String,
    /// Keep it in `~/.populace/skills.json` instead of `.populace/skills.json` here.
    #[arg(long)]
    pub user: bool,
    /// Keep it in this file.
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    pub file: Option<PathBuf>,
}

/// What a new skill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NewSkillKind {
    /// Text for a language model.
    Prompt,
    /// A hook in Python.
    Script,
}

/// Which script of a skill runs, and how its result is shown.
#[derive(Debug, Args)]
pub struct SkillScriptArgs {
    /// A script of the skill's folder instead of its default one.
    #[arg(long, value_name = "PATH", requires = "workspace")]
    pub script: Option<String>,
    /// The Python interpreter, or the folder of a virtual environment.
    #[arg(long, value_name = "PATH", conflicts_with = "scenario")]
    pub python: Option<PathBuf>,
    /// Print the result as JSON: ok, exit_code, stdout, stderr, error_type.
    #[arg(long, conflicts_with = "scenario")]
    pub json: bool,
}

/// How a skill that is a behaviour tree is run.
#[derive(Debug, Args)]
pub struct SkillTreeArgs {
    /// Run the tree without a language model around it, even if its skill says
    /// `orchestration: react` or nothing.
    #[arg(long, conflicts_with_all = ["script", "scenario"])]
    pub direct: bool,
    /// Go on with the run that is suspended in the workspace: the answer that it waits for.
    #[arg(long, value_name = "TEXT", requires = "workspace", conflicts_with = "script")]
    pub resume: Option<String>,
}

/// Whom of which scenario a skill of the environment answers, and when.
#[derive(Debug, Args)]
pub struct SkillEnvironmentArgs {
    /// Scenario whose environment is asked.
    #[arg(long, value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,
    /// Number of the person who asks.
    #[arg(long, default_value_t = 0, requires = "scenario")]
    pub agent: u32,
    /// Sample or replicate the population to this many persons.
    #[arg(long, value_name = "N", requires = "scenario")]
    pub agents: Option<u64>,
    /// The tick in which it is asked, from 1.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "scenario",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub tick: u32,
    /// Refuse what would change something.
    #[arg(long, requires = "scenario")]
    pub readonly: bool,
}
