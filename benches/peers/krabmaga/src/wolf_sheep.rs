//! Wolves, sheep and grass on a torus. Who is where is kept in plain vectors of the state, as in
//! `schelling`; sheep act before wolves by their order in krABMaga's queue.

use krabmaga::engine::agent::Agent;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{Counted, SEED, as_state, state_of};

const SHEEP_GAIN: f64 = 5.0;
const WOLF_GAIN: f64 = 13.0;
/// Order of the kinds within a step.
const SHEEP_FIRST: i32 = 0;
const WOLVES_LAST: i32 = 1;
const DIRECTIONS: [[i32; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

pub struct Pasture {
    side: i32,
    sheep: u32,
    wolves: u32,
    regrowth: u64,
    sheep_birth: f64,
    wolf_birth: f64,
    /// Step from which on the grass of each cell can be eaten.
    grown_at: Vec<u64>,
    /// The living sheep of each cell, by number.
    flocks: Vec<Vec<u32>>,
    /// By number of a sheep, whether it lives.
    alive: Vec<bool>,
    born_sheep: Vec<Sheep>,
    born_wolves: Vec<Wolf>,
    step: u64,
    draws: SmallRng,
    acted: u64,
}

#[derive(Clone)]
struct Sheep {
    id: u32,
    cell: usize,
    energy: f64,
}

#[derive(Clone)]
struct Wolf {
    cell: usize,
    energy: f64,
}

impl Pasture {
    pub fn new(large: bool) -> Self {
        let (side, sheep, wolves, regrowth) =
            if large { (100, 1_000, 500, 10) } else { (25, 60, 40, 20) };
        let (sheep_birth, wolf_birth) = if large { (0.4, 0.2) } else { (0.2, 0.1) };
        let cells = (side * side) as usize;
        let mut draws = SmallRng::seed_from_u64(SEED);
        // Half of the grass is grown, the rest is anywhere on its way.
        let mut wait = |_| if draws.random() { 0 } else { draws.random_range(1..=regrowth) };
        let grown_at = (0..cells).map(&mut wait).collect();
        Self {
            side,
            sheep,
            wolves,
            regrowth,
            sheep_birth,
            wolf_birth,
            grown_at,
            flocks: vec![Vec::new(); cells],
            alive: Vec::new(),
            born_sheep: Vec::new(),
            born_wolves: Vec::new(),
            step: 0,
            draws,
            acted: 0,
        }
    }

    fn anywhere(&mut self) -> usize {
        self.draws.random_range(0..self.flocks.len())
    }

    /// One of the eight cells around a cell.
    fn wander(&mut self, cell: usize) -> usize {
        let [dx, dy] = DIRECTIONS[self.draws.random_range(0..DIRECTIONS.len())];
        let (x, y) = (cell as i32 % self.side, cell as i32 / self.side);
        let (x, y) = ((x + dx).rem_euclid(self.side), (y + dy).rem_euclid(self.side));
        (y * self.side + x) as usize
    }

    fn settle(&mut self, cell: usize, energy: f64) -> Sheep {
        let id = self.alive.len() as u32;
        self.alive.push(true);
        self.flocks[cell].push(id);
        Sheep { id, cell, energy }
    }

    fn leave(&mut self, sheep: &Sheep) {
        let flock = &mut self.flocks[sheep.cell];
        if let Some(index) = flock.iter().position(|id| *id == sheep.id) {
            flock.swap_remove(index);
        }
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.draws.random::<f64>() < probability
    }
}

impl State for Pasture {
    as_state!();

    fn init(&mut self, schedule: &mut Schedule) {
        for _ in 0..self.sheep {
            let cell = self.anywhere();
            let energy = f64::from(self.draws.random_range(1..=2 * SHEEP_GAIN as u32));
            let sheep = self.settle(cell, energy);
            schedule.schedule_repeating(Box::new(sheep), 0.0, SHEEP_FIRST);
        }
        for _ in 0..self.wolves {
            let cell = self.anywhere();
            let energy = f64::from(self.draws.random_range(1..=2 * WOLF_GAIN as u32));
            schedule.schedule_repeating(Box::new(Wolf { cell, energy }), 0.0, WOLVES_LAST);
        }
    }

    fn after_step(&mut self, schedule: &mut Schedule) {
        let next = schedule.time + 1.0;
        for sheep in self.born_sheep.drain(..) {
            schedule.schedule_repeating(Box::new(sheep), next, SHEEP_FIRST);
        }
        for wolf in self.born_wolves.drain(..) {
            schedule.schedule_repeating(Box::new(wolf), next, WOLVES_LAST);
        }
    }

    fn update(&mut self, step: u64) {
        self.step = step;
    }
}

impl Agent for Sheep {
    fn step(&mut self, state: &mut dyn State) {
        let pasture = state_of::<Pasture>(state);
        if !pasture.alive[self.id as usize] {
            // It was eaten after it had acted in the step before.
            return;
        }
        pasture.acted += 1;
        pasture.leave(self);
        self.cell = pasture.wander(self.cell);
        self.energy -= 1.0;
        if pasture.grown_at[self.cell] <= pasture.step {
            pasture.grown_at[self.cell] = pasture.step + pasture.regrowth;
            self.energy += SHEEP_GAIN;
        }
        if self.energy < 1.0 {
            pasture.alive[self.id as usize] = false;
            return;
        }
        pasture.flocks[self.cell].push(self.id);
        if pasture.chance(pasture.sheep_birth) {
            self.energy /= 2.0;
            let lamb = pasture.settle(self.cell, self.energy);
            pasture.born_sheep.push(lamb);
        }
    }

    fn is_stopped(&mut self, state: &mut dyn State) -> bool {
        !state_of::<Pasture>(state).alive[self.id as usize]
    }
}

impl Agent for Wolf {
    fn step(&mut self, state: &mut dyn State) {
        let pasture = state_of::<Pasture>(state);
        pasture.acted += 1;
        self.cell = pasture.wander(self.cell);
        self.energy -= 1.0;
        if let Some(prey) = pasture.flocks[self.cell].pop() {
            pasture.alive[prey as usize] = false;
            self.energy += WOLF_GAIN;
        }
        if self.energy >= 0.0 && pasture.chance(pasture.wolf_birth) {
            self.energy /= 2.0;
            pasture.born_wolves.push(self.clone());
        }
    }

    fn is_stopped(&mut self, _: &mut dyn State) -> bool {
        self.energy < 0.0
    }
}

impl Counted for Pasture {
    fn agent_steps(&self) -> u64 {
        self.acted
    }

    fn outcome(&self, _: &Schedule) -> (&'static str, f64) {
        ("activations", self.acted as f64)
    }
}
