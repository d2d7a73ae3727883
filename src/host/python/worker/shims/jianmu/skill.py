"""What a skill's `build_tree` is given."""

from dataclasses import dataclass, field
from typing import Any

from jianmu.interaction import SuspensionReason


@dataclass
class Message:
    """One message of the conversation."""

    role: str
    content: str


@dataclass
class BTSkillContext:
    """All that a tree gets when it is built."""

    messages: list[Message] = field(default_factory=list)
    inputs: dict[str, Any] = field(default_factory=dict)
    # Where in the run's state the tree's values are.
    namespace: str = ""
    # Under which key of the namespace its structured result is to be written.
    skill_result_key: str = "skill_result"
    # Objects with a method `execute(arguments)`, which may have to be awaited.
    tools: dict[str, Any] = field(default_factory=dict)
    model_client: Any = None
    constraints: Any = None


__all__ = ["BTSkillContext", "Message", "SuspensionReason"]
