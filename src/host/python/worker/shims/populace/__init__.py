"""Leaves of the engine for trees that are built in Python. A tree of these and of py_trees' own
nodes is not ticked by Python: the engine takes it over, once for all persons."""

from jianmu.tree import Behaviour


class Leaf(Behaviour):
    """A leaf that the engine runs, by the name and the ports that it has in a `tree.yaml`."""

    def __init__(self, kind, name, ports):
        super().__init__(name=name or kind)
        self.kind, self.ports = kind, ports

    def update(self):
        raise RuntimeError(f"'{self.name}' ({self.kind}) is run by the engine, not by Python")


def leaf(kind, *, name=None, **ports):
    """`leaf("check", if_="needs.hunger < 0.3")`: a port whose name is a word of Python's has a `_`
    after it, which is dropped."""
    return Leaf(kind, name, {port.rstrip("_"): value for port, value in ports.items()})


__all__ = ["Leaf", "leaf"]
