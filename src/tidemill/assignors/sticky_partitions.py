"""Partitions as small integers, for the sticky strategies.

- The topics are those that some member subscribes to and that exist, in the order of their names.
- Ids count partition number first and topic second (t0-0, t1-0, t2-0, t0-1, …), so that sorting ids puts a member's partitions
  into the order in which Kafka keeps or revokes them.
"""

from collections.abc import Iterable, Mapping
from itertools import chain

from tidemill.assignors.model import Claims, java_order


class Partitions:
    """Every partition that can be assigned, numbered."""

    __slots__ = ("count", "ids", "numbers", "topics")

    def __init__(self, topics: Mapping[str, int], subscribed: Iterable[str]) -> None:
        names = java_order(topic for topic in subscribed if topics.get(topic))
        self.ids: dict[str, list[int]] = {name: [] for name in names}
        """Topic → the id of each of its partitions."""
        self.topics: list[str] = []
        """Id → its topic."""
        self.numbers: list[int] = []
        """Id → its number within the topic."""
        if len(names) == 1:  # the common case: ids are the partitions' numbers
            self.numbers = self.ids[names[0]] = list(range(topics[names[0]]))
            self.topics = names * len(self.numbers)
        else:
            begin = 0
            for end in sorted({topics[name] for name in names}):
                self._number([name for name in names if topics[name] >= end], begin, end)
                begin = end
        self.count = len(self.topics)

    def _number(self, names: list[str], begin: int, end: int) -> None:
        """Partitions `begin` to `end` of topics that all have so many."""
        first, width = len(self.topics), len(names)
        last = first + width * (end - begin)
        for offset, name in enumerate(names):
            self.ids[name] += range(first + offset, last, width)
        self.topics += names * (end - begin)
        self.numbers += chain.from_iterable([number] * width for number in range(begin, end))

    def known(self, claims: Claims) -> set[int]:
        """The claimed partitions that exist."""
        ids_of = self.ids
        return {
            ids_of[topic][number]
            for topic, numbers in claims.items()
            if topic in ids_of
            for number in numbers
            if 0 <= number < len(ids_of[topic])
        }

    def by_topic(self, ids: list[int]) -> dict[str, list[int]]:
        """Topic → partition numbers, both in the order in which they come."""
        if len(self.ids) == 1:
            return {self.topics[0]: ids} if ids else {}
        found: dict[str, list[int]] = {}
        topics: list[str] = self.topics
        numbers: list[int] = self.numbers
        for each in ids:
            topic = topics[each]
            if topic in found:
                found[topic].append(numbers[each])
            else:
                found[topic] = [numbers[each]]
        return found
