"""Nodes of trees."""

from jianmu.interaction import SuspensionReason
from jianmu.node.base import Node

__all__ = ["Node", "SuspensionReason"]
