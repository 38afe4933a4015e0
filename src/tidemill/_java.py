"""What of Java's own library Kafka's results hang on: its random generator, and the order in which its hash tables are read."""

from collections.abc import Callable, Iterable
from typing import TypeVar

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


def hash_order(keys: Iterable[_T], buckets: int, hash_of: Callable[[_T], int]) -> list[_T]:
    """The order in which Java iterates over a hash table with so many buckets that got these keys one after another.

    By bucket, and within one by arrival. Not followed here: a bucket of eight or more, of which Java makes a tree.
    """

    def bucket(key: _T) -> int:
        hashed = hash_of(key) & 0xFFFFFFFF
        return (hashed ^ hashed >> 16) & (buckets - 1)

    return sorted(keys, key=bucket)


def buckets_grown(count: int) -> int:
    """Of a table that began empty and grew with so many keys."""
    return max(16, _power_of_two(-(-count * 4 // 3)))


def buckets_copied(count: int) -> int:
    """Of a set made at once from a collection of so many."""
    return max(16, _power_of_two(int(count / 0.75) + 1))


def buckets_made_for(count: int) -> int:
    """Of a table made for so many by Kafka's `AssignorHelpers`."""
    return _power_of_two(int((count + 1) / 0.75 + 1))


def _power_of_two(least: int) -> int:
    """The smallest one that is at least so much."""
    return 1 << max(0, least - 1).bit_length()
