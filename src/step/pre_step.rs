//! Phase 3: the `pre_step` hooks of the skills that are active, in skill-id order.

use super::hooks::{HookDesk, run};
use crate::agent::hook::HookType;

/// Runs every native `pre_step` hook, a chunk of agents at a time.
pub fn pre_step(desk: HookDesk<'_, '_>) {
    run(HookType::PreStep, desk);
}
