"""The sticky strategy: balance first, then as little movement as possible (KIP-54).

Members say in their user data what they own and since which generation; one whose user data says nothing owns nothing.

The outcome depends on members' ids, not on the order in which they come: where Kafka goes by the order of a hash table, this
goes by the order of ids.
"""

from collections.abc import Sequence

from tidemill.assignors.model import NO_CLAIMS, NO_GENERATION, Assignment, Cluster, Member, java_order
from tidemill.assignors.sticky_claims import Reports, believe
from tidemill.assignors.sticky_equal import assign_equal
from tidemill.assignors.sticky_partitions import Partitions


def assign(cluster: Cluster, members: Sequence[Member]) -> Assignment:
    group = by_id(members)
    data = [member.user_data for member in group]
    reports = Reports(
        owned=[NO_CLAIMS if each is None else each.owned for each in data],
        generations=[NO_GENERATION if each is None or each.generation is None else each.generation for each in data],
        subscription_generations=[max(member.generation, NO_GENERATION) for member in group],
    )
    return place(cluster, group, reports).assignment(members, group)


class Placement:
    """Who has what in the end, by a member's place in the order of ids."""

    __slots__ = ("held", "in_transit", "partitions")

    def __init__(self, partitions: Partitions, held: list[list[int]], in_transit: set[int] | None) -> None:
        self.partitions = partitions
        self.held = held
        self.in_transit = in_transit
        """Partitions whose new owner has to wait for an old one; `None`: all that a member claims and another has now."""

    def assignment(self, members: Sequence[Member], group: Sequence[Member]) -> Assignment:
        """For the members in their own order."""
        by_topic = self.partitions.by_topic
        assignment: Assignment = {member.id: {} for member in members}
        for member, mine in zip(group, self.held, strict=True):
            if mine:
                assignment[member.id] = by_topic(mine)
        return assignment


def by_id(members: Sequence[Member]) -> list[Member]:
    ids = {member.id: member for member in members}
    return [ids[each] for each in java_order(ids)]


def place(cluster: Cluster, group: Sequence[Member], reports: Reports) -> Placement:
    """Assigns all partitions to the members, given in the order of ids, in view of what they report to own."""
    equal = _subscribe_to_the_same(group)
    topics = set(group[0].topics) if group and equal else {topic for member in group for topic in member.topics}
    partitions = Partitions(cluster.topics, topics)
    holdings = believe(partitions, reports)
    racks = None
    if cluster.racks:
        from tidemill.assignors.sticky_racks import match_racks

        racks = match_racks(cluster, partitions, group)
    if not group:
        return Placement(partitions, [], set())
    if equal:
        shares = assign_equal(partitions, holdings, racks)
        return Placement(partitions, shares.held, shares.in_transit())
    from tidemill.assignors.sticky_unequal import assign_unequal

    return Placement(partitions, assign_unequal(partitions, group, reports, holdings, racks), None)


def _subscribe_to_the_same(group: Sequence[Member]) -> bool:
    """Kafka takes a subscription that names a topic twice for a different one, but for the first that it looks at."""
    if not group:
        return True
    first = group[0].topics
    names = set(first)
    same = first if len(first) == len(names) else None
    return all(member.topics is same or (len(member.topics) == len(names) and not names.difference(member.topics)) for member in group[1:])
