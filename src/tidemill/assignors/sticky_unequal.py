"""The sticky assignment of a group whose members subscribe to different topics.

1. Members keep what they hold, as far as they still subscribe to it (and, with racks in play, it has a replica in their rack).
2. What nobody keeps goes to the subscriber with the fewest partitions; topics with the fewest subscribers come first, and with
   racks in play what fits into some subscriber's rack.
3. Partitions move until the group is balanced: first what was just given out (unless something had to be taken away from a
   member), then any. If that made it no more balanced, it is undone.

Members go by their place in the order of ids.
"""

from collections.abc import Sequence

from tidemill.assignors.model import Member
from tidemill.assignors.sticky_balance import Balancer
from tidemill.assignors.sticky_claims import NOBODY, Holdings, Reports, former_owners
from tidemill.assignors.sticky_group import Group
from tidemill.assignors.sticky_partitions import Partitions
from tidemill.assignors.sticky_racks import RackMatch


def assign_unequal(
    partitions: Partitions, members: Sequence[Member], reports: Reports, holdings: Holdings, racks: RackMatch | None
) -> list[list[int]]:
    """Each member's partitions, in Kafka's order."""
    group = Group(partitions, members)
    taken_away = _keep(group, holdings, racks)
    starting = not any(group.held)
    everything = [each for topic in group.topics for each in partitions.ids[topic]]
    left = [each for each in everything if group.owners[each] == NOBODY]
    if racks is not None:
        _give_within_racks(group, left, racks)
    for each in left:
        if group.owners[each] == NOBODY:
            group.give(each, group.loads.least(group.subscribers[partitions.topics[each]]))
    rounds = [[each for each in given if partitions.topics[each] in group.shared] for given in (left, everything)]
    balancer = Balancer(group, members, former_owners(partitions, reports))
    return balancer.run(rounds[1:] if taken_away else rounds, undo=not starting)


def _keep(group: Group, holdings: Holdings, racks: RackMatch | None) -> bool:
    """Members keep what they may; whether that is less than they hold."""
    partitions = group.partitions
    taken_away = False
    held: list[list[int]] = []
    for place, mine in enumerate(holdings.held):
        kept: list[int] = []
        for each in mine:
            exists = each < partitions.count
            topic = partitions.topics[each] if exists else holdings.beyond[each - partitions.count]
            if not group.subscribers[topic] >> place & 1 or (racks is not None and racks.mismatch(place, each)):
                taken_away = True
            elif exists:
                kept.append(each)
        held.append(kept)
    group.restore(held)
    return taken_away


def _give_within_racks(group: Group, left: Sequence[int], racks: RackMatch) -> None:
    """Gives partitions to the subscriber with the fewest that has no rack, or one where the partition has a replica."""
    anywhere = 0
    members_in: dict[str, int] = {}
    for place, rack in enumerate(racks.of_member):
        if rack is None:
            anywhere |= 1 << place
        else:
            members_in[rack] = members_in.get(rack, 0) | 1 << place
    for each in left:
        fitting = anywhere
        for rack in racks.of_partition[each]:
            fitting |= members_in.get(rack, 0)
        place = group.loads.least(group.subscribers[group.partitions.topics[each]] & fitting)
        if place != NOBODY:
            group.give(each, place)
