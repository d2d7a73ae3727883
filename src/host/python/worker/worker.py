"""A warm interpreter that runs skill scripts for populace, one call at a time.

Frames are a length of four bytes (big-endian) and JSON. A request holds what is common to its
calls once; every answer is appended to the journal file as soon as it is there, so that a crash
loses nothing, and one small frame on the line says that a request is done.
"""

import _locale
import _signal
import _thread
import codecs
import contextvars
import functools
import gc
import importlib.machinery
import io
import json
import os
import posix
import random
import signal
import struct
import sys
import time
import traceback
import types
import warnings

CONFIG = json.loads(sys.argv[1])
ROOT = CONFIG["root"]
OUTPUT_MAX = CONFIG["output_bytes"]
BASE_ENV = {name: os.environ[name] for name in CONFIG["variables"] if name in os.environ}

# The line to the engine comes as standard input, the journal as standard output. Whatever a script
# prints must not get between the frames, even if it prints from C.
ANSWERS = os.dup(0)
REQUESTS = os.fdopen(ANSWERS, "rb", buffering=1 << 16)
JOURNAL = os.dup(1)
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


class Bytes(io.BufferedIOBase):
    """The `buffer` of a sink: bytes go where its text goes, in their order."""

    def __init__(self, sink):
        self.sink = sink
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self):
        return True

    def write(self, data):
        self.sink.write(self.decode(bytes(data)))
        return len(data)

    def close(self):
        """A sink is never closed: the next call writes into it."""


class Sink(io.TextIOBase):
    """Standard output of a script: counted, and kept if it is asked for."""

    __slots__ = ("parts", "size", "buffer")
    encoding = "utf-8"
    errors = "strict"

    def __init__(self):
        self.parts = None
        self.size = 0
        self.buffer = Bytes(self)

    def reconfigure(self, **_options):
        """Always UTF-8, whatever a script asks for."""

    def close(self):
        """Never closed: the next call writes into it."""

    def detach(self):
        return self.buffer

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
    seed = 0
    # Settings of the process that a call may have changed, and whether they cannot be put back.
    dirty = set()
    spoilt = False


state = State()
OUT, ERR = Sink(), Sink()
monotonic = time.monotonic

# ---- what a call may touch -------------------------------------------------------------------

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Event: positions of its paths, each with that of the folder it is relative to; and whether it
# changes files.
_ONE = ((0, None),)
_PATHS = {
    "os.listdir": (_ONE, False), "os.scandir": (_ONE, False), "os.chdir": (_ONE, False),
    "os.getxattr": (_ONE, False), "os.listxattr": (_ONE, False),
    "os.remove": (((0, 1),), True), "os.rmdir": (((0, 1),), True),
    "os.mkdir": (((0, 2),), True), "os.rename": (((0, 2), (1, 3)), True),
    "os.link": (((0, 2), (1, 3)), True), "os.symlink": (((0, 2), (1, 2)), True),
    "os.truncate": (_ONE, True), "os.chmod": (((0, 2),), True), "os.chown": (((0, 3),), True),
    "os.utime": (((0, 3),), True), "os.setxattr": (_ONE, True), "os.removexattr": (_ONE, True),
    "sqlite3.connect": (_ONE, True),
    "socket.bind": (((1, None),), True), "socket.connect": (((1, None),), False),
}
_STARTS = frozenset((
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty",
    "os.spawn", "pty.spawn",
))


def _check(path, folder=None):
    """Refuses a path below the root of workspaces that is not the person's own.

    A relative path begins at the open folder `folder`, if there is one.
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if folder is not None and folder >= 0:
        path = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), path)
    real = os.path.realpath(path)
    if (real == ROOT or real.startswith(ROOT + "/")) and not (
        real == state.own or real.startswith(state.own + "/")
    ):
        raise PermissionError(13, "another person's workspace", path)


def _check_signal(process, is_group):
    """Refuses to signal what does not belong to this worker."""
    group = process if is_group else -process if process < 0 else os.getpgid(process)
    if group not in (0, os.getpgrp()):
        raise PermissionError(1, "another process", str(process))


def _audit(event, args):
    if not state.armed:
        return
    checks = ()
    if event == "open":
        path, _, flags = args
        if flags & _WRITES:
            state.touched = True
        checks = ((_check, path, None),)
    elif event in _PATHS:
        where, changes = _PATHS[event]
        state.touched = state.touched or changes
        if event == "os.truncate" and args[0] == JOURNAL:
            raise PermissionError(13, "the worker's own file")
        checks = [
            (_check, args[path], None if folder is None else args[folder])
            for path, folder in where
        ]
    elif event in _STARTS:
        state.touched = True
    elif event in ("os.kill", "os.killpg"):
        checks = ((_check_signal, args[0], event == "os.killpg"),)
    elif event in ("os.putenv", "os.unsetenv"):
        state.dirty.add("environ")
    elif event == "resource.setrlimit":
        state.spoilt = True
    if not checks:
        return
    state.armed = False
    try:
        for check, subject, about in checks:
            check(subject, about)
    finally:
        state.armed = True


def guard(name, changes):
    """Checks a function of `os` whose audit event does not tell all that it does."""
    original = getattr(posix, name)

    @functools.wraps(original)
    def guarded(path, *args, dir_fd=None, **named):
        if not state.armed or (dir_fd is None and not changes):
            return original(path, *args, dir_fd=dir_fd, **named)
        flags = (args[0] if args else named.get("flags", 0)) if name == "open" else 0
        state.touched = state.touched or changes or bool(flags & _WRITES)
        state.armed = False
        try:
            _check(path, dir_fd)
            return original(path, *args, dir_fd=dir_fd, **named)
        finally:
            state.armed = True

    os.supports_dir_fd.add(guarded)
    for module in (posix, os):
        setattr(module, name, guarded)


def watch(modules, name, mark):
    """Notes the calls of a function that changes what all calls share."""
    original = getattr(modules[0], name)

    @functools.wraps(original)
    def watched(*args, **named):
        state.dirty.add(mark)
        return original(*args, **named)

    for module in modules:
        if getattr(module, name, None) is original:
            setattr(module, name, watched)


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
        if _thread._count():
            # Its executor's threads would outlive the call.
            _loop.run_until_complete(_loop.shutdown_default_executor())
            _loop.close()
            _loop = None


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
    flush()
    return OUT.text()


def flush():
    """Brings home what a script's own wrapper around a sink still holds."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not OUT and stream is not ERR and hasattr(stream, "flush"):
            stream.flush()


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

            contexts.enter(state.own, skill["dir"], skill["id"], hook["hook_type"], payload)
            return as_text(awaited(function()))
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
        # True and False are numbers too, and an exit code has 32 bits.
        code = 0 if code is None else int(code) if isinstance(code, int) else 1
        code = max(-(1 << 31), min(code, (1 << 31) - 1))
        return [code == 0, code, kept(), ERR.text(), "systemexit"]
    except SoftTimeout:
        return [False, -1, kept(), f"command timed out after {state.limit_s:g}s", "timeout"]
    except OutputTooLong:
        return [False, 1, "", f"more than {OUTPUT_MAX} bytes of output", "runtime"]
    except BaseException as error:
        state.armed = False
        state.spoilt = state.spoilt or isinstance(error, MemoryError)
        text = kept()
        return [False, 1, text, told(skill)[-OUTPUT_MAX:], "runtime"]


class Leftovers:
    """What calls share, as it was before the first, and how it is put back after each."""

    def __init__(self):
        self.environ = os.environ
        self.variables = dict(os.environ._data)
        self.path = sys.path
        self.recursion = sys.getrecursionlimit()
        self.filters = list(warnings.filters)
        self.mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        self.umask = os.umask(0o022)
        os.umask(self.umask)
        self.locale = _locale.setlocale(_locale.LC_ALL, None)
        self.handlers = {}
        for number in signal.valid_signals():
            handler = signal.getsignal(number)
            if handler is not None and number not in (signal.SIGKILL, signal.SIGSTOP):
                self.handlers[number] = handler

    def restore(self, path):
        """Puts everything back; `path` is where modules are looked for."""
        if os.environ is not self.environ or os.environ._data != self.variables:
            state.dirty.add("environ")
        if sys.path is not self.path or sys.path != path:
            sys.path = self.path
            sys.path[:] = path
        if sys.stdout is not OUT or sys.stderr is not ERR:
            try:
                flush()
            except Exception:
                # What cannot be written is nobody's.
                pass
            sys.stdout, sys.stderr = OUT, ERR
        sys.argv = [""]
        if sys.gettrace() is not None:
            sys.settrace(None)
        if sys.getprofile() is not None:
            sys.setprofile(None)
        if sys.getrecursionlimit() != self.recursion:
            sys.setrecursionlimit(self.recursion)
        if warnings.filters != self.filters:
            warnings.filters[:] = self.filters
        # A warning is shown in each call or in none, not only in the first.
        warnings._filters_mutated()
        if not gc.isenabled():
            gc.enable()
        for sink in (OUT, ERR):
            if sink.__dict__:
                sink.__dict__.clear()
        if state.dirty:
            self._restore_process(state.dirty)
            state.dirty.clear()

    def _restore_process(self, dirty):
        if "environ" in dirty:
            os.environ = self.environ
            posix_environ = self.environ._data
            for key in set(posix_environ) | _putenv_keys():
                if key not in self.variables:
                    os.unsetenv(key)
            posix_environ.clear()
            for key, value in self.variables.items():
                os.putenv(key, value)
                posix_environ[key] = value
        if "umask" in dirty:
            os.umask(self.umask)
        if "locale" in dirty:
            _locale.setlocale(_locale.LC_ALL, self.locale)
        if "signals" in dirty:
            for number, handler in self.handlers.items():
                if signal.getsignal(number) is not handler:
                    signal.signal(number, handler)
            signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
            signal.set_wakeup_fd(-1)


def _putenv_keys():
    """Names of the variables that the process itself has, whatever `os.environ` says."""
    try:
        with open("/proc/self/environ", "rb") as file:
            return {entry.split(b"=", 1)[0] for entry in file.read().split(b"\0") if entry}
    except OSError:
        return set()


def reseed(seed):
    """Scripts that draw from the usual generators draw the same in every run."""
    state.seed = seed
    _seed(seed)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(seed & 0xFFFFFFFF)


_seed = random.seed


class SeedNumpy:
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


TICK_S = 0.05
BASE_PATH = list(sys.path)
scripts = Scripts()


class Journal:
    """The answers of a request, each written as soon as it is there."""

    def __init__(self):
        self.entries = []
        self.length = 0

    def begin(self):
        os.ftruncate(JOURNAL, 0)
        self.entries.clear()
        self.length = 0

    def add(self, fields):
        """Adds an answer. A call that wrote into the journal itself has failed."""
        entry = self._entry(fields)
        os.write(JOURNAL, entry)
        if os.lseek(JOURNAL, 0, os.SEEK_CUR) != self.length + len(entry):
            said = "the script wrote into its worker's journal"
            entry = self._entry([False, -1, "", said, "runtime", True])
            os.ftruncate(JOURNAL, 0)
            for one in (*self.entries, entry):
                os.write(JOURNAL, one)
        self.entries.append(entry)
        self.length += len(entry)

    def _entry(self, fields):
        text = _encode([len(self.entries), *fields]).encode("utf-8", "replace")
        return struct.pack(">I", len(text)) + text


_encode = json.JSONEncoder(ensure_ascii=False).encode
# What is drawn while a script is imported does not depend on whose call comes first.
IMPORT_SEED = 0
# The worker is asked for the rest again when the journal is so long.
JOURNAL_MAX = 8 << 20


def serve(request, journal, leftovers):
    """Answers the calls of a request; gives how many. The rest is for a fresh worker."""
    journal.begin()
    path = request["script"]
    state.limit_s = request["limit_ms"] / 1000.0
    scripts.enter(request["skill"]["dir"], path)
    search = list(sys.path)
    base = contextvars.copy_context()
    loaded = None
    imported = False
    for agent, seed, argv in request["calls"]:
        state.own = f"{ROOT}/agent_{agent:04d}"
        os.chdir(state.own)
        state.touched = False
        OUT.begin(False)
        ERR.begin(False)
        state.deadline = monotonic() + state.limit_s
        state.armed = True
        fields = None
        try:
            if not imported:
                reseed(IMPORT_SEED)
                loaded = base.copy().run(scripts.load, path)
                imported = True
                state.armed = False
                if loaded is not None:
                    loaded.search = loaded.search or list(sys.path)
                    search = loaded.search
                # The first call finds what every other does.
                leftovers.restore(search)
                os.chdir(state.own)
                OUT.begin(False)
                ERR.begin(False)
                state.armed = True
            reseed(seed)
            if loaded is not None:
                fields = base.copy().run(call, request, loaded, agent, seed, argv)
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
        leftovers.restore(search)
        if fields is None:
            journal.add(["import"])
        else:
            fields.append(state.touched or "_ctypes" in sys.modules)
            journal.add(fields)
        if _thread._count():
            state.spoilt = True
        if state.spoilt or journal.length > JOURNAL_MAX:
            break
    return len(journal.entries)


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
    for name in ("signal", "setitimer", "alarm", "pthread_sigmask", "set_wakeup_fd"):
        watch((_signal, signal), name, "signals")
    watch((_locale,), "setlocale", "locale")
    watch((posix, os), "umask", "umask")
    sys.meta_path.insert(0, SeedNumpy)
    sys.argv = [""]
    leftovers, journal = Leftovers(), Journal()
    for name, changes in (("open", False), ("mkfifo", True), ("mknod", True)):
        guard(name, changes)
    state.dirty.clear()
    sys.addaudithook(_audit)
    gc.freeze()
    send({"ready": CONFIG["version"], "python": sys.version.split()[0]})
    while True:
        head = REQUESTS.read(4)
        if len(head) < 4:
            return
        request = json.loads(REQUESTS.read(struct.unpack(">I", head)[0]))
        if request.get("forget"):
            scripts.forget()
            continue
        done = serve(request, journal, leftovers)
        send({"done": done, "spent": state.spoilt})
        if state.spoilt:
            # Threads that a script left behind do not hold it up.
            os._exit(0)


main()
