//! Walkers who take no notice of each other: two draws and a multiplication each.

use krabmaga::engine::agent::Agent;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{Counted, SEED, as_state, state_of};

pub struct Walk {
    agents: u32,
    steps: u64,
    draws: SmallRng,
}

#[derive(Clone)]
struct Walker {
    x: f32,
    y: f32,
    energy: f32,
}

impl Walk {
    pub fn new(agents: u32) -> Self {
        Self { agents, steps: 0, draws: SmallRng::seed_from_u64(SEED) }
    }
}

impl State for Walk {
    as_state!();

    fn init(&mut self, schedule: &mut Schedule) {
        for _ in 0..self.agents {
            let walker = Walker { x: 0.0, y: 0.0, energy: 1.0 };
            schedule.schedule_repeating(Box::new(walker), 0.0, 0);
        }
    }

    fn update(&mut self, step: u64) {
        self.steps = step;
    }
}

impl Agent for Walker {
    fn step(&mut self, state: &mut dyn State) {
        let draws = &mut state_of::<Walk>(state).draws;
        self.x += draws.random::<f32>() - 0.5;
        self.y += draws.random::<f32>() - 0.5;
        self.energy *= 0.999;
    }
}

impl Counted for Walk {
    fn agent_steps(&self) -> u64 {
        self.steps * u64::from(self.agents)
    }

    fn outcome(&self, schedule: &Schedule) -> (&'static str, f64) {
        let walkers = schedule.events.iter();
        let walkers = walkers.filter_map(|(event, _)| event.agent.downcast_ref::<Walker>());
        let squares: f64 = walkers.map(|one| f64::from(one.x * one.x + one.y * one.y)).sum();
        ("msd per step", squares / self.agent_steps() as f64)
    }
}
