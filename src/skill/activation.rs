//! Visible and active skills per person, as interned bitsets.

use super::error::SkillError;
use super::registry::SkillRegistry;
use crate::agent::activation::{Activation, SkillSetId};

/// A set of skills: one bit per index of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillSet(Box<[u64]>);

impl SkillSet {
    /// No skill of a registry that holds `skill_count`.
    pub fn empty(skill_count: usize) -> Self {
        Self(vec![0; skill_count.div_ceil(64)].into())
    }

    /// Adds the skill with this index.
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Takes out the skill with this index.
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Whether the skill with this index is in.
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// The indices in the set, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|index| self.contains(*index))
    }
}

/// The distinct sets that occur in a run.
#[derive(Debug, Clone, Default)]
pub struct SkillSets {
    sets: Vec<SkillSet>,
}

impl SkillSets {
    /// Number of a set, which is added if it is new.
    ///
    /// # Errors
    /// [`SkillError::TooManySets`] beyond 65,536 distinct sets.
    pub fn intern(&mut self, set: SkillSet) -> Result<SkillSetId, SkillError> {
        let found = self.sets.iter().position(|known| *known == set);
        let index = found.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        let max = usize::from(u16::MAX) + 1;
        u16::try_from(index).map(SkillSetId).map_err(|_| SkillError::TooManySets { max })
    }

    /// All sets, by number.
    pub fn all(&self) -> &[SkillSet] {
        &self.sets
    }

    /// The set with this number.
    #[inline]
    pub fn get(&self, id: SkillSetId) -> &SkillSet {
        &self.sets[usize::from(id.0)]
    }

    /// The sets that hold skill `index`, as one flag per set: what a batch looks up once.
    pub fn holding(&self, index: usize) -> Vec<bool> {
        self.sets.iter().map(|set| set.contains(index)).collect()
    }

    /// Visible and active sets of a person: all but `disabled` are visible; `active` (minus the
    /// disabled) are switched on. Both are indices of the registry.
    ///
    /// # Errors
    /// As [`Self::intern`].
    pub fn activation(
        &mut self,
        registry: &SkillRegistry,
        active: &[usize],
        disabled: &[usize],
    ) -> Result<Activation, SkillError> {
        let count = registry.skills().len();
        let mut visible = SkillSet::empty(count);
        (0..count).for_each(|index| visible.insert(index));
        disabled.iter().for_each(|index| visible.remove(*index));
        let mut on = SkillSet::empty(count);
        active.iter().filter(|index| visible.contains(**index)).for_each(|index| on.insert(*index));
        Ok(Activation { visible: self.intern(visible)?, active: self.intern(on)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::registry::ScanPlan;

    #[test]
    fn equal_sets_share_a_number_and_disabled_skills_are_never_active() {
        let registry = SkillRegistry::scan(&ScanPlan::default()).unwrap();
        let mut sets = SkillSets::default();
        let index = registry.resolve("daily-guidance").unwrap();
        let first = sets.activation(&registry, &[index], &[]).unwrap();
        assert_eq!(first, sets.activation(&registry, &[index], &[]).unwrap());
        assert!(sets.get(first.active).contains(index));
        let off = sets.activation(&registry, &[index], &[index]).unwrap();
        assert!(!sets.get(off.active).contains(index) && !sets.get(off.visible).contains(index));
    }
}
