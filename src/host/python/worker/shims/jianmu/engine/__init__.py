"""Nodes that wait."""

from jianmu.engine.behaviour import AsyncBehaviour
from jianmu.interaction import Interaction, SuspensionReason
from jianmu.state import StateManager

__all__ = ["AsyncBehaviour", "Interaction", "StateManager", "SuspensionReason"]
