//! Animals of one kind in columns, who of them is in which cell, and the torus they live on.

use crate::base::ids::AgentId;

/// No animal, in a list of animals.
const NOBODY: u32 = u32::MAX;

/// The steps to the eight cells around one.
const STEPS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A torus of cells, numbered row by row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pasture {
    width: u32,
    height: u32,
}

impl Pasture {
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    pub(super) fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    pub(super) fn position(&self, cell: u32) -> (u32, u32) {
        (cell % self.width, cell / self.width)
    }

    /// The cell in one of eight directions.
    #[inline]
    pub(super) fn neighbour(&self, cell: u32, direction: usize) -> u32 {
        let (dx, dy) = STEPS[direction];
        let (x, y) = self.position(cell);
        let wrap = |value: u32, step: i32, size: u32| {
            let moved = value.wrapping_add_signed(step);
            match moved {
                u32::MAX => size - 1,
                _ if moved == size => 0,
                _ => moved,
            }
        };
        wrap(y, dy, self.height) * self.width + wrap(x, dx, self.width)
    }
}

/// What becomes of an animal at the end of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Dies,
    Lives,
    /// It lives and has an offspring, with which it shares its energy.
    GivesBirth,
}

/// Animals of one kind. An animal keeps its row while it lives; a row is used again from the tick
/// after the death.
#[derive(Default)]
pub(super) struct Herd {
    id: Vec<AgentId>,
    cell: Vec<u32>,
    energy: Vec<f64>,
    is_dead: Vec<bool>,
    /// Rows of the living and of those who died in this tick, in the order of their arrival.
    present: Vec<u32>,
    dead_count: usize,
    free: Vec<u32>,
    order: Vec<u32>,
    cells: Option<CellLists>,
}

impl Herd {
    /// Animals that are found by their cell.
    pub(super) fn found_by_cell(cell_count: usize) -> Self {
        let cells = CellLists { head: vec![NOBODY; cell_count], ..CellLists::default() };
        Self { cells: Some(cells), ..Self::default() }
    }

    /// Animals that nobody looks for.
    pub(super) fn hunters() -> Self {
        Self::default()
    }

    /// The living.
    pub(super) fn len(&self) -> usize {
        self.present.len() - self.dead_count
    }

    #[inline]
    pub(super) fn cell(&self, row: usize) -> u32 {
        self.cell[row]
    }

    #[inline]
    pub(super) fn energy(&self, row: usize) -> f64 {
        self.energy[row]
    }

    /// One of the animals in `cell`: the one that came last.
    #[inline]
    pub(super) fn first_in(&self, cell: u32) -> Option<usize> {
        let head = self.cells.as_ref().map_or(NOBODY, |cells| cells.head[cell as usize]);
        (head != NOBODY).then_some(head as usize)
    }

    pub(super) fn add(&mut self, id: AgentId, cell: u32, energy: f64) {
        let row = match self.free.pop() {
            Some(row) => {
                let index = row as usize;
                (self.id[index], self.cell[index]) = (id, cell);
                (self.energy[index], self.is_dead[index]) = (energy, false);
                row
            }
            None => {
                self.id.push(id);
                self.cell.push(cell);
                self.energy.push(energy);
                self.is_dead.push(false);
                self.id.len() as u32 - 1
            }
        };
        self.present.push(row);
        if let Some(cells) = &mut self.cells {
            cells.enter(row, cell);
        }
    }

    /// The animal dies where it is.
    pub(super) fn remove(&mut self, row: usize) {
        self.is_dead[row] = true;
        self.dead_count += 1;
        if let Some(cells) = &mut self.cells {
            cells.leave(row as u32, self.cell[row]);
        }
    }

    /// Ends an animal's turn: it is in `cell` now, has `energy` left, and meets its fate.
    #[inline]
    pub(super) fn act(
        &mut self,
        row: usize,
        cell: u32,
        energy: f64,
        fate: Fate,
        new_id: impl FnOnce() -> AgentId,
    ) {
        let from = std::mem::replace(&mut self.cell[row], cell);
        if let Some(cells) = &mut self.cells {
            cells.leave(row as u32, from);
            cells.enter(row as u32, cell);
        }
        self.energy[row] = energy;
        match fate {
            Fate::Lives => {}
            Fate::Dies => self.remove(row),
            Fate::GivesBirth => {
                self.energy[row] = energy / 2.0;
                self.add(new_id(), cell, energy / 2.0);
            }
        }
    }

    /// Rows of all that live, to be put into the order of their turns. Nobody may have died since
    /// [`Self::bury`].
    pub(super) fn take_order(&mut self) -> Vec<u32> {
        let mut order = std::mem::take(&mut self.order);
        order.clone_from(&self.present);
        order
    }

    /// Gives the memory of an order back.
    pub(super) fn give_order_back(&mut self, order: Vec<u32>) {
        self.order = order;
    }

    /// Forgets the dead of the tick before; their rows are free.
    pub(super) fn bury(&mut self) {
        if self.dead_count > 0 {
            let Self { present, is_dead, free, .. } = self;
            present.retain(|row| {
                let dead = is_dead[*row as usize];
                if dead {
                    free.push(*row);
                }
                !dead
            });
            self.dead_count = 0;
        }
    }

    /// Every animal that lives or died in this tick: its number, its cell, whether it lives.
    pub(super) fn each(&self, note: &mut dyn FnMut(AgentId, u32, bool)) {
        for row in self.present.iter().map(|row| *row as usize) {
            note(self.id[row], self.cell[row], !self.is_dead[row]);
        }
    }
}

/// The animals of each cell, linked from one to the next.
#[derive(Default)]
struct CellLists {
    head: Vec<u32>,
    /// By row of the herd.
    links: Vec<Link>,
}

#[derive(Clone, Copy)]
struct Link {
    before: u32,
    behind: u32,
}

impl CellLists {
    #[inline]
    fn enter(&mut self, row: u32, cell: u32) {
        let behind = std::mem::replace(&mut self.head[cell as usize], row);
        let link = Link { before: NOBODY, behind };
        match self.links.get_mut(row as usize) {
            Some(old) => *old = link,
            // Rows are handed out without gaps.
            None => self.links.push(link),
        }
        if behind != NOBODY {
            self.links[behind as usize].before = row;
        }
    }

    #[inline]
    fn leave(&mut self, row: u32, cell: u32) {
        let Link { before, behind } = self.links[row as usize];
        match before {
            NOBODY => self.head[cell as usize] = behind,
            _ => self.links[before as usize].behind = behind,
        }
        if behind != NOBODY {
            self.links[behind as usize].before = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torus_has_eight_neighbours_everywhere() {
        let pasture = Pasture::new(5, 4);
        let around = |cell| -> Vec<u32> { (0..8).map(|d| pasture.neighbour(cell, d)).collect() };
        // Cell 7 is (2, 1); cell 0 is a corner.
        assert_eq!(around(7), [1, 2, 3, 6, 8, 11, 12, 13]);
        assert_eq!(around(0), [19, 15, 16, 4, 1, 9, 5, 6]);
    }

    #[test]
    fn rows_are_used_again_after_the_tick_of_the_death() {
        let mut herd = Herd::found_by_cell(4);
        (0..3).for_each(|id| herd.add(AgentId(id), 2, 4.0));
        herd.remove(1);
        assert_eq!((herd.len(), herd.first_in(2)), (2, Some(2)));
        herd.add(AgentId(3), 2, 1.0);
        assert_eq!((herd.len(), herd.first_in(2)), (3, Some(3)));
        herd.bury();
        herd.add(AgentId(4), 1, 1.0);
        assert_eq!(herd.first_in(1), Some(1), "the row of the dead");
        let mut ids = Vec::new();
        herd.each(&mut |id, _, alive| ids.push((id.0, alive)));
        assert_eq!(ids, [(0, true), (2, true), (3, true), (4, true)]);
        herd.act(2, 1, 8.0, Fate::GivesBirth, || AgentId(5));
        assert_eq!((herd.energy(2), herd.energy(4), herd.cell(4)), (4.0, 4.0, 1));
        herd.act(0, 3, 0.5, Fate::Dies, || AgentId(6));
        assert_eq!((herd.first_in(3), herd.len()), (None, 4));
    }
}
