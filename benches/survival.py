#!/usr/bin/env python3
"""Stops runs at random moments, goes on with them, compares their tables with an undisturbed run.

    cargo build --release
    python3 benches/survival.py target/release/populace            # 50 kills, 50 terminations,
                                                                   # 10 file systems that fill up
    python3 benches/survival.py target/release/populace --kill 200 --terminate 0 --fill 0

Each trial runs a scenario of 400 persons with log `changed`, a checkpoint every three ticks, a
Python hook that counts in its person's workspace and a behaviour tree that waits and asks; stops it
at a moment drawn from the whole length of a run (again if it was done by then); and resumes it with
other threads and chunks. File systems are filled only where one can be mounted (Linux, root).
Moments come from --seed, but what the run has done by then depends on the machine. Exit code 0 if
all tables were equal, 1 otherwise.
"""

import argparse
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SCENARIO = """\
name: survival
seed: 7
clock: {start: 2026-03-02T06:00:00, tick_s: 300, ticks: 90}
population: {source: synthetic, persons: 400}
environment:
  city: {source: grid, zones_x: 6, zones_y: 6, zone_m: 750}
  network: {kind: grid}
skills:
  roots: [skills]
  default_activated: [daily-guidance, counter, asker]
  answers: {'Shall I?': 'yes'}
records:
  tables: [default, needs, messages]
  log: changed
  bt_trace: changed
  workspace: changes
  checkpoint: {every_ticks: 3}
"""

SKILLS = {
    "counter/SKILL.md": """\
---
name: counter
description: counts the steps of its person in a file
hooks: {pre_step: count.py}
---
""",
    "counter/count.py": """\
from pathlib import Path
from agentsociety2.agent.base.skill_hook_context import get_hook_context

def pre_step():
    file = Path(get_hook_context().workspace_root, 'steps.txt')
    steps = int(file.read_text()) + 1 if file.exists() else 1
    file.write_text(str(steps))
    return f'step {steps}'
""",
    "asker/SKILL.md": """\
---
name: asker
description: waits, asks, and goes out
execution: bt
tree: tree.yaml
---
""",
    "asker/tree.yaml": """\
dialect: bt_cpp
blackboard: {seen: text, answer: text, rounds: {type: int, initial: 0}}
trees:
  Main:
    Sequence:
      - wait: 'random_int(0, 5) * 5'
      - ask_environment: {tool: observe, answer: '{seen}'}
      - suspend: {question: 'Shall I?', answer: '{answer}'}
      - go_to: {to: near, for: shopping}
      - go_to: home
      - set: 'rounds := rounds + 1'
      - check: 'rounds > 1'
      - suspend: {question: 'What now?'}
""",
}


class Survival:
    """The command, the scenario, and what an undisturbed run of it writes."""

    def __init__(self, populace: Path, folder: Path, seed: int) -> None:
        self.populace, self.folder, self.random = populace, folder, random.Random(seed)
        for name, text in SKILLS.items():
            path = folder / "skills" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.scenario = folder / "scenario.yaml"
        self.scenario.write_text(SCENARIO)
        whole = folder / "whole"
        begun = time.monotonic()
        self.expect(self.begin(whole), 0)
        self.length_s = time.monotonic() - begun
        self.hashes = self.hash(whole)
        size = sum(file.stat().st_size for file in whole.rglob("*") if file.is_file())
        self.size_kib = size // 1024

    def start(self, *words: object) -> subprocess.Popen:
        command = [str(self.populace), *map(str, words)]
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, text=True, **pipes)

    def begin(self, out: Path) -> subprocess.Popen:
        return self.start("run", self.scenario, "--out", out, "--quiet")

    def resume(self, out: Path) -> subprocess.Popen:
        threads, chunk = self.random.choice([1, 2, 3]), self.random.choice([9, 64, 1024])
        return self.start("resume", out, "--threads", threads, "--chunk", chunk, "--quiet")

    def expect(self, process: subprocess.Popen, *codes: int) -> str:
        _, said = process.communicate()
        if process.returncode not in codes:
            raise SystemExit(f"exit code {process.returncode}, expected {codes}: {said}")
        return said

    def hash(self, out: Path) -> str:
        command = [str(self.populace), "hash", str(out)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stop(self, out: Path, how: signal.Signals) -> str | None:
        """Runs, stops the run, goes on; says how far it had come, nothing if it was done."""
        process = self.begin(out)
        time.sleep(self.random.uniform(0, self.length_s))
        process.send_signal(how)
        self.expect(process, 0, -how.value, 130)
        if process.returncode == 0:
            return None
        if not (out / "manifest.json").exists():
            # Stopped before it wrote anything: it is begun again.
            self.expect(self.start("run", self.scenario, "--out", out, "--quiet", "--force"), 0)
            return "had written nothing"
        checkpoints = list(out.glob("checkpoints/*.checkpoint"))
        self.expect(self.resume(out), 0)
        return "went on from a checkpoint" if checkpoints else "had no checkpoint yet"

    def fill(self, disk: Path) -> str:
        """Runs on a file system that is too small, makes room, goes on."""
        size = self.random.randint(self.size_kib // 4, self.size_kib)
        mount = ["mount", "-t", "tmpfs", "-o"]
        subprocess.run([*mount, f"size={size}k", "none", str(disk)], check=True)
        out = disk / "run"
        try:
            process = self.begin(out)
            said = self.expect(process, 0, 3)
            if process.returncode == 3 and "No space left on device" not in said:
                raise SystemExit(f"the message does not say why: {said}")
            subprocess.run([*mount, "remount,size=1g", "none", str(disk)], check=True)
            if process.returncode == 0:
                return self.judge(out, "had room enough")
            checkpoints = list(out.glob("checkpoints/*.checkpoint"))
            if (out / "manifest.json").exists():
                self.expect(self.resume(out), 0)
            else:
                self.expect(self.start("run", self.scenario, "--out", out, "--quiet", "--force"), 0)
            return self.judge(out, "went on" if checkpoints else "had no checkpoint yet")
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def judge(self, out: Path, how_far: str) -> str:
        return how_far if self.hash(out) == self.hashes else f"DIFFERS ({how_far})"

    def trial(self, kind: str, number: int) -> str:
        out = self.folder / f"{kind}-{number}"
        try:
            if kind == "fill":
                out.mkdir()
                return self.fill(out)
            how = signal.SIGKILL if kind == "kill" else signal.SIGTERM
            while (how_far := self.stop(out, how)) is None:
                shutil.rmtree(out)
            return self.judge(out, how_far)
        finally:
            shutil.rmtree(out, ignore_errors=True)


def can_mount(folder: Path) -> bool:
    disk = folder / "probe"
    disk.mkdir()
    try:
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            return False
    except FileNotFoundError:
        return False
    subprocess.run(["umount", str(disk)], check=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("populace", type=Path, help="the command")
    parser.add_argument("--kill", type=int, default=50, metavar="N", help="runs to kill (SIGKILL)")
    parser.add_argument("--terminate", type=int, default=50, metavar="N", help="runs to SIGTERM")
    parser.add_argument("--fill", type=int, default=10, metavar="N", help="file systems to fill up")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="survival-") as folder:
        survival = Survival(arguments.populace.resolve(), Path(folder), arguments.seed)
        print(f"an undisturbed run: {survival.length_s:.2f} s, {survival.size_kib} KiB;", end=" ")
        print(f"{platform.system()} {platform.machine()}, Python {platform.python_version()}")
        for kind in ["kill", "terminate", "fill"]:
            count = getattr(arguments, kind)
            if kind == "fill" and count and not can_mount(Path(folder)):
                print("fill: skipped, no file system can be mounted here")
                continue
            found = Counter(survival.trial(kind, number) for number in range(count))
            equal = sum(n for what, n in found.items() if not what.startswith("DIFFERS"))
            failed |= equal < count
            details = ", ".join(f"{n} {what}" for what, n in sorted(found.items()))
            print(f"{kind}: {equal} of {count} equal ({details})", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
