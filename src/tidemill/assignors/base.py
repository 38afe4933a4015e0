"""A strategy of the user's own: one class, one pure method.

What it returns is checked before a group is told: a mistake in it raises `ValueError` that names the member and the partition,
rather than leaving records unread or read twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from tidemill.assignors.model import Assignment, Cluster, Member, TopicPartition


class Assignor(ABC):
    """Base class of a custom assignment strategy.

    >>> from tidemill.assignors import Assignor, assign
    >>> class FirstTakesAll(Assignor):
    ...     name = "first-takes-all"
    ...
    ...     def assign(self, cluster, members):
    ...         return {members[0].id: [each for topic in members[0].topics for each in cluster.partitions(topic)]}
    >>> assign(FirstTakesAll(), {"orders": 2}, [{"id": "a", "topics": ["orders"]}, {"id": "b", "topics": ["orders"]}])
    {'a': {'orders': [0, 1]}, 'b': {}}
    """

    name: str
    """Under this name members agree on the strategy: all of a group must know it."""

    @abstractmethod
    def assign(self, cluster: Cluster, members: Sequence[Member]) -> Mapping[str, Sequence[TopicPartition]]:
        """Member id → its partitions. A member left out gets none. Must depend on nothing but its arguments."""


def run(assignor: Assignor, cluster: Cluster, members: Sequence[Member]) -> Assignment:
    """The outcome of a custom strategy, checked, in the form of `tidemill.assignors.assign`."""
    given = assignor.assign(cluster, members)
    return check(given, cluster, members, getattr(assignor, "name", type(assignor).__name__))


def check(given: Mapping[str, Sequence[TopicPartition]], cluster: Cluster, members: Sequence[Member], name: str) -> Assignment:
    assignment: Assignment = {member.id: {} for member in members}
    owners: dict[tuple[str, int], str] = {}
    subscribed = {member.id: frozenset(member.topics) for member in members}
    for member_id, partitions in given.items():
        if member_id not in assignment:
            raise ValueError(f"assignor {name!r} gave partitions to {member_id!r}, which is not a member of the group")
        for topic, partition in partitions:
            if topic not in subscribed[member_id]:
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} to {member_id!r}, which does not subscribe to {topic!r}")
            if not 0 <= partition < cluster.topics.get(topic, 0):
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} to {member_id!r}: there is no such partition")
            owner = owners.setdefault((topic, partition), member_id)
            if owner != member_id or partition in assignment[member_id].get(topic, ()):
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} twice, to {owner!r} and to {member_id!r}")
            assignment[member_id].setdefault(topic, []).append(partition)
    return assignment
