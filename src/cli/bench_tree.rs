//! The behaviour tree whose ticks are counted: by `populace bench` and by `benches/trees.rs`,
//! which has other engines beside it.

use std::path::Path;

use crate::base::parallel;
use crate::base::time::SimTime;
use crate::behaviour::compile::{Vocabulary, compile};
use crate::behaviour::error::{Fault, TreeError};
use crate::behaviour::format::{Format, read_text};
use crate::behaviour::interpret::{LeafCall, Run, TickMode, World};
use crate::behaviour::state::States;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{LeafSpec, Tree};

/// Nodes that a pass of [`FIXED`] visits of its 13: the root, three sequences, five leaves.
pub const NODES_VISITED: u32 = 9;

/// Three sequences of three leaves under a fallback; the first leaf of two of them fails.
pub const FIXED: &str = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Fallback>
  <Sequence><Stub results="F"/><Stub results="S"/><Stub results="S"/></Sequence>
  <Sequence><Stub results="F"/><Stub results="S"/><Stub results="S"/></Sequence>
  <Sequence><Stub results="S"/><Stub results="S"/><Stub results="S"/></Sequence>
</Fallback></BehaviorTree></root>"#;

/// Agents of one piece of parallel work.
const CHUNK: usize = 4_096;

/// Compiles a tree in the XML of BehaviorTree.CPP 4.
///
/// # Errors
/// What is wrong with the text, or not in the vocabulary.
pub fn compiled(text: &str, vocabulary: &dyn Vocabulary) -> Result<Tree, TreeError> {
    let path = Path::new("bench.xml");
    compile(&read_text(Format::Xml, text, path)?, path, vocabulary)
}

/// Ticks everybody once. `world` makes the world of the agent at a position.
///
/// # Panics
/// If the tree of an agent does not succeed: another amount of work would be measured.
pub fn pass<W: World>(tree: &Tree, states: &mut States, world: impl Fn(usize) -> W + Sync) {
    let agents = states.len();
    let chunks = states.chunks_mut(CHUNK).into_iter().enumerate().collect();
    parallel::for_each(chunks, |(index, mut chunk)| {
        let first = index * CHUNK;
        for position in 0..CHUNK.min(agents - first) {
            let mut world = world(first + position);
            let mut run = Run::new(tree, chunk.of(position), &mut world);
            let status = run.tick(TickMode::ExactlyOnce);
            assert_eq!(status, Ok(Status::Success), "the tree is made to succeed");
        }
    });
}

/// The leaves of [`FIXED`]: what each gives is in its port, known beforehand.
pub struct Fixed;

impl World for Fixed {
    fn now(&self) -> SimTime {
        SimTime(0)
    }

    fn unit_random(&mut self) -> f64 {
        0.5
    }

    fn tick_leaf(&mut self, call: LeafCall<'_, '_>) -> Result<Status, Fault> {
        // The first leaf of the first two sequences: nodes 2 and 6.
        let fails = matches!(call.leaf.node, 2 | 6);
        Ok(if fails { Status::Failure } else { Status::Success })
    }

    fn halt_leaf(&mut self, _: &LeafSpec) {}
}
