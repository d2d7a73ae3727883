"""Ticks trees with py_trees itself: a list of cases on standard input, what happened on standard
output, both JSON. The clock is simulated: one second per tick."""

import json
import sys
import time

import py_trees
from py_trees import common
from py_trees.common import Status

STATUSES = {"S": Status.SUCCESS, "F": Status.FAILURE, "R": Status.RUNNING}
clock = 0.0
time.time = time.monotonic = lambda: clock
log = []


class Stub(py_trees.behaviour.Behaviour):
    """One status per tick, the last for ever; tells what is done to it."""

    def __init__(self, name, results):
        super().__init__(name)
        self.results = results.split(",")
        self.position = 0

    def initialise(self):
        log.append(f"init {self.name}")

    def update(self):
        letter = self.results[min(self.position, len(self.results) - 1)]
        self.position += 1
        log.append(f"tick {self.name} -> {letter}")
        return STATUSES[letter]

    def terminate(self, new_status):
        log.append(f"terminate {self.name} {self.status.name}->{new_status.name}")


def build(node):
    kind, name = node["type"], node["name"]
    children = [build(child) for child in node.get("children", [])]
    ports = {k: v for k, v in node.items() if k not in ("type", "name", "children")}
    if kind == "Stub":
        return Stub(name, ports["results"])
    if kind in ("Sequence", "Selector"):
        composite = getattr(py_trees.composites, kind)
        return composite(name, memory=ports["memory"], children=children)
    if kind == "Parallel":
        policy = getattr(common.ParallelPolicy, ports["policy"])
        options = {}
        if ports["policy"] != "SuccessOnOne":
            options["synchronise"] = ports["synchronise"]
        if ports["policy"] == "SuccessOnSelected":
            wanted = ports["selected"].split(";")
            options["children"] = [c for w in wanted for c in children if c.name == w]
        return py_trees.composites.Parallel(name, policy(**options), children)
    if children:
        if kind == "OneShot":
            ports["policy"] = common.OneShotPolicy[ports["policy"]]
        if "status" in ports:
            ports["status"] = Status[ports["status"]]
        return getattr(py_trees.decorators, kind)(name=name, child=children[0], **ports)
    if kind == "StatusQueue":
        ports["queue"] = [Status[word] for word in ports["queue"].split(";")]
        ports["eventually"] = Status[ports["eventually"]] if ports["eventually"] else None
    if "completion_status" in ports:
        ports["completion_status"] = Status[ports["completion_status"]]
    if kind == "Timer":
        return py_trees.timers.Timer(name, **ports)
    return getattr(py_trees.behaviours, kind)(name=name, **ports)


def run(case):
    global clock
    py_trees.blackboard.Blackboard.clear()
    root = build(case["tree"])
    root.setup_with_descendants()
    ticks = []
    for tick in range(case["ticks"]):
        clock = float(tick)
        log.clear()
        if tick in case["interrupts"]:
            root.stop(Status.INVALID)
        root.tick_once()
        tip = root.tip()
        ticks.append({
            "root": root.status.name,
            "tip": tip.name if tip else None,
            "log": list(log),
            "statuses": {node.name: node.status.name for node in root.iterate()},
        })
    return ticks


print(json.dumps([run(case) for case in json.load(sys.stdin)]))
