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

/// A SKILL.md that is compiled in.
pub struct BuiltinDocument {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Namespace of the skill, if another than that of its scope.
    pub namespace: Option<&'static str>,
}

/// The documents of all built-in skills.
pub const fn builtin_documents() -> &'static [BuiltinDocument] {
    &[
        BuiltinDocument {
            path: "skills/daily-guidance/SKILL.md",
            text: include_str!("../../../skills/daily-guidance/SKILL.md"),
            namespace: None,
        },
        BuiltinDocument {
            path: "skills/mobility/SKILL.md",
            text: include_str!("../../../skills/mobility/SKILL.md"),
            namespace: Some("env:City"),
        },
    ]
}
