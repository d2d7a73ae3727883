//! Forest fire: a fire that walks through a forest from its left edge, from tree to neighbouring
//! tree.
//!
//! Sixty-four cells of a row are one word, so a word of trees catches fire in a few shifts; and
//! only columns of words around the front are looked at. Columns of words, not rows, lie side by
//! side in memory: the front is one or two columns wide.
//!
//! Source: the percolation model of forest fire, as in D. Stauffer and A. Aharony, "Introduction
//! to percolation theory" (1994), and in the comparison of frameworks in
//! JuliaDynamics/ABMFrameworksComparison.

use std::ops::Range;

use super::interface::{AgentView, Model};
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;
use crate::scenario::spec;

const WORD_BITS: usize = u64::BITS as usize;

/// A forest in planes of bits.
pub(super) struct ForestFire {
    width: usize,
    height: usize,
    /// Where a tree stands or stood.
    trees: Plane,
    green: Plane,
    burning: Plane,
    /// Those that burned a tick earlier; made into those that burn next.
    spare: Plane,
    tree_count: u64,
    burning_count: u64,
    burnt_count: u64,
}

/// A bit per cell, with a margin of empty words all around.
#[derive(Clone)]
struct Plane {
    /// Words of a column of words, margins included.
    stride: usize,
    words: Vec<u64>,
    /// Columns of words that may hold a bit, with the margin counted; kept for fires only.
    columns: Range<usize>,
}

impl Plane {
    fn new(width: usize, height: usize) -> Self {
        let (columns, stride) = (width.div_ceil(WORD_BITS) + 2, height + 2);
        Self { stride, words: vec![0; columns * stride], columns: 1..1 }
    }

    /// Word and bit of a cell.
    fn locate(&self, x: usize, y: usize) -> (usize, u32) {
        ((x / WORD_BITS + 1) * self.stride + y + 1, (x % WORD_BITS) as u32)
    }

    fn set(&mut self, x: usize, y: usize) {
        let (word, bit) = self.locate(x, y);
        self.words[word] |= 1 << bit;
    }

    fn has(&self, x: usize, y: usize) -> bool {
        let (word, bit) = self.locate(x, y);
        self.words[word] >> bit & 1 == 1
    }

    fn column_count(&self) -> usize {
        self.words.len() / self.stride
    }
}

impl ForestFire {
    pub(super) fn new(spec: &spec::ForestFire, seed: u64) -> Self {
        let (width, height) = (spec.width as usize, spec.height as usize);
        let empty = Plane::new(width, height);
        let (mut trees, mut burning) = (empty.clone(), empty.clone());
        let mut tree_count = 0;
        for y in 0..height {
            let mut stream = Stream::of_index(seed, y as u32, Purpose::ModelSetup);
            for x in 0..width {
                if stream.unit_f64() < spec.density {
                    trees.set(x, y);
                    tree_count += 1;
                }
            }
        }
        let lit: Vec<usize> = (0..height).filter(|y| trees.has(0, *y)).collect();
        let mut green = trees.clone();
        for y in &lit {
            burning.set(0, *y);
            let (word, bit) = green.locate(0, *y);
            green.words[word] &= !(1 << bit);
        }
        burning.columns = 1..2;
        let burning_count = lit.len() as u64;
        let spare = empty;
        Self {
            width,
            height,
            trees,
            green,
            burning,
            spare,
            tree_count,
            burning_count,
            burnt_count: 0,
        }
    }

    /// Every burning tree lights its green neighbours above, below, left and right, and is burnt.
    fn spread(&mut self) {
        let last = self.burning.column_count() - 1;
        let Range { start, end } = self.burning.columns;
        let touched = (start - 1).max(1)..(end + 1).min(last);
        let stride = self.burning.stride;
        // What burned two ticks ago lies in the plane that is written now.
        for column in self.spare.columns.clone().filter(|column| !touched.contains(column)) {
            self.spare.words[column * stride..(column + 1) * stride].fill(0);
        }
        let (mut lit_count, mut lit_columns) = (0, 1..1);
        for column in touched {
            let count = self.spread_in(column);
            if count > 0 {
                let first = if lit_count == 0 { column } else { lit_columns.start };
                lit_columns = first..column + 1;
            }
            lit_count += count;
        }
        self.spare.columns = lit_columns;
        self.burnt_count += self.burning_count;
        self.burning_count = lit_count;
        std::mem::swap(&mut self.burning, &mut self.spare);
    }

    /// Lights the trees of one column of words; gives their number.
    fn spread_in(&mut self, column: usize) -> u64 {
        let stride = self.burning.stride;
        let inner = |column: usize| column * stride + 1..(column + 1) * stride - 1;
        let at = inner(column);
        let height = at.len();
        let words = &self.burning.words;
        let here = &words[at.start - 1..][..height + 2];
        let left = &words[inner(column - 1)][..height];
        let right = &words[inner(column + 1)][..height];
        let green = &mut self.green.words[at.clone()][..height];
        let lit = &mut self.spare.words[at][..height];
        let mut any = 0;
        for row in 0..height {
            let word = here[row + 1];
            let beside = word << 1 | word >> 1 | left[row] >> 63 | right[row] << 63;
            let caught = (beside | here[row] | here[row + 2]) & green[row];
            lit[row] = caught;
            green[row] ^= caught;
            any |= caught;
        }
        if any == 0 { 0 } else { lit.iter().map(|word| u64::from(word.count_ones())).sum() }
    }
}

impl Model for ForestFire {
    fn step(&mut self, _tick: Tick) -> u64 {
        if self.burning_count > 0 {
            self.spread();
        }
        self.tree_count
    }

    fn agent_count(&self) -> u64 {
        self.tree_count
    }

    fn metrics(&self, note: &mut dyn FnMut(&'static str, f64)) {
        let green_count = self.tree_count - self.burning_count - self.burnt_count;
        note("green", green_count as f64);
        note("burning", self.burning_count as f64);
        note("burnt", self.burnt_count as f64);
    }

    fn agents(&self, note: &mut dyn FnMut(AgentView)) {
        for y in 0..self.height {
            for x in (0..self.width).filter(|x| self.trees.has(*x, y)) {
                let state = if self.green.has(x, y) {
                    "green"
                } else if self.burning.has(x, y) {
                    "burning"
                } else {
                    "burnt"
                };
                let agent = AgentId::from_index(y * self.width + x);
                note(AgentView { agent, x: x as f32, y: y as f32, state });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn states(model: &ForestFire) -> BTreeMap<(usize, usize), &'static str> {
        let mut all = BTreeMap::new();
        model.agents(&mut |view| {
            all.insert((view.x as usize, view.y as usize), view.state);
        });
        all
    }

    fn metrics(model: &ForestFire) -> [f64; 3] {
        let mut values = Vec::new();
        model.metrics(&mut |_, value| values.push(value));
        values.try_into().unwrap()
    }

    fn neighbours((x, y): (usize, usize)) -> [(usize, usize); 4] {
        [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)]
    }

    /// Tick by tick a flood fill from the left column is what burns: breadth first, a ring a tick.
    /// In the end exactly the trees that are connected to the left edge are burnt. Widths around
    /// the length of a word, densities around the threshold of site percolation (0.593).
    #[test]
    fn the_fire_is_a_flood_fill_from_the_left() {
        for (width, height, density) in
            [(1, 9, 0.9), (63, 40, 0.7), (64, 40, 0.6), (65, 1, 1.0), (200, 150, 0.62)]
        {
            let spec = spec::ForestFire { width, height, density, ..Default::default() };
            let mut model = ForestFire::new(&spec, 21);
            let mut expected: BTreeMap<_, _> =
                states(&model).into_keys().map(|cell| (cell, "green")).collect();
            let mut front: Vec<_> = expected.keys().copied().filter(|(x, _)| *x == 0).collect();
            front.iter().for_each(|cell| {
                expected.insert(*cell, "burning");
            });
            let mut tick = 0;
            loop {
                assert_eq!(states(&model), expected, "{width}x{height}, tick {tick}");
                let count = |word| expected.values().filter(|state| **state == word).count() as f64;
                assert_eq!(metrics(&model), [count("green"), count("burning"), count("burnt")]);
                if front.is_empty() {
                    break;
                }
                assert_eq!(model.step(Tick(tick)), expected.len() as u64);
                tick += 1;
                let burning = std::mem::take(&mut front);
                for cell in burning.iter().flat_map(|cell| neighbours(*cell)) {
                    if expected.get(&cell) == Some(&"green") {
                        expected.insert(cell, "burning");
                        front.push(cell);
                    }
                }
                burning.iter().for_each(|cell| {
                    expected.insert(*cell, "burnt");
                });
            }
        }
    }

    /// Above the threshold of site percolation on a square lattice, 0.5927, a fire crosses a large
    /// forest, below it dies out (Stauffer and Aharony).
    #[test]
    fn fires_cross_the_forest_above_the_percolation_threshold() {
        for (density, crosses) in [(0.55, false), (0.64, true)] {
            let spec = spec::ForestFire { width: 400, height: 400, density, ..Default::default() };
            let mut model = ForestFire::new(&spec, 5);
            (0..4_000).for_each(|tick| {
                model.step(Tick(tick));
            });
            let reached =
                states(&model).iter().any(|((x, _), state)| *x == 399 && *state == "burnt");
            assert_eq!(reached, crosses, "{density}: {:?}", metrics(&model));
        }
    }
}
