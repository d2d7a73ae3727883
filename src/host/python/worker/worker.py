"""A warm interpreter that runs skill scripts for populace, one call at a time.

Frames are a length of four bytes (big-endian) and JSON. A request holds what is common to its
calls once; every answer is appended to the journal file as soon as it is there, so that a crash
loses nothing, and one small frame on the pipe says that a request is done.
"""

import io
import json
import os
import signal
import struct
import sys
import time
import traceback
import types

CONFIG = json.loads(sys.argv[1])
ROOT = CONFIG["root"]
OUTPUT_MAX = CONFIG["output_bytes"]
BASE_ENV = {name: os.environ[name] for name in CONFIG["variables"] if name in os.environ}

# Whatever a script prints must not get between the frames, even if it prints from C.
REQUESTS = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
ANSWERS = os.dup(1)
JOURNAL = os.open(CONFIG["journal"], os.O_RDWR | os.O_APPEND)
_null = os.open(os.devnull, os.O_RDWR)
os.dup2(_null, 0)
os.dup2(_null, 1)
os.close(_null)
sys.path[:] = [entry for entry in sys.path[1:] if entry]
sys.path.append(CONFIG["shims"])


class SoftTimeout(BaseException):
    """The call has used up its time."""


class OutputTooLong(BaseException):
    """The call has printed more than it may."""


class Sink(io.TextIOBase):
    """Standard output of a script: counted, and kept if it is asked for."""

    def __init__(self):
        self.parts = None
        self.size = 0

    def begin(self, keep):
        self.parts = [] if keep else None
        self.size = 0

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.size += len(text)
        if self.size > OUTPUT_MAX:
            raise OutputTooLong
        if self.parts is not None:
            self.parts.append(text)
        return len(text)

    def text(self):
        return "".join(self.parts or ())


class State:
    """What the audit hook and the timer know of the call under way."""

    armed = False
    own = ""
    deadline = None
    limit_s = 0.0
    touched = False


state = State()
OUT, ERR = Sink(), Sink()
monotonic = time.monotonic

# ---- what a call may touch -------------------------------------------------------------------

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Event: positions of its paths, and whether it changes files.
_PATHS = {
    "os.listdir": ((0,), False), "os.scandir": ((0,), False), "os.chdir": ((0,), False),
    "os.getxattr": ((0,), False), "os.listxattr": ((0,), False),
    "os.remove": ((0,), True), "os.rmdir": ((0,), True), "os.mkdir": ((0,), True),
    "os.rename": ((0, 1), True), "os.link": ((0, 1), True), "os.symlink": ((0, 1), True),
    "os.truncate": ((0,), True), "os.chmod": ((0,), True), "os.chown": ((0,), True),
    "os.utime": ((0,), True), "os.setxattr": ((0,), True), "os.removexattr": ((0,), True),
    "sqlite3.connect": ((0,), True),
}
_STARTS = frozenset((
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty",
    "os.spawn", "pty.spawn",
))


def _check(path):
    """Refuses a path below the root of workspaces that is not the person's own."""
    if isinstance(path, int) or path is None:
        return
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    real = os.path.realpath(path)
    if (real == ROOT or real.startswith(ROOT + "/")) and not (
        real == state.own or real.startswith(state.own + "/")
    ):
        raise PermissionError(13, "another person's workspace", path)


def _audit(event, args):
    if not state.armed:
        return
    if event == "open":
        path, _, flags = args
        if flags & _WRITES:
            state.touched = True
        if isinstance(path, int):
            return
        paths = (path,)
    elif event in _PATHS:
        where, changes = _PATHS[event]
        state.touched = state.touched or changes
        paths = [args[index] for index in where if index < len(args)]
    elif event in _STARTS:
        state.touched = True
        return
    else:
        return
    state.armed = False
    try:
        for path in paths:
            _check(path)
    finally:
        state.armed = True


def _alarm(_signal, _frame):
    if state.deadline is not None and monotonic() > state.deadline:
        raise SoftTimeout


# ---- what a script is given ------------------------------------------------------------------


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
            import random

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


# ---- scripts as modules ----------------------------------------------------------------------


class Loaded:
    """A script whose module could be imported."""

    def __init__(self, module, path):
        self.module, self.path, self.code = module, path, None
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

    def __init__(self):
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
        sys.path[:] = BASE_PATH
        self.folder = None

    def forget(self):
        self.leave()
        self.known.clear()
        self.siblings.clear()

    def load(self, path):
        """The script, or None if it cannot be imported: it must then run on its own."""
        about = os.stat(path)
        key = (about.st_mtime_ns, about.st_size)
        found = self.known.get(path)
        if found is not None and found[0] == key:
            return found[1]
        if found is not None:
            # A script that changed may have changed its neighbours too.
            folder = self.folder
            self.leave()
            self.siblings.pop(folder, None)
            self.enter(folder, path)
        loaded = self._import(path)
        self.known[path] = (key, loaded)
        return loaded

    def _import(self, path):
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
            return None
        return Loaded(module, path)


# ---- one call --------------------------------------------------------------------------------


def as_text(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return next((item for item in value if isinstance(item, str)), "")
    return json.dumps(value, ensure_ascii=False, default=str)


_loop = None


def awaited(value):
    """The value, or what it comes to if it has to be awaited."""
    if type(value) is str or not hasattr(value, "__await__"):
        return value
    global _loop
    import asyncio

    if _loop is None:
        _loop = asyncio.new_event_loop()
        asyncio.set_event_loop(_loop)

    async def finish():
        return await value

    try:
        return _loop.run_until_complete(finish())
    finally:
        left = asyncio.all_tasks(_loop)
        for task in left:
            task.cancel()
        if left:
            _loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))


def run_program(loaded, argv, environment):
    """The script as `__main__`, in a namespace of its own."""
    main = types.ModuleType("__main__")
    main.__file__ = loaded.path
    main.__builtins__ = __builtins__
    before = sys.modules.get("__main__")
    sys.modules["__main__"] = main
    os.environ.update(environment)
    sys.argv = [loaded.path, *argv]
    OUT.begin(True)
    ERR.begin(True)
    try:
        exec(loaded.program(), main.__dict__)
    finally:
        sys.modules["__main__"] = before
    return OUT.text()


def perform(request, loaded, agent, seed, argv):
    skill = request["skill"]
    hook = request.get("hook")
    if hook is not None:
        payload = {
            "hook_type": hook["hook_type"],
            "tick": hook["tick"],
            "time": hook["time"],
            "agent_id": agent,
            "step_count": hook["step_count"],
        }
        function = loaded.hook(hook["hook_type"])
        if function is not None:
            from agentsociety2.agent.base import skill_hook_context as contexts

            token = contexts.enter(
                state.own, skill["dir"], skill["id"], hook["hook_type"], payload
            )
            try:
                return as_text(awaited(function()))
            finally:
                contexts.leave(token)
        argv = ["--args-json", json.dumps(payload)]
    if loaded.entry is None:
        environment = call_environment(state.own, skill["id"], skill["name"], skill["dir"])
        return run_program(loaded, argv, environment)
    if loaded.takes_context:
        return as_text(awaited(loaded.entry(argv, SkillScriptContext(state.own, skill, seed))))
    return as_text(awaited(loaded.entry(argv)))


def told(skill):
    """The traceback of the exception under way, without this file and the skill's place."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(kind, error, trace))
    return ERR.text() + text.replace(skill["dir"] + os.sep, "")


def call(request, loaded, agent, seed, argv):
    """One answer: ok, exit code, stdout, stderr, error type."""
    skill = request["skill"]
    kept = OUT.text
    try:
        text = perform(request, loaded, agent, seed, argv)
        if len(text) > OUTPUT_MAX:
            raise OutputTooLong
        return [True, 0, text, ERR.text(), "none"]
    except SystemExit as error:
        code = error.code
        code = 0 if code is None else code if isinstance(code, int) else 1
        return [code == 0, code, kept(), ERR.text(), "systemexit"]
    except SoftTimeout:
        return [False, -1, kept(), f"command timed out after {state.limit_s:g}s", "timeout"]
    except OutputTooLong:
        return [False, 1, "", f"more than {OUTPUT_MAX} bytes of output", "runtime"]
    except BaseException:
        state.armed = False
        text = kept()
        return [False, 1, text, told(skill)[-OUTPUT_MAX:], "runtime"]


def restore(base):
    """Puts back what a call changed outside its own workspace."""
    if os.environ._data != base["environ"]:
        wanted = base["environ"]
        for key in [key for key in os.environ._data if key not in wanted]:
            del os.environ[os.environ.decodekey(key)]
        for key, value in wanted.items():
            os.environ[os.environ.decodekey(key)] = os.environ.decodevalue(value)
    if sys.stdout is not OUT or sys.stderr is not ERR:
        sys.stdout, sys.stderr = OUT, ERR
    sys.argv = base["argv"]
    if signal.getsignal(signal.SIGALRM) is not _alarm:
        signal.signal(signal.SIGALRM, _alarm)
        signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
    if sys.getrecursionlimit() != base["recursion"]:
        sys.setrecursionlimit(base["recursion"])


def reseed(seed):
    """Scripts that draw from the usual generators draw the same in every run."""
    module = sys.modules.get("random")
    if module is not None:
        module.seed(seed)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(seed & 0xFFFFFFFF)


TICK_S = 0.05
BASE_PATH = list(sys.path)
scripts = Scripts()


def answer(index, fields):
    text = json.dumps([index, *fields], ensure_ascii=False).encode("utf-8", "replace")
    os.write(JOURNAL, struct.pack(">I", len(text)) + text)


def serve(request, base):
    os.ftruncate(JOURNAL, 0)
    path = request["script"]
    state.limit_s = request["limit_ms"] / 1000.0
    scripts.enter(request["skill"]["dir"], path)
    loaded = None
    imported = False
    for index, (agent, seed, argv) in enumerate(request["calls"]):
        state.own = f"{ROOT}/agent_{agent:04d}"
        os.chdir(state.own)
        state.touched = False
        OUT.begin(False)
        ERR.begin(False)
        reseed(seed)
        state.deadline = monotonic() + state.limit_s
        state.armed = True
        fields = None
        try:
            if not imported:
                loaded = scripts.load(path)
                imported = True
            if loaded is not None:
                fields = call(request, loaded, agent, seed, argv)
        except SoftTimeout:
            fields = [False, -1, "", f"command timed out after {state.limit_s:g}s", "timeout"]
        except OutputTooLong:
            fields = [False, 1, "", f"more than {OUTPUT_MAX} bytes of output", "runtime"]
        except BaseException:
            state.armed = False
            fields = [False, 1, "", told(request["skill"])[-OUTPUT_MAX:], "runtime"]
        finally:
            state.deadline = None
            state.armed = False
        restore(base)
        if fields is None:
            answer(index, ["import"])
        else:
            fields.append(state.touched or "_ctypes" in sys.modules)
            answer(index, fields)


def spent():
    """Whether a fresh worker should take over: threads were left running."""
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def send(document):
    text = json.dumps(document).encode()
    os.write(ANSWERS, struct.pack(">I", len(text)) + text)


def main():
    try:
        import resource

        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + CONFIG["memory_bytes"]
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, OSError, ValueError):
        pass
    sys.stdout, sys.stderr = OUT, ERR
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGALRM, _alarm)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
    sys.addaudithook(_audit)
    base = {
        "environ": dict(os.environ._data),
        "argv": [""],
        "recursion": sys.getrecursionlimit(),
    }
    send({"ready": CONFIG["version"], "python": sys.version.split()[0]})
    while True:
        head = REQUESTS.read(4)
        if len(head) < 4:
            return
        request = json.loads(REQUESTS.read(struct.unpack(">I", head)[0]))
        if request.get("forget"):
            scripts.forget()
            continue
        serve(request, base)
        send({"done": len(request["calls"]), "spent": spent()})


main()
