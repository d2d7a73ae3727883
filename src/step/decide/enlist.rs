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
    let trees = 0..forest.trees.len();
    let active = trees.clone().map(|tree| sets.holding(forest.trees[tree].skill_index));
    let used: Vec<Vec<bool>> =
        active.chain(trees.map(|tree| callers(forest, sets, tree))).collect();
    let own = activations.chunks(chunks.len);
    for (state, activations) in chunks.states.iter_mut().zip(own) {
        let mut new: Memories = Vec::with_capacity(used.len());
        for (found, used) in forest.trees.iter().chain(&forest.trees).zip(&used) {
            let uses =
                |(_, activation): &(u32, &Activation)| used[usize::from(activation.active.0)];
            let rows: Vec<u32> = (0..).zip(activations).filter(uses).map(|(row, _)| row).collect();
            let traced = is_traced && new.len() < forest.trees.len();
            new.push(if rows.is_empty() {
                None
            } else {
                Some(Box::new(Memory::new(&found.tree, rows, traced)))
            });
        }
        let old = std::mem::take(&mut state.trees.memories);
        let count_before = old.len() / 2;
        for (before, memory) in old.into_iter().enumerate() {
            let kept = kept(before % count_before);
            let now = kept.map(|now| if before < count_before { now } else { forest.called(now) });
            let now = now.and_then(|now| new[now].as_deref_mut());
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

/// Which sets of skills hold one that calls a tree, itself or by way of others.
fn callers(forest: &Forest, sets: &SkillSets, tree: usize) -> Vec<bool> {
    let mut reached = vec![false; sets.all().len()];
    let calls = |caller: &usize| *caller != tree && forest.reach(*caller).contains(&tree);
    for caller in (0..forest.trees.len()).filter(calls) {
        let holding = sets.holding(forest.trees[caller].skill_index);
        reached.iter_mut().zip(holding).for_each(|(reached, holds)| *reached |= holds);
    }
    reached
}
