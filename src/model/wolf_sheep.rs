//! Wolves, sheep and grass: predators, prey and what the prey eats, on a torus of cells.
//!
//! In a tick all sheep act, then all wolves, then the grass grows. An animal moves to one of the
//! eight cells around it, loses one unit of energy, eats if it can, dies if it has too little left,
//! and may have one offspring, with which it shares its energy. Grass is one number per cell, the
//! tick from which on it can be eaten, so that growing costs nothing.
//!
//! Source: U. Wilensky, "NetLogo Wolf Sheep Predation model" (1997); rules and constants of the
//! comparison of frameworks in JuliaDynamics/ABMFrameworksComparison.

use super::herd::{Fate, Herd, Pasture};
use super::interface::{AgentView, Model};
use super::order::shuffle;
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;
use crate::scenario::spec;

/// Which stream of a tick is whose.
const SHEEP: u32 = 0;
const WOLVES: u32 = 1;
const GRASS: u32 = 2;

/// Animals of both kinds and the grass they live on.
pub(super) struct WolfSheep {
    seed: u64,
    pasture: Pasture,
    sheep: Herd,
    wolves: Herd,
    sheep_rules: Rules,
    wolf_rules: Rules,
    /// Tick from which on the grass of each cell can be eaten.
    grown_at: Vec<u32>,
    regrowth: u32,
    /// Cells with grass at the end of the tick last done.
    grass_count: u32,
    next_id: AgentId,
}

/// What an animal gains and risks.
#[derive(Debug, Clone, Copy)]
struct Rules {
    gain: f64,
    /// With less energy than this it dies.
    energy_min: f64,
    /// Chance of an offspring in a tick, in units of 2^-29.
    birth: u32,
}

impl Rules {
    fn new(gain: f64, energy_min: f64, birth: f64) -> Self {
        Self { gain, energy_min, birth: (birth * f64::from(1 << 29)) as u32 }
    }

    fn fate(&self, energy: f64, chance: Chance) -> Fate {
        if energy < self.energy_min {
            Fate::Dies
        } else if chance.gives_birth(self) {
            Fate::GivesBirth
        } else {
            Fate::Lives
        }
    }
}

/// One draw serves for a direction (3 bits) and the chance of an offspring (29 bits).
#[derive(Debug, Clone, Copy)]
struct Chance(u32);

impl Chance {
    fn direction(self) -> usize {
        (self.0 >> 29) as usize
    }

    fn gives_birth(self, rules: &Rules) -> bool {
        (self.0 & ((1 << 29) - 1)) < rules.birth
    }
}

impl WolfSheep {
    pub(super) fn new(spec: &spec::WolfSheep, seed: u64) -> Self {
        let pasture = Pasture::new(spec.width, spec.height);
        let cell_count = pasture.cell_count();
        let mut model = Self {
            seed,
            sheep: Herd::found_by_cell(cell_count),
            wolves: Herd::hunters(),
            sheep_rules: Rules::new(spec.sheep_gain, 1.0, spec.sheep_birth),
            wolf_rules: Rules::new(spec.wolf_gain, 0.0, spec.wolf_birth),
            grown_at: Vec::with_capacity(cell_count),
            regrowth: spec.regrowth,
            grass_count: 0,
            next_id: AgentId(0),
            pasture,
        };
        let mut stream = Stream::of_index(seed, GRASS, Purpose::ModelSetup);
        for _ in 0..cell_count {
            // Half of the grass is grown, the rest is anywhere on its way.
            let grown = stream.below(2) == 0;
            let wait = 1 + stream.below(spec.regrowth.max(1));
            model.grown_at.push(if grown { 0 } else { wait });
        }
        model.settle(SHEEP, spec.sheep, spec.sheep_gain);
        model.settle(WOLVES, spec.wolves, spec.wolf_gain);
        model
    }

    /// Puts animals anywhere, with a whole number of units of energy from 1 to twice a meal's.
    fn settle(&mut self, kind: u32, count: u32, gain: f64) {
        let mut stream = Stream::of_index(self.seed, kind, Purpose::ModelSetup);
        for _ in 0..count {
            let cell = stream.below(self.pasture.cell_count() as u32);
            let energy = 1.0 + f64::from(stream.below((2.0 * gain).max(1.0) as u32));
            let id = next(&mut self.next_id);
            let herd = if kind == SHEEP { &mut self.sheep } else { &mut self.wolves };
            herd.add(id, cell, energy);
        }
    }

    /// Each sheep in turn; gives how many acted.
    fn graze(&mut self, tick: Tick) -> u64 {
        let mut order = self.sheep.take_order();
        shuffle(&mut order, self.seed, tick, SHEEP);
        let mut stream = Stream::new(self.seed, AgentId(SHEEP), tick, Purpose::ModelAct);
        let rules = self.sheep_rules;
        for animal in &order {
            let animal = *animal as usize;
            let chance = Chance(stream.bits());
            let cell = self.pasture.neighbour(self.sheep.cell(animal), chance.direction());
            let mut energy = self.sheep.energy(animal) - 1.0;
            let grown_at = &mut self.grown_at[cell as usize];
            if *grown_at <= tick.0 {
                // It can be eaten again `regrowth` ticks from now.
                *grown_at = tick.0 + self.regrowth.max(1);
                energy += rules.gain;
            }
            let new_id = || next(&mut self.next_id);
            self.sheep.act(animal, cell, energy, rules.fate(energy, chance), new_id);
        }
        let acted = order.len() as u64;
        self.sheep.give_order_back(order);
        acted
    }

    /// Each wolf in turn; gives how many acted.
    fn hunt(&mut self, tick: Tick) -> u64 {
        let mut order = self.wolves.take_order();
        shuffle(&mut order, self.seed, tick, WOLVES);
        let mut stream = Stream::new(self.seed, AgentId(WOLVES), tick, Purpose::ModelAct);
        let rules = self.wolf_rules;
        for animal in &order {
            let animal = *animal as usize;
            let chance = Chance(stream.bits());
            let cell = self.pasture.neighbour(self.wolves.cell(animal), chance.direction());
            let mut energy = self.wolves.energy(animal) - 1.0;
            if let Some(prey) = self.sheep.first_in(cell) {
                self.sheep.remove(prey);
                energy += rules.gain;
            }
            let new_id = || next(&mut self.next_id);
            self.wolves.act(animal, cell, energy, rules.fate(energy, chance), new_id);
        }
        let acted = order.len() as u64;
        self.wolves.give_order_back(order);
        acted
    }
}

/// The next number of an animal; none is used twice.
fn next(id: &mut AgentId) -> AgentId {
    let next = AgentId(id.0 + 1);
    std::mem::replace(id, next)
}

impl Model for WolfSheep {
    fn step(&mut self, tick: Tick) -> u64 {
        self.sheep.bury();
        self.wolves.bury();
        let acted = self.graze(tick) + self.hunt(tick);
        // The grass grows last: what may be eaten in the next tick is there.
        let grown = self.grown_at.iter().map(|at| u32::from(*at <= tick.0 + 1));
        self.grass_count = grown.sum();
        acted
    }

    fn agent_count(&self) -> u64 {
        (self.sheep.len() + self.wolves.len()) as u64
    }

    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64)) {
        note("sheep", self.sheep.len() as f64);
        note("wolves", self.wolves.len() as f64);
        note("grass", f64::from(self.grass_count));
    }

    fn agents(&self, note: &mut dyn FnMut(AgentView)) {
        for (herd, alive, dead) in
            [(&self.sheep, "sheep", "dead_sheep"), (&self.wolves, "wolf", "dead_wolf")]
        {
            herd.each(&mut |agent, cell, is_alive| {
                let (x, y) = self.pasture.position(cell);
                let state = if is_alive { alive } else { dead };
                note(AgentView { agent, x: x as f32, y: y as f32, state });
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(model: &WolfSheep) -> Vec<f64> {
        let mut values = Vec::new();
        model.metrics(&mut |_, value| values.push(value));
        values
    }

    /// The large case (100 x 100, 1000 sheep, 500 wolves, 100 ticks): animals activated in all,
    /// on average over seeds. Three implementations of the comparison that were run side by side,
    /// each with a generator of its own, have 384, 385 (Mesa) and 390 thousand (krABMaga).
    #[test]
    fn as_many_animals_act_as_in_other_implementations() {
        let activations = |seed| -> u64 {
            let mut model = WolfSheep::new(&spec::WolfSheep::default(), seed);
            (0..100).map(|tick| model.step(Tick(tick))).sum()
        };
        let seeds = 40;
        let mean = (1..=seeds).map(activations).sum::<u64>() as f64 / seeds as f64;
        assert!((mean - 386_000.0).abs() < 0.05 * 386_000.0, "{mean}");
    }

    /// Everybody has one cell, the lists of the cells hold the living sheep and nobody else, and
    /// grass is counted as it is.
    #[test]
    fn animals_are_where_the_cells_say() {
        let mut model = WolfSheep::new(&spec::WolfSheep::default(), 3);
        let mut born = std::collections::BTreeSet::new();
        let mut gone = std::collections::BTreeSet::new();
        for tick in 0..60 {
            model.step(Tick(tick));
            let (mut sheep, mut wolves) = (0.0, 0.0);
            model.agents(&mut |view| {
                born.insert(view.agent);
                assert!(!gone.contains(&view.agent), "{view:?} came back");
                match view.state {
                    "sheep" => sheep += 1.0,
                    "wolf" => wolves += 1.0,
                    _ => {
                        gone.insert(view.agent);
                    }
                }
            });
            let found = metrics(&model);
            assert_eq!(found[..2], [sheep, wolves]);
            assert!(found[2] <= 10_000.0);
            assert_eq!(model.agent_count() as f64, sheep + wolves);
        }
        assert_eq!(born.len(), model.next_id.index(), "every animal was seen");
        assert!(gone.len() > 1_000);
    }

    /// Without sheep wolves starve: with 1 to 26 units of energy none is left after 27 ticks, and
    /// all grass grows within the 10 ticks it takes.
    #[test]
    fn wolves_starve_and_grass_grows_without_sheep() {
        let spec = spec::WolfSheep { sheep: 0, wolf_birth: 0.0, ..Default::default() };
        let mut model = WolfSheep::new(&spec, 3);
        (0..10).for_each(|tick| {
            model.step(Tick(tick));
        });
        assert_eq!(metrics(&model)[2], 10_000.0);
        (10..27).for_each(|tick| {
            model.step(Tick(tick));
        });
        assert_eq!(metrics(&model), [0.0, 0.0, 10_000.0]);
    }
}
