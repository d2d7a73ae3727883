//! Forest fire. One agent is the whole fire and looks at its front only: the fastest way that
//! krABMaga has, since an agent a tree would go through the queue one by one.

use krabmaga::engine::agent::Agent;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{Counted, SEED, as_state, state_of};

pub struct Forest {
    side: usize,
    /// Green trees, in a margin of cells without any.
    green: Vec<bool>,
    front: Vec<u32>,
    steps: u64,
    burnt: u64,
}

#[derive(Clone)]
struct Fire;

impl Forest {
    pub fn new(large: bool) -> Self {
        let (side, density) = if large { (500, 0.9) } else { (100, 0.7) };
        let stride = side + 2;
        let mut draws = SmallRng::seed_from_u64(SEED);
        let mut green = vec![false; stride * stride];
        let mut front = Vec::new();
        for y in 1..=side {
            for x in 1..=side {
                let tree = draws.random::<f64>() < density;
                green[y * stride + x] = tree && x > 1;
                if tree && x == 1 {
                    front.push((y * stride + x) as u32);
                }
            }
        }
        Self { side, green, front, steps: 0, burnt: 0 }
    }
}

impl State for Forest {
    as_state!();

    fn init(&mut self, schedule: &mut Schedule) {
        schedule.schedule_repeating(Box::new(Fire), 0.0, 0);
    }

    fn update(&mut self, step: u64) {
        self.steps = step;
    }
}

impl Agent for Fire {
    fn step(&mut self, state: &mut dyn State) {
        let forest = state_of::<Forest>(state);
        let stride = forest.side + 2;
        let mut next = Vec::with_capacity(forest.front.len());
        for tree in &forest.front {
            let tree = *tree as usize;
            for beside in [tree - 1, tree + 1, tree - stride, tree + stride] {
                if std::mem::take(&mut forest.green[beside]) {
                    next.push(beside as u32);
                }
            }
        }
        forest.burnt += forest.front.len() as u64;
        forest.front = next;
    }
}

impl Counted for Forest {
    fn agent_steps(&self) -> u64 {
        self.steps * (self.side * self.side) as u64
    }

    fn outcome(&self, _: &Schedule) -> (&'static str, f64) {
        ("burnt", self.burnt as f64)
    }
}
