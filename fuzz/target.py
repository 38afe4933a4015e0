"""What a target is, and the one way to mutate an input that begins with settings."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from fuzz.mutation import Shape, Step


def exactly(data: bytes) -> memoryview:
    """The same bytes where they end with their memory: behind those of a `bytes` lies a zero, in which a read too far would end unseen.

    Most buffers are larger than what is in them. An array that was multiplied is not.
    """
    view = memoryview(array("B", b"\0") * len(data))
    view[:] = data
    return view


def whole(data: bytes, random: Random, step: Step) -> bytes:
    return step(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A function of bytes under test.

    `run` returns, or raises one of `refusals`; whatever else leaves it is a finding, also an assertion in it. `content_limit` is how many
    bytes it lets an input unpack to. `weight` is its part in the time that it shares with the other targets of its module.
    """

    name: str
    run: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    seeds: Callable[[], Iterator[bytes]]
    shape: Shape = whole
    content_limit: int = 0
    weight: float = 1.0

    def refuses_or_returns(self, data: bytes) -> None:
        try:
            self.run(data)
        except self.refusals:
            return


def after_settings(size: int, shape: Shape = whole) -> Shape:
    """For inputs whose first `size` bytes choose what is done with the others: mostly the others are mutated."""

    def shaped(data: bytes, random: Random, step: Step) -> bytes:
        settings, rest = data[:size].ljust(size, b"\0"), data[size:]
        if random.random() < 0.08:
            at = random.randrange(size)
            return settings[:at] + random.randbytes(1) + settings[at + 1 :] + rest
        return settings + shape(rest, random, step)

    return shaped
