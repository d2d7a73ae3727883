//! Which skills a person sees and has switched on.

use bevy_ecs::component::Component;

/// Number of a set of skills in the registry's table of distinct sets.
///
/// Persons of one group share one set, so a person carries two bytes a set and not the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct SkillSetId(pub u16);

/// The skills of one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component)]
pub struct Activation {
    /// In the person's catalogue.
    pub visible: SkillSetId,
    /// Switched on; a subset of the visible ones.
    pub active: SkillSetId,
}
