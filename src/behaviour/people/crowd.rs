//! Who is where, so that persons can look at others.

use crate::base::ids::PlaceId;

/// How many other homes are near.
pub const NEAR_HOMES: usize = 8;

/// Persons by place: rows, rising, side by side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crowd {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Crowd {
    /// Who is at which of `place_count` places; `places` has one entry a person.
    pub fn of(place_count: usize, places: impl Iterator<Item = PlaceId> + Clone) -> Self {
        let mut starts = vec![0_u32; place_count + 1];
        for place in places.clone().filter(|place| place.is_some()) {
            starts[place.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut rows = vec![0; starts.last().map_or(0, |last| *last as usize)];
        let mut next = starts.clone();
        for (row, place) in places.enumerate().filter(|(_, place)| place.is_some()) {
            let slot = &mut next[place.index()];
            rows[*slot as usize] = row as u32;
            *slot += 1;
        }
        Self { starts, rows }
    }

    /// The rows of those at a place, rising.
    #[inline]
    pub fn at(&self, place: PlaceId) -> &[u32] {
        match self.starts.get(place.index()..place.index() + 2) {
            Some([start, end]) => &self.rows[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// What persons see of others; what no tree looks at is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crowds {
    /// Who is where now.
    pub here: Crowd,
    /// Who lives where.
    pub homes: Crowd,
    /// The nearest other homes of each place, [`NEAR_HOMES`] a place; none where there are fewer.
    pub near: Vec<PlaceId>,
}

impl Crowds {
    /// Those who live near `home`, home by home.
    fn near(&self, home: PlaceId) -> impl Iterator<Item = &[u32]> {
        let first = home.index() * NEAR_HOMES;
        let homes = self.near.get(first..first + NEAR_HOMES).unwrap_or_default();
        homes.iter().filter(|other| other.is_some()).map(|other| self.homes.at(*other))
    }

    /// How many live near `home`.
    pub(super) fn neighbour_count(&self, home: PlaceId) -> usize {
        if home.is_some() { self.near(home).map(<[u32]>::len).sum() } else { 0 }
    }

    /// The row of one of them.
    pub(super) fn neighbour(&self, home: PlaceId, mut position: usize) -> Option<usize> {
        for rows in self.near(home) {
            match rows.get(position) {
                Some(row) => return Some(*row as usize),
                None => position -= rows.len(),
            }
        }
        None
    }
}
