//! Phase 7: the `post_step` hooks, which see what really happened.

use super::hooks::{HookDesk, run};
use crate::agent::hook::HookType;

/// Runs every native `post_step` hook, a chunk of agents at a time.
pub fn post_step(desk: HookDesk<'_, '_>) {
    run(HookType::PostStep, desk);
}
