//! Schelling's segregation. The grid is a plain vector of the state: krABMaga's own grids are
//! slower, and do not show moves that were made in the same step.

use krabmaga::engine::agent::Agent;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{Counted, SEED, as_state, state_of};

/// A cell without an agent; others hold the number of the agent's group.
const EMPTY: u8 = 2;

pub struct City {
    side: i32,
    agents: usize,
    radius: i32,
    wanted: u32,
    cells: Vec<u8>,
    empty: Vec<u32>,
    draws: SmallRng,
    acted: u64,
    /// Agents that were content when they acted in the step under way, and in the one before.
    content: [u64; 2],
}

#[derive(Clone)]
struct Resident {
    cell: u32,
    group: u8,
}

impl City {
    pub fn new(large: bool) -> Self {
        let (side, agents, radius, wanted) =
            if large { (100, 8_000, 2, 8) } else { (40, 1_000, 1, 3) };
        Self {
            side,
            agents,
            radius,
            wanted,
            cells: vec![EMPTY; (side * side) as usize],
            empty: (0..(side * side) as u32).collect(),
            draws: SmallRng::seed_from_u64(SEED),
            acted: 0,
            content: [0, 0],
        }
    }

    fn take_empty(&mut self) -> u32 {
        let index = self.draws.random_range(0..self.empty.len());
        self.empty.swap_remove(index)
    }

    /// Neighbours of the same group around a cell, itself not counted.
    fn alike(&self, cell: u32, group: u8) -> u32 {
        let (x, y) = (cell as i32 % self.side, cell as i32 / self.side);
        let range = |at: i32| (at - self.radius).max(0)..(at + self.radius + 1).min(self.side);
        let columns = range(x);
        let row = |y: i32| {
            let start = y * self.side;
            &self.cells[(start + columns.start) as usize..(start + columns.end) as usize]
        };
        let count = |row: &[u8]| row.iter().map(|other| u32::from(*other == group)).sum::<u32>();
        range(y).map(|y| count(row(y))).sum::<u32>() - 1
    }
}

impl State for City {
    as_state!();

    fn init(&mut self, schedule: &mut Schedule) {
        for index in 0..self.agents {
            let cell = self.take_empty();
            let group = (index % 2) as u8;
            self.cells[cell as usize] = group;
            schedule.schedule_repeating(Box::new(Resident { cell, group }), 0.0, 0);
        }
    }

    fn update(&mut self, _: u64) {
        self.content = [0, self.content[0]];
    }
}

impl Agent for Resident {
    fn step(&mut self, state: &mut dyn State) {
        let city = state_of::<City>(state);
        city.acted += 1;
        if city.alike(self.cell, self.group) >= city.wanted {
            city.content[0] += 1;
            return;
        }
        let to = city.take_empty();
        city.empty.push(self.cell);
        city.cells[self.cell as usize] = EMPTY;
        city.cells[to as usize] = self.group;
        self.cell = to;
    }
}

impl Counted for City {
    fn agent_steps(&self) -> u64 {
        self.acted
    }

    fn outcome(&self, _: &Schedule) -> (&'static str, f64) {
        ("share content", self.content[1] as f64 / self.agents as f64)
    }
}
