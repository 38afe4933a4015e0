"""How the range strategy brings members and replicas of one rack together (KIP-881).

- It does so when for some topic it makes a difference: members have racks, replicas are in some of them, and not every partition has
  replicas in all racks that the topic is in.
- Each member takes, up to the share that range gives it, partitions with a replica in its own rack; one without a rack is near to
  all. Then what is left is cut as ever.
- Topics with as many partitions and the same subscribers stay alike: a partition is near to whom it is near in all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tidemill.assignors.model import Cluster

Racks = list[frozenset[str]]
"""Partition → the racks of its replicas."""

Cut = list[list[int]]
"""Subscriber → its partitions."""


def cut_by_racks(cluster: Cluster, topics: list[str], subscribers: Mapping[str, Sequence[int]], racks: list[str]) -> dict[str, Cut]:
    """Topic → what each of its subscribers gets, in their order; without the topics for which racks play no part.

    `racks`: of each member; empty: none.
    """
    replicas: dict[str, Racks] = {}
    alike: dict[tuple[tuple[int, ...], int], list[str]] = {}
    members = {topic: tuple(subscribers[topic]) for topic in topics}
    for topic in topics:
        if any(racks[position] for position in members[topic]):
            replicas[topic] = _replica_racks(cluster, topic)
            alike.setdefault((members[topic], cluster.topics[topic]), []).append(topic)
    matters = {topic: _matters({racks[position] for position in members[topic]}, replicas[topic]) for topic in replicas}
    if not any(matters.values()):
        return {}
    outcome: dict[str, Cut] = {}
    for (positions, count), group in alike.items():
        matching = _Matching(count, [racks[position] for position in positions])
        if len(group) > 1:
            matching.by_partition([frozenset.intersection(*near) for near in zip(*(replicas[topic] for topic in group), strict=True)])
        elif matters[group[0]]:
            matching.by_member(replicas[group[0]])
        outcome |= dict.fromkeys(group, matching.complete())
    return outcome


def _replica_racks(cluster: Cluster, topic: str) -> Racks:
    known = [frozenset(rack for rack in replicas if rack is not None) for replicas in cluster.racks.get(topic, ())]
    count = cluster.topics[topic]
    return (known + [frozenset()] * (count - len(known)))[:count]


def _matters(of_members: set[str], of_replicas: Racks) -> bool:
    everywhere = frozenset().union(*of_replicas)
    return not everywhere.isdisjoint(of_members - {""}) and any(near != everywhere for near in of_replicas)


class _Matching:
    """What the subscribers of topics that are cut alike have got.

    Who may take no more never may again, and what is taken stays so: thus everything is gone through once for each rack.
    """

    __slots__ = ("_count", "_least", "_longer", "_racks", "_taken")

    def __init__(self, count: int, racks: list[str]) -> None:
        self._count = count
        self._racks = racks
        self._least, self._longer = divmod(count, len(racks))
        self._taken: Cut = [[] for _ in racks]

    def by_member(self, near: Racks) -> None:
        """Each subscriber in turn takes the first partitions near to it."""
        free = [True] * self._count

        def free_near(rack: str) -> Iterator[int]:
            return (partition for partition, racks in enumerate(near) if free[partition] and (not rack or rack in racks))

        near_to = {rack: free_near(rack) for rack in self._racks}
        for subscriber, rack in enumerate(self._racks):
            partitions = list(islice(near_to[rack], self._room(subscriber)))
            for partition in partitions:
                free[partition] = False
            self._take(subscriber, partitions)

    def by_partition(self, near: Racks) -> None:
        """Each partition in turn goes to the first subscriber near to it."""
        waiting: dict[str, list[int]] = {rack: [] for rack in self._racks}
        for subscriber in reversed(range(len(self._racks))):
            waiting[self._racks[subscriber]].append(subscriber)
        for partition, racks in enumerate(near):
            first = []
            for queue in [waiting[rack] for rack in ("", *racks) if rack in waiting]:
                while queue and not self._room(queue[-1]):
                    queue.pop()
                first += queue[-1:]
            if first:
                self._take(min(first), [partition])

    def complete(self) -> Cut:
        """The whole cut: what is left over goes to the subscribers in turn."""
        taken = {partition for partitions in self._taken for partition in partitions}
        left = iter([partition for partition in range(self._count) if partition not in taken])
        for subscriber in range(len(self._racks)):
            self._take(subscriber, list(islice(left, self._room(subscriber))))
        for partitions in self._taken:
            partitions.sort()
        return self._taken

    def _room(self, subscriber: int) -> int:
        """How many more partitions it may take."""
        return max(0, self._least + (self._longer > 0) - len(self._taken[subscriber]))

    def _take(self, subscriber: int, partitions: list[int]) -> None:
        self._taken[subscriber] += partitions
        if partitions and len(self._taken[subscriber]) > self._least:
            self._longer -= 1
