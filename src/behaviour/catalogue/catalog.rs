//! The nodes of a dialect.

use super::manifest::NodeManifest;
use super::{bt_cpp, py_trees, stubs};
use crate::behaviour::status::Dialect;

/// The nodes that a document may use.
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    dialect: Dialect,
    with_stubs: bool,
}

impl Catalogue {
    /// The nodes of a dialect.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, with_stubs: false }
    }

    /// The same and the leaves that stand for others when a tree is tried out: `Stub`, which gives
    /// one status after the other, and `SaySomething`.
    pub const fn with_stubs(self) -> Self {
        Self { with_stubs: true, ..self }
    }

    /// All nodes, in the order of the catalogue.
    pub fn nodes(self) -> impl Iterator<Item = &'static NodeManifest> {
        let own = match self.dialect {
            Dialect::PyTrees => py_trees::NODES,
            Dialect::BtCpp => bt_cpp::NODES,
        };
        let stubs: &[NodeManifest] = if self.with_stubs { stubs::NODES } else { &[] };
        own.iter().chain(stubs)
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
