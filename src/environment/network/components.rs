//! Strongly connected parts of a network: sets of nodes that all reach each other.

use super::graph::{ModeSet, Rows};

/// "No number yet".
const NEW: u32 = u32::MAX;

/// The largest strongly connected part of one mode's links.
pub(super) struct Part {
    /// Its nodes, sorted; empty if no two nodes reach each other.
    pub(super) members: Vec<u32>,
    /// Nodes that links of the mode touch, in this part or not.
    pub(super) touched_count: usize,
}

/// Finds the largest part for `mode`; of two equal ones the one with the lowest node number.
pub(super) fn largest_part(rows: &Rows, mode: ModeSet) -> Part {
    let component = components(rows, mode);
    let mut sizes = vec![0_u32; component.len()];
    for number in &component {
        sizes[*number as usize] += 1;
    }
    let mut largest = (1, NEW);
    for number in &component {
        let size = sizes[*number as usize];
        if size > largest.0 {
            largest = (size, *number);
        }
    }
    let members =
        (0..rows.node_count()).filter(|node| component[*node as usize] == largest.1).collect();
    Part { members, touched_count: touched_count(rows, mode) }
}

fn touched_count(rows: &Rows, mode: ModeSet) -> usize {
    let mut touched = vec![false; rows.node_count() as usize];
    for node in 0..rows.node_count() {
        for link in rows.from(node).iter().filter(|link| link.modes.contains(mode)) {
            touched[node as usize] = true;
            touched[link.to as usize] = true;
        }
    }
    touched.into_iter().filter(|touched| *touched).count()
}

/// The number of each node's component.
///
/// Source: Tarjan, "Depth-first search and linear graph algorithms" (SIAM J. Comput. 1972), with
/// an explicit stack: a road of a million bends would overflow the machine's.
fn components(rows: &Rows, mode: ModeSet) -> Vec<u32> {
    let mut search = Search::new(rows.node_count() as usize);
    for root in 0..rows.node_count() {
        if search.order[root as usize] == NEW {
            search.enter(root, rows);
        }
        while let Some(&(node, at)) = search.path.last() {
            if at == rows.first_link[node as usize + 1] {
                search.leave(node);
                continue;
            }
            search.path.last_mut().expect("it was there above").1 += 1;
            let link = rows.links[at as usize];
            if !link.modes.contains(mode) {
                continue;
            }
            if search.order[link.to as usize] == NEW {
                search.enter(link.to, rows);
            } else if search.component[link.to as usize] == NEW {
                search.lower(node, search.order[link.to as usize]);
            }
        }
    }
    search.component
}

/// State of the depth-first search.
struct Search {
    /// Number of each node in the order of discovery.
    order: Vec<u32>,
    /// Lowest order reachable from the node's subtree by one link back.
    lowest: Vec<u32>,
    /// Component of each node that is finished.
    component: Vec<u32>,
    /// Nodes seen whose component is not finished.
    open: Vec<u32>,
    /// Nodes from the root to here, each with its next link.
    path: Vec<(u32, u32)>,
    order_count: u32,
    component_count: u32,
}

impl Search {
    fn new(node_count: usize) -> Self {
        Self {
            order: vec![NEW; node_count],
            lowest: vec![NEW; node_count],
            component: vec![NEW; node_count],
            open: Vec::new(),
            path: Vec::new(),
            order_count: 0,
            component_count: 0,
        }
    }

    fn enter(&mut self, node: u32, rows: &Rows) {
        self.order[node as usize] = self.order_count;
        self.lowest[node as usize] = self.order_count;
        self.order_count += 1;
        self.open.push(node);
        self.path.push((node, rows.first_link[node as usize]));
    }

    fn lower(&mut self, node: u32, order: u32) {
        let lowest = &mut self.lowest[node as usize];
        *lowest = order.min(*lowest);
    }

    /// All links of `node`, the last of the path, have been followed.
    fn leave(&mut self, node: u32) {
        self.path.pop();
        let lowest = self.lowest[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, lowest);
        }
        if lowest == self.order[node as usize] {
            while let Some(member) = self.open.pop() {
                self.component[member as usize] = self.component_count;
                if member == node {
                    break;
                }
            }
            self.component_count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::kosaraju_scc;
    use petgraph::graph::DiGraph;

    use super::*;
    use crate::base::rng::{Purpose, Stream};
    use crate::base::units::Point;
    use crate::environment::network::graph::Stretch;

    /// Sizes of all components equal those that petgraph finds (by another algorithm), on random
    /// one-way graphs from sparse to dense.
    #[test]
    fn components_equal_those_of_an_independent_library() {
        for case in 0..40 {
            let mut stream = Stream::of_index(5, case, Purpose::City);
            let node_count = 2 + stream.below(60);
            let stretches: Vec<Stretch> = (0..stream.below(3 * node_count))
                .map(|_| Stretch {
                    from: stream.below(node_count),
                    to: stream.below(node_count),
                    forward: ModeSet::CAR,
                    backward: ModeSet::WALK,
                    car_mps: 1.0,
                    detour_factor: 1.0,
                })
                .collect();
            let rows = Rows::of(&vec![Point::default(); node_count as usize], &stretches);

            let mut graph = DiGraph::<(), ()>::new();
            let nodes: Vec<_> = (0..node_count).map(|_| graph.add_node(())).collect();
            for stretch in &stretches {
                graph.add_edge(nodes[stretch.from as usize], nodes[stretch.to as usize], ());
            }
            let expected = kosaraju_scc(&graph);
            let component = components(&rows, ModeSet::CAR);
            for members in &expected {
                let number = component[members[0].index()];
                let ours = component.iter().filter(|other| **other == number).count();
                assert_eq!(ours, members.len());
                assert!(members.iter().all(|node| component[node.index()] == number));
            }
            let largest = expected.iter().map(Vec::len).max().unwrap_or(0);
            let part = largest_part(&rows, ModeSet::CAR);
            assert_eq!(part.members.len(), if largest > 1 { largest } else { 0 });
        }
    }

    /// A one-way road of 300,000 bends has as many components, and no stack overflows.
    #[test]
    fn a_long_road_does_not_overflow_the_stack() {
        let stretches: Vec<Stretch> = (0..300_000)
            .map(|from| Stretch {
                from,
                to: from + 1,
                forward: ModeSet::CAR,
                backward: ModeSet::WALK,
                car_mps: 1.0,
                detour_factor: 1.0,
            })
            .collect();
        let rows = Rows::of(&vec![Point::default(); 300_001], &stretches);
        assert!(largest_part(&rows, ModeSet::CAR).members.is_empty());
        assert!(largest_part(&rows, ModeSet::WALK).members.is_empty());
    }
}
