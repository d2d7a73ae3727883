"""What a script is given."""

import random

from .config import BASE_ENV


class SkillScriptContext:
    """What an entrypoint gets as its second argument."""

    __slots__ = ("_root", "_dir", "skill_id", "skill_name", "_seed", "_random")

    def __init__(self, root, skill, seed):
        self._root, self._dir, self._seed, self._random = root, skill["dir"], seed, None
        self.skill_id, self.skill_name = skill["id"], skill["name"]

    @property
    def workspace_root(self):
        return _path(self._root)

    @property
    def skill_dir(self):
        return _path(self._dir)

    @property
    def env(self):
        return call_environment(self._root, self.skill_id, self.skill_name, self._dir)

    @property
    def random(self):
        if self._random is None:
            self._random = random.Random(self._seed)
        return self._random


def _path(text):
    from pathlib import Path

    return Path(text)


def call_environment(root, skill_id, skill_name, skill_dir):
    return {
        **BASE_ENV,
        "SKILL_ID": skill_id,
        "SKILL_NAME": skill_name,
        "SKILL_DIR": skill_dir,
        "AGENT_WORK_DIR": root,
    }
