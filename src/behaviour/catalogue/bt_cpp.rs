//! The nodes of BehaviorTree.CPP 4, under its names.

use super::manifest::{
    Arity, Category::*, NodeManifest, PortManifest, PortType::*, input, node, output, with_default,
};

/// The ports of the largest switch; those with fewer cases have the first of them.
const SWITCH: &[PortManifest] = &[
    input("variable", Value),
    input("case_1", Value),
    input("case_2", Value),
    input("case_3", Value),
    input("case_4", Value),
    input("case_5", Value),
    input("case_6", Value),
];
const LOOP: &[PortManifest] =
    &[input("queue", List), output("value", Key), with_default("if_empty", Status, "SUCCESS")];

const fn switch(kind: &'static str, cases: u16) -> NodeManifest {
    let about = "the child of the case that the variable equals, or else the last";
    let (ports, _) = SWITCH.split_at(cases as usize + 1);
    node(kind, Control, Arity(cases + 1, cases + 1), ports, about)
}

/// All of them.
#[rustfmt::skip]
pub(super) const NODES: &[NodeManifest] = &[
    // controls
    node("Sequence", Control, Arity::SOME, &[],
        "succeeds when all children do, one after the other; begins anew after a failure"),
    node("AsyncSequence", Control, Arity::SOME, &[],
        "a sequence that can be interrupted between its children"),
    node("SequenceWithMemory", Control, Arity::SOME, &[],
        "a sequence that goes on with the child that failed").also(&["SequenceStar"]),
    node("ReactiveSequence", Control, Arity::SOME, &[],
        "a sequence that begins with the first child in every tick"),
    node("Fallback", Control, Arity::SOME, &[], "succeeds with the first child that does"),
    node("AsyncFallback", Control, Arity::SOME, &[],
        "a fallback that can be interrupted between its children"),
    node("ReactiveFallback", Control, Arity::SOME, &[],
        "a fallback that begins with the first child in every tick"),
    node("Parallel", Control, Arity::SOME, &[
            with_default("success_count", Int, "-1"), with_default("failure_count", Int, "1"),
        ], "ticks all children until so many succeeded or failed"),
    node("ParallelAll", Control, Arity::SOME, &[with_default("max_failures", Int, "1")],
        "ticks all children until all are done; fails with so many failures"),
    node("IfThenElse", Control, Arity(2, 3), &[],
        "asks the first child once, then runs the second or the third"),
    node("WhileDoElse", Control, Arity(2, 3), &[],
        "asks the first child in every tick and runs the second or the third"),
    switch("Switch2", 2),
    switch("Switch3", 3),
    switch("Switch4", 4),
    switch("Switch5", 5),
    switch("Switch6", 6),
    node("TryCatch", Control, Arity(2, u16::MAX), &[
            with_default("catch_on_halt", Bool, "false"),
        ], "a sequence of all children but the last, which runs if one fails"),
    // decorators
    node("Inverter", Decorator, Arity::ONE, &[], "success for failure and the reverse"),
    node("ForceSuccess", Decorator, Arity::ONE, &[], "success when the child is done"),
    node("ForceFailure", Decorator, Arity::ONE, &[], "failure when the child is done"),
    node("Repeat", Decorator, Arity::ONE, &[input("num_cycles", Int)],
        "runs until the child succeeded so many times; -1 for ever"),
    node("RetryUntilSuccessful", Decorator, Arity::ONE, &[input("num_attempts", Int)],
        "runs until the child succeeds or failed so many times; -1 for ever")
        .also(&["Retry"]),
    node("KeepRunningUntilFailure", Decorator, Arity::ONE, &[], "runs until the child fails"),
    node("Timeout", Decorator, Arity::ONE, &[input("msec", Int)],
        "fails, and halts the child, after so many simulated milliseconds"),
    node("Delay", Decorator, Arity::ONE, &[input("delay_msec", Int)],
        "ticks the child after so many simulated milliseconds"),
    node("RunOnce", Decorator, Arity::ONE, &[with_default("then_skip", Bool, "true")],
        "runs the child to its end once, then is skipped or keeps its status"),
    node("Precondition", Decorator, Arity::ONE, &[
            input("if", Expression), with_default("else", Status, "FAILURE"),
        ], "runs the child if a condition holds, or else gives a status"),
    node("LoopInt", Decorator, Arity::ONE, LOOP, "runs the child for each entry of a list"),
    node("LoopBool", Decorator, Arity::ONE, LOOP, "runs the child for each entry of a list"),
    node("LoopDouble", Decorator, Arity::ONE, LOOP, "runs the child for each entry of a list"),
    node("LoopString", Decorator, Arity::ONE, LOOP, "runs the child for each entry of a list"),
    node("SkipUnlessUpdated", Decorator, Arity::ONE, &[input("entry", Key)],
        "is skipped unless a slot was written since the last tick"),
    node("WaitValueUpdate", Decorator, Arity::ONE, &[input("entry", Key)],
        "runs until a slot is written, then ticks the child"),
    node("SubTree", SubTree, Arity::LEAF, &[input("ID", Text)],
        "another tree of the document, with a blackboard of its own").also(&["SubTreePlus"]),
    // leaves
    node("AlwaysSuccess", Action, Arity::LEAF, &[], "succeeds"),
    node("AlwaysFailure", Action, Arity::LEAF, &[], "fails"),
    node("Script", Action, Arity::LEAF, &[input("code", Script)],
        "carries out assignments and succeeds"),
    node("ScriptCondition", Condition, Arity::LEAF,
        &[input("code", Expression)], "succeeds if an expression is true"),
    node("SetBlackboard", Action, Arity::LEAF,
        &[input("value", Value), output("output_key", Key)], "writes a value and succeeds"),
    node("UnsetBlackboard", Action, Arity::LEAF, &[output("key", Key)], "unsets a slot"),
    node("Sleep", Action, Arity::LEAF, &[input("msec", Int)],
        "runs for so many simulated milliseconds, then succeeds"),
    node("WasEntryUpdated", Action, Arity::LEAF, &[input("entry", Key)],
        "succeeds if a slot was written since the last tick"),
];
