//! Ticking a tree allocates nothing. A binary of its own, because its allocator counts.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;

use populace::base::time::SimTime;
use populace::behaviour::compile::compile;
use populace::behaviour::error::Fault;
use populace::behaviour::format::{Format, read_text};
use populace::behaviour::interpret::{LeafCall, Run, TickMode, World};
use populace::behaviour::rehearse::StubWords;
use populace::behaviour::state::States;
use populace::behaviour::status::Status;
use populace::behaviour::tree::LeafSpec;

/// Conditions, scripts, loops, a parallel, halting: what trees of people do all day.
const TREE: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
<BehaviorTree ID="Main"><Sequence>
  <Script code="n := 0; mood := 'calm'"/>
  <ReactiveFallback>
    <Inverter><ScriptCondition code="n &lt; 100 &amp;&amp; mood == 'calm'"/></Inverter>
    <Parallel success_count="2" failure_count="2">
      <Repeat num_cycles="3"><Script code="n += 1" _skipIf="n &gt; 90"/></Repeat>
      <LoopInt queue="1;2;3" value="{v}"><ScriptCondition code="v &gt; 0"/></LoopInt>
      <Stub results="R,S"/>
    </Parallel>
  </ReactiveFallback>
  <SubTree ID="Inner" n="{n}"/>
</Sequence></BehaviorTree>
<BehaviorTree ID="Inner"><Fallback><ScriptCondition code="chance(0.5)"/>
  <Timeout msec="3000"><Stub results="R"/></Timeout></Fallback></BehaviorTree></root>"#;

struct Stage {
    now: u32,
}

impl World for Stage {
    fn now(&self) -> SimTime {
        SimTime(self.now)
    }

    fn unit_random(&mut self) -> f64 {
        0.75
    }

    fn tick_leaf(&mut self, _: LeafCall<'_, '_>) -> Result<Status, Fault> {
        Ok(if self.now.is_multiple_of(5) { Status::Success } else { Status::Running })
    }

    fn halt_leaf(&mut self, _: &LeafSpec) {}
}

#[test]
fn a_tick_allocates_nothing() {
    let path = Path::new("test.xml");
    let document = read_text(Format::Xml, TREE, path).unwrap();
    let tree = compile(&document, path, &StubWords).unwrap();
    let mut states = States::new(&tree, 100);
    let mut changes = 0;
    let counted = allocation_counter::measure(|| {
        for tick in 0..50 {
            let mut stage = Stage { now: tick };
            for agent in 0..states.len() {
                let mut run = Run::new(&tree, states.of(agent), &mut stage);
                changes += usize::from(run.tick(TickMode::Once) != Ok(Status::Running));
            }
        }
    });
    assert_eq!(counted.count_total, 0);
    // The tree did something: it ended now and then.
    assert!(changes > 100, "{changes}");
}
