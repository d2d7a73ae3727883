//! Flocking on a torus, in krABMaga's own field: 32-bit floats, and everybody sees the positions
//! at the start of the step. Its search in a field that is said to be toroidal stops at the edges;
//! in one that is not it wraps, so that only the distance has to be periodic here.

use std::f32::consts::TAU;
use std::fmt;
use std::hash::{Hash, Hasher};

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::{Counted, SEED, as_state, state_of};

const SPEED: f32 = 1.0;
const COHERE: f32 = 0.03;
const SEPARATION: f32 = 1.0;
const SEPARATE: f32 = 0.015;
const MATCH: f32 = 0.05;

pub struct Flock {
    side: f32,
    birds: u32,
    vision: f32,
    field: Field2D<Bird>,
    acted: u64,
    /// Sum of the directions in the step under way, and in the one before.
    directions: [[f64; 2]; 2],
}

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    at: Real2D,
    velocity: [f32; 2],
}

impl Flock {
    pub fn new(large: bool) -> Self {
        let (side, birds, vision) = if large { (150.0, 400, 15.0) } else { (100.0, 200, 5.0) };
        let field = Field2D::new(side, side, vision, false);
        Self { side, birds, vision, field, acted: 0, directions: [[0.0; 2]; 2] }
    }

    /// The shortest way from `from` to `to` along one axis.
    fn way(&self, from: f32, to: f32) -> f32 {
        let way = to - from;
        let half = self.side / 2.0;
        if way > half {
            way - self.side
        } else if way < -half {
            way + self.side
        } else {
            way
        }
    }

    fn wrap(&self, at: f32) -> f32 {
        let at = at.rem_euclid(self.side);
        if at < self.side { at } else { 0.0 }
    }
}

impl State for Flock {
    as_state!();

    fn init(&mut self, schedule: &mut Schedule) {
        let mut draws = SmallRng::seed_from_u64(SEED);
        for id in 0..self.birds {
            let mut coordinate = || draws.random::<f32>() * self.side;
            let at = Real2D { x: coordinate(), y: coordinate() };
            let (sine, cosine) = (draws.random::<f32>() * TAU).sin_cos();
            let bird = Bird { id, at, velocity: [cosine, sine] };
            self.field.set_object_location(bird, at);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    fn update(&mut self, _: u64) {
        self.field.lazy_update();
        self.directions = [[0.0; 2], self.directions[0]];
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let flock = state_of::<Flock>(state);
        flock.acted += 1;
        let (mut cohere, mut separate, mut align) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut count = 0.0_f32;
        for other in flock.field.get_neighbors_within_relax_distance(self.at, flock.vision) {
            let way = [flock.way(self.at.x, other.at.x), flock.way(self.at.y, other.at.y)];
            let square = way[0] * way[0] + way[1] * way[1];
            if other.id == self.id || square > flock.vision * flock.vision {
                continue;
            }
            count += 1.0;
            for axis in 0..2 {
                cohere[axis] += way[axis];
                align[axis] += other.velocity[axis];
                if square < SEPARATION * SEPARATION {
                    separate[axis] -= way[axis];
                }
            }
        }
        let count = count.max(1.0);
        let mean = |axis: usize| {
            let pull = cohere[axis] * COHERE + separate[axis] * SEPARATE + align[axis] * MATCH;
            (self.velocity[axis] + pull / count) / 2.0
        };
        let velocity = [mean(0), mean(1)];
        let length = velocity[0].hypot(velocity[1]);
        self.velocity = velocity.map(|part| part / length);
        let [dx, dy] = self.velocity.map(|part| part * SPEED);
        self.at = Real2D { x: flock.wrap(self.at.x + dx), y: flock.wrap(self.at.y + dy) };
        flock.field.set_object_location(*self, self.at);
        for axis in 0..2 {
            flock.directions[0][axis] += f64::from(self.velocity[axis]);
        }
    }
}

impl Counted for Flock {
    fn agent_steps(&self) -> u64 {
        self.acted
    }

    fn outcome(&self, _: &Schedule) -> (&'static str, f64) {
        let [x, y] = self.directions[1];
        ("polarisation", x.hypot(y) / f64::from(self.birds))
    }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.at
    }

    fn set_location(&mut self, at: Real2D) {
        self.at = at;
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.id.hash(hasher);
    }
}

impl fmt::Display for Bird {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "bird {}", self.id)
    }
}
