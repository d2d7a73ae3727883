//! One tick: the phases, in order. This page is the engine's table of contents.

use std::time::{Duration, Instant};

use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, SingleThreadedExecutor};
use bevy_ecs::world::World;

use crate::base::context::StepContext;
use crate::step::act::act;
use crate::step::advance::advance;
use crate::step::decide::decide;
use crate::step::log::log;
use crate::step::post_step::post_step;
use crate::step::pre_step::pre_step;
use crate::step::sense::sense;
use crate::step::serve::{answer_calls, answer_trees, serve, serve_after};
use crate::step::state::{Mail, Moment};

/// The phases of a tick in the order in which they run.
///
/// A phase is a schedule of its own, so that a system can be added to it and its time be taken.
/// Systems of a phase run one after another; the parallelism is inside them, over chunks.
pub struct Phases(Vec<(&'static str, Schedule)>);

impl Default for Phases {
    fn default() -> Self {
        Self(vec![
            // The clock has moved: journeys end, needs wear off.
            ("advance", phase(advance)),
            // Each person perceives where they are and what they were sent.
            ("sense", phase(sense)),
            // Skills speak up: daily-guidance forms, follows and revises the Story.
            ("pre_step", phase(pre_step)),
            // Scripts answer for those whose skills ask them, the environment for who asks it.
            ("serve", phase((serve, answer_calls, answer_trees).chain())),
            // Each person decides what to do now.
            ("decide", phase(decide)),
            // Intents meet the environment; letters are posted.
            ("act", phase(act)),
            // Skills see what really happened.
            ("post_step", phase((post_step, serve_after).chain())),
            // What everybody did becomes rows.
            ("log", phase(log)),
        ])
    }
}

fn phase<M>(system: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>) -> Schedule {
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.add_systems(system);
    schedule
}

impl Phases {
    /// Makes one step at the moment of `context`. `took(phase, duration)` is told how long
    /// each phase took.
    pub fn step(
        &mut self,
        world: &mut World,
        context: StepContext,
        mut took: impl FnMut(&'static str, Duration),
    ) {
        world.insert_resource(Moment(context));
        world.resource_mut::<Mail>().0.deliver();
        for (name, schedule) in &mut self.0 {
            let started = Instant::now();
            schedule.run(world);
            took(name, started.elapsed());
        }
    }
}
