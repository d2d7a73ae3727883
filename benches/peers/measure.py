"""Runs one model of a Python framework and prints one line of JSON about it."""

import json
import sys
import time


def memory_bytes(field):
    """A line of the system's account of this process; nothing where there is none."""
    try:
        with open("/proc/self/status", encoding="utf-8") as status:
            lines = [line for line in status if line.startswith(field)]
        return int(lines[0].split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        return None


def measure(models):
    """`MODEL SIZE STEPS` on the command line: SIZE is small, large or a number of agents.

    A model is made by `models[MODEL](SIZE)`. It has `step()`, `agent_steps()` and `outcome()`,
    a name and a number by which implementations can be compared.
    """
    name, size, steps = sys.argv[1:]
    before = memory_bytes("VmRSS:")
    begun = time.perf_counter()
    model = models[name](int(size) if size.isdigit() else size)
    made = time.perf_counter()
    for _ in range(int(steps)):
        model.step()
    done = time.perf_counter()
    what, value = model.outcome()
    row = {
        "agent_steps": model.agent_steps(),
        "setup_s": made - begun,
        "wall_s": done - made,
        "peak_bytes": memory_bytes("VmHWM:"),
        "base_bytes": before,
        "outcome": {what: value},
    }
    print(json.dumps(row))
