//! Phase 3: the `pre_step` hooks of the skills that are active, in skill-id order.

use bevy_ecs::system::{Query, Res, ResMut};

use super::hooks::{self, HookColumns, HookWorld};
use super::state::{Chunks, Mail, Moment, Rules, Skills};
use crate::agent::hook::HookType;

/// Runs every native `pre_step` hook, a chunk of agents at a time.
pub fn pre_step(
    moment: Res<Moment>,
    rules: Res<Rules>,
    skills: Res<Skills>,
    mail: Res<Mail>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<HookColumns>,
) {
    let world = HookWorld { moment: &moment, rules: &rules, skills: &skills, mail: &mail };
    hooks::run(HookType::PreStep, &world, &mut chunks, &mut people);
}
