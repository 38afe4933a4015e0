"""The built-in fuzzer: seeds, mutations, and what covers something new becomes a seed.

It guides AddressSanitizer's form, where the C code counts the edges it covers, and stands in where there is no atheris, unguided then.
The same seed gives the same inputs, as long as the code under test covers the same.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Protocol

from fuzz.judge import LARGEST_INPUT, Judge
from fuzz.mutation import mutate
from fuzz.target import Target

NEWEST = 64


class Coverage(Protocol):
    def begin(self) -> object: ...
    def edges(self) -> int: ...


class Unguided:
    """Where nothing tells what an input covers."""

    def begin(self) -> None:
        pass

    def edges(self) -> int:
        return 0


class Engine:
    def __init__(self, target: Target, judge: Judge, seed: int, coverage: Coverage, found: Path | None = None) -> None:
        self.target = target
        self.judge = judge
        self.random = Random(f"{seed} {target.name}")
        self.coverage = coverage
        self.found = found
        self.corpus: list[bytes] = []

    def run(self, seconds: float, seeds: Iterable[bytes], most_inputs: int | None = None) -> None:
        """First the seeds as they are, for half of the time at most; then what becomes of them."""
        began = time.monotonic()
        self.corpus = [data for data in seeds if len(data) <= LARGEST_INPUT]
        for data in self.random.sample(self.corpus, len(self.corpus)):
            if time.monotonic() - began > seconds / 2:
                break
            self.try_out(data)
        tried = 0
        while time.monotonic() - began < seconds and tried != most_inputs:
            data = self.next_input()
            if self.try_out(data):
                self.remember(data)
            tried += 1

    def next_input(self) -> bytes:
        if not self.corpus:
            return self.random.randbytes(self.random.randrange(64))
        among = self.corpus[-NEWEST:] if self.random.random() < 0.4 else self.corpus
        shorter = min(self.random.choice(among), self.random.choice(among), key=len)
        return self.target.shape(shorter, self.random, self.step)[:LARGEST_INPUT]

    def step(self, data: bytes) -> bytes:
        return mutate(data, self.random, self.corpus)

    def try_out(self, data: bytes) -> bool:
        """Whether it covered what nothing before it did."""
        before = self.coverage.edges()
        self.coverage.begin()
        self.judge(data)
        after = self.coverage.edges()
        self.judge.ledger.edges = after
        return after != before

    def remember(self, data: bytes) -> None:
        self.corpus.append(data)
        if self.found is not None:
            (self.found / hashlib.sha256(data).hexdigest()[:24]).write_bytes(data)
