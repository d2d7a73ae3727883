"""How long a call may take: a timer that goes off several times a second looks at the clock.

The engine kills a worker whose script does not heed it.
"""

import signal
import time

from .state import state

TICK_S = 0.05
monotonic = time.monotonic


class SoftTimeout(BaseException):
    """The call has used up its time."""


def _alarm(_signal, _frame):
    if state.deadline is not None and monotonic() > state.deadline:
        raise SoftTimeout


def start():
    signal.signal(signal.SIGALRM, _alarm)
    start_timer()


def start_timer():
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
