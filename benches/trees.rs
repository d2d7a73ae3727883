//! Ticks of behaviour trees per second: the same 13-node tree here and in bonsai-bt, for a million
//! agents; then with conditions that read columns of the world.
//!
//! `cargo bench --bench trees`, with a number of agents after `--` if wanted. All figures come from
//! one run of this program, in turn; each is the best of [`ROUNDS`].
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use bevy_ecs::component::Component;
use bevy_ecs::world::World as Ecs;
use bonsai_bt::{Action, BT, Event, Select, Sequence, Status as BonsaiStatus};
use populace::base::ids::PlaceId;
use populace::base::parallel;
use populace::base::time::SimTime;
use populace::behaviour::compile::Vocabulary;
use populace::behaviour::error::Fault;
use populace::behaviour::expression::AttributeIndex;
use populace::behaviour::interpret::{LeafCall, World};
use populace::behaviour::rehearse::StubWords;
use populace::behaviour::state::States;
use populace::behaviour::status::Status;
use populace::behaviour::tree::{LeafSpec, Tree};
use populace::behaviour::value::{Value, ValueType};
use populace::cli::bench_tree::{FIXED, Fixed, NODES_VISITED, compiled, pass};

/// Rounds of each measurement.
const ROUNDS: usize = 5;
/// The tree of [`FIXED`] with conditions on columns of the world, which come out the same way.
const REAL: &str = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Fallback>
  <Sequence><ScriptCondition code="hunger &lt; 0.3"/><ScriptCondition code="at_home"/>
    <ScriptCondition code="money &gt; 5"/></Sequence>
  <Sequence><ScriptCondition code="sleep &lt; 0.2"/><ScriptCondition code="at_home"/>
    <ScriptCondition code="money &gt; 5"/></Sequence>
  <Sequence><ScriptCondition code="hunger &gt;= 0.3"/><ScriptCondition code="sleep &gt;= 0.2"/>
    <ScriptCondition code="money &gt; 1"/></Sequence>
</Fallback></BehaviorTree></root>"#;

fn main() {
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let agents: usize = given.unwrap_or(1_000_000);
    println!("{agents} agents, a tree of 13 nodes of which a pass visits 9");
    println!("{:<44}{:>14}{:>14}", "", "tree ticks/s", "node ticks/s");
    let tell = |what: &str, rate: f64| {
        println!(
            "{what:<44}{:>12.1} M{:>12.1} M",
            rate / 1e6,
            f64::from(NODES_VISITED) * rate / 1e6
        );
    };
    let bonsai = bonsai(agents);
    tell("bonsai-bt 0.14, 1 thread", bonsai);
    let tree = tree(FIXED, &StubWords);
    let mut states = States::new(&tree, agents);
    let one = best_with(1, agents, || pass(&tree, &mut states, |_| Fixed));
    tell("populace, 1 thread", one);
    let two = best_with(2, agents, || pass(&tree, &mut states, |_| Fixed));
    tell("populace, 2 threads", two);
    println!("populace to bonsai-bt, 1 thread: {:.1}", one / bonsai);
    println!("2 threads to 1: {:.2}", two / one);
    println!("bytes an agent: {}", tree.bytes_per_agent());
    let (one, two) = real(agents);
    tell("conditions on columns, 1 thread", one);
    tell("conditions on columns, 2 threads", two);
    println!("2 threads to 1: {:.2}", two / one);
}

/// The highest of some rates of `count` things in a call: whatever else the machine does only
/// lowers them.
fn best(count: usize, mut measure: impl FnMut()) -> f64 {
    let mut round = || {
        let begun = Instant::now();
        measure();
        count as f64 / begun.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| round()).fold(0.0, f64::max)
}

fn tree(text: &str, vocabulary: &dyn Vocabulary) -> Tree {
    compiled(text, vocabulary).expect("the tree is written well")
}

/// [`best`] with so many threads.
fn best_with(threads: usize, count: usize, measure: impl FnMut() + Send) -> f64 {
    parallel::with_threads(threads, || best(count, measure)).expect("threads can be started")
}

fn bonsai(agents: usize) -> f64 {
    let sequence = |leaves: [bool; 3]| Sequence(leaves.map(Action).to_vec());
    let tree = Select(vec![
        sequence([false, true, true]),
        sequence([false, true, true]),
        sequence([true, true, true]),
    ]);
    let mut trees: Vec<BT<bool, ()>> = (0..agents).map(|_| BT::new(tree.clone(), ())).collect();
    let event = Event::zero_dt_args();
    best(agents, || {
        for tree in &mut trees {
            let result = tree.tick(&event, &mut |arguments, _: &mut ()| {
                let status =
                    if *arguments.action { BonsaiStatus::Success } else { BonsaiStatus::Failure };
                (status, arguments.dt)
            });
            assert_eq!(result.map(|(status, _)| status), Some(BonsaiStatus::Success));
            tree.reset_bt();
        }
    })
}

#[derive(Component)]
struct Hunger(f32);
#[derive(Component)]
struct Sleep(f32);
#[derive(Component)]
struct Money(f32);
#[derive(Component)]
struct At(PlaceId);

/// The columns of the world, one row per agent.
struct Columns<'c> {
    hunger: &'c [Hunger],
    sleep: &'c [Sleep],
    money: &'c [Money],
    at: &'c [At],
}

/// One row of them.
struct Row<'c> {
    columns: &'c Columns<'c>,
    position: usize,
}

impl World for Row<'_> {
    fn now(&self) -> SimTime {
        SimTime(0)
    }

    fn unit_random(&mut self) -> f64 {
        0.5
    }

    #[inline]
    fn attribute(&self, attribute: AttributeIndex) -> Value {
        let (columns, row) = (self.columns, self.position);
        match attribute.0 {
            0 => Value::Number(columns.hunger[row].0.into()),
            1 => Value::Number(columns.sleep[row].0.into()),
            2 => Value::Number(columns.money[row].0.into()),
            _ => Value::Bool(columns.at[row].0 == PlaceId(0)),
        }
    }

    fn tick_leaf(&mut self, _: LeafCall<'_, '_>) -> Result<Status, Fault> {
        Ok(Status::Success)
    }

    fn halt_leaf(&mut self, _: &LeafSpec) {}
}

struct Names;

impl Vocabulary for Names {
    fn attribute(&self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        match name {
            "hunger" => Some((AttributeIndex(0), ValueType::Number)),
            "sleep" => Some((AttributeIndex(1), ValueType::Number)),
            "money" => Some((AttributeIndex(2), ValueType::Number)),
            "at_home" => Some((AttributeIndex(3), ValueType::Bool)),
            _ => None,
        }
    }
}

/// Rates with one thread and with two.
fn real(agents: usize) -> (f64, f64) {
    let tree = tree(REAL, &Names);
    let mut states = States::new(&tree, agents);
    let mut ecs = Ecs::new();
    let person = |index: usize| {
        let level = 0.4 + (index % 7) as f32 * 0.05;
        (Hunger(level), Sleep(level), Money(10.0), At(PlaceId(0)))
    };
    ecs.spawn_batch((0..agents).map(person));
    let mut query = ecs.query::<(&Hunger, &Sleep, &Money, &At)>();
    let mut tables = query.contiguous_iter(&ecs).expect("all components are table columns");
    let (hunger, sleep, money, at) = tables.next().expect("there is one table");
    let columns = Columns { hunger, sleep, money, at };
    let mut rate = |threads| {
        best_with(threads, agents, || {
            pass(&tree, &mut states, |position| Row { columns: &columns, position });
        })
    };
    (rate(1), rate(2))
}
