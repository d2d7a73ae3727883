//! What hooks said, as a mind reads it.

use super::xml::{escaped, escaped_body};
use crate::agent::hook::HookType;

/// What one hook said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSaid<'a> {
    /// Id of its skill.
    pub skill_id: &'a str,
    /// Which hook.
    pub hook: HookType,
    /// Whether it is well.
    pub ok: bool,
    /// Its output.
    pub output: &'a str,
}

/// The block `<skill_hooks>`, in the given order, each output trimmed and cut at `characters_max`.
/// Empty if no hook spoke. Outputs are escaped: none can end the block and speak as another.
///
/// Source: contract 1.5 of AgentSociety, as its section 0 corrects it.
pub fn hooks_block(all: &[HookSaid<'_>], characters_max: usize) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut text = "<skill_hooks>\n".to_owned();
    for said in all {
        let whole = said.output.trim();
        let cut: String = whole.chars().take(characters_max).collect();
        let mark = if cut.len() < whole.len() { "…" } else { "" };
        text.push_str(&format!(
            "<skill_hook skill=\"{}\" hook=\"{}\" ok=\"{}\">\n{}{mark}\n</skill_hook>\n",
            escaped(said.skill_id),
            said.hook,
            said.ok,
            escaped_body(&cut)
        ));
    }
    text.push_str("</skill_hooks>");
    text
}
