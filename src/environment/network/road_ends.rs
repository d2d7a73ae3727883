//! Stand-ins for the streets that an extract of main roads leaves out.
//!
//! Where motorways alone are extracted, every carriageway and slip road is a one-way road from
//! nowhere to nowhere: hardly two points reach each other both ways. The streets between the
//! ends exist, they are only not in the file. Here the ends of roads are joined by straight
//! two-way stretches for cars: a shortest spanning tree, so that all are joined, and the nearest
//! few of each, so that traffic need not follow a tree.

use std::collections::BTreeSet;

use crate::base::units::Point;

use super::error::NetworkError;
use super::graph::{ModeSet, Stretch};

/// Most ends that are joined; the work grows with their square. An extract with more is no
/// extract of main roads.
pub const ROAD_ENDS_MAX: usize = 10_000;

/// How the ends of roads are joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndJoin {
    /// Speed of cars on the joins in km/h, 1 to 200. Default 30, that of residential streets.
    pub speed_kmh: f32,
    /// Length of a join over the straight line between its ends, 1 to 5. Default 1.3, the usual
    /// ratio of street to straight distance in cities.
    pub detour_factor: f32,
    /// Nearest other ends that each end is joined to besides the tree, 0 to 16. Default 3, the
    /// number of other arms of a crossing.
    pub neighbour_count: u32,
}

impl Default for EndJoin {
    fn default() -> Self {
        Self { speed_kmh: 30.0, detour_factor: 1.3, neighbour_count: 3 }
    }
}

impl EndJoin {
    /// The stretches that join the ends of `stretches`: nodes where cars can only arrive, only
    /// leave, or only turn round. Sorted by their nodes.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] if a field is out of range, [`NetworkError::TooManyEnds`]
    /// above [`ROAD_ENDS_MAX`].
    pub(super) fn joins(
        &self,
        points: &[Point],
        stretches: &[Stretch],
    ) -> Result<Vec<Stretch>, NetworkError> {
        self.check()?;
        let ends = road_ends(points.len(), stretches);
        if ends.len() > ROAD_ENDS_MAX {
            return Err(NetworkError::TooManyEnds { count: ends.len(), limit: ROAD_ENDS_MAX });
        }
        let at: Vec<Point> = ends.iter().map(|node| points[*node as usize]).collect();
        let mut pairs = spanning_tree(&at);
        nearest_pairs(&at, self.neighbour_count as usize, &mut pairs);
        let join = |(a, b): (usize, usize)| Stretch {
            from: ends[a],
            to: ends[b],
            forward: ModeSet::CAR,
            backward: ModeSet::CAR,
            car_mps: self.speed_kmh / 3.6,
            detour_factor: self.detour_factor,
        };
        Ok(pairs.into_iter().map(join).collect())
    }

    fn check(&self) -> Result<(), NetworkError> {
        let checks = [
            ("speed_kmh", self.speed_kmh, 1.0..=200.0, "1 to 200 km/h"),
            ("detour_factor", self.detour_factor, 1.0..=5.0, "1 to 5"),
            ("neighbour_count", self.neighbour_count as f32, 0.0..=16.0, "0 to 16"),
        ];
        NetworkError::check("road ends", checks)
    }
}

/// Nodes where cars can only arrive, only leave or only turn round, in order.
fn road_ends(node_count: usize, stretches: &[Stretch]) -> Vec<u32> {
    const NOBODY: u32 = u32::MAX;
    let mut leaves = vec![false; node_count];
    let mut arrives = vec![false; node_count];
    let mut neighbour = vec![NOBODY; node_count];
    let mut passes = vec![false; node_count];
    for stretch in stretches {
        let ends = [
            (stretch.from, stretch.to, stretch.forward, stretch.backward),
            (stretch.to, stretch.from, stretch.backward, stretch.forward),
        ];
        for (node, other, out, back) in ends {
            if node == other || !out.with(back).contains(ModeSet::CAR) {
                continue;
            }
            let node = node as usize;
            leaves[node] |= out.contains(ModeSet::CAR);
            arrives[node] |= back.contains(ModeSet::CAR);
            passes[node] |= neighbour[node] != NOBODY && neighbour[node] != other;
            neighbour[node] = other;
        }
    }
    (0..node_count)
        .filter(|node| neighbour[*node] != NOBODY)
        .filter(|node| !(leaves[*node] && arrives[*node] && passes[*node]))
        .map(|node| node as u32)
        .collect()
}

/// Pairs of the shortest tree that joins all points.
///
/// Source: Prim, "Shortest connection networks and some generalizations" (BSTJ 1957). Of equal
/// distances the one found first wins.
fn spanning_tree(at: &[Point]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut outside: Vec<(f32, usize, usize)> =
        (1..at.len()).map(|point| (at[0].distance_m(at[point]), point, 0)).collect();
    while let Some(next) = (0..outside.len()).min_by(|a, b| outside[*a].0.total_cmp(&outside[*b].0))
    {
        let (_, point, parent) = outside.swap_remove(next);
        pairs.insert((point.min(parent), point.max(parent)));
        for (best_m, other, nearest) in &mut outside {
            let distance_m = at[point].distance_m(at[*other]);
            if distance_m < *best_m {
                (*best_m, *nearest) = (distance_m, point);
            }
        }
    }
    pairs
}

/// Adds the pairs of every point and its `count` nearest others.
fn nearest_pairs(at: &[Point], count: usize, pairs: &mut BTreeSet<(usize, usize)>) {
    for point in 0..at.len() {
        let mut others: Vec<(f32, usize)> = (0..at.len())
            .filter(|other| *other != point)
            .map(|other| (at[point].distance_m(at[other]), other))
            .collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pairs.extend(others.iter().take(count).map(|&(_, b)| (point.min(b), point.max(b))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::activity::Mode;
    use crate::base::units::{LngLat, Projection};
    use crate::environment::network::graph::Network;

    /// Two parallel one-way carriageways of three nodes each, ten metres apart.
    fn motorway() -> (Vec<Point>, Vec<Stretch>) {
        let point = |x: i32, y: i32| Point { x_m: x as f32 * 1_000.0, y_m: y as f32 * 10.0 };
        let points =
            vec![point(0, 0), point(1, 0), point(2, 0), point(2, 1), point(1, 1), point(0, 1)];
        let piece = |from, to| Stretch {
            from,
            to,
            forward: ModeSet::CAR,
            backward: ModeSet::NONE,
            car_mps: 20.0,
            detour_factor: 1.0,
        };
        (points, vec![piece(0, 1), piece(1, 2), piece(3, 4), piece(4, 5)])
    }

    /// Without joins no two nodes reach each other both ways; the tree joins the carriageways at
    /// both ends and one end to the other, and all do.
    #[test]
    fn joined_carriageways_reach_each_other() {
        let (points, mut stretches) = motorway();
        let plane = Projection::new(LngLat { lng: 8.5, lat: 47.4 });
        let bare = Network::new(plane, &points, &stretches);
        assert_eq!(bare.coverage(Mode::Car).kept_node_count, 0);
        assert_eq!(road_ends(6, &stretches), [0, 2, 3, 5]);

        let join = EndJoin { neighbour_count: 0, speed_kmh: 36.0, ..EndJoin::default() };
        let joins = join.joins(&points, &stretches).unwrap();
        assert_eq!(joins.len(), 3);
        assert_eq!((joins[0].from, joins[0].to), (0, 2));
        stretches.extend(joins);
        let network = Network::new(plane, &points, &stretches);
        assert_eq!(network.coverage(Mode::Car).dropped_node_count(), 0);
        // Ten metres at factor 1.3 and 10 m/s.
        let across = network.links_from(2).iter().find(|link| link.to == 3).unwrap();
        assert_eq!((across.length_mm, across.car_ms), (13_000, 1_300));
    }

    #[test]
    fn every_end_is_joined_to_its_nearest() {
        let (points, stretches) = motorway();
        let join = EndJoin { neighbour_count: 3, ..EndJoin::default() };
        // Four ends, each joined to the three others.
        assert_eq!(join.joins(&points, &stretches).unwrap().len(), 6);
        let bad = EndJoin { detour_factor: 0.5, ..EndJoin::default() };
        assert_eq!(
            bad.joins(&points, &stretches).unwrap_err().to_string(),
            "road ends: detour_factor is 0.5, expected 1 to 5"
        );
    }

    #[test]
    fn a_through_road_has_no_ends_but_its_own() {
        let two_way = |from, to| Stretch {
            from,
            to,
            forward: ModeSet::ALL,
            backward: ModeSet::ALL,
            car_mps: 10.0,
            detour_factor: 1.0,
        };
        assert_eq!(road_ends(4, &[two_way(0, 1), two_way(1, 2), two_way(2, 3)]), [0, 3]);
        assert!(road_ends(3, &[two_way(0, 1), two_way(1, 2), two_way(2, 0)]).is_empty());
        assert!(spanning_tree(&[]).is_empty());
    }
}
