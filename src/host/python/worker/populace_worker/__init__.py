"""The Python side of populace: a warm interpreter that answers calls of skill scripts.

`server` answers requests, one call at a time, with the help of the others: `frames` (what goes to
the engine and comes from it), `loader` (scripts as modules), `call` (one call), `awaited` (what it
has to wait for), `trees` (calls that run a behaviour tree, with `nodes`, `tools` and `describe`), `context` (what a
script is given), `output` (where it prints), `guard` (what it may touch), `deadline` (how long it
may take), `seeds` (what it draws), `restore` (what it leaves behind), `state` (what all know of the
call under way), `config` (what the engine told at the start).
"""
