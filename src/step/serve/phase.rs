//! Phase 4: the script hooks of type `pre_step`, after the native ones.

use bevy_ecs::system::{Query, Res, ResMut};

use super::hooks::{self, ScriptColumns, Scripts, ServeWorld};
use crate::agent::hook::HookType;
use crate::step::state::{Chunks, Moment, Rules, Skills, Town};

/// Runs every `pre_step` hook that is a script.
pub fn serve(
    moment: Res<Moment>,
    rules: Res<Rules>,
    skills: Res<Skills>,
    town: Res<Town>,
    mut scripts: ResMut<Scripts>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<ScriptColumns>,
) {
    let (context, rules, skills, town) = (&moment.0, &*rules, &*skills, &*town.0);
    let world = ServeWorld { context, rules, skills, town };
    hooks::run(HookType::PreStep, &world, &mut scripts, &mut chunks, &mut people);
}

/// Runs every `post_step` hook that is a script: the second half of phase `post_step`.
pub fn serve_after(
    moment: Res<Moment>,
    rules: Res<Rules>,
    skills: Res<Skills>,
    town: Res<Town>,
    mut scripts: ResMut<Scripts>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<ScriptColumns>,
) {
    let (context, rules, skills, town) = (&moment.0, &*rules, &*skills, &*town.0);
    let world = ServeWorld { context, rules, skills, town };
    hooks::run(HookType::PostStep, &world, &mut scripts, &mut chunks, &mut people);
}
