//! Schelling's segregation: agents who want enough neighbours of their own group, and move to a
//! random empty cell as long as they have too few.
//!
//! Nobody counts neighbours: each cell knows how many of each group are within reach, which a move
//! updates around both of its ends. Once most are content, that is most of the work saved.
//!
//! Source: T. C. Schelling, "Dynamic models of segregation", Journal of Mathematical Sociology 1
//! (1971).

use super::interface::{AgentView, Model};
use super::order::{shuffle, shuffle_with};
use crate::base::ids::AgentId;
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;
use crate::scenario::spec::{self, Activation};

/// Agents judged by one task when all act at once.
const CHUNK_LEN: usize = 8_192;

/// Words for how an agent fares, by group: discontent and content.
#[rustfmt::skip]
const STATES: [[&str; 2]; 8] = [
    ["a_unhappy", "a_happy"], ["b_unhappy", "b_happy"], ["c_unhappy", "c_happy"],
    ["d_unhappy", "d_happy"], ["e_unhappy", "e_happy"], ["f_unhappy", "f_happy"],
    ["g_unhappy", "g_happy"], ["h_unhappy", "h_happy"],
];

/// Agents on a bounded grid.
pub(super) struct Schelling {
    seed: u64,
    activation: Activation,
    wanted: u8,
    grid: Grid,
    /// Cell of each agent.
    cells: Vec<u32>,
    /// Group of each agent.
    groups: Vec<u8>,
    /// Cells without an agent.
    empty: Vec<u32>,
    /// The agents, in the order in which they act.
    order: Vec<u32>,
    /// Moves wished for in a tick; kept for its memory.
    bids: Vec<Bid>,
}

/// How many agents of each group are within reach of each cell, the cell itself included.
struct Grid {
    radius: usize,
    group_count: usize,
    /// Cells of a row, with a margin of `radius` at both ends, as at the top and the bottom, so
    /// that nobody who looks around leaves the grid.
    stride: usize,
    /// By cell and group. Within seven cells are at most 225 agents.
    near: Vec<u8>,
}

/// An agent's wish to move, when all act at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bid {
    /// Which of the empty cells.
    slot: u32,
    /// Of several who want one cell, the lowest gets it.
    rank: u32,
    agent: u32,
}

impl Grid {
    fn new(spec: &spec::Schelling) -> Self {
        let radius = spec.radius as usize;
        let stride = spec.width as usize + 2 * radius;
        let rows = spec.height as usize + 2 * radius;
        let group_count = spec.groups as usize;
        Self { radius, group_count, stride, near: vec![0; stride * rows * group_count] }
    }

    fn cell(&self, x: u32, y: u32) -> u32 {
        ((y as usize + self.radius) * self.stride + x as usize + self.radius) as u32
    }

    fn position(&self, cell: u32) -> (f32, f32) {
        let (x, y) = (cell as usize % self.stride, cell as usize / self.stride);
        ((x - self.radius) as f32, (y - self.radius) as f32)
    }

    /// Agents of each group within reach of `cell`.
    #[inline]
    fn near(&self, cell: u32) -> &[u8] {
        &self.near[cell as usize * self.group_count..][..self.group_count]
    }

    #[inline]
    fn change(&mut self, cell: u32, group: u8, change: impl Fn(&mut u8)) {
        let side = 2 * self.radius + 1;
        let corner = cell as usize - self.radius * (self.stride + 1);
        for row in 0..side {
            let start = (corner + row * self.stride) * self.group_count + usize::from(group);
            let row = &mut self.near[start..start + (side - 1) * self.group_count + 1];
            row.iter_mut().step_by(self.group_count).for_each(&change);
        }
    }

    fn enter(&mut self, cell: u32, group: u8) {
        self.change(cell, group, |count| *count += 1);
    }

    fn leave(&mut self, cell: u32, group: u8) {
        self.change(cell, group, |count| *count -= 1);
    }
}

impl Schelling {
    pub(super) fn new(spec: &spec::Schelling, seed: u64) -> Self {
        let mut grid = Grid::new(spec);
        let mut cells: Vec<u32> = (0..spec.height)
            .flat_map(|y| (0..spec.width).map(move |x| (x, y)))
            .map(|(x, y)| grid.cell(x, y))
            .collect();
        shuffle_with(&mut cells, &mut Stream::of_index(seed, 0, Purpose::ModelSetup));
        let empty = cells.split_off(spec.agents as usize);
        // Groups of equal size: neighbours in number, strangers in place.
        let groups: Vec<u8> = (0..spec.agents)
            .map(|agent| (u64::from(agent) * u64::from(spec.groups) / u64::from(spec.agents)) as u8)
            .collect();
        for (cell, group) in cells.iter().zip(&groups) {
            grid.enter(*cell, *group);
        }
        let order = (0..spec.agents).collect();
        let (activation, wanted) = (spec.activation, spec.wanted);
        Self { seed, activation, wanted, grid, cells, groups, empty, order, bids: Vec::new() }
    }

    #[inline]
    fn is_happy(&self, agent: usize) -> bool {
        let near = self.grid.near(self.cells[agent])[usize::from(self.groups[agent])];
        // The agent itself is among them.
        near > self.wanted
    }

    fn move_to(&mut self, agent: usize, slot: usize) {
        let group = self.groups[agent];
        let from = std::mem::replace(&mut self.cells[agent], self.empty[slot]);
        self.grid.leave(from, group);
        self.grid.enter(self.empty[slot], group);
        self.empty[slot] = from;
    }

    /// One after another: who is not content moves at once.
    fn step_in_order(&mut self, tick: Tick) {
        let mut order = std::mem::take(&mut self.order);
        shuffle(&mut order, self.seed, tick, 0);
        let mut stream = Stream::new(self.seed, AgentId(0), tick, Purpose::ModelAct);
        let empty_count = self.empty.len() as u32;
        for agent in &order {
            let agent = *agent as usize;
            if !self.is_happy(agent) && empty_count > 0 {
                self.move_to(agent, stream.below(empty_count) as usize);
            }
        }
        self.order = order;
    }

    /// All at once: who was not content when the tick began asks for a cell that was empty then.
    /// Of several who ask for one, the lowest draw gets it; the others stay.
    fn step_at_once(&mut self, tick: Tick) {
        if self.empty.is_empty() {
            return;
        }
        let mut bids = std::mem::take(&mut self.bids);
        bids.clear();
        let chunk_count = self.cells.len().div_ceil(CHUNK_LEN);
        let chunks = parallel::map_range(chunk_count, |chunk| {
            let end = self.cells.len().min((chunk + 1) * CHUNK_LEN);
            let agents = chunk * CHUNK_LEN..end;
            agents.filter(|agent| !self.is_happy(*agent)).map(|a| self.bid(a, tick)).collect()
        });
        chunks.into_iter().for_each(|mut chunk: Vec<Bid>| bids.append(&mut chunk));
        bids.sort_unstable();
        bids.dedup_by_key(|bid| bid.slot);
        for bid in &bids {
            self.move_to(bid.agent as usize, bid.slot as usize);
        }
        self.bids = bids;
    }

    fn bid(&self, agent: usize, tick: Tick) -> Bid {
        let agent = agent as u32;
        let mut stream = Stream::new(self.seed, AgentId(agent), tick, Purpose::ModelAct);
        Bid { slot: stream.below(self.empty.len() as u32), rank: stream.bits(), agent }
    }
}

impl Model for Schelling {
    fn step(&mut self, tick: Tick) -> u64 {
        match self.activation {
            Activation::Sequential => self.step_in_order(tick),
            Activation::Simultaneous => self.step_at_once(tick),
        }
        self.agent_count()
    }

    fn agent_count(&self) -> u64 {
        self.cells.len() as u64
    }

    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64)) {
        let (mut happy, mut share_sum, mut with_neighbours) = (0_u32, 0.0, 0_u32);
        for (cell, group) in self.cells.iter().zip(&self.groups) {
            let near = self.grid.near(*cell);
            let own = near[usize::from(*group)];
            happy += u32::from(own > self.wanted);
            let all = near.iter().map(|count| u32::from(*count)).sum::<u32>() - 1;
            if all > 0 {
                share_sum += f64::from(own - 1) / f64::from(all);
                with_neighbours += 1;
            }
        }
        note("happy_share", f64::from(happy) / self.cells.len() as f64);
        note("similar_share", share_sum / f64::from(with_neighbours));
    }

    fn agents(&self, note: &mut dyn FnMut(AgentView)) {
        for (agent, cell) in self.cells.iter().enumerate() {
            let (x, y) = self.grid.position(*cell);
            let states = STATES[usize::from(self.groups[agent])];
            let state = states[usize::from(self.is_happy(agent))];
            note(AgentView { agent: AgentId::from_index(agent), x, y, state });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(activation: Activation) -> spec::Schelling {
        spec::Schelling { activation, ..spec::Schelling::default() }
    }

    fn rows(model: &Schelling) -> Vec<AgentView> {
        let mut rows = Vec::new();
        model.agents(&mut |row| rows.push(row));
        rows
    }

    fn metrics(model: &Schelling) -> Vec<f64> {
        let mut values = Vec::new();
        model.metrics(&mut |_, value| values.push(value));
        values
    }

    /// Neighbours of the same and of any group, counted cell by cell as the paper says.
    fn count(rows: &[AgentView], one: &AgentView, radius: f32) -> (usize, usize) {
        let is_near = |other: &&AgentView| {
            let (dx, dy) = ((other.x - one.x).abs(), (other.y - one.y).abs());
            other.agent != one.agent && dx <= radius && dy <= radius
        };
        let near: Vec<_> = rows.iter().filter(is_near).collect();
        (near.iter().filter(|other| other.state[..1] == one.state[..1]).count(), near.len())
    }

    /// The large case of the comparison (100 x 100, 8000 agents, radius 2, 8 wanted), 20 ticks.
    #[test]
    fn everybody_is_content_in_the_end_and_the_groups_live_apart() {
        for activation in [Activation::Sequential, Activation::Simultaneous] {
            let mut model = Schelling::new(&spec(activation), 4);
            let before = metrics(&model);
            // Two groups of equal size at random: half of the neighbours are alike.
            assert!((before[1] - 0.5).abs() < 0.02, "{before:?}");
            for tick in 0..20 {
                assert_eq!(model.step(Tick(tick)), 8_000);
            }
            let after = metrics(&model);
            // At once, two movers can spoil each other's new neighbourhood.
            assert!(after[0] > 0.99, "{activation:?}: {after:?}");
            assert!(after[1] > 0.65, "{activation:?}: {after:?}");
        }
    }

    /// Nobody is lost, no two share a cell, nobody changes group, and what the grid says of the
    /// neighbours is what a count from agent to agent gives.
    #[test]
    fn agents_are_conserved_and_counted_right() {
        for activation in [Activation::Sequential, Activation::Simultaneous] {
            for (groups, radius, wanted) in [(2, 1, 3), (3, 2, 5), (5, 7, 20)] {
                let (width, height, agents) = (23, 31, 500);
                let spec =
                    spec::Schelling { width, height, agents, radius, wanted, groups, activation };
                let mut model = Schelling::new(&spec, 9);
                let first = rows(&model);
                for tick in 0..4 {
                    model.step(Tick(tick));
                }
                let rows = rows(&model);
                let places: std::collections::BTreeSet<_> =
                    rows.iter().map(|row| (row.x as u32, row.y as u32)).collect();
                assert_eq!(places.len(), 500);
                assert!(places.iter().all(|(x, y)| *x < width && *y < height));
                for (row, before) in rows.iter().zip(&first) {
                    assert_eq!(row.state[..1], before.state[..1]);
                    let (alike, _) = count(&rows, row, f32::from(radius));
                    let happy = alike >= usize::from(wanted);
                    assert_eq!(row.state.ends_with("_happy"), happy, "{row:?} {alike}");
                }
                let counts = rows.iter().map(|row| count(&rows, row, f32::from(radius)));
                let shares: Vec<f64> = counts
                    .filter(|(_, all)| *all > 0)
                    .map(|(alike, all)| alike as f64 / all as f64)
                    .collect();
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                assert!((metrics(&model)[1] - mean).abs() < 1e-12);
            }
        }
    }

    /// At once: the winner of a cell is the lowest draw, and threads change nothing.
    #[test]
    fn threads_change_nothing() {
        let run = |threads| {
            parallel::with_threads(threads, || {
                let (width, height, agents) = (200, 200, 30_000);
                let spec =
                    spec::Schelling { width, height, agents, ..spec(Activation::Simultaneous) };
                let mut model = Schelling::new(&spec, 2);
                (0..6).for_each(|tick| {
                    model.step(Tick(tick));
                });
                rows(&model)
            })
            .unwrap()
        };
        let one = run(1);
        assert!(one == run(2) && one == run(8));
    }

    #[test]
    fn where_nothing_is_empty_nobody_moves() {
        for activation in [Activation::Sequential, Activation::Simultaneous] {
            let (width, height, agents) = (10, 10, 100);
            let spec = spec::Schelling { width, height, agents, ..spec(activation) };
            let mut model = Schelling::new(&spec, 1);
            let before = rows(&model);
            model.step(Tick(0));
            assert_eq!(rows(&model), before);
        }
    }
}
