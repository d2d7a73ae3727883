"""What a call leaves behind in the process, and how it is put back."""

import _locale
import gc
import os
import signal
import sys
import warnings

from . import deadline
from .output import ERR, OUT, flush
from .state import state


class Leftovers:
    """What calls share, as it was before the first."""

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
        state.dirty.clear()

    def restore(self, path):
        """Puts everything back; `path` is where modules are looked for."""
        if os.environ is not self.environ or os.environ._data != self.variables:
            state.dirty.add("environ")
        if sys.path is not self.path or sys.path != path:
            sys.path = self.path
            sys.path[:] = path
        if sys.stdout is not OUT or sys.stderr is not ERR:
            self._flush()
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

    def _flush(self):
        # The wrapper's code may be the script's.
        state.armed = True
        try:
            flush()
        except Exception:
            # What cannot be written is nobody's.
            pass
        finally:
            state.armed = False

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
            deadline.start_timer()
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
