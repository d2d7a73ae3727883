"""Scripts that draw from the usual generators draw the same in every run."""

import importlib.machinery
import random
import sys

from .state import state

# What is drawn while a script is imported does not depend on whose call comes first.
IMPORT_SEED = 0
_seed = random.seed


def reseed(seed):
    state.seed = seed
    _seed(seed)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(seed & 0xFFFFFFFF)


def start():
    sys.meta_path.insert(0, _SeedNumpy)


class _SeedNumpy:
    """Seeds numpy's generator when a call is the first to import it."""

    @staticmethod
    def find_spec(name, path=None, _target=None):
        if name != "numpy.random":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                module.seed(state.seed & 0xFFFFFFFF)

            spec.loader.exec_module = exec_module
        return spec
