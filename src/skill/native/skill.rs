//! The interface of a native skill, and the documents of those compiled in.

use crate::agent::hook::HookType;
use crate::skill::hook::HookChunk;

/// A skill written in Rust. One instance serves every agent and every thread, so it holds no state
/// of theirs: that lives in the columns of the chunk.
pub trait NativeSkill: Send + Sync {
    /// The hooks it has.
    fn hooks(&self) -> &'static [HookType];

    /// Runs before the agents of the chunk decide. Agents for whom the skill is not active
    /// ([`HookChunk::is_active`]) must be left alone.
    fn pre_step(&self, chunk: &mut HookChunk<'_>) {
        let _ = chunk;
    }

    /// Runs after the environment answered.
    fn post_step(&self, chunk: &mut HookChunk<'_>) {
        let _ = chunk;
    }
}

/// Path in the repository and text of each built-in skill's SKILL.md.
pub const fn builtin_documents() -> &'static [(&'static str, &'static str)] {
    &[("skills/daily-guidance/SKILL.md", include_str!("../../../skills/daily-guidance/SKILL.md"))]
}
