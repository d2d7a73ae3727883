"""Answers requests, one call at a time. What is common to the calls of a request comes once."""

import _thread
import contextvars
import gc
import os
import signal
import sys

from . import deadline, guard, seeds
from .call import call, failure
from .config import CONFIG, ROOT
from .deadline import monotonic
from .frames import Journal, Line
from .loader import Scripts
from .output import ERR, OUT
from .restore import Leftovers
from .seeds import IMPORT_SEED, reseed
from .state import state

# The worker is asked for the rest again when the journal is so long.
JOURNAL_MAX = 8 << 20


class Server:
    def __init__(self, journal):
        self.journal = journal
        self.scripts = Scripts(list(sys.path))
        self.leftovers = Leftovers()

    def serve(self, request):
        """Answers the calls of a request; gives how many. The rest is for a fresh worker."""
        journal, restore, skill = self.journal, self.leftovers.restore, request["skill"]
        journal.begin()
        state.limit_s = request["limit_ms"] / 1000.0
        self.scripts.enter(skill["dir"], request["script"])
        self.search = list(sys.path)
        base = contextvars.copy_context()
        loaded = None
        imported = False
        for agent, seed, argv in request["calls"]:
            self._begin(agent)
            fields = None
            try:
                if not imported:
                    loaded = self._load(request["script"], base, "tree" in request)
                    imported = True
                reseed(seed)
                if loaded is not None:
                    fields = base.copy().run(call, request, loaded, agent, seed, argv)
            except BaseException as error:
                state.deadline = None
                fields = failure(error, skill)
            finally:
                state.deadline = None
                state.armed = False
                if state.forked:
                    # The answer is the other's to give.
                    os._exit(0)
            restore(self.search)
            if fields is None:
                journal.add(["import"])
            else:
                fields.append(state.touched or "_ctypes" in sys.modules)
                journal.add(fields)
            if _thread._count() or (state.started and _has_children()):
                state.spoilt = True
            if state.spoilt or journal.length > JOURNAL_MAX:
                break
        return len(journal.entries)

    def _begin(self, agent):
        """Whatever runs from here on is the person's call."""
        state.own = f"{ROOT}/agent_{agent:04d}"
        os.chdir(state.own)
        state.touched = state.started = False
        OUT.begin(False)
        ERR.begin(False)
        state.deadline = monotonic() + state.limit_s
        state.armed = True

    def _load(self, path, base, must):
        """The script. The call that imports it then finds what every other does."""
        reseed(IMPORT_SEED)
        loaded = base.copy().run(self.scripts.load, path, must)
        state.armed = False
        if loaded is not None:
            loaded.search = loaded.search or list(sys.path)
            self.search = loaded.search
        self.leftovers.restore(self.search)
        os.chdir(state.own)
        OUT.begin(False)
        ERR.begin(False)
        state.armed = True
        return loaded


def _has_children():
    """Whether processes that the call started are still there."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def main(line, journal):
    """Answers until the engine hangs up. `line` and `journal` are descriptors."""
    _limit_memory()
    sys.stdout, sys.stderr = OUT, ERR
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    deadline.start()
    seeds.start()
    guard.start()
    sys.argv = [""]
    line, server = Line(line), Server(Journal(journal))
    gc.freeze()
    line.send({"ready": CONFIG["version"], "python": sys.version.split()[0]})
    while (request := line.receive()) is not None:
        if request.get("forget"):
            server.scripts.forget()
            continue
        done = server.serve(request)
        line.send({"done": done, "spent": state.spoilt})
        if state.spoilt:
            # Threads that a script left behind do not hold it up.
            os._exit(0)


def _limit_memory():
    """Only here it is known how much the interpreter itself takes."""
    try:
        import resource

        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + CONFIG["memory_bytes"]
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, OSError, ValueError):
        pass
