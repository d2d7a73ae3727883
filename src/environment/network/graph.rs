//! The road network: nodes on the plane and directed links between them, in compressed rows.
//!
//! Every bend of a road is a node, so a route's nodes are also its drawing. For each mode only
//! the largest set of nodes that all reach each other is kept: whoever starts in it can get
//! everywhere in it and back, so a trip never ends on an island. Turn restrictions and traffic
//! are not modelled.

use crate::agent::activity::Mode;
use crate::base::units::{Point, Projection};

use super::components::largest_part;

/// A set of the modes that use roads: car, bicycle, on foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModeSet(u8);

impl ModeSet {
    /// Nobody.
    pub const NONE: Self = Self(0);
    /// Cars.
    pub const CAR: Self = Self(1);
    /// Bicycles.
    pub const BIKE: Self = Self(2);
    /// People on foot.
    pub const WALK: Self = Self(4);
    /// Everybody.
    pub const ALL: Self = Self(7);
    /// The three modes one by one; the position is [`Self::road_index`].
    pub const EACH: [Self; 3] = [Self::CAR, Self::BIKE, Self::WALK];

    /// Position of `mode` in [`Self::EACH`]; `None` for public transport, which has no roads
    /// here.
    pub const fn road_index(mode: Mode) -> Option<usize> {
        match mode {
            Mode::Car => Some(0),
            Mode::Bike => Some(1),
            Mode::Walk => Some(2),
            Mode::Transit => None,
        }
    }

    /// Both sets together.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set without the modes of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The modes in both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether all modes of `other` are in this set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nobody is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A straight piece of road between two nodes, before it becomes one or two links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Node at its beginning.
    pub from: u32,
    /// Node at its end.
    pub to: u32,
    /// Who may go from beginning to end.
    pub forward: ModeSet,
    /// Who may go from end to beginning.
    pub backward: ModeSet,
    /// Speed of cars in metres per second, above 0.
    pub car_mps: f32,
    /// Length over the straight line between its ends; 1 for roads drawn bend by bend.
    pub detour_factor: f32,
}

/// A directed piece of road; 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Node at its end.
    pub to: u32,
    /// Length in millimetres, at least 1.
    pub length_mm: u32,
    /// Time by car without traffic in milliseconds, at least 1.
    pub car_ms: u32,
    /// Who may use it.
    pub modes: ModeSet,
}

const _: () = assert!(size_of::<Link>() == 16);

/// How much of a source a network kept for one mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Nodes that a link of this mode touches.
    pub read_node_count: usize,
    /// Those in the largest set of nodes that all reach each other.
    pub kept_node_count: usize,
}

impl Coverage {
    /// Nodes dropped because they do not reach the rest, or the rest does not reach them.
    pub const fn dropped_node_count(&self) -> usize {
        self.read_node_count - self.kept_node_count
    }
}

/// A road network in compressed rows: the links that leave node `n` stand together.
#[derive(Debug, Clone)]
pub struct Network {
    projection: Projection,
    points: Vec<Point>,
    node_modes: Vec<ModeSet>,
    first_link: Vec<u32>,
    links: Vec<Link>,
    coverage: [Coverage; 3],
}

impl Network {
    /// Makes a network from node positions and the stretches between them.
    ///
    /// Lengths are straight lines on the plane (true to 0.1 % within 100 km of its origin).
    /// Stretches from a node to itself vanish. Nodes and links outside the largest strongly
    /// connected part of every mode are dropped, and the rest is numbered anew in the same
    /// order; [`Self::coverage`] tells how much was lost.
    ///
    /// Of two parts of equal size the one with the lower node number is kept, so the result
    /// depends on the arguments only.
    ///
    /// # Panics
    /// If a stretch names a node that is not there.
    pub fn new(projection: Projection, points: &[Point], stretches: &[Stretch]) -> Self {
        let all = Rows::of(points, stretches);
        let mut node_modes = vec![ModeSet::NONE; points.len()];
        let coverage = ModeSet::EACH.map(|mode| {
            let part = largest_part(&all, mode);
            for &node in &part.members {
                node_modes[node as usize] = node_modes[node as usize].with(mode);
            }
            Coverage { read_node_count: part.touched_count, kept_node_count: part.members.len() }
        });
        all.keep(projection, points, &node_modes, coverage)
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.points.len()
    }

    /// Number of directed links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// The plane that the nodes lie on.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Positions of all nodes.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Position of a node.
    #[inline]
    pub fn point(&self, node: u32) -> Point {
        self.points[node as usize]
    }

    /// Which modes can reach all their network from a node.
    #[inline]
    pub fn node_modes(&self, node: u32) -> ModeSet {
        self.node_modes[node as usize]
    }

    /// The links that leave a node, sorted by their end.
    #[inline]
    pub fn links_from(&self, node: u32) -> &[Link] {
        let node = node as usize;
        &self.links[self.first_link[node] as usize..self.first_link[node + 1] as usize]
    }

    /// What was kept for a mode; nothing for public transport.
    pub fn coverage(&self, mode: Mode) -> Coverage {
        ModeSet::road_index(mode).map_or_else(Coverage::default, |index| self.coverage[index])
    }

    /// South-west and north-east corner of the nodes; `None` for a network without nodes.
    pub fn extent(&self) -> Option<(Point, Point)> {
        let first = *self.points.first()?;
        Some(self.points.iter().fold((first, first), |(low, high), p| {
            (
                Point { x_m: low.x_m.min(p.x_m), y_m: low.y_m.min(p.y_m) },
                Point { x_m: high.x_m.max(p.x_m), y_m: high.y_m.max(p.y_m) },
            )
        }))
    }
}

/// All links of a source, before the islands are dropped.
pub(super) struct Rows {
    /// Where each node's links begin; one more than there are nodes.
    pub(super) first_link: Vec<u32>,
    /// Links sorted by node, end, time, length.
    pub(super) links: Vec<Link>,
}

impl Rows {
    pub(super) fn of(points: &[Point], stretches: &[Stretch]) -> Self {
        let mut directed: Vec<(u32, Link)> = Vec::with_capacity(2 * stretches.len());
        for stretch in stretches.iter().filter(|stretch| stretch.from != stretch.to) {
            let length_m = points[stretch.from as usize].distance_m(points[stretch.to as usize]);
            let length_mm = (f64::from(length_m * stretch.detour_factor) * 1e3).round().max(1.0);
            let car_ms = (length_mm / f64::from(stretch.car_mps)).round().max(1.0);
            let ends = [
                (stretch.from, stretch.to, stretch.forward),
                (stretch.to, stretch.from, stretch.backward),
            ];
            for (from, to, modes) in ends.into_iter().filter(|(_, _, modes)| !modes.is_empty()) {
                let link = Link { to, length_mm: length_mm as u32, car_ms: car_ms as u32, modes };
                directed.push((from, link));
            }
        }
        directed.sort_by_key(|(from, link)| (*from, link.to, link.car_ms, link.length_mm));
        let first_link = row_starts(points.len(), directed.iter().map(|(from, _)| *from));
        Self { first_link, links: directed.into_iter().map(|(_, link)| link).collect() }
    }

    /// The links that leave a node.
    pub(super) fn from(&self, node: u32) -> &[Link] {
        let node = node as usize;
        &self.links[self.first_link[node] as usize..self.first_link[node + 1] as usize]
    }

    /// Number of nodes.
    pub(super) fn node_count(&self) -> u32 {
        self.first_link.len() as u32 - 1
    }

    /// The network of the nodes that some mode keeps.
    fn keep(
        &self,
        projection: Projection,
        points: &[Point],
        node_modes: &[ModeSet],
        coverage: [Coverage; 3],
    ) -> Network {
        let kept: Vec<u32> =
            (0..self.node_count()).filter(|node| !node_modes[*node as usize].is_empty()).collect();
        let mut new_number = vec![u32::MAX; points.len()];
        for (number, node) in kept.iter().enumerate() {
            new_number[*node as usize] = number as u32;
        }
        let mut links = Vec::new();
        let mut first_link = vec![0];
        for &node in &kept {
            for link in self.from(node) {
                let ends = node_modes[node as usize].and(node_modes[link.to as usize]);
                let modes = link.modes.and(ends);
                if !modes.is_empty() {
                    links.push(Link { to: new_number[link.to as usize], modes, ..*link });
                }
            }
            first_link.push(links.len() as u32);
        }
        Network {
            projection,
            points: kept.iter().map(|node| points[*node as usize]).collect(),
            node_modes: kept.iter().map(|node| node_modes[*node as usize]).collect(),
            first_link,
            links,
            coverage,
        }
    }
}

/// Where each of `count` rows begins, given the sorted row numbers of the elements.
fn row_starts(count: usize, rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0_u32; count + 1];
    for row in rows {
        starts[row as usize + 1] += 1;
    }
    for row in 0..count {
        starts[row + 1] += starts[row];
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::units::LngLat;

    const ORIGIN: LngLat = LngLat { lng: 8.5, lat: 47.4 };

    fn stretch(from: u32, to: u32, forward: ModeSet, backward: ModeSet) -> Stretch {
        Stretch { from, to, forward, backward, car_mps: 10.0, detour_factor: 1.0 }
    }

    /// A ring of three one-way streets, a one-way exit to a dead end, and a footpath between two
    /// points elsewhere: cars keep the ring, walkers the larger of their two parts.
    fn small() -> Network {
        let points: Vec<Point> =
            (0..6).map(|n| Point { x_m: (n * n) as f32 * 100.0, y_m: 0.0 }).collect();
        let (all, walk) = (ModeSet::ALL, ModeSet::WALK);
        let stretches = [
            stretch(0, 1, all, walk),
            stretch(1, 2, all, walk),
            stretch(0, 2, walk, all),
            stretch(2, 3, all, ModeSet::NONE),
            stretch(4, 5, walk, walk),
            stretch(3, 3, all, all),
        ];
        Network::new(Projection::new(ORIGIN), &points, &stretches)
    }

    #[test]
    fn each_mode_keeps_its_largest_part() {
        let network = small();
        assert_eq!(network.node_count(), 3);
        let coverage = network.coverage(Mode::Car);
        assert_eq!((coverage.read_node_count, coverage.dropped_node_count()), (4, 1));
        let coverage = network.coverage(Mode::Walk);
        assert_eq!((coverage.read_node_count, coverage.kept_node_count), (6, 3));
        assert_eq!(network.coverage(Mode::Transit), Coverage::default());
        assert!((0..3).all(|node| network.node_modes(node) == ModeSet::ALL));
    }

    /// 100 m at 10 m/s are 100,000 mm and 10,000 ms.
    #[test]
    fn links_carry_length_and_time() {
        let network = small();
        let first = network.links_from(0)[0];
        assert_eq!((first.to, first.length_mm, first.car_ms), (1, 100_000, 10_000));
        assert_eq!(first.modes, ModeSet::ALL);
        let against = network.links_from(1)[0];
        assert_eq!((against.to, against.modes), (0, ModeSet::WALK));
        assert_eq!(network.link_count(), 6);
    }

    #[test]
    fn no_stretch_gives_an_empty_network() {
        let network = Network::new(Projection::new(ORIGIN), &[Point::default()], &[]);
        assert_eq!((network.node_count(), network.link_count()), (0, 0));
        assert_eq!(network.extent(), None);
    }
}
