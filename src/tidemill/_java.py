"""What of Java's own library Kafka's results hang on: its random generator, and the order of its hash tables."""

from collections.abc import Iterable
from typing import TypeVar

from tidemill._hashes import java_hash

_T = TypeVar("_T")
_SEED_MASK = (1 << 48) - 1


class JavaRandom:
    """`java.util.Random`: a linear congruential generator of 48 bits, documented to give the same numbers everywhere.

    >>> random = JavaRandom(42)
    >>> [random.next_int(10) for _ in range(5)]
    [0, 3, 8, 4, 0]
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & _SEED_MASK

    def _bits(self, count: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & _SEED_MASK
        return self._state >> (48 - count)

    def next_int(self, bound: int) -> int:
        """An even choice from 0 to `bound` - 1."""
        if not 0 < bound < 1 << 31:
            raise ValueError(f"bound must be a positive 32-bit integer, not {bound}")
        if bound & (bound - 1) == 0:
            return (bound * self._bits(31)) >> 31
        # Numbers of the last, incomplete stretch of `bound` would favour its first ones: those are drawn again.
        complete = (1 << 31) // bound * bound
        while (number := self._bits(31)) >= complete:
            pass
        return number % bound

    def shuffle(self, items: list[_T]) -> None:
        """`Collections.shuffle`, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.next_int(last + 1)
            items[last], items[other] = items[other], items[last]


def hash_map_order(keys: Iterable[str | None]) -> list[str | None]:
    """The order in which Java iterates over a `HashMap` that got these keys (Optional strings; `None`: empty) one after another.

    By bucket, and within one by arrival. Not followed here: a bucket of eight or more, which Java turns into a tree.
    """
    arrived = list(dict.fromkeys(keys))
    buckets = 16
    while len(arrived) > buckets * 3 // 4:
        buckets *= 2

    def bucket(key: str | None) -> int:
        spread = 0 if key is None else java_hash(key) & 0xFFFFFFFF
        return (spread ^ spread >> 16) & (buckets - 1)

    return sorted(arrived, key=bucket)
