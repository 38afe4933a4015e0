"""What members claim to own, and whom to believe.

- A claim counts when its topic can be assigned at all, whatever the claimant subscribes to now.
- Of two claims to one partition that of the higher generation counts; of two in the same generation neither does, and the
  partition is *contested*.
- Kafka compares the generation that a later member's assignor reports with the one that the earlier member's subscription
  reports. They only differ when a client is wrong about one of them, and then this decides as Kafka does.
- A claim to a partition beyond its topic's end competes like any other, under an id beyond all real ones.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tidemill.assignors.model import NO_GENERATION, Claims
from tidemill.assignors.sticky_partitions import Partitions

NOBODY = -1


class Claim(NamedTuple):
    """What one member reports."""

    owned: Claims
    generation: int
    subscription_generation: int


class Holdings:
    """Who holds what before anything is assigned; members go by their place in the list of claims."""

    __slots__ = ("beyond", "contested", "held", "newest")

    def __init__(self, held: list[list[int]], contested: set[int], newest: int, beyond: list[str]) -> None:
        self.held = held
        """Each member's partitions, in the order in which it claimed them."""
        self.beyond = beyond
        """The topics of ids beyond the real ones."""
        self.contested = contested
        """Partitions that several members of one generation claim."""
        self.newest = newest
        """The highest generation reported."""


def believe(partitions: Partitions, claims: Sequence[Claim]) -> Holdings:
    """Settles who holds what."""
    ids_of = partitions.ids
    held: list[list[int]] = []
    claimants = [NOBODY] * partitions.count  # who claimed a partition last and was not refused
    beyond: dict[tuple[str, int], int] = {}
    contested: set[int] = set()
    orphans: set[int] = set()
    disputed = False
    newest = NO_GENERATION
    for place, (owned, generation, _) in enumerate(claims):
        mine: list[int] = []
        held.append(mine)
        newest = max(newest, generation)
        for topic, numbers in owned.items():
            ids = ids_of.get(topic)
            if ids is None:
                continue
            end = len(ids)
            for number in numbers:
                each = ids[number] if 0 <= number < end else _beyond_end(beyond, claimants, topic, number)
                rival = claimants[each]
                if rival != NOBODY:
                    disputed = True
                    rival_generation = claims[rival].subscription_generation
                    if generation < rival_generation:
                        continue
                    claimants[each] = place
                    if generation == rival_generation:
                        contested.add(each)
                        orphans.add(each)
                        continue
                    orphans.discard(each)
                claimants[each] = place
                mine.append(each)
    if disputed:
        held = [_what_remains(mine, place, claimants, orphans) for place, mine in enumerate(held)]
    return Holdings(held, contested, newest, [topic for topic, _ in beyond])


def _beyond_end(beyond: dict[tuple[str, int], int], claimants: list[int], topic: str, number: int) -> int:
    """The id of a partition that does not exist."""
    each = beyond.setdefault((topic, number), len(claimants))
    if each == len(claimants):
        claimants.append(NOBODY)
    return each


def _what_remains(mine: list[int], place: int, claimants: list[int], orphans: set[int]) -> list[int]:
    """Without what others won or nobody has; of a partition claimed twice, the later claim."""
    kept = (each for each in reversed(mine) if claimants[each] == place and each not in orphans)
    return list(dict.fromkeys(kept))[::-1]
