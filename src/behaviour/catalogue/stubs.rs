//! Leaves that stand for others when a tree is tried out without a world.

use super::manifest::{Arity, Category::Action, NodeManifest, PortType, input, node};

/// All of them.
#[rustfmt::skip]
pub(super) const NODES: &[NodeManifest] = &[
    node("Stub", Action, Arity::LEAF, &[input("results", PortType::Text)],
        "one status per tick (S, F, R, K between commas); the last for ever"),
    node("SaySomething", Action, Arity::LEAF, &[input("message", PortType::Text)],
        "writes its message to the log and succeeds"),
];
