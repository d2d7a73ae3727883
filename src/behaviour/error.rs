//! What is wrong with a tree, and what goes wrong while one is ticked.

use std::path::{Path, PathBuf};

use super::expression::{EvalError, SlotIndex};
use super::tree::NodeIndex;

/// One thing that is wrong with a tree, where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeProblem {
    /// Line in the file, from 1; 0 if the file has no lines (a tree made by a program).
    pub line: u32,
    /// Column in the line, from 1.
    pub column: u32,
    /// Short stable code, such as `unknown-node`.
    pub code: &'static str,
    /// What was found and what is allowed.
    pub message: String,
}

impl TreeProblem {
    /// In one line, with the file and the place in it if there is one.
    pub fn told(&self, path: &Path) -> String {
        let Self { line, column, code, message } = self;
        let place = if *line == 0 { String::new() } else { format!(":{line}:{column}") };
        format!("{}{place}: {message} [{code}]", path.display())
    }
}

/// What ends a tick of a tree early.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An expression fails.
    #[error("{error}")]
    Expression {
        /// Which: an index of the tree's programs.
        program: u16,
        /// Why.
        error: EvalError,
    },
    /// A slot that a node needs holds nothing.
    #[error("a slot that it reads holds nothing")]
    Unset(SlotIndex),
    /// A value that a slot cannot hold.
    #[error("it writes a value that the slot cannot hold")]
    Misfit(SlotIndex),
    /// A slot does not hold the number that a node needs.
    #[error("a slot that it reads does not hold a number of the kind that it needs")]
    NotWhole,
    /// A slot does not hold a status.
    #[error("a slot that it reads does not hold a status")]
    NotAStatus(SlotIndex),
    /// A parallel wants more of its children than there are.
    #[error("a threshold is above the number of children")]
    Threshold,
    /// The condition of `IfThenElse` or `WhileDoElse` was skipped.
    #[error("its condition was skipped and has no answer")]
    SkippedCondition,
    /// The tree of the skill that a leaf calls failed.
    #[error("the skill that it calls failed")]
    Callee,
    /// The weight of a child is no number from 0.
    #[error("the weight of a child is not a number of at least 0")]
    Weight,
    /// A port of a leaf holds something that the leaf cannot use.
    #[error("a port holds something that it cannot use")]
    BadPort(u8),
    /// A leaf needs a port that holds nothing.
    #[error("a port that it needs holds nothing")]
    EmptyPort(u8),
}

/// What ended a tick early. The agent's memory of the tree has been reset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TickError {
    /// Where.
    pub node: NodeIndex,
    /// What.
    pub fault: Fault,
}

/// A tree cannot be read, compiled or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        #[source]
        source: std::io::Error,
    },
    /// The name of the file does not say which format it has.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found and what is allowed.
        reason: String,
    },
    /// All mistakes of a tree, in order of position; never empty.
    #[error("{}", render(path, problems))]
    Invalid {
        /// The file, or what stands for one.
        path: PathBuf,
        /// What is wrong.
        problems: Vec<TreeProblem>,
    },
}

fn render(path: &Path, problems: &[TreeProblem]) -> String {
    problems.iter().map(|problem| problem.told(path)).collect::<Vec<_>>().join("\n")
}
