//! What can stop a run.

use std::path::PathBuf;

use crate::environment::error::EnvironmentError;
use crate::environment::network::NetworkError;
use crate::host::error::HostError;
use crate::population::diary::DiaryError;
use crate::population::error::PopulationError;
use crate::record::RecordError;
use crate::scenario::ScenarioError;
use crate::skill::error::SkillError;
use crate::skill::native::daily_guidance::model::ModelError;

/// Why a run could not be assembled or driven to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The scenario is wrong.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The population cannot be made.
    #[error("population: {0}")]
    Population(#[from] PopulationError),
    /// The environment cannot be made.
    #[error("environment: {0}")]
    Environment(#[from] EnvironmentError),
    /// The road network cannot be made.
    #[error("environment.network: {0}")]
    Network(#[from] NetworkError),
    /// The diary cannot be read.
    #[error("behaviour.story: {0}")]
    Diary(#[from] DiaryError),
    /// The Story model cannot be calibrated.
    #[error("behaviour.story: {0}")]
    Model(#[from] ModelError),
    /// The skills cannot be loaded.
    #[error("skills: {0}")]
    Skill(#[from] SkillError),
    /// Scripts cannot be run.
    #[error("scripts: {0}")]
    Host(#[from] HostError),
    /// A key of the scenario names a skill that there is not.
    #[error("{key}: {source}")]
    SkillName {
        /// The key.
        key: String,
        /// What is wrong with the name.
        source: SkillError,
    },
    /// A sweep that cannot be.
    #[error("sweep: {0}")]
    Sweep(String),
    /// The records cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The run folder holds something.
    #[error(
        "{} is not empty; give another folder with --out, or --force to replace the run in it",
        path.display()
    )]
    OutNotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// A person's step failed and the scenario says to stop then.
    #[error("stopped at tick {tick}: agent {agent}, {phase}: {message} (failures.policy is stop)")]
    Stopped {
        /// The tick.
        tick: u32,
        /// The agent.
        agent: u32,
        /// The phase.
        phase: &'static str,
        /// What happened.
        message: String,
    },
    /// Another process writes into the run folder.
    #[error("{} is under way: another populace writes into it", dir.display())]
    UnderWay {
        /// The run folder.
        dir: PathBuf,
    },
    /// A run cannot go on.
    #[error("{} cannot be resumed: {source}", dir.display())]
    Resume {
        /// The run folder.
        dir: PathBuf,
        /// Why.
        source: ResumeError,
    },
    /// The operating system refused something.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: String,
        /// Its word.
        source: std::io::Error,
    },
}

/// Why a run cannot go on where it stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// There is nothing left to do.
    #[error("it is complete")]
    Complete,
    /// Another populace began it.
    #[error("populace {wrote} began it, this is {this}; tables of two versions do not mix")]
    Version {
        /// The version that began it.
        wrote: String,
        /// This one.
        this: &'static str,
    },
    /// The scenario, or an override, is another one.
    #[error("{path} has changed since (it, or a file of toggles, says something else)")]
    ScenarioChanged {
        /// The scenario.
        path: String,
    },
    /// A file that the scenario names is another one.
    #[error("{path}, which the scenario names, has changed since")]
    InputChanged {
        /// The file.
        path: String,
    },
    /// The skills are others.
    #[error("skills have changed since: {}", changed.join(", "))]
    SkillsChanged {
        /// Those that are new, other than before or gone.
        changed: Vec<String>,
    },
    /// No checkpoint can be used.
    #[error("no checkpoint is intact: {}; remove them to begin again", reasons.join("; "))]
    Damaged {
        /// Of each file, why.
        reasons: Vec<String>,
    },
    /// The checkpoint is not of this scenario.
    #[error("its checkpoint does not fit: {reason}")]
    Unfit {
        /// Why.
        reason: String,
    },
}

impl SimulationError {
    /// Exit code of the command: 1 stopped by a failure, 2 wrong input, 3 input or output.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Stopped { .. } => 1,
            Self::Record(_) | Self::Io { .. } | Self::Scenario(ScenarioError::Io { .. }) => 3,
            Self::Resume { source: ResumeError::Damaged { .. }, .. } => 3,
            _ => 2,
        }
    }
}
