//! What a node of a tree gives back.

use serde::{Deserialize, Serialize};

/// The status of a node. One set of words for both dialects: what py_trees calls `INVALID` (never
/// ticked, or interrupted) is `IDLE` to BehaviorTree.CPP; only the latter knows `SKIPPED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Status {
    /// Not ticked, interrupted or reset.
    #[default]
    Idle = 0,
    /// Not done yet.
    Running = 1,
    /// Done, and well.
    Success = 2,
    /// Done, and not well.
    Failure = 3,
    /// A precondition said that the node does not take part.
    Skipped = 4,
}

impl Status {
    /// Whether the node is done: success or failure.
    #[inline]
    pub const fn is_completed(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }

    /// The word of a dialect.
    pub const fn word(self, dialect: Dialect) -> &'static str {
        match (self, dialect) {
            (Self::Idle, Dialect::PyTrees) => "INVALID",
            (Self::Idle, Dialect::BtCpp) => "IDLE",
            (Self::Running, _) => "RUNNING",
            (Self::Success, _) => "SUCCESS",
            (Self::Failure, _) => "FAILURE",
            (Self::Skipped, _) => "SKIPPED",
        }
    }

    /// The status of a word of either dialect, upper or lower case.
    pub fn from_word(word: &str) -> Option<Self> {
        let same = |other: &str| word.eq_ignore_ascii_case(other);
        match word {
            _ if same("INVALID") || same("IDLE") => Some(Self::Idle),
            _ if same("RUNNING") => Some(Self::Running),
            _ if same("SUCCESS") => Some(Self::Success),
            _ if same("FAILURE") => Some(Self::Failure),
            _ if same("SKIPPED") => Some(Self::Skipped),
            _ => None,
        }
    }

    /// The status of a byte of a state slab; anything unknown is idle.
    #[inline]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            1 => Self::Running,
            2 => Self::Success,
            3 => Self::Failure,
            4 => Self::Skipped,
            _ => Self::Idle,
        }
    }
}

/// Whose rules a tree follows. The two differ in what a sequence does after a failure, in whom an
/// interruption tells, in empty composites and in time (contract `skills.md`, section 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Dialect {
    /// py_trees 2.6.
    #[default]
    PyTrees,
    /// BehaviorTree.CPP 4.
    BtCpp,
}

impl Dialect {
    /// The word that names the dialect in a file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PyTrees => "py_trees",
            Self::BtCpp => "bt_cpp",
        }
    }

    /// The dialect of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::PyTrees, Self::BtCpp].into_iter().find(|dialect| dialect.word() == word)
    }
}
