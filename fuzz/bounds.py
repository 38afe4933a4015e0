"""What an input may cost: processor time and memory in proportion to its length, and to what it may unpack to.

- Time is processor time, so that other work on the machine changes nothing. The bounds are generous: they tell linear from quadratic,
  and a claim that is believed from one that is checked, not fast from slow.
- Python's allocations are traced for some of the inputs, since tracing slows all of them down. What libraries allocate shows as growth of
  the process's peak, and a single absurd allocation runs into the limit that the process is given (`limit_memory`).
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

MEGABYTE = 1 << 20
TRACE_EVERY = 64
LARGEST_ALLOCATION = 192 * MEGABYTE  # a frame of zstd may rightly claim a window of 128

SECONDS = 1.0
SECONDS_A_BYTE = 20e-6  # of the input and of what it may unpack to; atheris's instrumentation makes a loop ten times slower
MEMORY = 4 * MEGABYTE
MEMORY_A_BYTE = 512
MEMORY_A_BYTE_UNPACKED = 128


class OutOfBounds(AssertionError):
    """An input took more time or memory than its length can justify."""


def seconds_allowed(size: int, content_limit: int) -> float:
    return SECONDS + SECONDS_A_BYTE * (size + content_limit)


def memory_allowed(size: int, content_limit: int) -> int:
    return MEMORY + MEMORY_A_BYTE * size + MEMORY_A_BYTE_UNPACKED * content_limit


class Bounds:
    """Runs inputs, and raises `OutOfBounds` after one that cost too much."""

    def __init__(self, content_limit: int, *, watch_peak: bool = True) -> None:
        self.content_limit = content_limit
        self.watch_peak = watch_peak
        self.runs = 0

    def run(self, function: Callable[[bytes], object], data: bytes) -> None:
        self.runs += 1
        most_memory = memory_allowed(len(data), self.content_limit)
        most_seconds = seconds_allowed(len(data), self.content_limit)
        traced = self.runs % TRACE_EVERY == 0
        peak_before = peak_memory() if self.watch_peak else 0
        if traced:
            tracemalloc.start()
        began = time.process_time()
        try:
            function(data)
        finally:
            seconds = time.process_time() - began
            grown = peak_memory() - peak_before if self.watch_peak else 0
            if traced:
                grown = max(grown, tracemalloc.get_traced_memory()[1])
                tracemalloc.stop()
            if seconds > most_seconds:
                raise OutOfBounds(f"{len(data)} bytes took {seconds:.1f} s: {most_seconds:.1f} s are allowed")
            if grown > most_memory:
                raise OutOfBounds(f"{len(data)} bytes took {grown:,} bytes of memory: {most_memory:,} are allowed")


def peak_memory() -> int:
    """The most memory that the process ever had; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def limit_memory() -> None:
    """Makes a single absurd allocation fail, also where its pages would never be touched. Call it when everything is imported."""
    gc.freeze()
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + LARGEST_ALLOCATION,) * 2)
