//! Phase 7: the `post_step` hooks, which see what really happened.

use bevy_ecs::system::{Query, Res, ResMut};

use super::hooks::{self, HookColumns, HookWorld};
use super::state::{Chunks, Mail, Moment, Rules, Skills};
use crate::agent::hook::HookType;

/// Runs every native `post_step` hook, a chunk of agents at a time.
pub fn post_step(
    moment: Res<Moment>,
    rules: Res<Rules>,
    skills: Res<Skills>,
    mail: Res<Mail>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<HookColumns>,
) {
    let world = HookWorld { moment: &moment, rules: &rules, skills: &skills, mail: &mail };
    hooks::run(HookType::PostStep, &world, &mut chunks, &mut people);
}
