//! Who uses which tree.

use crate::agent::activation::Activation;
use crate::behaviour::people::{Forest, Memories, Memory};
use crate::skill::activation::SkillSets;
use crate::step::state::{ChunkTrees, Chunks};

/// Gives each chunk the memories of the trees that its persons use: those of their active skills,
/// and those that these call. Who used a tree before goes on with it; `kept` says which tree of the
/// forest before is which now. What was under way between trees and the outside is dropped.
pub fn enlist(
    chunks: &mut Chunks,
    forest: &Forest,
    kept: &dyn Fn(usize) -> Option<usize>,
    (sets, activations): (&SkillSets, &[Activation]),
    is_traced: bool,
) {
    let used: Vec<Use> = (0..forest.trees.len()).map(|tree| Use::of(forest, sets, tree)).collect();
    let own = activations.chunks(chunks.len);
    for (state, activations) in chunks.states.iter_mut().zip(own) {
        let mut new: Memories = Vec::with_capacity(used.len());
        for (found, used) in forest.trees.iter().zip(&used) {
            let users: Vec<(u32, bool)> = (0_u32..)
                .zip(activations)
                .map(|(row, activation)| (row, usize::from(activation.active.0)))
                .filter(|(_, set)| used.reached[*set])
                .map(|(row, set)| (row, used.active[set]))
                .collect();
            let memory = || Box::new(Memory::new(&found.tree, &users, is_traced));
            new.push((!users.is_empty()).then(memory));
        }
        let old = std::mem::take(&mut state.trees.memories);
        for (before, memory) in old.into_iter().enumerate() {
            let now = kept(before).and_then(|now| new[now].as_deref_mut());
            if let (Some(memory), Some(now)) = (memory, now) {
                memory.hand_over(now);
            }
        }
        let count = activations.len();
        let held = new.iter().any(Option::is_some).then(|| vec![false; count]);
        state.trees =
            ChunkTrees { memories: new, held: held.unwrap_or_default(), ..<_>::default() };
    }
}

/// Which sets of skills use a tree: by being active, and by that or a call.
struct Use {
    active: Vec<bool>,
    reached: Vec<bool>,
}

impl Use {
    fn of(forest: &Forest, sets: &SkillSets, tree: usize) -> Self {
        let active = sets.holding(forest.trees[tree].skill_index);
        let mut reached = active.clone();
        for caller in 0..forest.trees.len() {
            if caller != tree && forest.reach(caller).contains(&tree) {
                let callers = sets.holding(forest.trees[caller].skill_index);
                for (reached, calls) in reached.iter_mut().zip(callers) {
                    *reached |= calls;
                }
            }
        }
        Self { active, reached }
    }
}
