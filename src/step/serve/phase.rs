//! Phase 4, and the second half of phase 7: hooks that are scripts, after the native ones.

use bevy_ecs::system::{Query, Res, ResMut, SystemParam};

use super::hooks::{self, ScriptColumns, Scripts, ServeWorld};
use crate::agent::hook::HookType;
use crate::step::state::{Chunks, Moment, Rules, Skills, Town};

/// What script hooks of either type work with.
#[derive(SystemParam)]
pub struct Desk<'w, 's> {
    moment: Res<'w, Moment>,
    rules: Res<'w, Rules>,
    skills: Res<'w, Skills>,
    town: Res<'w, Town>,
    scripts: ResMut<'w, Scripts>,
    chunks: ResMut<'w, Chunks>,
    people: Query<'w, 's, ScriptColumns>,
}

/// Runs every `pre_step` hook that is a script.
pub fn serve(desk: Desk<'_, '_>) {
    run(HookType::PreStep, desk);
}

/// Runs every `post_step` hook that is a script.
pub fn serve_after(desk: Desk<'_, '_>) {
    run(HookType::PostStep, desk);
}

fn run(kind: HookType, desk: Desk<'_, '_>) {
    let Desk { moment, rules, skills, town, mut scripts, mut chunks, mut people } = desk;
    let (context, rules, skills, town) = (&moment.0, &*rules, &*skills, &*town.0);
    let world = ServeWorld { context, rules, skills, town };
    hooks::run(kind, &world, &mut scripts, &mut chunks, &mut people);
}
