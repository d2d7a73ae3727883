"""Nodes of trees and their status: those of py_trees if it is installed, else the same in small,
so that a skill of single nodes needs no package."""

try:
    from py_trees.behaviour import Behaviour
    from py_trees.common import Status
except ImportError:
    import enum

    class Status(enum.Enum):
        """How a node stands; names and values are those of py_trees."""

        SUCCESS = "SUCCESS"
        FAILURE = "FAILURE"
        RUNNING = "RUNNING"
        INVALID = "INVALID"

    class Behaviour:
        """A node without children, with the life of one of py_trees."""

        def __init__(self, name=""):
            self.name = name or type(self).__name__
            self.status = Status.INVALID
            self.children = []
            self.parent = None

        def setup(self, **_shared):
            """Once, before the first tick."""

        def initialise(self):
            """Before `update`, whenever the node was not running."""

        def update(self):
            return Status.INVALID

        def terminate(self, new_status):
            """When the node ends or is interrupted."""

        def tick(self):
            if self.status != Status.RUNNING:
                self.initialise()
            new_status = self.update()
            if new_status != Status.RUNNING:
                self.stop(new_status)
            self.status = new_status
            yield self

        def tick_once(self):
            for _ in self.tick():
                pass

        def stop(self, new_status=Status.INVALID):
            self.terminate(new_status)
            self.status = new_status

        def iterate(self):
            yield self


__all__ = ["Behaviour", "Status"]
