"""Evening out what the members of a group with unequal subscriptions have.

- A partition moves when its owner has at least two more than the member it goes to: its *former owner* (of an earlier
  generation), or else the subscriber with the fewest. This is repeated until nothing moves.
- Members that have all they can get, and none of it could go to another, take no part.
- Kafka also sends partitions back to former owners that no longer subscribe to the topic. Where they later move on or are taken
  back, the outcome is sound and is the outcome here; where they would stay, all is done anew without such former owners.
"""

from collections.abc import Mapping, Sequence

from tidemill.assignors.model import Member
from tidemill.assignors.sticky_claims import NOBODY
from tidemill.assignors.sticky_group import Group

MOVES_A_PARTITION = 100
"""A bound on what is not proven to end. Groups made to need many moves took less than two; where it is reached, the outcome is
sound, but not balanced."""

FormerOwners = Mapping[int, int]
"""Partition → the member that had it before."""


class Balancer:
    """Evens out one group."""

    __slots__ = ("_could_have", "former", "group", "members", "moves_left", "strays", "taking_part")

    def __init__(self, group: Group, members: Sequence[Member], former: FormerOwners) -> None:
        self.group = group
        self.members = members
        self._could_have: dict[int, int] = {}
        self.taking_part = {place for place in range(len(members)) if self._takes_part(place)}
        self.former = {each: place for each, place in former.items() if place in self.taking_part}
        self.strays = any(not group.subscribes(place, each) for each, place in self.former.items())
        """Whether some former owner does not subscribe any more."""
        self.moves_left = MOVES_A_PARTITION * group.partitions.count

    def run(self, rounds: Sequence[Sequence[int]], *, undo: bool) -> list[list[int]]:
        """What members hold in the end. `undo`: unless it is more even, what they held in the beginning."""
        before = [list(mine) for mine in self.group.held]
        after = self._even_out(rounds, before, undo)
        if self.strays and not self._is_sound(after):
            self.group.restore(before)
            self.former = {each: place for each, place in self.former.items() if self.group.subscribes(place, each)}
            self.strays = False
            self.moves_left = MOVES_A_PARTITION * self.group.partitions.count
            after = self._even_out(rounds, before, undo)
        return after

    def _even_out(self, rounds: Sequence[Sequence[int]], before: list[list[int]], undo: bool) -> list[list[int]]:
        moved = False
        for candidates in rounds:
            while self._pass_over(candidates):
                moved = True
        return before if undo and moved and self._imbalance(self.group.held) >= self._imbalance(before) else self.group.held

    def _pass_over(self, candidates: Sequence[int]) -> bool:
        """Moves what should move; whether anything did."""
        group, former = self.group, self.former
        owners, loads, topics = group.owners, group.loads, group.partitions.topics
        moved = False
        balanced = self.strays and self._is_balanced()
        for each in candidates:
            if balanced or not self.moves_left:
                break
            size = loads.of[owners[each]]
            place = former.get(each, NOBODY)
            if place == NOBODY or size < loads.of[place] + 2:
                place = loads.least(group.subscribers[topics[each]])
                if size < loads.of[place] + 2:
                    continue
            group.move(each, place)
            self.moves_left -= 1
            moved = True
            balanced = self.strays and self._is_balanced()
        return moved

    def _takes_part(self, place: int) -> bool:
        group, mine = self.group, self.group.held[place]
        return any(group.partitions.topics[each] in group.shared for each in mine) or len(mine) < self._most(place)

    def _most(self, place: int) -> int:
        """How many partitions the member could have."""
        if place not in self._could_have:
            ids = self.group.partitions.ids
            self._could_have[place] = sum(len(ids[topic]) for topic in self.members[place].topics if topic in ids)
        return self._could_have[place]

    def _is_balanced(self) -> bool:
        """Whether no member that could have more could get a partition from one that has at least two more.

        Without stray former owners nothing moves then anyway; with them Kafka stops here.
        """
        group, sizes = self.group, self.group.loads.of
        wanting = 0
        for place in self.taking_part:
            if sizes[place] != self._most(place):
                wanting |= 1 << place
        for topic, ids in group.partitions.ids.items():
            place = group.loads.least(group.subscribers[topic] & wanting)
            if place != NOBODY and any(sizes[group.owners[each]] > sizes[place] + 1 for each in ids):
                return False
        return True

    def _is_sound(self, held: Sequence[Sequence[int]]) -> bool:
        return all(self.group.subscribes(place, each) for place, mine in enumerate(held) for each in mine)

    def _imbalance(self, held: Sequence[Sequence[int]]) -> int:
        """The differences between the sizes of all pairs of members, summed up."""
        sizes = sorted(len(held[place]) for place in self.taking_part)
        return sum(size * (2 * index - len(sizes) + 1) for index, size in enumerate(sizes))
