"""Runs one input after the other on a target, and decides which are findings.

What only ends with the process cannot be judged from inside it: a wild read under AddressSanitizer, a loop that never ends. So the input
at hand stands in a file that both this process and the campaign that started it have mapped, and a timer of the system, which no C loop
can hold up, ends the process when an input takes far too long.
"""

from __future__ import annotations

import faulthandler
import mmap
import signal
import traceback
from pathlib import Path
from struct import Struct

from fuzz.bounds import Bounds, OutOfBounds, seconds_allowed
from fuzz.findings import Origin, keep, place_of, shrink
from fuzz.target import Target

LARGEST_INPUT = 1 << 16
MOST_FINDINGS = 10
_NOTHING = 2**32 - 1
_HEADER = Struct("<QQI")
_SIZE = _HEADER.size + LARGEST_INPUT


class Ledger:
    """How far a worker got: counts, and the input at hand."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self.inputs: int
        self.edges: int
        self.inputs, self.edges, self._length = _HEADER.unpack_from(self._map)
        if self.inputs == 0:
            self._length = _NOTHING

    def begin(self, data: bytes) -> None:
        self.inputs += 1
        _HEADER.pack_into(self._map, 0, self.inputs, self.edges, len(data))
        self._map[_HEADER.size : _HEADER.size + len(data)] = data

    def end(self) -> None:
        _HEADER.pack_into(self._map, 0, self.inputs, self.edges, _NOTHING)

    @property
    def at_hand(self) -> bytes | None:
        """The input that was begun and not ended."""
        return None if self._length == _NOTHING else self._map[_HEADER.size : _HEADER.size + self._length]


class Judge:
    """Called with an input, runs it. What is wrong is kept, once for each place in the code, and the campaign goes on."""

    def __init__(self, target: Target, form: str, ledger: Ledger, *, watch_peak: bool = True) -> None:
        self.target = target
        self.origin = Origin(target.name, form)
        self.ledger = ledger
        self.bounds = Bounds(target.content_limit, watch_peak=watch_peak)
        self.places: dict[str, Path] = {}

    def __call__(self, data: bytes) -> None:
        if len(data) > LARGEST_INPUT:
            return
        self.ledger.begin(data)
        error = self.failure(data)
        if error is not None:
            place = place_of(error)
            if place not in self.places and len(self.places) < MOST_FINDINGS:
                self.places[place] = self.keep(data, error, place)
        self.ledger.end()

    def failure(self, data: bytes) -> BaseException | None:
        """What is wrong with how the target takes this input. A panic of a library in Rust is no `Exception`."""
        arm(10 * seconds_allowed(len(data), self.target.content_limit))
        try:
            self.bounds.run(self.target.refuses_or_returns, data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return error
        return None

    def keep(self, data: bytes, error: BaseException, place: str) -> Path:
        if not isinstance(error, OutOfBounds | MemoryError):
            data = shrink(data, lambda shorter: (failure := self.failure(shorter)) is not None and place_of(failure) == place)
            error = self.failure(data) or error
        path = keep(self.origin, data, "".join(traceback.format_exception(error)))
        print(f"{self.target.name}: {place}: {error}\n  kept as {path}", flush=True)
        return path


def arm(seconds: float) -> None:
    """From now on the process has that much processor time left."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def dump_stacks_when_out_of_time() -> None:
    """With the stacks of Python on its last page, then it ends: that is what the signal does unless somebody catches it."""
    if hasattr(signal, "SIGPROF"):
        faulthandler.register(signal.SIGPROF, chain=True)
