//! Phase 4 also answers the calls of tools of the environment.

use bevy_ecs::system::{Query, Res, ResMut};

use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::environment::tools::{Scene, answer};
use crate::step::desk::EnvironmentDesk;
use crate::step::state::{Chunks, Mail, Moment, Town, sole_table};

/// Answers the calls that wait, by rising agent.
pub fn answer_calls(
    moment: Res<Moment>,
    town: Res<Town>,
    mail: Res<Mail>,
    chunks: Res<Chunks>,
    mut desk: ResMut<EnvironmentDesk>,
    mut people: Query<(&AgentId, &Whereabouts, &Trip)>,
) {
    let calls = desk.take_calls();
    if calls.is_empty() {
        return;
    }
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((_, at, trips)) = sole_table(tables) else { return };
    let way = |agent: AgentId| chunks.way(agent);
    let (context, town) = (&moment.0, &*town.0);
    let answers = parallel::map(calls, |call| {
        let (agent, inbox) = (call.agent, mail.0.of(call.agent));
        answer(&Scene { context, town, agent, at, trips, way: &way, inbox }, &call)
    });
    for (answer, act) in answers {
        desk.put(answer, act);
    }
}
