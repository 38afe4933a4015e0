"""The sticky assignment of a group whose members all subscribe to the same topics.

- Each member gets `quota` partitions, and as many members as needed one more.
- Members are served in the order of their ids. They keep what they hold up to their share; then those below `quota` are filled
  in turns, and whatever is left goes to members that have just `quota`.
- With racks in play a member keeps only partitions of its rack, and members are first filled with partitions of their racks.
"""

from itertools import chain

from tidemill.assignors.sticky_claims import Holdings
from tidemill.assignors.sticky_partitions import Partitions
from tidemill.assignors.sticky_racks import RackMatch


class EqualShares:
    """One assignment in the making. Members go by their place in the order of ids."""

    __slots__ = ("at_quota", "below_quota", "held", "larger_left", "quota", "revoked")

    def __init__(self, member_count: int, partition_count: int) -> None:
        self.quota, self.larger_left = divmod(partition_count, member_count)
        """The smaller share; and how many more members may get one partition more than that."""
        self.held: list[list[int]] = []
        self.revoked: list[list[int]] = []
        """What members held and did not keep; they may still get it back."""
        self.below_quota: list[int] = []
        self.at_quota: list[int] = []
        """Members that have just `quota` and may get one more."""

    def take_larger_share(self) -> None:
        """Notes that one more member has one more than `quota`; after the last of them the others stay where they are."""
        self.larger_left -= 1
        if not self.larger_left:
            self.at_quota.clear()


def assign_equal(partitions: Partitions, holdings: Holdings, racks: RackMatch | None) -> tuple[list[list[int]], set[int]]:
    """Each member's partitions, in Kafka's order; and those that have a new owner while an old one may still hold them."""
    shares = EqualShares(len(holdings.held), partitions.count)
    for place, mine in enumerate(holdings.held):
        _keep(shares, place, mine, partitions, holdings, racks)
    left = _unassigned(partitions, shares.held)
    if racks is not None:
        left = _fill_within_racks(shares, racks.fewest_members_first(left), racks)
    left = _fill_up_to_quota(shares, left)
    for place, each in zip(shares.at_quota, left, strict=False):
        shares.held[place].append(each)
    return shares.held, holdings.contested.union(
        *(set(revoked).difference(mine) for revoked, mine in zip(shares.revoked, shares.held, strict=True) if revoked)
    )


def _keep(shares: EqualShares, place: int, mine: list[int], partitions: Partitions, holdings: Holdings, racks: RackMatch | None) -> None:
    """Lets a member keep what it holds up to its share, and revokes the rest."""
    count, contested, quota = partitions.count, holdings.contested, shares.quota
    kept = sorted(each for each in mine if each < count and each not in contested)
    revoked: list[int] = []
    if racks is not None:
        revoked = [each for each in kept if racks.mismatch(place, each)]
        kept = [each for each in kept if not racks.mismatch(place, each)]
    if len(kept) < quota:
        shares.below_quota.append(place)
    elif len(kept) > quota and shares.larger_left:
        shares.take_larger_share()
        revoked += kept[quota + 1 :]
        del kept[quota + 1 :]
    else:
        if shares.larger_left:
            shares.at_quota.append(place)
        revoked += kept[quota:]
        del kept[quota:]
    shares.held.append(kept)
    shares.revoked.append(revoked)


def _unassigned(partitions: Partitions, held: list[list[int]]) -> list[int]:
    """What nobody kept, by topic and number."""
    kept = set(chain.from_iterable(held))
    if not kept:
        return list(chain.from_iterable(partitions.ids.values()))
    return [each for ids in partitions.ids.values() for each in ids if each not in kept]


def _fill_up_to_quota(shares: EqualShares, left: list[int]) -> list[int]:
    """Deals partitions out in turns to the members below quota; returns those that remain.

    Turns in which nobody reaches the quota, but for the last, are dealt at once.
    """
    held, quota, dealt = shares.held, shares.quota, 0
    below = shares.below_quota
    while below and dealt < len(left):
        turns = min(quota - len(held[place]) for place in below)
        end = dealt + turns * len(below)
        hand = left[dealt:end]
        for position, place in enumerate(below):
            held[place] += hand[position :: len(below)]
        dealt = end
        shares.at_quota += [place for place in below if len(held[place]) == quota]
        below = [place for place in below if len(held[place]) < quota]
    shares.below_quota = below
    return left[dealt:]


def _fill_within_racks(shares: EqualShares, left: list[int], racks: RackMatch) -> list[int]:
    """Gives partitions to members in one of their racks while there is room; returns those that remain."""
    held, below = shares.held, shares.below_quota
    remaining: list[int] = []
    turn = 0
    for each in left:
        position = _next_in_racks(below, turn, racks, each)
        if position >= 0:
            place = below[position]
            if len(held[place]) + 1 < shares.quota:
                position += 1
            else:
                del below[position]
                if shares.larger_left:
                    shares.at_quota.append(place)
            turn = position % len(below) if below else 0
        else:
            position = _next_in_racks(shares.at_quota, 0, racks, each)
            if position < 0:
                remaining.append(each)
                continue
            place = shares.at_quota.pop(position)
            shares.take_larger_share()
        held[place].append(each)
    return remaining


def _next_in_racks(members: list[int], first: int, racks: RackMatch, partition: int) -> int:
    """The position of the next member, from the first on and round, in one of the partition's racks; -1: there is none."""
    wanted, of_member = racks.of_partition[partition], racks.of_member
    for position in chain(range(first, len(members)), range(first)):
        if of_member[members[position]] in wanted:
            return position
    return -1
