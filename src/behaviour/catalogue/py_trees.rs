//! The nodes of py_trees 2.6, under its names.

use super::manifest::{
    Arity, Category::*, NodeManifest, PortType::*, input, node, output, with_default,
};

/// All of them.
#[rustfmt::skip]
pub(super) const NODES: &[NodeManifest] = &[
    // composites
    node("Sequence", Control, Arity::ANY, &[with_default("memory", Bool, "true")],
        "succeeds when all children do, one after the other"),
    node("Selector", Control, Arity::ANY, &[with_default("memory", Bool, "true")],
        "succeeds with the first child that does").also(&["Fallback"]),
    node("Parallel", Control, Arity::ANY, &[
            with_default("policy", Text, "SuccessOnAll"),
            with_default("synchronise", Bool, "true"),
            with_default("selected", List, ""),
        ], "ticks all children; fails with the first that does"),
    // decorators
    node("Repeat", Decorator, Arity::ONE, &[input("num_success", Int)],
        "runs until the child succeeded so many times; -1 for ever"),
    node("Retry", Decorator, Arity::ONE, &[input("num_failures", Int)],
        "runs until the child succeeds or failed so many times"),
    node("StatusToBlackboard", Decorator, Arity::ONE, &[output("variable_name", Key)],
        "writes the child's status to the blackboard"),
    node("EternalGuard", Decorator, Arity::ONE, &[input("condition", Expression)],
        "fails, and interrupts the child, as soon as a condition does not hold"),
    node("Timeout", Decorator, Arity::ONE, &[with_default("duration", Number, "5.0")],
        "fails, and interrupts the child, after so many simulated seconds"),
    node("Count", Decorator, Arity::ONE, &[],
        "passes the child's status through and counts ticks"),
    node("OneShot", Decorator, Arity::ONE,
        &[with_default("policy", Text, "ON_COMPLETION")],
        "runs the child to its end once and keeps its status"),
    node("Inverter", Decorator, Arity::ONE, &[], "success for failure and the reverse"),
    node("RunningIsFailure", Decorator, Arity::ONE, &[], "failure for running"),
    node("RunningIsSuccess", Decorator, Arity::ONE, &[], "success for running"),
    node("FailureIsSuccess", Decorator, Arity::ONE, &[], "success for failure"),
    node("FailureIsRunning", Decorator, Arity::ONE, &[], "running for failure"),
    node("SuccessIsFailure", Decorator, Arity::ONE, &[], "failure for success"),
    node("SuccessIsRunning", Decorator, Arity::ONE, &[], "running for success"),
    node("Condition", Decorator, Arity::ONE, &[with_default("status", Status, "SUCCESS")],
        "runs until the child has that status"),
    node("PassThrough", Decorator, Arity::ONE, &[], "passes the child's status through"),
    node("ForEach", Decorator, Arity::ONE,
        &[input("source_key", Key), output("target_key", Key)],
        "runs the child for each entry of a list, in turn"),
    // leaves
    node("Success", Action, Arity::LEAF, &[], "succeeds"),
    node("Failure", Action, Arity::LEAF, &[], "fails"),
    node("Running", Action, Arity::LEAF, &[], "runs for ever"),
    node("Dummy", Action, Arity::LEAF, &[], "runs for ever"),
    node("Periodic", Action, Arity::LEAF, &[input("n", Int)],
        "n ticks of running, n of success, n of failure, and again"),
    node("StatusQueue", Action, Arity::LEAF,
        &[input("queue", List), with_default("eventually", Text, "")],
        "one status after the other, then one for ever or the queue again"),
    node("SuccessEveryN", Action, Arity::LEAF, &[input("n", Int)],
        "fails but succeeds in every n-th tick"),
    node("TickCounter", Action, Arity::LEAF, &[
            input("duration", Int), with_default("completion_status", Status, "SUCCESS"),
        ], "runs for so many ticks, then gives a status"),
    node("Timer", Action, Arity::LEAF, &[with_default("duration", Number, "5.0")],
        "runs for so many simulated seconds, then succeeds"),
    node("ProbabilisticBehaviour", Action, Arity::LEAF, &[
            with_default("weights", List, "1;1;1"),
        ], "success, failure or running at random, by weights in that order"),
    node("SetBlackboardVariable", Action, Arity::LEAF, &[
            output("variable_name", Key), input("variable_value", Value),
            with_default("overwrite", Bool, "true"),
        ], "writes a value; fails if there is one and it may not be overwritten"),
    node("UnsetBlackboardVariable", Action, Arity::LEAF, &[output("key", Key)],
        "unsets a slot"),
    node("CheckBlackboardVariableExists", Condition, Arity::LEAF,
        &[input("variable_name", Key)], "succeeds if the slot is set"),
    node("WaitForBlackboardVariable", Condition, Arity::LEAF,
        &[input("variable_name", Key)], "runs until the slot is set"),
    node("CheckBlackboardVariableValue", Condition, Arity::LEAF,
        &[input("check", Expression)], "succeeds if a comparison holds")
        .also(&["CheckBlackboardVariableValues"]),
    node("CompareBlackboardVariables", Condition, Arity::LEAF, &[
            input("var1_key", Key), input("var2_key", Key),
            with_default("operator", Text, "eq"),
        ], "succeeds if a comparison of two slots holds"),
    node("WaitForBlackboardVariableValue", Condition, Arity::LEAF,
        &[input("check", Expression)], "runs until a comparison holds"),
    node("BlackboardToStatus", Action, Arity::LEAF, &[input("variable_name", Key)],
        "gives the status that a slot holds"),
    node("SubTree", SubTree, Arity::LEAF, &[input("ID", Text)],
        "another tree of the document"),
];
