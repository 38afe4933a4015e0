"""Mutations of bytes, drawn from a given source of chance: the same seed gives the same bytes.

They know how Kafka writes numbers. A length or a count is where a decoder goes wrong, so numbers are overwritten in place, fixed width or
varint, with those at which arithmetic breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Step: TypeAlias = Callable[[bytes], bytes]
"""One mutation of some bytes, with everything it needs bound already."""

Shape: TypeAlias = Callable[[bytes, Random, Step], bytes]
"""What a target does with a `Step`: it knows to which part of an input to apply it, and what to repair afterwards."""

NUMBERS = (
    *(0, 1, 2, -1, -2, 7, 61, 127, 128, 255, 256),
    *(2**15 - 1, -(2**15), 2**16 - 1, 2**16, 2**24),
    *(2**31 - 2, 2**31 - 1, -(2**31), 2**31, 2**32 - 1, 2**32),
    *(2**62, 2**63 - 2, 2**63 - 1, -(2**63), 2**63, 2**64 - 1),
)
WIDTHS = (1, 2, 4, 8)
LARGEST_REPEAT = 1 << 16


def uvarint(value: int) -> bytes:
    """The unsigned varint of the lowest 64 bits."""
    value &= 2**64 - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint(value: int) -> bytes:
    """The zigzag varint, as records write their lengths."""
    return uvarint((value << 1) ^ (value >> 63))


def _flip(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _set(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] = random.randrange(256)


def _step_up_or_down(data: bytearray, random: Random) -> None:
    at = random.randrange(len(data))
    data[at] = (data[at] + random.choice((-2, -1, 1, 2))) & 0xFF


def _overwrite_number(data: bytearray, random: Random) -> None:
    width = random.choice(WIDTHS)
    at = random.randrange(len(data))
    data[at : at + width] = (random.choice(NUMBERS) & (1 << 8 * width) - 1).to_bytes(width, "big")


def _overwrite_varint(data: bytearray, random: Random) -> None:
    """Puts another number where one begins: what follows moves, as it would had the writer meant it."""
    at = end = random.randrange(len(data))
    while end < len(data) - 1 and data[end] > 0x7F:
        end += 1
    data[at : end + 1] = random.choice((uvarint, varint))(random.choice(NUMBERS))


def _insert(data: bytearray, random: Random) -> None:
    at = random.randrange(len(data) + 1)
    data[at:at] = random.randbytes(random.choice((1, 1, 2, 4, 8, 30)))


def _range(data: bytearray, random: Random) -> tuple[int, int]:
    start = random.randrange(len(data))
    longest = len(data) - start
    return start, start + random.randint(1, min(longest, random.choice((2, 8, 64, longest))))


def _delete(data: bytearray, random: Random) -> None:
    start, end = _range(data, random)
    del data[start:end]


def _duplicate(data: bytearray, random: Random) -> None:
    start, end = _range(data, random)
    data[end:end] = data[start:end]


def _move(data: bytearray, random: Random) -> None:
    start, end = _range(data, random)
    piece = data[start:end]
    at = random.randrange(len(data) + 1)
    data[at:at] = piece


def _truncate(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data)) :]


def _repeat(data: bytearray, random: Random) -> None:
    """Many elements where there was one: what is quadratic in their number shows."""
    start, end = _range(data, random)
    data[end:end] = data[start:end] * random.randint(1, LARGEST_REPEAT // (end - start))


_USUAL = (
    *(_flip, _set, _step_up_or_down, _overwrite_number, _overwrite_varint, _insert, _delete, _duplicate, _move),
    *(_flip, _set, _overwrite_number, _overwrite_varint),
)
_SELDOM = (_truncate, _repeat)


def mutate(data: bytes, random: Random, others: Sequence[bytes] = (), largest: int = LARGEST_REPEAT) -> bytes:
    """The bytes after one to a few mutations, cut to `largest`. Of `others` a piece is spliced in now and then."""
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        if not out:
            out += random.randbytes(random.randint(1, 8))
        elif others and random.random() < 0.1:
            _splice(out, random, random.choice(others))
        else:
            random.choice(_SELDOM if random.random() < 0.03 else _USUAL)(out, random)
    return bytes(out[:largest])


def _splice(data: bytearray, random: Random, other: bytes) -> None:
    if other:
        start, end = _range(bytearray(other), random)
        at = random.randrange(len(data))
        data[at : at + random.choice((0, end - start))] = other[start:end]
