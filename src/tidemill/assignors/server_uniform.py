"""The broker's uniform strategy (KIP-848): members have as many partitions as each other, and keep what they can.

Where all members subscribe to the same topics, a count says at once how many partitions each may have. Where subscriptions differ,
partitions that nobody has are dealt to those who have least, then topic by topic those who have most give to those who have least,
until nothing moves (or for sixteen rounds: a better balance may exist that no single move leads to).

Who gives and who gets depends, in Kafka, on the order in which its hash tables are read. It is followed, so the outcome is a broker's.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from tidemill._java import buckets_copied, buckets_grown, hash_order
from tidemill.assignors.membership import in_coordinators_order, is_homogeneous, subscribers_of, topic_id_hash, topic_id_order
from tidemill.assignors.model import Assignment, Cluster, Member

MAX_ROUNDS = 16
NOBODY = -1

Claims = list[dict[str, list[int]]]
"""Member → topic → its partitions."""


def assign(cluster: Cluster, members: list[Member]) -> Assignment:
    if not members:
        return {}
    ordered = in_coordinators_order(members)
    subscribers = subscribers_of(ordered)
    topics = {topic: cluster.topics[topic] for topic in _in_set_of_ids(subscribers) if cluster.topics.get(topic, 0)}
    claims = _sound_claims(topics, ordered)
    if is_homogeneous(ordered, subscribers):
        shares = _share_equally(topics, claims)
    else:
        shares = _Balancing(topics, subscribers, claims).outcome()
    of_member = {member.id: share for member, share in zip(ordered, shares, strict=True)}
    return {member.id: of_member[member.id] for member in members}


def _in_set_of_ids(topics: Collection[str]) -> list[str]:
    return hash_order(topics, buckets_copied(len(topics)), topic_id_hash)


def _sound_claims(topics: Mapping[str, int], members: Sequence[Member]) -> Claims:
    """What each member was assigned before and may keep: of topics it still asks for, and not claimed by another before it."""
    free = {topic: bytearray(b"\x01") * count for topic, count in topics.items()}
    claims: Claims = []
    wanted: frozenset[str] = frozenset()
    wanted_of: Sequence[str] = ()
    for member in members:
        kept: dict[str, list[int]] = {}
        if member.assigned:
            if member.topics is not wanted_of:
                wanted, wanted_of = frozenset(member.topics), member.topics
            mine = [topic for topic in member.assigned if topic in wanted and topic in topics]
            for topic in hash_order(mine, buckets_grown(len(member.assigned)), topic_id_hash):
                of_topic = free[topic]
                sound = [each for each in sorted(set(member.assigned[topic])) if 0 <= each < len(of_topic) and of_topic[each]]
                for partition in sound:
                    of_topic[partition] = 0
                if sound:
                    kept[topic] = sound
        claims.append(kept)
    return claims


def _share_equally(topics: Mapping[str, int], claims: Claims) -> Claims:
    """The way for equal subscriptions: by count."""
    least, longer = divmod(sum(topics.values()), len(claims))
    shares: Claims = []
    given_up: list[tuple[str, list[int]]] = []
    wanting: list[tuple[int, int]] = []
    for position, claimed in enumerate(claims):
        room = least + (longer > 0)
        share: dict[str, list[int]] = {}
        for topic, partitions in claimed.items():
            ordered = hash_order(partitions, buckets_copied(len(partitions)), int) if len(partitions) > room else partitions
            kept, rest = sorted(ordered[:room]), ordered[room:]
            if kept:
                share[topic] = kept
                room -= len(kept)
            if rest:
                given_up.append((topic, rest))
        shares.append(share)
        # Whoever has room left leaves its extra partition to later members, as long as enough of them follow: they may have one to keep.
        may_have_more = longer > 0
        if room and may_have_more and len(claims) - position > longer:
            room -= 1
            may_have_more = False
        longer -= may_have_more
        if room:
            wanting.append((position, room))
    _deal([*_unowned(topics, claims), *given_up], wanting, shares)
    return shares


def _unowned(topics: Mapping[str, int], claims: Claims) -> Iterator[tuple[str, list[int]]]:
    """Topic → its partitions that nobody claims."""
    owned: dict[str, set[int]] = {topic: set() for topic in topics}
    for claimed in claims:
        for topic, partitions in claimed.items():
            owned[topic].update(partitions)
    for topic, count in topics.items():
        partitions = [each for each in range(count) if each not in owned[topic]] if owned[topic] else list(range(count))
        if partitions:
            yield topic, partitions


def _deal(stretches: list[tuple[str, list[int]]], wanting: list[tuple[int, int]], shares: Claims) -> None:
    """Deals the stretches out, from the first partition to the last, to members that have room for so many."""
    supply = iter(stretches)
    topic, partitions = "", list[int]()
    start = 0
    for position, room in wanting:
        share = shares[position]
        while room:
            if start == len(partitions):
                topic, partitions = next(supply, ("", []))
                start = 0
                if not partitions:
                    return
            taken = partitions[start : start + room]
            start += len(taken)
            room -= len(taken)
            share[topic] = sorted(share.get(topic, []) + taken)


class _Balancing:
    """A group whose subscriptions differ, on its way to balance."""

    __slots__ = ("_owners", "_sizes", "_subscribers", "_topics")

    def __init__(self, topics: Mapping[str, int], subscribers: Mapping[str, Sequence[int]], claims: Claims) -> None:
        def fullest_first(topic: str) -> tuple[float, int, tuple[int, int, str]]:
            return -topics[topic] / len(subscribers[topic]), len(subscribers[topic]), topic_id_order(topic)

        self._topics = sorted(topics, key=fullest_first)
        self._subscribers = subscribers
        self._sizes = [0] * len(claims)
        self._owners = {topic: [NOBODY] * count for topic, count in topics.items()}
        for position, claimed in enumerate(claims):
            for topic, partitions in claimed.items():
                self._sizes[position] += len(partitions)
                for partition in partitions:
                    self._owners[topic][partition] = position

    def outcome(self) -> Claims:
        for topic in self._topics:
            self._give_unowned(topic)
        self._balance([topic for topic in self._topics if len(self._subscribers[topic]) > 1])
        shares: Claims = [{} for _ in self._sizes]
        for topic, owners in self._owners.items():
            for partition, owner in enumerate(owners):
                shares[owner].setdefault(topic, []).append(partition)
        return shares

    def _give_unowned(self, topic: str) -> None:
        owners = self._owners[topic]
        if NOBODY in owners:
            ladder = _Ladder(self._subscribers[topic], self._sizes)
            for partition, owner in enumerate(owners):
                if owner == NOBODY:
                    self._give(topic, partition, ladder.next_least_loaded())

    def _give(self, topic: str, partition: int, position: int) -> None:
        before = self._owners[topic][partition]
        if before != NOBODY:
            self._sizes[before] -= 1
        self._owners[topic][partition] = position
        self._sizes[position] += 1

    def _balance(self, topics: list[str]) -> None:
        """Topic after topic, until a whole round from one to itself moved nothing."""
        last_moved = topics[0] if topics else ""
        for number in range(MAX_ROUNDS):
            for index, topic in enumerate(topics):
                if topic == last_moved and (number, index) != (0, 0):
                    return
                if self._balance_topic(topic):
                    last_moved = topic

    def _balance_topic(self, topic: str) -> bool:
        """Moves the topic's partitions from those who have most to those who have least; whether any moved."""
        loads = [self._sizes[position] for position in self._subscribers[topic]]
        if max(loads) - min(loads) <= 1:
            return False
        moved = False
        owned: dict[int, list[int]] = {}
        for partition, owner in enumerate(self._owners[topic]):
            owned.setdefault(owner, []).append(partition)
        ladder = _Ladder(self._subscribers[topic], self._sizes)
        while not ladder.is_balanced():
            giver = ladder.next_most_loaded()
            while giver is not None and not owned.get(giver):
                ladder.exclude_most_loaded()
                giver = ladder.next_most_loaded()
            if giver is None:
                break
            taker = ladder.next_least_loaded()
            if ladder.is_balanced():
                break
            self._give(topic, owned[giver].pop(), taker)
            moved = True
        return moved


class _Ladder:
    """A topic's subscribers by how many partitions they have, from both ends.

    From below they are asked for in rounds: all on the lowest rung, each of whom gets one and so climbs; with them those of the next
    rung; and so on. From above likewise, downwards, those last in a rung first.
    """

    __slots__ = ("_above", "_below", "_highest", "_lowest", "_next_above", "_next_below", "_rungs", "_unvisited")

    def __init__(self, positions: Sequence[int], sizes: Sequence[int]) -> None:
        self._rungs: dict[int, list[int]] = {}
        for position in positions:
            self._rungs.setdefault(sizes[position], []).append(position)
        self._unvisited = sorted(self._rungs)  # rungs that the way down has not come to
        self._lowest = self._unvisited[0] - 1
        self._highest = self._unvisited[-1] + 1
        self._below: list[int] = []
        self._above: list[int] = []
        self._next_below = 0
        self._next_above = -1

    def is_balanced(self) -> bool:
        return self._highest - self._lowest <= 1

    def next_least_loaded(self) -> int:
        if self._next_below >= len(self._below):
            self._lowest += 1
            self._below += self._rungs.get(self._lowest, ())
            self._next_below = 0
        self._next_below += 1
        return self._below[self._next_below - 1]

    def next_most_loaded(self) -> int | None:
        """`None` when all have been excluded."""
        if self._next_above < 0:
            if self._above or not self._unvisited:
                self._highest -= 1
            else:
                self._highest = self._unvisited[-1]
            if self._unvisited and self._unvisited[-1] == self._highest:
                self._above = self._rungs[self._unvisited.pop()] + self._above
            self._next_above = len(self._above) - 1
        if self._next_above < 0:
            return None
        self._next_above -= 1
        return self._above[self._next_above + 1]

    def exclude_most_loaded(self) -> None:
        """Asks no more for the one just returned, who has nothing to give. The last one takes its place."""
        last = self._above.pop()
        if self._next_above + 1 < len(self._above):
            self._above[self._next_above + 1] = last
