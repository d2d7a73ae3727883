"""Scripts as modules, imported once and kept while their file stays the same."""

import os
import sys

from .deadline import SoftTimeout
from .output import OutputTooLong


class Loaded:
    """A script whose module could be imported."""

    def __init__(self, module, path):
        self.module, self.path, self.code = module, path, None
        # Where it looks for modules, with the folders that it added itself.
        self.search = None
        entry = getattr(module, "entrypoint", None)
        self.entry = entry if callable(entry) else None
        self.takes_context = self.entry is not None and _positional(self.entry) >= 2

    def hook(self, name):
        function = getattr(self.module, name, None)
        own = callable(function) and getattr(function, "__module__", None) == self.module.__name__
        return function if own else None

    def program(self):
        if self.code is None:
            with open(self.path, "rb") as file:
                self.code = compile(file.read(), self.path, "exec")
        return self.code


def _positional(function):
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in kinds for parameter in parameters)


class Scripts:
    """Scripts by path, and the modules that each skill brought along.

    Modules from a skill's own folder are visible while that skill runs and put aside when
    another does, so that two skills can each have a module `helpers`.
    """

    def __init__(self, base_path):
        self.base_path = base_path
        self.known = {}
        self.siblings = {}
        self.folder = None
        self.count = 0

    def enter(self, folder, script):
        wanted = [os.path.dirname(script), folder]
        if self.folder == folder and sys.path[:2] == wanted:
            return
        self.leave()
        sys.modules.update(self.siblings.pop(folder, {}))
        sys.path[:0] = wanted
        self.folder = folder

    def leave(self):
        if self.folder is None:
            return
        prefix = self.folder + os.sep
        own = {}
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.startswith(prefix):
                own[name] = sys.modules.pop(name)
        self.siblings[self.folder] = own
        sys.path[:] = self.base_path
        self.folder = None

    def forget(self):
        self.leave()
        self.known.clear()
        self.siblings.clear()

    def load(self, path, must=False):
        """The script, or None if it cannot be imported: it must then run on its own. What `must` be
        imported fails instead."""
        about = os.stat(path)
        key = (about.st_mtime_ns, about.st_size)
        found = self.known.get(path)
        if found is not None and found[0] == key and not (must and found[1] is None):
            return found[1]
        if found is not None:
            # A script that changed may have changed its neighbours too.
            folder = self.folder
            self.leave()
            self.siblings.pop(folder, None)
            self.enter(folder, path)
        loaded = self._import(path, must)
        self.known[path] = (key, loaded)
        return loaded

    def _import(self, path, must):
        import importlib.util

        self.count += 1
        name = f"skill_script_{self.count}"
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except (SoftTimeout, OutputTooLong, MemoryError):
            sys.modules.pop(name, None)
            raise
        except BaseException:
            sys.modules.pop(name, None)
            if must:
                raise
            return None
        return Loaded(module, path)
