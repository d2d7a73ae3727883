//! What the recorded cases do not show. Right values from the documentation of BehaviorTree.CPP 4
//! and of py_trees 2.6 (contract `skills.md`, sections 3.1 and 3.2), on simulated time.

use std::path::Path;

use crate::behaviour::compile::compile;
use crate::behaviour::error::TreeError;
use crate::behaviour::format::{Format, read_text};
use crate::behaviour::interpret::TickMode;
use crate::behaviour::rehearse::{Rehearsal, StubWords};
use crate::behaviour::status::{Dialect, Status};
use crate::behaviour::tree::Tree;
use crate::behaviour::value::Value;

fn xml(trees: &str) -> String {
    format!("<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">{trees}</root>")
}

fn load(text: &str, format: Format) -> Result<Tree, TreeError> {
    let path = Path::new("test");
    compile(&read_text(format, text, path)?, path, &StubWords)
}

fn cpp(root: &str) -> Tree {
    load(&xml(&format!("<BehaviorTree ID=\"Main\">{root}</BehaviorTree>")), Format::Xml).unwrap()
}

fn py(json: &str) -> Tree {
    load(json, Format::Json).unwrap()
}

/// The roots of some ticks as letters; `!` is a tick that fails.
fn roots(rehearsal: &mut Rehearsal<'_>, ticks: usize, mode: TickMode) -> String {
    let letter = |status: Option<Status>| match status {
        None => '!',
        Some(Status::Idle) => 'I',
        Some(Status::Running) => 'R',
        Some(Status::Success) => 'S',
        Some(Status::Failure) => 'F',
        Some(Status::Skipped) => 'K',
    };
    (0..ticks).map(|_| letter(rehearsal.tick(mode).root)).collect()
}

fn play(tree: &Tree, ticks: usize) -> String {
    roots(&mut Rehearsal::new(tree, 1, 0), ticks, TickMode::ExactlyOnce)
}

/// What happened to the stubs, and the blackboard, after some ticks.
fn log_of(tree: &Tree, ticks: usize) -> (Vec<String>, Vec<(String, Value)>) {
    let mut rehearsal = Rehearsal::new(tree, 1, 0);
    let log = (0..ticks).flat_map(|_| rehearsal.tick(TickMode::ExactlyOnce).log).collect();
    let slots = rehearsal.blackboard();
    (log, slots.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

#[test]
fn time_is_simulated() {
    // Three seconds of running, halted at the third.
    let timeout = cpp(r#"<Timeout msec="3000"><Stub name="a" results="R"/></Timeout>"#);
    assert_eq!(play(&timeout, 5), "RRRFR");
    assert!(log_of(&timeout, 4).0.contains(&"halt a".to_owned()));
    let in_time = cpp(r#"<Timeout msec="3000"><Stub results="R,S"/></Timeout>"#);
    assert_eq!(play(&in_time, 2), "RS");
    let delay = cpp(r#"<Delay delay_msec="2000"><Stub results="S"/></Delay>"#);
    assert_eq!(play(&delay, 6), "RRSRRS");
    assert_eq!(play(&cpp(r#"<Sleep msec="2000"/>"#), 3), "RRS");
    // py_trees: beyond the duration, not at it.
    let timeout = r#"{"type": "Timeout", "duration": 2.0, "children": [{"type": "Running"}]}"#;
    assert_eq!(play(&py(timeout), 5), "RRRFR");
    assert_eq!(play(&py(r#"{"type": "Timer", "duration": 2.0}"#), 5), "RRRSR");
}

#[test]
fn iterations_let_go_and_wake_the_root() {
    let tree = cpp(r#"<AsyncSequence><AlwaysSuccess/><AlwaysSuccess/></AsyncSequence>"#);
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    assert_eq!(roots(&mut rehearsal, 2, TickMode::ExactlyOnce), "RS");
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    assert_eq!(roots(&mut rehearsal, 1, TickMode::Once), "S");
    let forever = cpp(r#"<RetryUntilSuccessful num_attempts="-1"><AlwaysFailure/>
        </RetryUntilSuccessful>"#);
    // Bounded even so.
    let mut rehearsal = Rehearsal::new(&forever, 1, 0);
    assert_eq!(roots(&mut rehearsal, 1, TickMode::Once), "R");
    let again =
        cpp(r#"<KeepRunningUntilFailure><Stub results="S,S,F"/></KeepRunningUntilFailure>"#);
    assert_eq!(play(&again, 3), "RRF");
}

#[test]
fn what_is_halted_says_so() {
    let tree = cpp(r#"<Sequence><Script code="halts := 0"/>
        <ReactiveFallback><Stub results="F,S"/>
          <TryCatch catch_on_halt="true"><Stub name="try" results="R" _onHalted="halts += 1"/>
            <Stub name="clean" results="S"/></TryCatch>
        </ReactiveFallback></Sequence>"#);
    let (log, slots) = log_of(&tree, 2);
    let halted = log.iter().position(|note| note == "halt try").unwrap();
    assert_eq!(log[halted + 1], "tick clean -> S");
    assert_eq!(slots, [("halts".to_owned(), Value::Int(1))]);
}

#[test]
fn blackboards_of_called_trees() {
    let tree = |port: &str| {
        let text = format!(
            r#"<BehaviorTree ID="Main"><Sequence><Script code="x := 1; _own := 1"/>
            <SubTree ID="Sub" {port}/><ScriptCondition code="x == 5"/></Sequence></BehaviorTree>
            <BehaviorTree ID="Sub"><Sequence><Script code="x := 5; _own := 7; @far := 9"/>
            </Sequence></BehaviorTree>"#
        );
        load(&xml(&text), Format::Xml).unwrap()
    };
    // Isolated, bound by name, and bound by `_autoremap`.
    assert_eq!(play(&tree(""), 1), "F");
    assert_eq!(play(&tree("x=\"{x}\""), 1), "S");
    let remapped = tree("_autoremap=\"true\"");
    assert_eq!(play(&remapped, 1), "S");
    let slots = log_of(&remapped, 1).1;
    let of = |name: &str| slots.iter().find(|(other, _)| other == name).unwrap().1;
    // Names that begin with `_` stay at home; `@` is the blackboard of the root.
    assert_eq!((of("_own"), of("far")), (Value::Int(1), Value::Int(9)));
    // A literal is the called tree's own.
    let literal = r#"<BehaviorTree ID="Main"><SubTree ID="Sub" a="3"/></BehaviorTree>
        <BehaviorTree ID="Sub"><ScriptCondition code="a == 3"/></BehaviorTree>"#;
    assert_eq!(play(&load(&xml(literal), Format::Xml).unwrap(), 1), "S");
}

#[test]
fn entries_are_watched() {
    let tree = cpp(r#"<Sequence><Script code="n := 0" _skipIf="false"/>
        <ForceSuccess><WasEntryUpdated entry="{n}"/></ForceSuccess>
        <WasEntryUpdated entry="{m}" _onSuccess="m := 2"/></Sequence>"#);
    assert_eq!(play(&tree, 2), "FF");
    let skip = cpp(r#"<Parallel success_count="-1" failure_count="2">
        <Script code="a := 1" _skipIf="skip_it"/>
        <SkipUnlessUpdated entry="{b}"><AlwaysFailure/></SkipUnlessUpdated></Parallel>"#);
    // The condition reads what was never set: the tick fails, and begins anew.
    assert_eq!(play(&skip, 2), "!!");
}

#[test]
fn conditions_come_before_and_after() {
    let tree = cpp(r#"<Sequence><Script code="n := 0; log := ''"/>
        <Precondition if="n == 1" else="SUCCESS"><AlwaysFailure/></Precondition>
        <AlwaysFailure _successIf="n == 0" _onSuccess="log += 'a'" _post="log += 'b'"/>
        <AlwaysSuccess _failureIf="n == 0" _onFailure="log += 'c'" _post="log += 'd'"/>
        </Sequence>"#);
    assert_eq!(play(&tree, 1), "F");
    let (_, slots) = log_of(&tree, 1);
    assert_eq!(slots[1], ("log".to_owned(), Value::Text("abcd".into())));
}

#[test]
fn a_condition_without_an_answer_ends_the_tick() {
    let tree = cpp(r#"<IfThenElse><AlwaysSuccess _skipIf="true"/><AlwaysSuccess/><AlwaysFailure/>
        </IfThenElse>"#);
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    let notes = rehearsal.tick(TickMode::ExactlyOnce);
    assert_eq!(notes.root, None);
    assert!(notes.failure.unwrap().contains("skipped"));
    assert!(notes.statuses.iter().all(|status| *status == Status::Idle));
}

#[test]
fn for_each_goes_through_a_list() {
    let tree = py(r#"{"type": "Sequence", "memory": true, "children": [
        {"type": "SetBlackboardVariable", "variable_name": "all", "variable_value": "a;b;c"},
        {"type": "ForEach", "source_key": "all", "target_key": "one",
         "children": [{"type": "SaySomething", "message": "{one}"}]}]}"#);
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    let ticks: Vec<_> = (0..3).map(|_| rehearsal.tick(TickMode::ExactlyOnce)).collect();
    let said: Vec<_> = ticks.iter().flat_map(|notes| &notes.log).collect();
    let said: Vec<_> = said.into_iter().filter(|note| note.starts_with("say")).collect();
    assert_eq!(said, ["say a", "say b", "say c"]);
    assert_eq!(ticks[2].root, Some(Status::Success));
}

#[test]
fn weighted_outcomes_come_as_often_as_they_weigh() {
    let tree = py(r#"{"type": "ProbabilisticBehaviour", "weights": "1;2;1"}"#);
    let mut rehearsal = Rehearsal::new(&tree, 1, 3);
    let drawn = roots(&mut rehearsal, 4_000, TickMode::ExactlyOnce);
    let count = |letter| drawn.chars().filter(|c| *c == letter).count();
    // Binomial: 4 standard deviations are 126 about 2,000 and 110 about 1,000.
    assert!(count('F').abs_diff(2_000) < 126, "{}", count('F'));
    assert!(count('S').abs_diff(1_000) < 110, "{}", count('S'));
}

#[test]
fn mistakes_are_told_all_at_once_with_their_lines() {
    let text = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\n\
        <BehaviorTree ID=\"Main\">\n<Sequence>\n<Sequense/>\n<Repeat><AlwaysSuccess/></Repeat>\n\
        <Inverter/>\n<Script code=\"a := \"/>\n<AlwaysSuccess x=\"1\"/>\n<SubTree ID=\"Nobody\"/>\n\
        <Parallel success_count=\"3\"><AlwaysSuccess/></Parallel>\n\
        </Sequence></BehaviorTree></root>";
    let TreeError::Invalid { problems, .. } = load(text, Format::Xml).unwrap_err() else {
        panic!("not refused as invalid")
    };
    let told: Vec<_> = problems.iter().map(|problem| (problem.line, problem.code)).collect();
    let expected = [
        (4, "unknown-node"),
        (5, "missing-port"),
        (6, "wrong-child-count"),
        (7, "expression-syntax"),
        (8, "unknown-port"),
        (9, "unknown-tree"),
        (10, "bad-threshold"),
    ];
    assert_eq!(told, expected, "{problems:#?}");
    assert!(problems[0].message.contains("did you mean `Sequence`"));
}

#[test]
fn both_dialects_say_their_own_words() {
    assert_eq!(Status::Idle.word(Dialect::PyTrees), "INVALID");
    assert_eq!(Status::Idle.word(Dialect::BtCpp), "IDLE");
}

#[test]
fn an_error_halts_everything_and_forgets_everything() {
    // The first tick counts a round, tells the slot's change and leaves two leaves running; the
    // second fails, and so does the script of what is halted first.
    let tree = cpp(r#"<Parallel success_count="3">
        <Stub name="a" results="R" _onHalted="never = 1"/>
        <Stub name="b" results="R"/>
        <SequenceWithMemory><Script code="n := 1"/>
          <ScriptCondition code="unset == 1"/></SequenceWithMemory>
        </Parallel>"#);
    let mut rehearsal = Rehearsal::new(&tree, 1, 0);
    let first = rehearsal.tick(TickMode::ExactlyOnce);
    assert_eq!(first.root, Some(Status::Running));
    for _ in 0..2 {
        let failed = rehearsal.tick(TickMode::ExactlyOnce);
        assert!(failed.failure.unwrap().contains("(ScriptCondition)"));
        let halts: Vec<_> = failed.log.iter().filter(|note| note.starts_with("halt")).collect();
        assert_eq!(halts, ["halt a", "halt b"]);
        assert!(failed.statuses.iter().all(|status| *status == Status::Idle));
        // The sequence with memory begins anew: it yields after its first child again.
        assert_eq!(rehearsal.tick(TickMode::ExactlyOnce).root, Some(Status::Running));
    }
}

#[test]
fn the_end_of_time_is_no_error() {
    let tree = cpp(r#"<Parallel success_count="-1" failure_count="3">
        <Timeout msec="2147483647"><Stub results="R"/></Timeout>
        <Delay delay_msec="2147483647"><Stub results="R"/></Delay>
        <Sleep msec="2147483647"/></Parallel>"#);
    let mut rehearsal = Rehearsal::new(&tree, u32::MAX, 0);
    // The clock stands still at its last second, long after the timeout; what begins there waits.
    assert_eq!(roots(&mut rehearsal, 3, TickMode::ExactlyOnce), "RFR");
}

#[test]
fn a_switch_without_a_value_takes_its_last_child() {
    // Contract `skills.md`, 3.2: the last child is the default.
    let tree = cpp(r#"<Switch2 variable="{v}" case_1="1" case_2="{w}"><AlwaysFailure/>
        <AlwaysFailure/><AlwaysSuccess/></Switch2>"#);
    assert_eq!(play(&tree, 1), "S");
    // A threshold that is no number, or too large, ends the tick.
    for value in ["'x'", "7", "1e300", "0.5"] {
        let tree = cpp(&format!(
            r#"<Sequence><Script code="t := {value}"/><Parallel success_count="{{t}}">
            <AlwaysSuccess/></Parallel></Sequence>"#
        ));
        assert_eq!(play(&tree, 1), "!", "{value}");
    }
}
