"""Members by how many partitions they have, as one bit mask a size: bit `n` stands for the member in place `n`.

Asking for the member that has least among some candidates walks over the sizes that occur, which are few when a group is
anywhere near balance, and not over members. Among equals the first in the order of ids is chosen: the lowest bit.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence


class Loads:
    """How many partitions each member has."""

    __slots__ = ("_masks", "_sizes", "of")

    def __init__(self, sizes: Sequence[int]) -> None:
        self.of = list(sizes)
        """Place → number of partitions."""
        self._masks: dict[int, int] = {}
        for place, size in enumerate(sizes):
            self._masks[size] = self._masks.get(size, 0) | 1 << place
        self._sizes = sorted(self._masks)

    def least(self, candidates: int) -> int:
        """The candidate with the fewest partitions; -1: there are no candidates."""
        masks = self._masks
        for size in self._sizes:
            found = masks[size] & candidates
            if found:
                return (found & -found).bit_length() - 1
        return -1

    def change(self, place: int, by: int) -> None:
        size = self.of[place]
        self._leave(place, size)
        self.of[place] = size + by
        self._enter(place, size + by)

    def _leave(self, place: int, size: int) -> None:
        rest = self._masks[size] & ~(1 << place)
        if rest:
            self._masks[size] = rest
        else:
            del self._masks[size]
            del self._sizes[bisect_left(self._sizes, size)]

    def _enter(self, place: int, size: int) -> None:
        mask = self._masks.get(size)
        if mask is None:
            insort(self._sizes, size)
            mask = 0
        self._masks[size] = mask | 1 << place
