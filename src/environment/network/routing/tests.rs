//! Tests of the router, against petgraph's Dijkstra and against what a chessboard must give.

use std::path::Path;

use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};

use super::*;
use crate::base::rng::{Purpose, Stream};
use crate::base::units::LngLat;
use crate::environment::network::grid::GridNetwork;
use crate::environment::network::osm::OsmRoads;
use crate::environment::network::road_ends::EndJoin;

const ZURICH: &str = "scenarios/data/zurich_roads/zrh-center-bigroads.osm.gz";

/// The Zurich extract with joined ends. It holds motorways only; here they may be walked and
/// cycled, so that the hierarchies of these modes have as much to do as that of cars.
fn zurich() -> Router {
    let mut roads = OsmRoads::read(Path::new(ZURICH)).unwrap();
    for way in &mut roads.ways {
        way.road.forward = ModeSet::ALL;
        way.road.backward = way.road.backward.with(ModeSet::ALL.without(ModeSet::CAR));
    }
    let network = roads.network(Some(&EndJoin::default())).unwrap();
    Router::new(network, RouteSpeeds::default()).unwrap()
}

fn grid() -> Router {
    let origin = LngLat { lng: 8.5, lat: 47.4 };
    let grid = GridNetwork { origin, nx: 9, ny: 7, spacing_m: 100.0, speed_kmh: 36.0 };
    Router::new(grid.build().unwrap(), RouteSpeeds::default()).unwrap()
}

/// petgraph's view of the links of one mode.
fn reference(network: &Network, mode: ModeSet) -> DiGraph<(), u64> {
    let mut graph = DiGraph::new();
    for _ in 0..network.node_count() {
        graph.add_node(());
    }
    for from in 0..network.node_count() as u32 {
        for link in network.links_from(from).iter().filter(|link| link.modes.contains(mode)) {
            let ends = (NodeIndex::new(from as usize), NodeIndex::new(link.to as usize));
            let cost = if mode == ModeSet::CAR { link.car_ms } else { link.length_mm };
            graph.add_edge(ends.0, ends.1, u64::from(cost));
        }
    }
    graph
}

/// 1,000 random pairs each by car (time) and on foot (length): the cost equals Dijkstra's to the
/// millisecond and millimetre, and so does the sum over the nodes returned.
#[test]
fn a_thousand_paths_cost_what_an_independent_library_finds() {
    let router = zurich();
    let network = router.network();
    assert!(network.node_count() > 4_000);
    let mut calculator = router.calculator();
    let mut long_count = 0;
    for (mode, set) in [(Mode::Car, ModeSet::CAR), (Mode::Walk, ModeSet::WALK)] {
        let graph = reference(network, set);
        let members: Vec<u32> = (0..network.node_count() as u32)
            .filter(|node| network.node_modes(*node).contains(set))
            .collect();
        for case in 0..1_000 {
            let mut stream = Stream::of_index(11, case, Purpose::City);
            let mut draw = || members[stream.below(members.len() as u32) as usize];
            let (from, to) = (draw(), draw());
            let path = router.route_nodes(&mut calculator, mode, from, to).unwrap();
            let target = NodeIndex::new(to as usize);
            let expected =
                dijkstra(&graph, NodeIndex::new(from as usize), Some(target), |e| *e.weight());
            assert_eq!(Some(&path.cost), expected.get(&target), "{mode} {from} {to}");

            assert_eq!((path.nodes.first(), path.nodes.last()), (Some(&from), Some(&to)));
            let step = |pair: &[u32]| {
                let links = network.links_from(pair[0]).iter();
                let along = links.filter(|link| link.to == pair[1] && link.modes.contains(set));
                along.map(|link| u64::from(cost(set, link))).min().expect("a link")
            };
            assert_eq!(path.nodes.windows(2).map(step).sum::<u64>(), path.cost);
            if mode == Mode::Walk {
                assert_eq!(path.length_mm, path.cost);
            }
            long_count += usize::from(path.nodes.len() > 50);
        }
    }
    assert!(long_count > 1_000, "most pairs should be far apart: {long_count}");
}

/// Built twice and asked in another order, with fresh and with used working memory, at one and
/// two threads: the same paths, node by node, also on a chessboard where equal costs abound.
#[test]
fn paths_do_not_depend_on_build_order_or_threads() {
    let (first, second) = (grid(), grid());
    let requests: Vec<RouteRequest> = (0..3_000)
        .map(|case| {
            let mut stream = Stream::of_index(3, case, Purpose::City);
            let mut draw = || Point {
                x_m: (stream.unit_f32() - 0.5) * 900.0,
                y_m: (stream.unit_f32() - 0.5) * 700.0,
            };
            let mode = [Mode::Car, Mode::Bike, Mode::Walk][case as usize % 3];
            RouteRequest { mode, from: draw(), to: draw() }
        })
        .collect();
    let one = parallel::with_threads(1, || first.route_all(&requests)).unwrap();
    let two = parallel::with_threads(2, || second.route_all(&requests)).unwrap();
    assert_eq!(one, two);
    for (request, expected) in requests.iter().zip(&one).rev().take(500) {
        let mut fresh = first.calculator();
        let path = first.route(&mut fresh, request.mode, request.from, request.to);
        assert_eq!(path, *expected);
    }
}

/// On a chessboard the shortest way between crossings has the length |dx| + |dy|; points beside
/// it walk straight to their crossing first.
#[test]
fn chessboard_ways_have_manhattan_length() {
    let router = grid();
    let mut calculator = router.calculator();
    let from = Point { x_m: -400.0, y_m: -310.0 };
    let to = Point { x_m: 400.0, y_m: 310.0 };
    let path = router.route(&mut calculator, Mode::Car, from, to).unwrap();
    // 800 m + 600 m at 10 m/s, and 2 * 10 m at 4/3 m/s.
    assert!((path.distance_m - 1_420.0).abs() < 0.01, "{}", path.distance_m);
    assert!((path.duration_s - 155.0).abs() < 0.01, "{}", path.duration_s);
    assert_eq!((path.nodes.len(), path.nodes[0], path.nodes[14]), (15, 0, 62));
    let path = router.route(&mut calculator, Mode::Walk, from, to).unwrap();
    assert!((path.duration_s - 1_420.0 / (4.8 / 3.6)).abs() < 0.01, "{}", path.duration_s);
}

#[test]
fn ways_that_need_no_network_are_direct() {
    let router = grid();
    let mut calculator = router.calculator();
    let here = Point { x_m: 30.0, y_m: 40.0 };
    let path = router.route(&mut calculator, Mode::Bike, here, here).unwrap();
    assert_eq!(path, RoutePath::default());
    let there = Point { x_m: 40.0, y_m: 40.0 };
    let path = router.route(&mut calculator, Mode::Bike, here, there).unwrap();
    assert!(path.nodes.is_empty());
    assert!((path.distance_m - 13.0).abs() < 1e-4);
    assert!((path.duration_s - 13.0 / (14.0 / 3.6)).abs() < 1e-4);
}

/// Nodes off a mode's roads, modes without roads and a network without nodes give no path.
#[test]
fn what_cannot_be_reached_has_no_path() {
    let roads = OsmRoads::read(Path::new(ZURICH)).unwrap();
    let network = roads.network(Some(&EndJoin::default())).unwrap();
    let router = Router::new(network, RouteSpeeds::default()).unwrap();
    let mut calculator = router.calculator();
    let (a, b) = (Point::default(), Point { x_m: 5_000.0, y_m: 0.0 });
    assert!(router.route(&mut calculator, Mode::Car, a, b).is_some());
    assert!(!router.serves(Mode::Walk) && !router.serves(Mode::Transit));
    for mode in [Mode::Walk, Mode::Transit] {
        assert_eq!(router.route(&mut calculator, mode, a, b), None);
        assert_eq!(router.route_nodes(&mut calculator, mode, 0, 1), None);
    }
    let path = router.route_nodes(&mut calculator, Mode::Car, 7, 7).unwrap();
    assert_eq!((path.nodes, path.length_mm, path.cost), (vec![7], 0, 0));
}

/// A quarter of a way of 100 m + 100 m + 50 m lies 62.5 m along its first leg.
#[test]
fn positions_lie_at_their_share_of_the_length() {
    let router = grid();
    let start = router.network().point(0);
    let to = Point { x_m: start.x_m + 100.0, y_m: start.y_m + 150.0 };
    let at = |share| {
        let point = router.position(start, &[0, 1, 10], to, share);
        (point.x_m - start.x_m, point.y_m - start.y_m)
    };
    assert_eq!(at(0.0), (0.0, 0.0));
    assert_eq!(at(0.25), (62.5, 0.0));
    assert_eq!(at(0.6), (100.0, 50.0));
    assert_eq!(at(1.0), (100.0, 150.0));
    assert_eq!(at(7.0), (100.0, 150.0));
    assert_eq!(router.position(start, &[], to, 0.5), start.towards(to, 0.5));
    assert_eq!(router.position(start, &[], start, 0.5), start);
}

#[test]
#[ignore]
fn tmp_measure() {
    use std::time::Instant;
    let t = Instant::now();
    let r = zurich();
    eprintln!("zurich build {:?} {} nodes {} links", t.elapsed(), r.network().node_count(), r.network().link_count());
    let ends = |case, n: f32| { let mut s = Stream::of_index(4, case, Purpose::City); let mut d = || Point { x_m: (s.unit_f32() - 0.5) * n, y_m: (s.unit_f32() - 0.5) * n }; (d(), d()) };
    let req: Vec<_> = (0..20000).map(|c| { let (from, to) = ends(c, 17000.0); RouteRequest { mode: Mode::Car, from, to } }).collect();
    let t = Instant::now();
    let out = r.route_all(&req);
    let e = t.elapsed();
    let some: Vec<_> = out.iter().flatten().collect();
    let mean = |f: &dyn Fn(&&RoutePath) -> f32| some.iter().map(f).sum::<f32>() / some.len() as f32;
    eprintln!("zurich 20000 car routes {:?} mean dist {} dur {} nodes {} direct {}", e, mean(&|p| p.distance_m), mean(&|p| p.duration_s), mean(&|p| p.nodes.len() as f32), some.iter().filter(|p| p.nodes.is_empty()).count());
    let acc: f32 = req.iter().map(|q| r.network().point(r.nearest(Mode::Car, q.from).unwrap()).distance_m(q.from)).sum::<f32>() / 20000.0;
    eprintln!("mean access {acc} m; straight {}", req.iter().map(|q| q.from.distance_m(q.to)).sum::<f32>() / 20000.0);
    for n in [100, 150] {
        let origin = LngLat { lng: 8.5, lat: 47.4 };
        let grid = GridNetwork { origin, nx: n, ny: n, spacing_m: 100.0, speed_kmh: 36.0 };
        let net = grid.build().unwrap();
        let t = Instant::now();
        let r = Router::new(net, RouteSpeeds::default()).unwrap();
        eprintln!("grid {n} prepare {:?}", t.elapsed());
        let req: Vec<_> = (0..5000).map(|c| { let (from, to) = ends(c, n as f32 * 100.0); RouteRequest { mode: Mode::Car, from, to } }).collect();
        let t = Instant::now();
        r.route_all(&req);
        eprintln!("grid {n} 5000 routes {:?}", t.elapsed());
    }
}
