"""What is kept of a suspended tree, and how a tree that was built anew goes on from it."""

import json
import sys


def message(given):
    from jianmu.skill import Message

    return Message(role=str(given.get("role", "user")), content=str(given.get("content", "")))


def plain(value):
    """Messages as JSON; other objects as the text that they show."""
    from jianmu.skill import Message

    if isinstance(value, Message):
        return {"role": value.role, "content": value.content}
    return str(value)


def forget_blackboard():
    """py_trees keeps one blackboard per process: each run begins with an empty one."""
    module = sys.modules.get("py_trees.blackboard")
    if module is not None:
        board = module.Blackboard
        board.storage.clear()
        board.metadata.clear()
        board.clients.clear()
        board.activity_stream = None


def snapshot(state, root):
    """Values by namespace, the blackboard, and name, status and position of every node, in the
    order of `iterate`. ValueError tells what cannot be kept."""
    values = {}
    for (namespace, key), value in state._values.items():
        values.setdefault(namespace, {})[key] = _kept(key, value)
    board = sys.modules.get("py_trees.blackboard")
    stored = {} if board is None else board.Blackboard.storage
    return {
        "values": values,
        "blackboard": {key: _kept(key, value) for key, value in stored.items()},
        "nodes": [[node.name, node.status.name, _position(node)] for node in root.iterate()],
    }


def _kept(key, value):
    def refuse(inner):
        from jianmu.skill import Message

        if isinstance(inner, Message):
            return plain(inner)
        found = type(inner).__name__
        raise ValueError(f"a suspended tree's state is kept as JSON; '{key}' holds a {found}")

    return json.loads(json.dumps(value, default=refuse))


def _position(node):
    child = getattr(node, "current_child", None)
    return node.children.index(child) if child in node.children else None


def restore(kept, state, root):
    """Nodes that were done stay done, composites go on where they were, and leaves that were
    running begin again. ValueError if the tree is another."""
    from jianmu.tree import Status

    nodes = list(root.iterate())
    before = [name for name, _, _ in kept["nodes"]]
    if [node.name for node in nodes] != before:
        raise ValueError("the skill builds another tree than the one that was suspended")
    for namespace, values in kept["values"].items():
        if isinstance(values.get("messages"), list):
            values["messages"] = [
                message(one) if isinstance(one, dict) else one for one in values["messages"]
            ]
        state.update(values, namespace=namespace, signal=False)
    board = sys.modules.get("py_trees.blackboard")
    if board is not None:
        board.Blackboard.storage.update(kept["blackboard"])
    for node, (_, word, position) in zip(nodes, kept["nodes"]):
        status = Status[word]
        if status == Status.RUNNING and not hasattr(node, "current_child"):
            status = Status.INVALID
        node.status = status
        if position is not None:
            node.current_child = node.children[position]
