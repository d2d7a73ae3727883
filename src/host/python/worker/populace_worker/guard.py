"""What a call may touch: an audit hook refuses other persons' workspaces and other processes.

It guards against mistakes and curiosity; what confines a script that is out to do harm is the
process's sandbox.
"""

import _locale
import _signal
import functools
import os
import posix
import signal
import sys

from .config import ROOT
from .state import state

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


def start():
    for name in ("signal", "setitimer", "alarm", "pthread_sigmask", "set_wakeup_fd"):
        _watch((_signal, signal), name, "signals")
    _watch((_locale,), "setlocale", "locale")
    _watch((posix, os), "umask", "umask")
    for name, changes in (("open", False), ("mkfifo", True), ("mknod", True)):
        _guard(name, changes)
    os.register_at_fork(after_in_child=_forked)
    sys.addaudithook(_audit)


def _forked():
    state.forked = True


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
        if event == "os.truncate" and args[0] == state.journal:
            raise PermissionError(13, "the worker's own file")
        checks = [
            (_check, args[path], None if folder is None else args[folder])
            for path, folder in where
        ]
    elif event in _STARTS:
        state.touched = state.started = True
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


def _guard(name, changes):
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


def _watch(modules, name, mark):
    """Notes the calls of a function that changes what all calls share."""
    original = getattr(modules[0], name)

    @functools.wraps(original)
    def watched(*args, **named):
        state.dirty.add(mark)
        return original(*args, **named)

    for module in modules:
        if getattr(module, name, None) is original:
            setattr(module, name, watched)
