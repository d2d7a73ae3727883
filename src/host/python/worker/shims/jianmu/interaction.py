"""How a tree waits for an answer from outside, and gets it."""

import enum
from dataclasses import dataclass, field
from typing import Any


class SuspensionReason(str, enum.Enum):
    """What a suspended tree waits for."""

    AWAITING_USER_INPUT = "awaiting_user_input"


@dataclass
class Suspension:
    """What a node asked for when it suspended its tree."""

    reason: SuspensionReason
    message: str = ""
    payload: dict[str, Any] = field(default_factory=dict)
    node_name: str = ""
    node_namespace: str = ""


class Interaction:
    """The side of a node (`suspend`, `read_resume_payload`, `clear_resume_payload`), and that of
    whoever answers it (`suspension`, `resume`)."""

    def __init__(self):
        # What is waited for; None if nothing is.
        self.suspension = None
        self._resume_payload = None
        # Whether another tick was asked for. Who ticks takes it back.
        self.signalled = False

    def suspend(
        self, *, reason, message="", payload=None, node_name="", node_namespace="", signal=True
    ):
        payload = dict(payload or {})
        self.suspension = Suspension(reason, message, payload, node_name, node_namespace)
        self.signalled = self.signalled or signal

    def resume(self, payload):
        self.suspension = None
        self._resume_payload = payload

    def read_resume_payload(self, default=None):
        return default if self._resume_payload is None else self._resume_payload

    def clear_resume_payload(self, *, signal=True):
        self._resume_payload = None
        self.signalled = self.signalled or signal
