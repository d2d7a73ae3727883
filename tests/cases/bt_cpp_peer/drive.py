"""Ticks trees with BehaviorTree.CPP itself, through a Python binding: a list of cases on standard
input, what happened on standard output, both JSON. A tick that throws is an `exception`, and the
last one."""

import json
import sys

import behaviortreepy
from behaviortreepy import NodeStatus

STATUSES = {"S": NodeStatus.SUCCESS, "F": NodeStatus.FAILURE, "R": NodeStatus.RUNNING}


class Stubs:
    """One status per tick, the last for ever; tells what is done to it."""

    def __init__(self, results):
        self.results = results
        self.positions = {}
        self.log = []

    def tick(self, node):
        name = node.name()
        letters = self.results[name].split(",")
        position = self.positions.get(name, 0)
        self.positions[name] = position + 1
        letter = letters[min(position, len(letters) - 1)]
        self.log.append(f"tick {name} -> {letter}")
        return STATUSES[letter]

    def halted(self, node):
        self.log.append(f"halt {node.name()}")


def play(case):
    stubs = Stubs(case["stubs"])
    factory = behaviortreepy.BehaviorTreeFactory()
    factory.register_simple_stateful_action("Stub", stubs.tick, stubs.tick, stubs.halted)
    tree = factory.create_tree_from_text(case["theirs"])
    ticks = []
    for number in range(case["ticks"]):
        stubs.log.clear()
        if number in case["interrupts"]:
            tree.halt_tree()
        try:
            root = (tree.tick_once() if case["once"] else tree.tick_exactly_once()).name
        except RuntimeError:
            ticks.append({"root": "exception"})
            break
        ticks.append({"root": root, "log": list(stubs.log)})
    return ticks


json.dump([play(case) for case in json.load(sys.stdin)], sys.stdout)
