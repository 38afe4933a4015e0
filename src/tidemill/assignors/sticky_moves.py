"""Which partitions moved from whom to whom while a group is balanced, topic by topic.

No topic should have one partition moved from A to B and another from B to A: then the first of them is moved back instead.
"""

Pair = tuple[int, int]
"""From whom, to whom."""


class Moves:
    """Moves so far; a partition that came back where it began has none."""

    __slots__ = ("_by_topic", "_pairs")

    def __init__(self) -> None:
        self._pairs: dict[int, Pair] = {}
        self._by_topic: dict[str, dict[Pair, dict[int, None]]] = {}

    def instead_of(self, partition: int, topic: str, old: int, new: int) -> int:
        """The partition to move from the old to the new member: itself, or one that earlier went the opposite way."""
        pairs = self._by_topic.get(topic)
        if not pairs:
            return partition
        origin, _ = self._pairs.get(partition, (old, new))
        opposite = pairs.get((new, origin))
        return next(iter(opposite)) if opposite else partition

    def record(self, partition: int, topic: str, old: int, new: int) -> None:
        pairs = self._by_topic.setdefault(topic, {})
        earlier = self._pairs.pop(partition, None)
        if earlier is not None:
            del pairs[earlier][partition]
            if not pairs[earlier]:
                del pairs[earlier]
            old = earlier[0]
        if old != new:
            self._pairs[partition] = (old, new)
            pairs.setdefault((old, new), {})[partition] = None
