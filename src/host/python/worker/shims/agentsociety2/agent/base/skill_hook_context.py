"""What a function hook asks of its host: `get_hook_context()`."""

import contextvars
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class HookContext:
    """The call that a hook answers."""

    workspace_root: Path
    skill_dir: Path
    skill_id: str
    hook_type: str
    payload: dict = field(default_factory=dict)


_current = contextvars.ContextVar("hook_context")


def get_hook_context():
    """The context of the hook under way; LookupError outside of one."""
    return _current.get()


def enter(workspace_root, skill_dir, skill_id, hook_type, payload):
    """Begins a hook; gives a token for `leave`."""
    workspace_root, skill_dir = Path(workspace_root), Path(skill_dir)
    return _current.set(HookContext(workspace_root, skill_dir, skill_id, hook_type, payload))


def leave(token):
    """Ends a hook."""
    _current.reset(token)
