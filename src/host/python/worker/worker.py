"""Where a worker begins: `worker.py CONFIG`, with the line to the engine as its standard input and
the journal as its standard output."""

import os
import sys

from populace_worker import config, server

# Whatever a script prints must not get between the frames, even if it prints from C.
line, journal = os.dup(0), os.dup(1)
nothing = os.open(os.devnull, os.O_RDWR)
os.dup2(nothing, 0)
os.dup2(nothing, 1)
os.close(nothing)
# Scripts find the modules of their own folders and the shims, none of these.
sys.path[:] = [entry for entry in sys.path[1:] if entry]
sys.path.append(config.CONFIG["shims"])
server.main(line, journal)
