"""A group with unequal subscriptions while its assignment is in the making. Members go by their place in the order of ids."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from tidemill.assignors.model import Member
from tidemill.assignors.sticky_claims import NOBODY
from tidemill.assignors.sticky_loads import Loads
from tidemill.assignors.sticky_moves import Moves
from tidemill.assignors.sticky_partitions import Partitions


class Group:
    """Who subscribes to what, and who holds what so far."""

    __slots__ = ("held", "loads", "moves", "owners", "partitions", "shared", "subscribers", "topics")

    def __init__(self, partitions: Partitions, members: Sequence[Member]) -> None:
        self.partitions = partitions
        self.subscribers: dict[str, int] = dict.fromkeys(partitions.ids, 0)
        """Topic → its subscribers, as a bit mask."""
        for place, member in enumerate(members):
            bit = 1 << place
            for topic in member.topics:
                if topic in self.subscribers:
                    self.subscribers[topic] |= bit
        times = Counter(chain.from_iterable(member.topics for member in members))
        self.topics = sorted(partitions.ids, key=times.__getitem__)
        """Those with the fewest subscribers first."""
        self.shared = {topic for topic in self.topics if times[topic] > 1}
        """Topics that more than one member subscribes to: only their partitions can move."""
        self.restore([[] for _ in members])

    def restore(self, held: Sequence[list[int]]) -> None:
        """Everybody holds just this, and nothing has moved."""
        self.held = [list(mine) for mine in held]
        self.owners = [NOBODY] * self.partitions.count
        for place, mine in enumerate(held):
            for each in mine:
                self.owners[each] = place
        self.loads = Loads([len(mine) for mine in held])
        self.moves = Moves()

    def subscribes(self, place: int, partition: int) -> bool:
        return bool(self.subscribers[self.partitions.topics[partition]] >> place & 1)

    def give(self, partition: int, place: int) -> None:
        self.owners[partition] = place
        self.held[place].append(partition)
        self.loads.change(place, 1)

    def move(self, partition: int, place: int) -> None:
        """Moves the partition to the member, or in its stead one of the topic that had come from there."""
        topic = self.partitions.topics[partition]
        partition = self.moves.instead_of(partition, topic, self.owners[partition], place)
        old = self.owners[partition]
        self.moves.record(partition, topic, old, place)
        self.held[old].remove(partition)
        self.loads.change(old, -1)
        self.give(partition, place)
