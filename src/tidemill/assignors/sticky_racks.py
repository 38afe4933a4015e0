"""Where a member's rack matches that of a partition's replica, for the sticky strategies (KIP-881).

Racks play a part only if some member is in the rack of some replica, and not all partitions are in all racks.
"""

from collections.abc import Sequence

from tidemill.assignors.model import Cluster, Member
from tidemill.assignors.sticky_partitions import Partitions


class RackMatch:
    """The racks of members (by place) and of partitions (by id)."""

    __slots__ = ("of_member", "of_partition")

    def __init__(self, of_member: list[str | None], of_partition: list[frozenset[str]]) -> None:
        self.of_member = of_member
        self.of_partition = of_partition

    def mismatch(self, place: int, partition: int) -> bool:
        """Whether the member has a rack, and the partition no replica there. One that does not exist has none anywhere."""
        rack = self.of_member[place]
        return rack is not None and (partition >= len(self.of_partition) or rack not in self.of_partition[partition])

    def fewest_members_first(self, partitions: Sequence[int]) -> list[int]:
        """Ordered by how many members are in the partition's racks; otherwise in the order given."""
        members_in: dict[str, int] = {}
        for rack in self.of_member:
            if rack is not None:
                members_in[rack] = members_in.get(rack, 0) + 1
        return sorted(partitions, key=lambda each: sum(members_in.get(rack, 0) for rack in self.of_partition[each]))


def match_racks(cluster: Cluster, partitions: Partitions, members: Sequence[Member]) -> RackMatch | None:
    """`None` where racks play no part."""
    of_member = [member.rack or None for member in members]
    if not cluster.racks or not any(of_member):
        return None
    of_partition: list[frozenset[str]] = [frozenset()] * partitions.count
    for topic, ids in partitions.ids.items():
        for each, replicas in zip(ids, cluster.racks.get(topic, ()), strict=False):
            of_partition[each] = frozenset(rack for rack in replicas if rack is not None)
    everywhere = frozenset().union(*of_partition)
    if everywhere.isdisjoint(of_member) or all(racks == everywhere for racks in of_partition):
        return None
    return RackMatch(of_member, of_partition)
