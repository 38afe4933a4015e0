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
    name = getattr(assignor, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"{type(assignor).__name__} has no name: set the class attribute 'name', under which members agree on it")
    given = assignor.assign(cluster, members)
    if not isinstance(given, Mapping):
        raise TypeError(f"assignor {name!r} must return a mapping from member ids to partitions, not {type(given).__name__}")
    subscriptions = {member.id: frozenset(member.topics) for member in members}
    assignment: Assignment = {member.id: {} for member in members}
    owners: dict[TopicPartition, str] = {}
    for member_id, partitions in given.items():
        if member_id not in assignment:
            raise ValueError(f"assignor {name!r} gave partitions to {member_id!r}, which is not a member of the group")
        for each in partitions:
            topic, partition = _topic_partition(each, name, member_id)
            if topic not in subscriptions[member_id]:
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} to {member_id!r}, which does not subscribe to {topic!r}")
            if not 0 <= partition < cluster.topics.get(topic, 0):
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} to {member_id!r}, but there is no such partition")
            owner = owners.get(TopicPartition(topic, partition))
            if owner is not None:
                raise ValueError(f"assignor {name!r} gave {topic}-{partition} twice: to {owner!r} and to {member_id!r}")
            owners[TopicPartition(topic, partition)] = member_id
            assignment[member_id].setdefault(topic, []).append(partition)
    return assignment


def _topic_partition(value: object, name: str, member_id: str) -> tuple[str, int]:
    """A `TopicPartition`, or a plain pair like it."""
    if isinstance(value, tuple) and len(value) == 2:
        topic, partition = value
        if type(topic) is str and type(partition) is int:
            return topic, partition
    raise TypeError(f"assignor {name!r} gave {value!r} to {member_id!r}: it must give TopicPartition(topic, partition)")
