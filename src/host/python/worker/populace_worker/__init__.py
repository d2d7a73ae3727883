"""The Python side of populace: a warm interpreter that answers calls of skill scripts.

`server` answers requests, one call at a time, with the help of the others: `frames` (what goes to
the engine and comes from it), `loader` (scripts as modules), `call` (one call), `awaited` (what it
has to wait for), `context` (what a script is given), `output` (where it prints), `guard` (what it
may touch), `deadline` (how long it may take), `seeds` (what it draws), `restore` (what it leaves
behind), `state` (what all know of the call under way), `config` (what the engine told at the
start). `trees` are the calls that run a behaviour tree, with `nodes` (what is kept of one that
waits), `tools` (what its nodes may call) and `describe` (a tree that the engine runs itself).
"""
