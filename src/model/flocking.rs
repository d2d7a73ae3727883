//! Flocking: birds that keep together, keep their distance and fly the same way.
//!
//! A bird looks at the birds of nine cells, whose positions and velocities lie side by side in
//! columns; two birds are weighed at a time, and those out of sight count as nothing rather than
//! being branched around. The world is a torus: a cell beyond an edge is one of the other side
//! moved by the world's size, so no distance needs wrapping.
//!
//! Source: C. W. Reynolds, "Flocks, herds and schools", SIGGRAPH 1987; rules and constants of the
//! comparison of frameworks in JuliaDynamics/ABMFrameworksComparison.

use super::flock_cells::{Cells, Member, Sight};
use super::interface::{AgentView, Model};
use super::order::shuffle;
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;
use crate::scenario::spec::{self, Activation};

/// Birds turned by one task when all act at once.
const CHUNK_LEN: usize = 256;

/// Birds on a torus.
pub(super) struct Flocking {
    seed: u64,
    activation: Activation,
    rules: Rules,
    cells: Cells,
    birds: Vec<Bird>,
    /// The birds as they will be, when all act at once.
    next: Vec<Bird>,
    /// The birds, in the order in which they act.
    order: Vec<u32>,
}

/// A bird; its velocity is a unit vector.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bird {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    /// Distance to the nearest bird when it last looked; infinite if it saw none.
    nearest: f64,
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    width: f64,
    height: f64,
    speed: f64,
    vision: f64,
    separation: f64,
    cohere: f64,
    separate: f64,
    match_: f64,
}

impl Rules {
    /// Turns and moves a bird by what it sees.
    fn fly(&self, bird: Bird, sight: &Sight) -> Bird {
        let count = sight.count.max(1.0);
        let turn = |v: f64, to: f64, away: f64, along: f64| {
            let wish = to / count * self.cohere
                + away / count * self.separate
                + along / count * self.match_;
            (v + wish) / 2.0
        };
        let vx = turn(bird.vx, sight.to_x, sight.away_x, sight.along_x);
        let vy = turn(bird.vy, sight.to_y, sight.away_y, sight.along_y);
        let length = (vx * vx + vy * vy).sqrt();
        // Wishes that cancel out leave no direction: it flies on.
        let (vx, vy) = if length > 0.0 { (vx / length, vy / length) } else { (bird.vx, bird.vy) };
        Bird {
            x: wrap(bird.x + vx * self.speed, self.width),
            y: wrap(bird.y + vy * self.speed, self.height),
            vx,
            vy,
            nearest: sight.nearest_square.sqrt(),
        }
    }
}

/// `value` in [0, `size`), as on a circle.
fn wrap(value: f64, size: f64) -> f64 {
    let inside = value - size * (value / size).floor();
    // Just below 0, rounding gives the size itself.
    if inside < size { inside } else { 0.0 }
}

impl Bird {
    fn member(&self, id: usize) -> Member {
        let Self { x, y, vx, vy, .. } = *self;
        Member { id: id as u32, x, y, vx, vy }
    }
}

impl Flocking {
    pub(super) fn new(spec: &spec::Flocking, seed: u64) -> Self {
        let rules = Rules {
            width: spec.width,
            height: spec.height,
            speed: spec.speed,
            vision: spec.vision,
            separation: spec.separation,
            cohere: spec.cohere_factor,
            separate: spec.separate_factor,
            match_: spec.match_factor,
        };
        let birds: Vec<Bird> = (0..spec.agents).map(|id| hatch(&rules, seed, id)).collect();
        let mut cells = Cells::new(rules.width, rules.height, rules.vision);
        for (id, bird) in birds.iter().enumerate() {
            cells.push(bird.member(id));
        }
        let order = (0..spec.agents).collect();
        Self { seed, activation: spec.activation, rules, cells, next: birds.clone(), birds, order }
    }

    /// One after another: who comes later sees those before where they are now.
    fn step_in_order(&mut self, tick: Tick) {
        let mut order = std::mem::take(&mut self.order);
        shuffle(&mut order, self.seed, tick, 0);
        let Rules { vision, separation, .. } = self.rules;
        for id in &order {
            let id = *id as usize;
            let bird = self.birds[id];
            let moved =
                self.rules.fly(bird, &self.cells.look(&bird.member(id), vision, separation));
            self.cells.replace(&bird.member(id), moved.member(id));
            self.birds[id] = moved;
        }
        self.order = order;
    }

    /// All at once: everybody sees where the others were when the tick began.
    fn step_at_once(&mut self) {
        let Self { rules, cells, birds, next, .. } = self;
        let (birds, cells) = (&*birds, &*cells);
        let chunks = next.chunks_mut(CHUNK_LEN).enumerate().collect();
        parallel::for_each(chunks, |(chunk, next): (usize, &mut [Bird])| {
            for (index, next) in next.iter_mut().enumerate() {
                let id = chunk * CHUNK_LEN + index;
                let sight = cells.look(&birds[id].member(id), rules.vision, rules.separation);
                *next = rules.fly(birds[id], &sight);
            }
        });
        std::mem::swap(&mut self.birds, &mut self.next);
        self.cells.clear();
        for (id, bird) in self.birds.iter().enumerate() {
            self.cells.push(bird.member(id));
        }
    }
}

/// A bird anywhere, flying anywhere.
fn hatch(rules: &Rules, seed: u64, id: u32) -> Bird {
    let mut stream = Stream::of_index(seed, id, Purpose::ModelSetup);
    let (x, y) = (stream.unit_f64() * rules.width, stream.unit_f64() * rules.height);
    // A point of the disc gives a direction without sine and cosine, which differ by machine.
    loop {
        let (vx, vy) = (2.0 * stream.unit_f64() - 1.0, 2.0 * stream.unit_f64() - 1.0);
        let square = vx * vx + vy * vy;
        if square > 1e-6 && square <= 1.0 {
            let length = square.sqrt();
            return Bird { x, y, vx: vx / length, vy: vy / length, nearest: f64::INFINITY };
        }
    }
}

impl Model for Flocking {
    fn step(&mut self, tick: Tick) -> u64 {
        match self.activation {
            Activation::Sequential => self.step_in_order(tick),
            Activation::Simultaneous => self.step_at_once(),
        }
        self.agent_count()
    }

    fn agent_count(&self) -> u64 {
        self.birds.len() as u64
    }

    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64)) {
        let (mut vx, mut vy, mut distance_sum, mut seeing) = (0.0, 0.0, 0.0, 0_u32);
        for bird in &self.birds {
            vx += bird.vx;
            vy += bird.vy;
            if bird.nearest.is_finite() {
                distance_sum += bird.nearest;
                seeing += 1;
            }
        }
        note("polarisation", (vx * vx + vy * vy).sqrt() / self.birds.len() as f64);
        note("mean_nearest_distance", distance_sum / f64::from(seeing));
    }

    fn agents(&self, note: &mut dyn FnMut(AgentView)) {
        for (id, bird) in self.birds.iter().enumerate() {
            let (x, y) = (bird.x as f32, bird.y as f32);
            note(AgentView { agent: AgentId::from_index(id), x, y, state: "flying" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(model: &Flocking) -> Vec<f64> {
        let mut values = Vec::new();
        model.metrics(&mut |_, value| values.push(value));
        values
    }

    /// The rules as the declaration of the comparison has them, bird by bird, with distances
    /// wrapped one by one.
    fn by_the_book(rules: &Rules, birds: &[Bird], me: usize) -> Bird {
        let nearest = |d: f64, size: f64| d - size * (d / size).round();
        let bird = birds[me];
        let (mut to, mut away, mut along) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let (mut count, mut least) = (0.0, f64::INFINITY);
        for (id, other) in birds.iter().enumerate() {
            let dx = nearest(other.x - bird.x, rules.width);
            let dy = nearest(other.y - bird.y, rules.height);
            let distance = dx.hypot(dy);
            if id == me || distance > rules.vision {
                continue;
            }
            count += 1.0;
            least = distance.min(least);
            to = [to[0] + dx, to[1] + dy];
            along = [along[0] + other.vx, along[1] + other.vy];
            if distance < rules.separation {
                away = [away[0] - dx, away[1] - dy];
            }
        }
        let n = f64::max(count, 1.0);
        let [vx, vy] = [(0, bird.vx), (1, bird.vy)].map(|(axis, v)| {
            (v + to[axis] / n * rules.cohere
                + away[axis] / n * rules.separate
                + along[axis] / n * rules.match_)
                / 2.0
        });
        let length = vx.hypot(vy);
        Bird { x: 0.0, y: 0.0, vx: vx / length, vy: vy / length, nearest: least }
    }

    /// One tick of all at once against the declaration, for worlds with many cells, with a few and
    /// with one, so that the wrapping is tried in every way.
    #[test]
    fn birds_turn_as_the_declaration_says() {
        for (width, height, vision) in [(150.0, 150.0, 15.0), (40.0, 90.0, 19.0), (20.0, 30.0, 7.0)]
        {
            let spec = spec::Flocking {
                width,
                height,
                vision,
                separation: 3.0,
                agents: 200,
                activation: Activation::Simultaneous,
                ..spec::Flocking::default()
            };
            let mut model = Flocking::new(&spec, 8);
            for tick in 0..10 {
                let before = model.birds.clone();
                model.step(Tick(tick));
                for (id, bird) in model.birds.iter().enumerate() {
                    let expected = by_the_book(&model.rules, &before, id);
                    assert!((bird.vx - expected.vx).abs() < 1e-9, "{id}: {bird:?} {expected:?}");
                    assert!((bird.vy - expected.vy).abs() < 1e-9, "{id}: {bird:?} {expected:?}");
                    let both_infinite = bird.nearest == expected.nearest;
                    assert!(both_infinite || (bird.nearest - expected.nearest).abs() < 1e-9);
                }
            }
        }
    }

    /// Sequentially, a bird sees those before it where they are now: the same rules, bird by bird.
    #[test]
    fn who_comes_later_sees_who_moved() {
        let spec = spec::Flocking { agents: 150, ..spec::Flocking::default() };
        let mut model = Flocking::new(&spec, 6);
        for tick in 0..10 {
            let mut birds = model.birds.clone();
            model.step(Tick(tick));
            for id in model.order.iter().map(|id| *id as usize) {
                let expected = by_the_book(&model.rules, &birds, id);
                birds[id] = model.birds[id];
                assert!((birds[id].vx - expected.vx).abs() < 1e-9, "{tick} {id}");
                assert!((birds[id].vy - expected.vy).abs() < 1e-9, "{tick} {id}");
            }
        }
    }

    /// The large case: speeds stay 1, nobody leaves the world, and the birds gather. Scattered at
    /// random they are 1 / (2 √density) = 3.75 from their nearest (Clark and Evans 1954).
    #[test]
    fn birds_gather() {
        for activation in [Activation::Sequential, Activation::Simultaneous] {
            let spec = spec::Flocking { activation, ..spec::Flocking::default() };
            let mut model = Flocking::new(&spec, 3);
            model.step(Tick(0));
            assert!((metrics(&model)[1] - 3.75).abs() < 0.5, "{:?}", metrics(&model));
            for tick in 1..100 {
                assert_eq!(model.step(Tick(tick)), 400);
            }
            for bird in &model.birds {
                assert!((bird.vx.hypot(bird.vy) - 1.0).abs() < 1e-12);
                assert!((0.0..150.0).contains(&bird.x) && (0.0..150.0).contains(&bird.y));
            }
            assert!(metrics(&model)[1] < 2.5, "{activation:?}: {:?}", metrics(&model));
        }
    }

    /// Birds that do nothing but match those in sight, without noise, come to fly one way: the
    /// ordered phase of Vicsek et al. 1995. 400 random directions have a mean of 1/√400 = 0.05.
    #[test]
    fn birds_that_match_fly_one_way() {
        for activation in [Activation::Sequential, Activation::Simultaneous] {
            let spec = spec::Flocking {
                cohere_factor: 0.0,
                separate_factor: 0.0,
                match_factor: 1.0,
                activation,
                ..spec::Flocking::default()
            };
            let mut model = Flocking::new(&spec, 3);
            let before = metrics(&model)[0];
            assert!(before < 0.2, "{before}");
            (0..200).for_each(|tick| {
                model.step(Tick(tick));
            });
            assert!(metrics(&model)[0] > 0.9, "{activation:?}: {:?}", metrics(&model));
        }
    }

    #[test]
    fn threads_change_nothing() {
        let run = |threads| {
            parallel::with_threads(threads, || {
                let (agents, activation) = (3_000, Activation::Simultaneous);
                let spec = spec::Flocking { agents, activation, ..Default::default() };
                let mut model = Flocking::new(&spec, 2);
                (0..5).for_each(|tick| {
                    model.step(Tick(tick));
                });
                model.birds
            })
            .unwrap()
        };
        let one = run(1);
        assert!(one == run(2) && one == run(8));
    }
}
