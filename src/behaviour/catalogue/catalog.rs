//! The nodes of a dialect.

use super::manifest::NodeManifest;
use super::{bt_cpp, people, py_trees, stubs};
use crate::behaviour::status::Dialect;

/// The leaves beside those of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// None.
    None,
    /// Those that stand for others when a tree is tried out: `Stub`, which gives one status after
    /// the other, and `SaySomething`.
    Stubs,
    /// Those of people.
    People,
    /// All.
    All,
}

/// The nodes that a document may use.
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    dialect: Dialect,
    leaves: Leaves,
}

impl Catalogue {
    /// The nodes of a dialect, and other leaves.
    pub const fn new(dialect: Dialect, leaves: Leaves) -> Self {
        Self { dialect, leaves }
    }

    /// All that a document of a dialect may hold.
    pub const fn full(dialect: Dialect) -> Self {
        Self::new(dialect, Leaves::All)
    }

    /// All nodes, in the order of the catalogue.
    pub fn nodes(self) -> impl Iterator<Item = &'static NodeManifest> {
        let own = match self.dialect {
            Dialect::PyTrees => py_trees::NODES,
            Dialect::BtCpp => bt_cpp::NODES,
        };
        let (stubs, people): (&[NodeManifest], &[NodeManifest]) = match self.leaves {
            Leaves::None => (&[], &[]),
            Leaves::Stubs => (stubs::NODES, &[]),
            Leaves::People => (&[], people::NODES),
            Leaves::All => (stubs::NODES, people::NODES),
        };
        own.iter().chain(stubs).chain(people)
    }

    /// The node of a name or of one of its other names. py_trees names match in either case, as
    /// its XML reader has it.
    pub fn find(self, name: &str) -> Option<&'static NodeManifest> {
        let same = |other: &str| match self.dialect {
            Dialect::PyTrees => other.eq_ignore_ascii_case(name),
            Dialect::BtCpp => other == name,
        };
        self.nodes().find(|node| same(node.kind) || node.aliases.iter().any(|other| same(other)))
    }
}
