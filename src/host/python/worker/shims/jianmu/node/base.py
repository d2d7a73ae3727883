"""The node from which a skill's own are derived."""

from jianmu.interaction import SuspensionReason
from jianmu.tree import Behaviour, Status


class Node(Behaviour):
    """A leaf. Who runs its tree gives it the run's `state_manager` and `interaction`."""

    state_manager = None
    interaction = None

    def __init__(self, name=""):
        super().__init__(name=name or type(self).__name__)


__all__ = ["Node", "Status", "SuspensionReason"]
