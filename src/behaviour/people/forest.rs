//! The trees of all skills in a run.

use std::sync::Arc;

use crate::agent::request::ScriptRef;
use crate::behaviour::expression::SlotIndex;
use crate::behaviour::tree::{NodeIndex, Tree};

/// The tree of one skill.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonTree {
    /// Index of the skill in the registry.
    pub skill_index: usize,
    /// Its tree.
    pub tree: Tree,
    /// Sets its random numbers apart from those of other skills; depends on its id alone.
    pub salt: u64,
    /// Which tree each `call_skill` runs: an index of the forest.
    pub calls: Vec<(NodeIndex, usize)>,
    /// Which script each `run_script`, and each `call_skill` of a script, runs.
    pub scripts: Vec<(NodeIndex, Arc<ScriptRef>)>,
    /// The outputs that a run of the skill gives: name, slot, whether it must be there.
    pub outputs: Vec<(String, SlotIndex, bool)>,
    /// Slots `hook.NAME`, which hold what hooks said: NAME and slot.
    pub hook_slots: Vec<(String, SlotIndex)>,
}

/// The trees of all skills that are trees, in the order of their skills.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    /// The trees.
    pub trees: Vec<PersonTree>,
}

impl PersonTree {
    /// The tree that a `call_skill` runs.
    pub(super) fn callee(&self, node: NodeIndex) -> Option<usize> {
        self.calls.iter().find(|(caller, _)| *caller == node).map(|(_, callee)| *callee)
    }

    /// The script that a leaf runs.
    pub fn script(&self, node: NodeIndex) -> Option<&Arc<ScriptRef>> {
        self.scripts.iter().find(|(caller, _)| *caller == node).map(|(_, script)| script)
    }
}

impl Forest {
    /// Where the memories of tree `index` lie when another skill calls it.
    pub fn called(&self, index: usize) -> usize {
        self.trees.len() + index
    }

    /// All trees that run when tree `index` does, itself first: those that it calls, and so on.
    pub fn reach(&self, index: usize) -> Vec<usize> {
        let mut reached = vec![index];
        let mut next = 0;
        while let Some(tree) = reached.get(next) {
            for (_, callee) in &self.trees[*tree].calls {
                if !reached.contains(callee) {
                    reached.push(*callee);
                }
            }
            next += 1;
        }
        reached
    }
}
