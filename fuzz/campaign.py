"""Runs campaigns: one target in one form for some time, in a process of its own that may die, and what came of it.

- A round is a campaign for each target and form. The seed of round *n* is the given one plus *n*.
- Each begins with the target's seeds and with what the campaigns before it found in this run: the sanitized form with what atheris found.
- When a worker dies, the input it had in hand is a finding, and another worker takes up the rest of the time.
- No worker outlives the campaigns: `Workers.stop` ends those that are at work, and nothing they had in hand is a finding then.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from fuzz import asan
from fuzz.findings import FOLDER, ROOT, Origin, keep
from fuzz.judge import Ledger
from fuzz.seeds import past_findings, write_all
from fuzz.target import Target

FORMS = ("source", "asan")
WORK = ROOT / "build" / "fuzz"
MOST_DEATHS = 5
OVERTIME = 120.0
_COVERED = re.compile(rb"\bcov: (\d+)")


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a campaign did."""

    origin: Origin
    seed: int
    engine: str
    inputs: int = 0
    seconds: float = 0.0
    edges: int = 0
    findings: list[Path] = field(default_factory=list)
    trouble: str = ""  # why it could not run as it should


class Workers:
    """The processes that are at work, of all campaigns."""

    def __init__(self) -> None:
        self.stopped = False
        self._at_work: set[subprocess.Popen[bytes]] = set()

    def run(self, command: list[str], environment: dict[str, str], log: BinaryIO, seconds: float) -> int | None:
        """The exit code; None if the worker had to be ended because it did not end by itself."""
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self._at_work.add(process)
        try:
            if self.stopped:
                process.kill()
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None
        finally:
            self._at_work.discard(process)

    def stop(self) -> None:
        self.stopped = True
        for process in list(self._at_work):
            process.kill()


class Campaign:
    """One target in one form, from one seed."""

    def __init__(self, target: Target, form: str, seed: int, engine: str, workers: Workers) -> None:
        self.target = target
        self.workers = workers
        self.folder = WORK / target.name
        self.outcome = Outcome(origin=Origin(target.name, form), seed=seed, engine=engine)

    @property
    def log(self) -> Path:
        return self.folder / f"{self.outcome.origin.form}.{self.outcome.seed}.log"

    def run(self, seconds: float) -> Outcome:
        seeds, found = self.folder / "seeds", self.folder / "found"
        write_all(self.target.seeds(), seeds)
        write_all(past_findings(self.target.name), seeds)
        found.mkdir(parents=True, exist_ok=True)
        before = self._findings()
        began = time.monotonic()
        for life in range(MOST_DEATHS):
            left = seconds - (time.monotonic() - began)
            if (life > 0 and left < 1) or not self._live(seeds, found, left, self.outcome.seed + 1000 * life):
                break
        self.outcome.seconds = time.monotonic() - began
        self.outcome.findings = sorted(path for path, _ in self._findings() - before)
        return self.outcome

    def _live(self, seeds: Path, found: Path, seconds: float, seed: int) -> bool:
        """Runs one worker; True if it died of an input, so that another has to go on."""
        origin = self.outcome.origin
        with tempfile.TemporaryDirectory() as folder, self.log.open("ab") as log:
            path = Path(folder) / "ledger"
            ledger = Ledger(path)
            begins = log.tell()
            command = worker_command(origin, path, f"--seconds={seconds}", f"--seed={seed}", f"--seeds={seeds}", f"--found={found}")
            if origin.form == "asan":
                command.append(f"--seeds={found}")
            code = self.workers.run(command, environment(origin.form), log, seconds + OVERTIME)
            ledger = Ledger(path)
        self.outcome.inputs += ledger.inputs
        self.outcome.edges = max(self.outcome.edges, ledger.edges, self._edges_of_atheris())
        if code == 0 or self.workers.stopped:
            return False
        tail = self.log.read_bytes()[begins:][-20_000:].decode(errors="replace")
        how = "did not end in time" if code is None else f"ended with code {code}"
        if ledger.at_hand is None:
            self.outcome.trouble = f"the fuzzer itself failed ({how}): see {self.log}\n{tail[-2000:]}"
            return False
        keep(origin, ledger.at_hand, f"The process {how}.\n\n{tail}")
        return True

    def _findings(self) -> set[tuple[Path, int]]:
        """What is kept, and when it was: what is found again is written again."""
        origin = self.outcome.origin
        kept = FOLDER.glob(f"{origin.target}.{origin.form}.*")
        return {(path, path.stat().st_mtime_ns) for path in kept if path.suffix != ".txt"}

    def _edges_of_atheris(self) -> int:
        return max((int(number) for number in _COVERED.findall(self.log.read_bytes())), default=0)


def worker_command(origin: Origin, ledger: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "fuzz.worker", origin.target, origin.form, f"--ledger={ledger}", *more]


def environment(form: str) -> dict[str, str]:
    return asan.environment() if form == "asan" else os.environ | {"TIDEMILL_PURE": "1", "PYTHONHASHSEED": "0"}


def replay(path: Path, origin: Origin) -> bool:
    """Runs one input again, as the form it was found in. True if nothing is wrong with it now."""
    with tempfile.TemporaryDirectory() as folder:
        command = worker_command(origin, Path(folder) / "ledger", f"--replay={path.resolve()}")
        return subprocess.run(command, cwd=ROOT, env=environment(origin.form)).returncode == 0
