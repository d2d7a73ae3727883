//! Shortest paths on the road network: fastest by car, shortest by bicycle and on foot.
//!
//! A [`Router`] is built once and shared; each worker asks it with a [`RouteCalculator`] of its
//! own. Paths come from contraction hierarchies (Geisberger, Sanders, Schultes and Delling 2008,
//! crate `fast_paths`), prepared in a fixed order, on whole-number costs: the same network
//! gives the same path every time, also where two paths cost the same.

use std::sync::Arc;

use fast_paths::{FastGraph, InputGraph, PathCalculator};
use rstar::RTree;
use rstar::primitives::GeomWithData;

use crate::agent::activity::Mode;
use crate::base::parallel::{self, CHUNK_LEN};
use crate::base::units::Point;

use super::error::NetworkError;
use super::graph::{Link, ModeSet, Network};

/// Speeds that the network does not know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteSpeeds {
    /// On foot along the network, in metres per second. Default 4.8 km/h.
    pub walk_mps: f32,
    /// By bicycle along the network, in metres per second. Default 14 km/h.
    pub bike_mps: f32,
    /// Between a point and the nearest node for cars, in metres per second; other modes walk
    /// there. Default: on foot too, as in MATSim's access and egress legs. Raise it for networks
    /// so coarse that this stretch is driven on streets that the network leaves out.
    pub car_access_mps: f32,
    /// Length of a way without network over the straight line. Default 1.3, as for MATSim's
    /// modes without network.
    pub detour_factor: f32,
}

impl Default for RouteSpeeds {
    fn default() -> Self {
        Self {
            walk_mps: 4.8 / 3.6,
            bike_mps: 14.0 / 3.6,
            car_access_mps: 4.8 / 3.6,
            detour_factor: 1.3,
        }
    }
}

/// A way from one point to another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoutePath {
    /// Length in metres, with the straight legs from the first point to the network and from the
    /// network to the last.
    pub distance_m: f32,
    /// Time in seconds without traffic, with those legs.
    pub duration_s: f32,
    /// Nodes passed, in order; empty if the way does not touch the network.
    pub nodes: Vec<u32>,
}

/// A way along the network from node to node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodePath {
    /// Sum of the links' lengths in millimetres.
    pub length_mm: u64,
    /// Sum of the cost that was made least: milliseconds by car, millimetres otherwise.
    pub cost: u64,
    /// Nodes passed, both ends included.
    pub nodes: Vec<u32>,
}

/// A question to [`Router::route_all`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteRequest {
    /// How.
    pub mode: Mode,
    /// From where.
    pub from: Point,
    /// To where.
    pub to: Point,
}

/// The working memory of one worker, for one router.
#[derive(Default)]
pub struct RouteCalculator {
    per_mode: [Option<PathCalculator>; 3],
}

/// Answers questions about shortest paths; shared by all workers.
pub struct Router {
    network: Network,
    speeds: RouteSpeeds,
    per_mode: [Option<Arc<Roads>>; 3],
}

/// The roads of one mode.
struct Roads {
    mode: ModeSet,
    hierarchy: FastGraph,
    nodes: RTree<GeomWithData<[f32; 2], u32>>,
}

impl Router {
    /// Prepares the hierarchies of all modes, side by side. Takes time in the order of a minute
    /// for a million nodes.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] if a speed is not in 0.1..=100 m/s or the detour factor not in
    /// 1..=5.
    pub fn new(network: Network, speeds: RouteSpeeds) -> Result<Self, NetworkError> {
        let checks = [
            ("walk_mps", speeds.walk_mps, 0.1..=100.0, "0.1 to 100 metres per second"),
            ("bike_mps", speeds.bike_mps, 0.1..=100.0, "0.1 to 100 metres per second"),
            ("car_access_mps", speeds.car_access_mps, 0.1..=100.0, "0.1 to 100 metres per second"),
            ("detour_factor", speeds.detour_factor, 1.0..=5.0, "1 to 5"),
        ];
        NetworkError::check("route speeds", checks)?;
        // The shortest way by bicycle and on foot is the same where both may use the same links.
        let shared = same_links(&network, ModeSet::BIKE, ModeSet::WALK);
        let modes =
            if shared { &[ModeSet::CAR, ModeSet::WALK][..] } else { &ModeSet::EACH[..] };
        let built = parallel::map(modes.to_vec(), |mode| Roads::of(&network, mode).map(Arc::new));
        let mut per_mode = [const { None }; 3];
        for (slot, roads) in per_mode.iter_mut().zip(built) {
            *slot = roads;
        }
        if shared {
            per_mode[2] = per_mode[1].as_ref().map(Arc::clone);
        }
        Ok(Self { network, speeds, per_mode })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Working memory for one worker; cheap until it is used.
    pub fn calculator(&self) -> RouteCalculator {
        RouteCalculator::default()
    }

    /// Whether `mode` has roads here. Public transport never has.
    pub fn serves(&self, mode: Mode) -> bool {
        self.roads(mode).is_some()
    }

    /// The node of `mode`'s network nearest to a point; `None` if the mode has no roads.
    pub fn nearest(&self, mode: Mode, at: Point) -> Option<u32> {
        let nodes = &self.roads(mode)?.nodes;
        let at = [at.x_m, at.y_m];
        // Of equally near nodes the lowest, so that the tree's inner order never shows. The
        // search for all of them may lose the one to rounding; the search for one does not.
        let lowest = nodes.nearest_neighbors(&at).iter().map(|node| node.data).min();
        lowest.or_else(|| nodes.nearest_neighbor(at).map(|node| node.data))
    }

    /// The best way from `from` to `to`: straight to the nearest node, along the network, and
    /// straight from the last node. Where the two points are nearer to each other than to the
    /// network, the way is direct: the straight line times the detour factor.
    ///
    /// Gives `None` if the mode has no roads here; within a mode's roads every node can be
    /// reached. Depends on the arguments only, not on what the calculator was used for before.
    pub fn route(
        &self,
        calculator: &mut RouteCalculator,
        mode: Mode,
        from: Point,
        to: Point,
    ) -> Option<RoutePath> {
        let (first, last) = (self.nearest(mode, from)?, self.nearest(mode, to)?);
        let direct_m = from.distance_m(to) * self.speeds.detour_factor;
        let access_m =
            from.distance_m(self.network.point(first)) + self.network.point(last).distance_m(to);
        if direct_m <= access_m {
            let duration_s = direct_m / self.off_network_mps(mode);
            return Some(RoutePath { distance_m: direct_m, duration_s, nodes: Vec::new() });
        }
        let path = self.route_nodes(calculator, mode, first, last)?;
        let length_m = path.length_mm as f32 / 1e3;
        let along_s = match mode {
            Mode::Car => path.cost as f32 / 1e3,
            _ => length_m / self.off_network_mps(mode),
        };
        Some(RoutePath {
            distance_m: access_m + length_m,
            duration_s: access_m / self.access_mps(mode) + along_s,
            nodes: path.nodes,
        })
    }

    /// The best way between two nodes. From a node to itself it has no length. `None` if `mode`
    /// cannot use one of the nodes.
    ///
    /// # Panics
    /// If a node is not in the network.
    pub fn route_nodes(
        &self,
        calculator: &mut RouteCalculator,
        mode: Mode,
        from: u32,
        to: u32,
    ) -> Option<NodePath> {
        let index = ModeSet::road_index(mode)?;
        let roads = self.per_mode[index].as_deref()?;
        let ends = self.network.node_modes(from).and(self.network.node_modes(to));
        if !ends.contains(ModeSet::EACH[index]) {
            return None;
        }
        if from == to {
            return Some(NodePath { nodes: vec![from], ..NodePath::default() });
        }
        let calculator = calculator.per_mode[index]
            .get_or_insert_with(|| fast_paths::create_calculator(&roads.hierarchy));
        let found = calculator.calc_path(&roads.hierarchy, from as usize, to as usize)?;
        let nodes: Vec<u32> = found.get_nodes().iter().map(|node| *node as u32).collect();
        let links = nodes.windows(2).map(|pair| roads.link(&self.network, pair[0], pair[1]));
        let length_mm = links.map(|link| u64::from(link.length_mm)).sum();
        Some(NodePath { length_mm, cost: found.get_weight() as u64, nodes })
    }

    /// Answers many questions in parallel; the answers are in the order of the questions.
    pub fn route_all(&self, requests: &[RouteRequest]) -> Vec<Option<RoutePath>> {
        let answered = parallel::map(requests.chunks(CHUNK_LEN).collect(), |chunk| {
            let mut calculator = self.calculator();
            let mut answer =
                |ask: &RouteRequest| self.route(&mut calculator, ask.mode, ask.from, ask.to);
            chunk.iter().map(&mut answer).collect::<Vec<_>>()
        });
        answered.into_iter().flatten().collect()
    }

    /// The point at `share` of the way from `from` over `nodes` to `to` by length; `share` is
    /// held to [0, 1]. Without nodes the way is a straight line.
    pub fn position(&self, from: Point, nodes: &[u32], to: Point, share: f32) -> Point {
        let corners = || {
            let inner = nodes.iter().map(|node| self.network.point(*node));
            std::iter::once(from).chain(inner).chain(std::iter::once(to))
        };
        let pieces = || corners().zip(corners().skip(1));
        let total_m: f32 = pieces().map(|(a, b)| a.distance_m(b)).sum();
        let mut left_m = total_m * share.clamp(0.0, 1.0);
        for (a, b) in pieces() {
            let piece_m = a.distance_m(b);
            if left_m < piece_m {
                return a.towards(b, left_m / piece_m);
            }
            left_m -= piece_m;
        }
        to
    }

    fn roads(&self, mode: Mode) -> Option<&Roads> {
        self.per_mode[ModeSet::road_index(mode)?].as_deref()
    }

    fn off_network_mps(&self, mode: Mode) -> f32 {
        match mode {
            Mode::Walk => self.speeds.walk_mps,
            Mode::Bike => self.speeds.bike_mps,
            Mode::Car | Mode::Transit => self.speeds.car_access_mps,
        }
    }

    fn access_mps(&self, mode: Mode) -> f32 {
        if mode == Mode::Car { self.speeds.car_access_mps } else { self.speeds.walk_mps }
    }
}

impl Roads {
    /// `None` if the network has no node for `mode`.
    fn of(network: &Network, mode: ModeSet) -> Option<Self> {
        let mut input = InputGraph::new();
        let mut nodes = Vec::new();
        for node in 0..network.node_count() as u32 {
            if !network.node_modes(node).contains(mode) {
                continue;
            }
            let at = network.point(node);
            nodes.push(GeomWithData::new([at.x_m, at.y_m], node));
            for link in network.links_from(node).iter().filter(|link| link.modes.contains(mode)) {
                input.add_edge(node as usize, link.to as usize, cost(mode, link) as usize);
            }
        }
        if nodes.is_empty() {
            return None;
        }
        input.freeze();
        let hierarchy = if let Ok(v) = std::env::var("FP") { let v: Vec<usize> = v.split(',').map(|x| x.parse().unwrap()).collect(); fast_paths::prepare_with_params(&input, &fast_paths::Params::new(0.1, v[0], v[1], v[2])) } else { fast_paths::prepare(&input) };
        Some(Self { mode, hierarchy, nodes: RTree::bulk_load(nodes) })
    }

    /// The link that a path takes from one node to its next: the cheapest, then the shortest.
    fn link<'n>(&self, network: &'n Network, from: u32, to: u32) -> &'n Link {
        network
            .links_from(from)
            .iter()
            .filter(|link| link.to == to && link.modes.contains(self.mode))
            .min_by_key(|link| (cost(self.mode, link), link.length_mm))
            .expect("a path goes along links of the network it was found in")
    }
}

/// Whether two modes may use exactly the same links.
fn same_links(network: &Network, one: ModeSet, other: ModeSet) -> bool {
    (0..network.node_count() as u32)
        .flat_map(|node| network.links_from(node))
        .all(|link| link.modes.contains(one) == link.modes.contains(other))
}

/// What a path of `mode` makes least: milliseconds for cars, millimetres for the others.
fn cost(mode: ModeSet, link: &Link) -> u32 {
    if mode == ModeSet::CAR { link.car_ms } else { link.length_mm }
}

#[cfg(test)]
mod tests;
