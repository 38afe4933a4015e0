"""The sticky assignment of a group whose members all subscribe to the same topics.

- Each member gets `quota` partitions, and as many members as needed one more.
- Members are served in the order of their ids. They keep what they hold up to their share; then those below `quota` are filled
  in turns, and whatever is left goes to members that have just `quota`.
- With racks in play a member keeps only partitions of its rack, and members are first filled with partitions of their racks.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tidemill.assignors.sticky_claims import Holdings
from tidemill.assignors.sticky_partitions import Partitions

if TYPE_CHECKING:  # imported at run time only where there are racks
    from tidemill.assignors.sticky_racks import RackMatch


class EqualShares:
    """One assignment in the making. Members go by their place in the order of ids."""

    __slots__ = ("at_quota", "below_quota", "contested", "held", "larger_left", "quota", "revoked")

    def __init__(self, partitions: Partitions, holdings: Holdings) -> None:
        self.quota, self.larger_left = divmod(partitions.count, len(holdings.held))
        """The smaller share; and how many more members may get one partition more than that."""
        self.held = holdings.held
        """What each member has so far, in Kafka's order."""
        self.contested = holdings.contested
        self.revoked: dict[int, list[int]] = {}
        """What members held and did not keep; they may still get it back."""
        self.below_quota: list[int] = []
        self.at_quota: list[int] = []
        """Members that have just `quota` and may get one more."""

    def keep(self, place: int, racks: RackMatch | None) -> None:
        """Lets a member keep what it holds up to its share, and revokes the rest."""
        mine: list[int] = self.held[place]
        mine.sort()
        revoked: list[int] = []
        if racks is not None:
            revoked = [each for each in mine if racks.mismatch(place, each)]
            mine[:] = [each for each in mine if not racks.mismatch(place, each)]
        share = quota = self.quota
        if len(mine) < quota:
            self.below_quota.append(place)
        elif len(mine) > quota and self.larger_left:
            self.take_larger_share()
            share += 1
        elif self.larger_left:
            self.at_quota.append(place)
        if len(mine) > share:
            revoked += mine[share:]
            del mine[share:]
        if revoked:
            self.revoked[place] = revoked

    def take_larger_share(self) -> None:
        """Notes that one more member has one more than `quota`; after the last of them the others stay where they are."""
        self.larger_left -= 1
        if not self.larger_left:
            self.at_quota.clear()

    def in_transit(self) -> set[int]:
        """Partitions whose new owner has to wait until an old one has let go of them."""
        return self.contested.union(*(set(revoked).difference(self.held[place]) for place, revoked in self.revoked.items()))


def assign_equal(partitions: Partitions, holdings: Holdings, racks: RackMatch | None) -> EqualShares:
    shares = EqualShares(partitions, holdings)
    if holdings.contested or holdings.beyond:
        _drop_unkeepable(shares.held, holdings.contested, partitions.count)
    for place in range(len(shares.held)):
        shares.keep(place, racks)
    left = _unassigned(partitions, shares.held)
    if racks is not None:
        left = _fill_within_racks(shares, racks.fewest_members_first(left), racks)
    left = _fill_up_to_quota(shares, left)
    for place, each in zip(shares.at_quota, left, strict=False):
        shares.held[place].append(each)
    return shares


def _drop_unkeepable(held: list[list[int]], contested: set[int], count: int) -> None:
    """Takes away what does not exist, and what two members of one generation claim."""
    for mine in held:
        mine[:] = [each for each in mine if each < count and each not in contested]


def _unassigned(partitions: Partitions, held: list[list[int]]) -> list[int]:
    """What nobody kept, by topic and number."""
    everything = list(chain.from_iterable(partitions.ids.values()))
    kept = set(chain.from_iterable(held))
    return [each for each in everything if each not in kept] if kept else everything


def _fill_up_to_quota(shares: EqualShares, left: list[int]) -> list[int]:
    """Deals partitions out in turns to the members below quota; returns those that remain.

    Turns in which nobody reaches the quota, but for the last, are dealt at once.
    """
    held: list[list[int]] = shares.held
    quota, below, dealt = shares.quota, shares.below_quota, 0
    while below and dealt < len(left):
        turns = min(quota - len(held[place]) for place in below)
        end = dealt + turns * len(below)
        hand = left[dealt:end]
        for position, place in enumerate(below):
            held[place] += hand[position :: len(below)]
        dealt = end
        shares.at_quota += [place for place in below if len(held[place]) == quota]
        below = [place for place in below if len(held[place]) < quota]
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
