"""Which brokers get the replicas of a new topic's partitions, the leader's first.

    >>> from tidemill.placement import place
    >>> place(kind="plain", brokers=[1, 2, 3], partitions=4, replication_factor=2)
    [[1, 2], [2, 3], [3, 1], [1, 2]]

*Striped* is Kafka's own placement and the default. Its rules, the first the strongest: a partition has no two replicas on one broker
and its leader is not fenced; racks share the replicas evenly, then brokers do; fenced brokers come last. So that topics don't all
begin at the first broker, it starts at random: racks are gone through in a circle, and within each its brokers are.

*Plain* is the textbook's rule: replica *j* of partition *i* on broker (*i* + *j*) mod *n*, of the brokers sorted that aren't fenced.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from tidemill._hashes import java_hash
from tidemill._java import JavaRandom, buckets_grown, hash_order
from tidemill.errors import InvalidPartitions, InvalidReplicationFactor

__all__ = ["Broker", "JavaRandom", "StripedReplicaPlacer", "place", "place_plain"]

Replicas = list[list[int]]
"""Partition → its brokers, the leader's first."""


class Broker(NamedTuple):
    """A broker that may be given replicas."""

    id: int
    rack: str | None = None
    fenced: bool = False


def place(
    *,
    brokers: Iterable[int | Broker | Mapping[str, Any]],
    replication_factor: int,
    kind: str = "striped",
    partitions: int | None = None,
    start_partition: int = 0,
    random_seed: int | None = None,
    calls: Sequence[Mapping[str, int]] | None = None,
) -> list[Any]:
    """The replicas of each partition; with `calls`, a list of that for each, made one after another on the same placer.

    - `brokers`: ids, or mappings of `id`, `rack`, `fenced`.
    - `random_seed`: of the striped placement's start.
    - `calls`: mappings of `partitions` and `start_partition`. The latter, where a topic grows, moves only the plain rule.

        >>> brokers = [{"id": 0, "rack": "a"}, {"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}]
        >>> place(brokers=brokers, partitions=2, replication_factor=2, random_seed=1)
        [[1, 2], [2, 0]]
    """
    if (partitions is None) == (calls is None):
        raise TypeError("give either partitions or calls: how many partitions are to be placed?")
    usable = [_broker(each) for each in brokers]
    _refuse_duplicates(usable)
    rule = _rule(kind, random_seed)

    def one(partitions: int, start_partition: int = 0) -> Replicas:
        if partitions < 0:
            raise InvalidPartitions(f"{partitions} partitions cannot be placed: give 1 or more")
        return rule(usable, partitions, replication_factor, start_partition)

    if calls is None:
        assert partitions is not None
        return one(partitions, start_partition)
    if not all("partitions" in call for call in calls):
        raise TypeError("each of calls has to say how many partitions are to be placed")
    return [one(call["partitions"], call.get("start_partition", 0)) for call in calls]


def _rule(kind: str, random_seed: int | None) -> Callable[[Iterable[Broker], int, int, int], Replicas]:
    if kind == "plain":
        return place_plain
    if kind != "striped":
        raise ValueError(f"there is no placement {kind!r}: choose striped or plain")
    if random_seed is None:
        raise TypeError("the striped placement starts at random: give random_seed")
    return StripedReplicaPlacer(JavaRandom(random_seed)).place


def place_plain(brokers: Iterable[Broker], partitions: int, replication_factor: int, start_partition: int = 0) -> Replicas:
    """Replica *j* of partition *i* on broker (*i* + *j*) mod *n*."""
    ids = sorted(broker.id for broker in brokers if not broker.fenced)
    _check_replication_factor(replication_factor, len(ids), len(ids))
    circle = ids * 2
    starts = (partition % len(ids) for partition in range(start_partition, start_partition + partitions))
    return [circle[start : start + replication_factor] for start in starts]


class StripedReplicaPlacer:
    """Kafka's placement. Each call begins at a place of its own, by numbers from `random`."""

    __slots__ = ("_random",)

    def __init__(self, random: JavaRandom) -> None:
        self._random = random

    def place(self, brokers: Iterable[Broker], partitions: int, replication_factor: int, start_partition: int = 0) -> Replicas:
        """`start_partition` plays no part, nor do the replicas that a growing topic has: as in Kafka."""
        racks = _Racks(list(brokers), self._random)
        _check_replication_factor(replication_factor, racks.brokers, racks.unfenced)
        return [racks.next_partition(replication_factor) for _ in range(partitions)]


class _Circle:
    """Brokers gone through once for each partition, each time from the next one on."""

    __slots__ = ("_at", "_offset", "_partition", "ids")

    def __init__(self) -> None:
        self.ids: list[int] = []
        self._offset = 0
        self._at = 0
        self._partition = 0

    def start(self, random: JavaRandom) -> None:
        if self.ids:
            self.ids.sort()
            self._offset = random.next_int(len(self.ids))

    def next(self, partition: int) -> int | None:
        """The next broker for this partition (its number since the last shuffle); `None` when all have had their turn."""
        size = len(self.ids)
        if size and self._partition != partition:
            self._partition = partition
            self._at = 0
            self._offset = (self._offset + 1) % size
        if self._at >= size:
            return None
        self._at += 1
        return self.ids[(self._at - 1 + self._offset) % size]


class _Rack:
    __slots__ = ("fenced", "unfenced")

    def __init__(self) -> None:
        self.fenced = _Circle()
        self.unfenced = _Circle()

    def next(self, partition: int) -> int | None:
        broker = self.unfenced.next(partition)
        return self.fenced.next(partition) if broker is None else broker


class _Racks:
    """The racks of a cluster, gone through in a circle."""

    __slots__ = ("_circle", "_offset", "_partition", "_random", "_shuffled", "brokers", "unfenced")

    def __init__(self, brokers: list[Broker], random: JavaRandom) -> None:
        racks: dict[str | None, _Rack] = {}
        for broker in brokers:
            rack = racks.setdefault(broker.rack, _Rack())
            (rack.fenced if broker.fenced else rack.unfenced).ids.append(broker.id)
        # Which rack draws which number hangs, in Kafka, on the order of a hash table.
        order = hash_order(racks, buckets_grown(len(racks)), lambda name: 0 if name is None else java_hash(name))
        self._shuffled = [racks[name] for name in order]
        for rack in self._shuffled:
            rack.fenced.start(random)
            rack.unfenced.start(random)
        names = sorted(racks, key=_rack_key)
        self._circle = [racks[name] for name in names]
        self._offset = random.next_int(len(names)) if names else 0
        self._random = random
        self._partition = 0
        self.brokers = len(brokers)
        self.unfenced = sum(not broker.fenced for broker in brokers)

    def next_partition(self, replication_factor: int) -> list[int]:
        # As many partitions as there are leaders have been placed: what follows would be the same again.
        if self._partition == self.unfenced > 1:
            self._shuffle()
        racks, partition = len(self._circle), self._partition
        at = self._offset
        while (leader := self._circle[at].unfenced.next(partition)) is None:
            at = (at + 1) % racks
        replicas = [leader]
        leaders_rack: int | None = at
        at = self._offset
        while len(replicas) < replication_factor:
            if at == leaders_rack:
                leaders_rack = None  # once round without it: it has given a replica already
            elif (broker := self._circle[at].next(partition)) is not None:
                replicas.append(broker)
            at = (at + 1) % racks
        self._partition += 1
        self._offset = (self._offset + 1) % racks
        return replicas

    def _shuffle(self) -> None:
        self._random.shuffle(self._circle)
        for rack in self._shuffled:
            self._random.shuffle(rack.fenced.ids)
            self._random.shuffle(rack.unfenced.ids)
        self._partition = 0


def _rack_key(name: str | None) -> tuple[bool, bytes]:
    """Brokers without a rack first; Java compares strings by UTF-16 unit."""
    return (False, b"") if name is None else (True, name.encode("utf-16-be", "surrogatepass"))


def _check_replication_factor(replication_factor: int, brokers: int, unfenced: int) -> None:
    if replication_factor < 1:
        raise InvalidReplicationFactor(f"replication factor {replication_factor} is not positive: a partition has at least 1 replica")
    if unfenced == 0:
        raise InvalidReplicationFactor("no replica can be placed: there is no broker, or all are fenced")
    if replication_factor > brokers:
        raise InvalidReplicationFactor(
            f"replication factor {replication_factor} cannot be reached with {brokers} broker(s): lower it or start more"
        )


def _broker(given: int | Broker | Mapping[str, Any]) -> Broker:
    if isinstance(given, Mapping):
        broker = Broker(given.get("id"), given.get("rack"), bool(given.get("fenced", False)))  # type: ignore[arg-type]  # checked below
    else:
        broker = given if isinstance(given, Broker) else Broker(given)
    if type(broker.id) is not int:
        raise TypeError(f"a broker is given by its id, an integer, or by a mapping with id, rack and fenced, not {given!r}")
    if broker.rack is not None and type(broker.rack) is not str:
        raise TypeError(f"broker {broker.id}: rack must be a string or None, not {broker.rack!r}")
    return broker


def _refuse_duplicates(brokers: list[Broker]) -> None:
    ids = sorted(broker.id for broker in brokers)
    twice = [one for one, other in pairwise(ids) if one == other]
    if twice:
        raise ValueError(f"two brokers have the id {twice[0]}: ids must differ")
