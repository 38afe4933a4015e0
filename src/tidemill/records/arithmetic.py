"""Java's integers: what they wrap to where Kafka lets them overflow."""

from __future__ import annotations

LARGEST_INT32 = 0x7FFFFFFF


def wrap_int32(value: int) -> int:
    """`value` as Java's int arithmetic leaves it."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def wrap_int64(value: int) -> int:
    """`value` as Java's long arithmetic leaves it."""
    return ((value + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


def increment_sequence(sequence: int, increment: int) -> int:
    """The sequence number `increment` records on: after 2^31 - 1 comes 0.

    A negative increment, which no sound batch has, gives what Java's arithmetic gives.
    """
    if sequence > wrap_int32(LARGEST_INT32 - increment):
        return wrap_int32(increment - wrap_int32(LARGEST_INT32 - sequence) - 1)
    return wrap_int32(sequence + increment)
