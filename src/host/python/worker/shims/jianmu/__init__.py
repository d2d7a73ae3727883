"""What skills with a tree for Jianmu import from their host.

Written from its published documents alone. These tell where `Status`, `Node` and `AsyncBehaviour`
are imported from; the other names are handed out by every module that deals with them. An
installed Jianmu goes before this one.
"""

from jianmu.engine.behaviour import AsyncBehaviour
from jianmu.interaction import Interaction, Suspension, SuspensionReason
from jianmu.node.base import Node
from jianmu.skill import BTSkillContext, Message
from jianmu.state import StateManager
from jianmu.tree import Behaviour, Status

__all__ = [
    "AsyncBehaviour", "BTSkillContext", "Behaviour", "Interaction", "Message", "Node",
    "StateManager", "Status", "Suspension", "SuspensionReason",
]
