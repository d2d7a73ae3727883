"""A built tree of nodes that the engine knows, py_trees' own and those of module `populace`, as a
document that the engine compiles and runs itself."""

# Kind: ports, each with the attribute of the node that holds its value.
_PORTS = {
    "Sequence": {"memory": "memory"},
    "Selector": {"memory": "memory"},
    "Repeat": {"num_success": "num_success"},
    "Retry": {"num_failures": "num_failures"},
    "StatusToBlackboard": {"variable_name": "variable_name"},
    "Timeout": {"duration": "duration"},
    "ForEach": {"source_key": "source_key", "target_key": "target_key"},
    "Periodic": {"n": "period"},
    "SuccessEveryN": {"n": "every_n"},
    "TickCounter": {"duration": "duration", "completion_status": "completion_status"},
    "Timer": {"duration": "duration"},
    "UnsetBlackboardVariable": {"key": "key"},
    "CheckBlackboardVariableExists": {"variable_name": "variable_name"},
    "WaitForBlackboardVariable": {"variable_name": "variable_name"},
    "BlackboardToStatus": {"variable_name": "variable_name"},
    "StatusQueue": {"queue": "queue", "eventually": "eventually"},
    "Condition": {"status": "succeed_status"},
    **dict.fromkeys((
        "Count", "Inverter", "RunningIsFailure", "RunningIsSuccess", "FailureIsSuccess",
        "FailureIsRunning", "SuccessIsFailure", "SuccessIsRunning", "PassThrough",
        "Success", "Failure", "Running", "Dummy",
    ), {}),
}
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def describe(root, blackboard):
    """The document, with the slots that `blackboard` declares; ValueError names the first node that
    only Python can run."""
    slots = {} if blackboard is None else {"blackboard": blackboard}
    return {"dialect": "py_trees", **slots, "tree": _node(root)}


def _node(node):
    from populace import Leaf

    kind = type(node).__name__
    if type(node) is Leaf:
        ports = {port: _text(value) for port, value in node.ports.items()}
        return {"type": node.kind, "name": node.name, **ports}
    if not type(node).__module__.startswith("py_trees."):
        raise ValueError(f"'{node.name}' is a {kind} of the skill's own: only Python can run it")
    try:
        ports = _ports(kind, node)
    except (AttributeError, KeyError):
        ports = None
    if ports is None:
        raise ValueError(f"'{node.name}' ({kind} of py_trees) is only run by Python")
    written = {name: _text(value) for name, value in ports.items() if value is not None}
    told = {"type": kind, "name": node.name, **written}
    if node.children:
        told["children"] = [_node(child) for child in node.children]
    return told


def _ports(kind, node):
    """The ports of a node; None if there is no such kind."""
    if kind in _PORTS:
        return {port: getattr(node, attribute) for port, attribute in _PORTS[kind].items()}
    if kind == "Parallel":
        return _parallel(node.policy)
    if kind == "OneShot":
        return {"policy": node.policy.name}
    if kind == "SetBlackboardVariable":
        value = _written(node.variable_value_generator)
        return {
            "variable_name": node.variable_name, "variable_value": value,
            "overwrite": node.overwrite,
        }
    if kind in ("CheckBlackboardVariableValue", "WaitForBlackboardVariableValue"):
        check = node.check
        value, sign = _written(check.value_generator), _SIGNS[check.operator.__name__]
        return {"check": f"{check.variable} {sign} {value}"}
    return None


def _written(generator):
    """The number or truth value that py_trees' own generator gives; KeyError for all else."""
    value = generator() if generator.__module__.startswith("py_trees.") else None
    if not isinstance(value, (bool, int, float)):
        raise KeyError(value)
    return _text(value)


def _parallel(policy):
    ports = {"policy": type(policy).__name__, "synchronise": policy.synchronise}
    if ports["policy"] == "SuccessOnSelected":
        ports["selected"] = [child.name for child in policy.children]
    return ports


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ";".join(_text(one) for one in value)
    return str(getattr(value, "name", value))
