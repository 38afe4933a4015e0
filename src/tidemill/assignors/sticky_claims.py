"""What members claim to own, and whom to believe.

- A claim counts when its topic can be assigned at all, whatever the claimant subscribes to now.
- Of two claims to one partition that of the higher generation counts; of two in the same generation neither does, and the
  partition is *contested*.
- Kafka compares the generation that a later member's assignor reports with the one that the earlier member's subscription
  reports. They only differ when a client is wrong about one of them, and then this decides as Kafka does.
- A claim to a partition beyond its topic's end competes like any other, under an id beyond all real ones.

Members go by their place in the order of ids.
"""

from collections.abc import Sequence

from tidemill.assignors.model import NO_GENERATION, Claims
from tidemill.assignors.sticky_partitions import Partitions

NOBODY = -1


class Reports:
    """What the members report, one entry a member."""

    __slots__ = ("generations", "owned", "subscription_generations")

    def __init__(self, *, owned: Sequence[Claims], generations: Sequence[int], subscription_generations: Sequence[int]) -> None:
        self.owned = owned
        self.generations = generations
        """Since when, as their assignors say."""
        self.subscription_generations = subscription_generations
        """… and as their subscriptions say."""


class Holdings:
    """Who holds what before anything is assigned."""

    __slots__ = ("beyond", "contested", "held")

    def __init__(self, held: list[list[int]], contested: set[int], beyond: list[str]) -> None:
        self.held = held
        """Each member's partitions, in the order in which it claimed them."""
        self.contested = contested
        """Partitions that several members of one generation claim."""
        self.beyond = beyond
        """The topics of ids beyond the real ones."""


def believe(partitions: Partitions, reports: Reports) -> Holdings:
    """Settles who holds what."""
    held: list[list[int]] = [[] for _ in reports.owned]
    if not any(reports.owned):
        return Holdings(held, set(), [])
    ids_of: dict[str, list[int]] = partitions.ids
    claimants: list[int] = [NOBODY] * partitions.count  # who claimed a partition last and was not refused
    beyond: dict[tuple[str, int], int] = {}
    dispute = _Dispute(reports, claimants)
    for place, owned in enumerate(reports.owned):
        mine: list[int] = held[place]
        for topic, numbers in owned.items():
            if topic not in ids_of:
                continue
            ids: list[int] = ids_of[topic]
            end = len(ids)
            for number in numbers:
                each = ids[number] if 0 <= number < end else _beyond_end(beyond, claimants, topic, number)
                if claimants[each] == NOBODY:
                    claimants[each] = place
                    mine.append(each)
                elif dispute.is_won_by(place, each):
                    mine.append(each)
    return Holdings(dispute.settle(held), dispute.contested, [topic for topic, _ in beyond])


class _Dispute:
    """Claims to what somebody else, or the same member, has claimed before."""

    __slots__ = ("_arose", "_claimants", "_orphans", "_reports", "contested")

    def __init__(self, reports: Reports, claimants: list[int]) -> None:
        self._reports = reports
        self._claimants = claimants
        self._arose = False
        self._orphans: set[int] = set()
        self.contested: set[int] = set()

    def is_won_by(self, place: int, partition: int) -> bool:
        self._arose = True
        generation = self._reports.generations[place]
        rival = self._reports.subscription_generations[self._claimants[partition]]
        if generation < rival:
            return False
        self._claimants[partition] = place
        if generation == rival:
            self.contested.add(partition)
            self._orphans.add(partition)
            return False
        self._orphans.discard(partition)
        return True

    def settle(self, held: list[list[int]]) -> list[list[int]]:
        """Without what others won or nobody has; of a partition that a member claimed twice, the later claim."""
        if not self._arose:
            return held
        claimants, orphans = self._claimants, self._orphans
        remaining = []
        for place, mine in enumerate(held):
            kept = [each for each in mine[::-1] if claimants[each] == place and each not in orphans]
            remaining.append(list(dict.fromkeys(kept))[::-1])
        return remaining


def _beyond_end(beyond: dict[tuple[str, int], int], claimants: list[int], topic: str, number: int) -> int:
    """The id of a partition that does not exist."""
    each = beyond.setdefault((topic, number), len(claimants))
    if each == len(claimants):
        claimants.append(NOBODY)
    return each


def former_owners(partitions: Partitions, reports: Reports) -> dict[int, int]:
    """Partition → who claims to have owned it in the latest of the generations before the newest."""
    former: dict[int, int] = {}
    generations = reports.generations
    newest = max(NO_GENERATION, *generations)
    for place, owned in enumerate(reports.owned):
        if generations[place] < newest:
            for each in partitions.known(owned):
                rival = former.setdefault(each, place)
                if generations[place] > generations[rival]:
                    former[each] = place
    return former
