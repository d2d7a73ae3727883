//! Random walk: agents that move by independent steps and tire. What a step costs at least.
//!
//! Columns are cut into chunks that are walked in parallel. Within a chunk a block of agents goes
//! through all its work, sums for the metrics included, while it lies in the nearest cache. With
//! `hooks`, the same work is done by a hook that is called once per walker, to measure what such
//! calls cost.

use super::interface::{AgentView, Model};
use crate::base::draws::{Draws, Generator};
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::rng::Purpose;
use crate::base::time::Tick;
use crate::scenario::spec;

/// Walkers of a chunk: its columns fit the second-level cache.
const CHUNK_LEN: u32 = 16_384;
/// Walkers of a block: its columns and words fit the first-level cache. Even, as `Draws` wants it.
const BLOCK_LEN: usize = 256;
/// Sums that are kept side by side, so that a processor can add several at once.
const LANES: usize = 8;

/// Walkers and their rules.
pub(super) struct RandomWalk {
    seed: u64,
    generator: Generator,
    rules: Rules,
    /// Moves each walker by itself, if the scenario wants that.
    hook: Option<Box<dyn WalkerHook>>,
    chunks: Vec<Chunk>,
    agent_count: u32,
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    step: f32,
    damping: f32,
}

/// Walkers that lie together.
struct Chunk {
    first: AgentId,
    x: Vec<f32>,
    y: Vec<f32>,
    energy: Vec<f32>,
    sums: Sums,
}

/// Sums over a chunk.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    x: f64,
    y: f64,
    /// Of the squared distances from the start.
    square: f64,
    energy: f64,
}

/// One walker, as its hook sees it.
struct Walker {
    agent: AgentId,
    x: f32,
    y: f32,
    energy: f32,
}

/// What a walker does in a tick.
trait WalkerHook: Send + Sync {
    fn step(&self, walker: &mut Walker, draws: &Draws);
}

impl WalkerHook for Rules {
    fn step(&self, walker: &mut Walker, draws: &Draws) {
        let word = draws.word(walker.agent);
        walker.x += self.shift(word as u32);
        walker.y += self.shift((word >> 32) as u32);
        walker.energy *= self.damping;
    }
}

impl Rules {
    /// Uniform in [-step / 2, step / 2).
    #[inline]
    fn shift(&self, bits: u32) -> f32 {
        // 24 bits fit a signed number, which processors turn into a float at once.
        ((bits >> 8) as i32 as f32 * (1.0 / 16_777_216.0) - 0.5) * self.step
    }
}

impl RandomWalk {
    pub(super) fn new(spec: &spec::RandomWalk, seed: u64) -> Self {
        let rules = Rules { step: spec.step as f32, damping: spec.damping as f32 };
        let firsts = (0..spec.agents).step_by(CHUNK_LEN as usize);
        Self {
            seed,
            generator: match spec.generator {
                spec::Generator::Philox => Generator::Philox,
                spec::Generator::Mixer => Generator::Mixer,
            },
            rules,
            hook: spec.hooks.then(|| Box::new(rules) as _),
            chunks: firsts
                .map(|first| Chunk::new(first, CHUNK_LEN.min(spec.agents - first) as usize))
                .collect(),
            agent_count: spec.agents,
        }
    }
}

impl Chunk {
    /// Walkers at the origin, full of energy.
    fn new(first: u32, len: usize) -> Self {
        Self {
            first: AgentId(first),
            x: vec![0.0; len],
            y: vec![0.0; len],
            energy: vec![1.0; len],
            sums: Sums { energy: len as f64, ..Sums::default() },
        }
    }

    /// One tick by columns.
    fn step(&mut self, rules: Rules, draws: &Draws) {
        self.sums = Sums::default();
        let mut words = [0; BLOCK_LEN];
        let blocks = (self.x.chunks_mut(BLOCK_LEN))
            .zip(self.y.chunks_mut(BLOCK_LEN))
            .zip(self.energy.chunks_mut(BLOCK_LEN));
        for (index, ((x, y), energy)) in blocks.enumerate() {
            let words = &mut words[..x.len()];
            draws.fill(AgentId(self.first.0 + (index * BLOCK_LEN) as u32), words);
            for (x, word) in x.iter_mut().zip(&*words) {
                *x += rules.shift(*word as u32);
            }
            for (y, word) in y.iter_mut().zip(&*words) {
                *y += rules.shift((*word >> 32) as u32);
            }
            for energy in energy.iter_mut() {
                *energy *= rules.damping;
            }
            self.sums.add(x, y, energy);
        }
    }

    /// One tick by a call per walker.
    fn step_each(&mut self, hook: &dyn WalkerHook, draws: &Draws) {
        let columns = self.x.iter_mut().zip(&mut self.y).zip(&mut self.energy);
        for (index, ((x, y), energy)) in columns.enumerate() {
            let agent = AgentId(self.first.0 + index as u32);
            let mut walker = Walker { agent, x: *x, y: *y, energy: *energy };
            hook.step(&mut walker, draws);
            Walker { x: *x, y: *y, energy: *energy, .. } = walker;
        }
        self.sums = Sums::default();
        let blocks = (self.x.chunks(BLOCK_LEN))
            .zip(self.y.chunks(BLOCK_LEN))
            .zip(self.energy.chunks(BLOCK_LEN));
        for ((x, y), energy) in blocks {
            self.sums.add(x, y, energy);
        }
    }
}

impl Sums {
    /// Adds a block: in single precision within it, in double precision from block to block.
    fn add(&mut self, x: &[f32], y: &[f32], energy: &[f32]) {
        self.x += lane_sum(x.iter().copied());
        self.y += lane_sum(y.iter().copied());
        self.square += lane_sum(x.iter().zip(y).map(|(x, y)| x * x + y * y));
        self.energy += lane_sum(energy.iter().copied());
    }
}

/// The sum of a block, lane by lane; the order of additions depends on nothing but the length.
#[inline]
fn lane_sum(values: impl ExactSizeIterator<Item = f32>) -> f64 {
    let mut lanes = [0.0_f32; LANES];
    for (index, value) in values.enumerate() {
        lanes[index % LANES] += value;
    }
    lanes.iter().map(|lane| f64::from(*lane)).sum()
}

impl Model for RandomWalk {
    fn step(&mut self, tick: Tick) -> u64 {
        let draws = Draws::new(self.generator, self.seed, tick, Purpose::Walk);
        let rules = self.rules;
        match self.hook.as_deref() {
            None => parallel::for_each_mut(&mut self.chunks, |chunk| chunk.step(rules, &draws)),
            Some(hook) => {
                parallel::for_each_mut(&mut self.chunks, |chunk| chunk.step_each(hook, &draws));
            }
        }
        u64::from(self.agent_count)
    }

    fn agent_count(&self) -> u64 {
        u64::from(self.agent_count)
    }

    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64)) {
        let mean = |sum: fn(&Sums) -> f64| {
            let total: f64 = self.chunks.iter().map(|chunk| sum(&chunk.sums)).sum();
            total / f64::from(self.agent_count)
        };
        note("mean_x", mean(|sums| sums.x));
        note("mean_y", mean(|sums| sums.y));
        note("mean_square_displacement", mean(|sums| sums.square));
        note("mean_energy", mean(|sums| sums.energy));
    }

    fn agents(&self, note: &mut dyn FnMut(AgentView)) {
        for chunk in &self.chunks {
            for (index, (x, y)) in chunk.x.iter().zip(&chunk.y).enumerate() {
                let agent = AgentId(chunk.first.0 + index as u32);
                note(AgentView { agent, x: *x, y: *y, state: "walking" });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn metrics(model: &dyn Model) -> BTreeMap<&'static str, f64> {
        let mut all = BTreeMap::new();
        model.metrics(&mut |name, value| {
            all.insert(name, value);
        });
        all
    }

    /// After n steps of U(-s/2, s/2) along each axis the mean square displacement is 2 n s²/12
    /// (variance of a uniform number), each coordinate's mean is 0 and energy is 0.999^n. Square
    /// displacements are nearly exponential, so their standard error is that mean over √N.
    #[test]
    fn displacement_grows_as_theory_says() {
        for generator in [spec::Generator::Philox, spec::Generator::Mixer] {
            let spec = spec::RandomWalk {
                agents: 100_000,
                step: 2.0,
                generator,
                ..spec::RandomWalk::default()
            };
            let mut model = RandomWalk::new(&spec, 11);
            for tick in 0..60 {
                assert_eq!(model.step(Tick(tick)), 100_000);
            }
            let found = metrics(&model);
            let expected = 60.0 * 2.0 * 4.0 / 12.0;
            let root_n = 100_000_f64.sqrt();
            let msd = found["mean_square_displacement"];
            assert!((msd - expected).abs() < 4.0 * expected / root_n, "{generator:?}: {msd}");
            for axis in ["mean_x", "mean_y"] {
                let standard_error = (expected / 2.0).sqrt() / root_n;
                assert!(found[axis].abs() < 4.0 * standard_error, "{generator:?}: {found:?}");
            }
            assert!((found["mean_energy"] - 0.999_f64.powi(60)).abs() < 1e-5, "{found:?}");
        }
    }

    #[test]
    fn hooks_threads_and_chunks_of_work_change_nothing() {
        let run = |generator, hooks, threads| {
            let agents = 3 * CHUNK_LEN + 77;
            let spec = spec::RandomWalk { agents, generator, hooks, ..Default::default() };
            parallel::with_threads(threads, || {
                let mut model = RandomWalk::new(&spec, 3);
                (0..5).for_each(|tick| {
                    model.step(Tick(tick));
                });
                let mut agents = Vec::new();
                model.agents(&mut |agent| agents.push(agent));
                (agents, metrics(&model))
            })
            .unwrap()
        };
        for generator in [spec::Generator::Philox, spec::Generator::Mixer] {
            let one = run(generator, false, 1);
            assert_eq!(one.0.len() as u32, 3 * CHUNK_LEN + 77);
            for (hooks, threads) in [(false, 2), (false, 8), (true, 1), (true, 2)] {
                assert!(one == run(generator, hooks, threads), "{generator:?} {hooks} {threads}");
            }
        }
    }
}
