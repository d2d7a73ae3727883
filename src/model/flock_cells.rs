//! Birds by cell of a torus, in columns, and what a bird sees of those around it.

/// Birds weighed at a time; columns are padded to a multiple of it.
const LANES: usize = 2;

/// A bird as its cell knows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    pub(super) id: u32,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) vx: f64,
    pub(super) vy: f64,
}

/// What a bird sees: sums over the birds in its sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sight {
    /// Number of birds.
    pub(super) count: f64,
    /// Ways to them.
    pub(super) to_x: f64,
    pub(super) to_y: f64,
    /// Ways from those who are too near.
    pub(super) away_x: f64,
    pub(super) away_y: f64,
    /// Their velocities.
    pub(super) along_x: f64,
    pub(super) along_y: f64,
    /// Squared distance of the nearest; infinite if there is none.
    pub(super) nearest_square: f64,
}

/// A torus cut into cells that are at least as wide as the birds see.
pub(super) struct Cells {
    width: f64,
    height: f64,
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

/// The birds of a cell, in columns. Behind the last, up to a multiple of [`LANES`], stand birds
/// infinitely far away.
#[derive(Clone, Default)]
struct Cell {
    len: usize,
    /// Numbers of the birds; as floats they are compared in the same lanes as all else.
    id: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    vx: Vec<f64>,
    vy: Vec<f64>,
}

impl Cell {
    fn columns(&mut self) -> [&mut Vec<f64>; 5] {
        [&mut self.id, &mut self.x, &mut self.y, &mut self.vx, &mut self.vy]
    }

    fn set(&mut self, slot: usize, member: &Member) {
        let Member { id, x, y, vx, vy } = *member;
        let values = [f64::from(id), x, y, vx, vy];
        self.columns().into_iter().zip(values).for_each(|(column, value)| column[slot] = value);
    }

    fn far_away(&mut self, slot: usize) {
        let (x, y, vx, vy) = (f64::INFINITY, f64::INFINITY, 0.0, 0.0);
        self.set(slot, &Member { id: u32::MAX, x, y, vx, vy });
    }

    fn push(&mut self, member: &Member) {
        if self.len == self.id.len() {
            self.columns().into_iter().for_each(|column| column.resize(column.len() + LANES, 0.0));
            (self.len..self.id.len()).for_each(|slot| self.far_away(slot));
        }
        self.set(self.len, member);
        self.len += 1;
    }

    /// Takes a bird out; the last of the cell takes its place.
    fn remove(&mut self, slot: usize) {
        self.len -= 1;
        let last = self.len;
        self.columns().into_iter().for_each(|column| column[slot] = column[last]);
        self.far_away(last);
    }

    fn slot(&self, id: u32) -> usize {
        let slot = self.id[..self.len].iter().position(|other| *other == f64::from(id));
        slot.expect("a bird is in the cell of its position")
    }
}

impl Cells {
    pub(super) fn new(width: f64, height: f64, vision: f64) -> Self {
        // Cells beyond some thousand along a side would be empty and cost memory.
        let count = |size: f64| (size / vision).floor().clamp(1.0, 4_096.0) as usize;
        let (columns, rows) = (count(width), count(height));
        let cells = vec![Cell::default(); columns * rows];
        Self { width, height, columns, rows, cells }
    }

    /// Column and row of a position.
    #[inline]
    fn place(&self, x: f64, y: f64) -> (usize, usize) {
        let of = |value: f64, size: f64, count: usize| {
            ((value / size * count as f64) as usize).min(count - 1)
        };
        (of(x, self.width, self.columns), of(y, self.height, self.rows))
    }

    #[inline]
    fn index(&self, member: &Member) -> usize {
        let (column, row) = self.place(member.x, member.y);
        row * self.columns + column
    }

    /// Empties all cells and keeps their memory.
    pub(super) fn clear(&mut self) {
        for cell in &mut self.cells {
            (0..cell.len).for_each(|slot| cell.far_away(slot));
            cell.len = 0;
        }
    }

    pub(super) fn push(&mut self, member: Member) {
        let index = self.index(&member);
        self.cells[index].push(&member);
    }

    /// Puts a bird that was `before` to where it is now.
    pub(super) fn replace(&mut self, before: &Member, now: Member) {
        let (from, to) = (self.index(before), self.index(&now));
        let slot = self.cells[from].slot(before.id);
        if from == to {
            self.cells[from].set(slot, &now);
        } else {
            self.cells[from].remove(slot);
            self.cells[to].push(&now);
        }
    }

    /// What `me` sees within `vision`; who is nearer than `separation` is too near.
    pub(super) fn look(&self, me: &Member, vision: f64, separation: f64) -> Sight {
        let (column, row) = self.place(me.x, me.y);
        let mut lanes = Lanes::new(me, vision, separation);
        for (row, shift_y) in around(row, self.rows, self.height) {
            for (column, shift_x) in around(column, self.columns, self.width) {
                // Moving the bird the other way is moving the cell.
                lanes.add(&self.cells[row * self.columns + column], me.x - shift_x, me.y - shift_y);
            }
        }
        lanes.sum()
    }
}

/// The cell before, the cell itself and the one behind along one axis, each with how far it is
/// moved because it lies beyond an edge. With one or two cells in all, a cell comes several times,
/// moved each time by another multiple of the world's size.
#[inline]
fn around(index: usize, count: usize, size: f64) -> [(usize, f64); 3] {
    let before = if index == 0 { (count - 1, -size) } else { (index - 1, 0.0) };
    let behind = if index + 1 == count { (0, size) } else { (index + 1, 0.0) };
    [before, (index, 0.0), behind]
}

/// Sums of [`Sight`], lane by lane; the order of additions is that of the cells.
struct Lanes {
    id: f64,
    vision_square: f64,
    separation_square: f64,
    count: [f64; LANES],
    to_x: [f64; LANES],
    to_y: [f64; LANES],
    away_x: [f64; LANES],
    away_y: [f64; LANES],
    along_x: [f64; LANES],
    along_y: [f64; LANES],
    nearest_square: [f64; LANES],
}

impl Lanes {
    fn new(me: &Member, vision: f64, separation: f64) -> Self {
        const ZERO: [f64; LANES] = [0.0; LANES];
        Self {
            id: f64::from(me.id),
            vision_square: vision * vision,
            separation_square: separation * separation,
            count: ZERO,
            to_x: ZERO,
            to_y: ZERO,
            away_x: ZERO,
            away_y: ZERO,
            along_x: ZERO,
            along_y: ZERO,
            nearest_square: [f64::INFINITY; LANES],
        }
    }

    /// Adds the birds of `cell` as seen from (`x`, `y`).
    #[inline]
    fn add(&mut self, cell: &Cell, x: f64, y: f64) {
        let columns = (cell.id.chunks_exact(LANES))
            .zip(cell.x.chunks_exact(LANES))
            .zip(cell.y.chunks_exact(LANES))
            .zip(cell.vx.chunks_exact(LANES))
            .zip(cell.vy.chunks_exact(LANES));
        let used = cell.len.div_ceil(LANES);
        for ((((id, cell_x), cell_y), vx), vy) in columns.take(used) {
            for lane in 0..LANES {
                let (dx, dy) = (cell_x[lane] - x, cell_y[lane] - y);
                let square = dx * dx + dy * dy;
                let sees = (square <= self.vision_square) & (id[lane] != self.id);
                let is_near = sees & (square < self.separation_square);
                let if_seen = |value: f64| if sees { value } else { 0.0 };
                let if_near = |value: f64| if is_near { value } else { 0.0 };
                self.count[lane] += if_seen(1.0);
                self.to_x[lane] += if_seen(dx);
                self.to_y[lane] += if_seen(dy);
                self.away_x[lane] -= if_near(dx);
                self.away_y[lane] -= if_near(dy);
                self.along_x[lane] += if_seen(vx[lane]);
                self.along_y[lane] += if_seen(vy[lane]);
                let distance = if sees { square } else { f64::INFINITY };
                let least = self.nearest_square[lane];
                self.nearest_square[lane] = if distance < least { distance } else { least };
            }
        }
    }

    fn sum(&self) -> Sight {
        let sum = |lanes: &[f64; LANES]| lanes.iter().sum();
        Sight {
            count: sum(&self.count),
            to_x: sum(&self.to_x),
            to_y: sum(&self.to_y),
            away_x: sum(&self.away_x),
            away_y: sum(&self.away_y),
            along_x: sum(&self.along_x),
            along_y: sum(&self.along_y),
            nearest_square: self.nearest_square.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }
}
