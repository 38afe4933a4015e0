"""Which partition a record goes to, and which partition of an internal topic a group belongs to.

A record that names its partition goes there; else one with a key goes where the key's hash says, so that equal keys stay
together; records without a key are spread by one of three strategies.

    >>> from tidemill.partitioners import partition_for_group, partition_for_key
    >>> partition_for_key(b"customer-42", 6)
    3
    >>> partition_for_group("my-group", 50)
    12

Both are those of Apache Kafka, so every client agrees on them. **Keys move when partitions are added**: the hash is taken modulo
their number. Who relies on the order of a key's records gives a topic enough partitions from the start.

A strategy for records without key is an object for each topic, with one small interface: `partition` is where the next record goes,
`appended` says that one went there, `update` and `update_load` tell what became of the cluster. Chance is an argument: `random`
gives a number from 0 to 2³¹ − 1 each time it is called (`random.Random().getrandbits` of 31 bits is one).
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import accumulate
from typing import NamedTuple, Protocol

from tidemill._hashes import java_hash, murmur2, partition_for_key

__all__ = [
    "CustomPartitioner",
    "KeylessPartitioner",
    "KeylessStrategy",
    "RandomNumbers",
    "RoundRobinPartitioner",
    "Routing",
    "StickyPartitioner",
    "java_hash",
    "murmur2",
    "partition_for_group",
    "partition_for_key",
    "resolve",
]

CustomPartitioner = Callable[[str, bytes | None, int], int]
"""A user's own: (topic, key, number of partitions) → partition. It decides for records with and without key."""

RandomNumbers = Callable[[], int]

DEFAULT_BATCH_SIZE = 16_384
_POSITIVE = 0x7FFFFFFF
_SMALLEST_INT = -0x80000000


def partition_for_group(group_id: str, partitions: int) -> int:
    """The partition of `__consumer_offsets` that keeps a group: its leader is the group's coordinator.

    Likewise for a transactional id in `__transaction_state`, and for `group:topic_id:partition` in `__share_group_state`.
    """
    if partitions < 1:
        raise ValueError(f"an internal topic has at least one partition, not {partitions}")
    # Java's absolute value of its smallest int is negative: Kafka takes 0 for it. It doesn't clear the sign bit, as for keys.
    hashed = java_hash(group_id)
    return 0 if hashed == _SMALLEST_INT else abs(hashed) % partitions


class KeylessStrategy(Protocol):
    """What a producer asks of a strategy, for one topic."""

    @property
    def partition(self) -> int:
        """Where the next record goes."""

    def appended(self, bytes: int, enable_switch: bool = True) -> bool:
        """So many bytes went there; whether `partition` may have changed. `enable_switch`: the batch there is ready to be sent."""

    def update(self, partitions: int, leaderless: Iterable[int] = ()) -> None:
        """The topic's metadata changed."""

    def update_load(self, queue_sizes: Sequence[int] | None, partition_ids: Sequence[int] = (), length: int | None = None) -> None:
        """How many batches wait for each partition's leader."""


class KeylessPartitioner:
    """Sticky and adaptive, as Java's default (KIP-794): it stays at one partition until a batch's worth of bytes went there.

    The next partition is chosen evenly among those that have a leader; or, while `update_load` says how many batches wait for each,
    the likelier the fewer wait there. Without load it is Java's plain sticky partitioner.

        >>> partitioner = KeylessPartitioner(3, sticky_batch_size=100, random=iter([4, 2]).__next__)
        >>> partitioner.partition, partitioner.appended(60), partitioner.appended(60), partitioner.partition
        (1, False, True, 2)
    """

    __slots__ = ("_available", "_cumulative", "_ids", "_limit", "_partition", "_partitions", "_produced", "_random", "_switch_at")

    def __init__(
        self,
        partitions: int,
        *,
        leaderless: Iterable[int] = (),
        queue_sizes: Sequence[int] | None = None,
        partition_ids: Sequence[int] = (),
        length: int | None = None,
        sticky_batch_size: int = DEFAULT_BATCH_SIZE,
        first_number: int | None = None,
        random: RandomNumbers | None = None,
    ) -> None:
        """`first_number` makes the first choice in place of a number from `random`."""
        if sticky_batch_size < 1:
            raise ValueError(f"sticky_batch_size must be at least 1, not {sticky_batch_size}")
        self._switch_at = sticky_batch_size
        self._limit = 2 * sticky_batch_size
        self._random = random
        self._produced = 0
        self.update(partitions, leaderless)
        self.update_load(queue_sizes, partition_ids, length)
        # The first choice waits for the first record: by then more may be known.
        self._partition: int | None = None if first_number is None else self.pick(first_number)

    @property
    def partition(self) -> int:
        """Where the next record goes."""
        if self._partition is None:
            self._partition = self.pick(self._number())
        return self._partition

    def appended(self, bytes: int, enable_switch: bool = True, number: int | None = None) -> bool:
        """So many bytes went to `partition`; true if that has changed now, by `number` or one from `random`.

        `enable_switch` is false while the batch there is not ready to be sent: to leave it then would send it half full. Twice the
        batch size is where that ends.
        """
        self._produced += bytes
        if self._produced < self._switch_at or not (enable_switch or self._produced >= self._limit):
            return False
        self._partition = self.pick(self._number() if number is None else number)
        self._produced = 0
        return True

    def pick(self, number: int) -> int:
        """The partition that a random number chooses."""
        if self._cumulative is None:
            return self._available[number % len(self._available)]
        return self._ids[bisect_right(self._cumulative, number % self._cumulative[-1])]

    def update(self, partitions: int, leaderless: Iterable[int] = ()) -> None:
        """The topic has so many partitions, these of them without a leader. `partition` stays until it has had its bytes."""
        self._partitions = partitions
        self._available = _available(partitions, leaderless)

    def update_load(self, queue_sizes: Sequence[int] | None, partition_ids: Sequence[int] = (), length: int | None = None) -> None:
        """How many batches wait for each of `partition_ids`, of which the first `length` (all) may be chosen.

        Partitions without leader are not among them; those whose leader is slow to answer stand behind `length`. `None`: not known.
        """
        self._ids = partition_ids
        self._cumulative: list[int] | None = None
        if queue_sizes is None:
            return
        length = len(queue_sizes) if length is None else length
        if len(queue_sizes) != len(partition_ids) or not 0 <= length <= len(queue_sizes):
            raise ValueError(f"{len(queue_sizes)} queue_sizes, {len(partition_ids)} partition_ids, length {length}: they don't match")
        sizes = queue_sizes[:length]
        if length < 1 or len(queue_sizes) < 2 or (length == len(queue_sizes) and len(set(sizes)) == 1):
            return  # nothing to choose by
        most = max(sizes) + 1
        self._cumulative = list(accumulate(most - size for size in sizes))

    @property
    def range_end(self) -> int | None:
        """The sum of all weights, of which random numbers are taken modulo; `None` while load does not matter."""
        return None if self._cumulative is None else self._cumulative[-1]

    def _number(self) -> int:
        if self._random is None:
            raise ValueError("a choice is due but there is no chance to decide it: give KeylessPartitioner random=")
        return self._random()


class RoundRobinPartitioner:
    """One record to each partition in turn, from a random start; those without a leader are left out while any other has one.

    It has no use for `sticky_batch_size`, and takes it so that every strategy is made alike.

    >>> partitioner = RoundRobinPartitioner(3, leaderless=[1], random=lambda: 2)
    >>> [(partitioner.partition, partitioner.appended(100))[0] for _ in range(4)]
    [0, 2, 0, 2]
    """

    __slots__ = ("_available", "_counter", "partition")

    def __init__(
        self, partitions: int, *, leaderless: Iterable[int] = (), sticky_batch_size: int = DEFAULT_BATCH_SIZE, random: RandomNumbers
    ) -> None:
        # Kafka's counter is a 32-bit int of which the sign bit is cleared: a counter of 31 bits that begins anew.
        self._counter = random() & _POSITIVE
        self.update(partitions, leaderless)

    def appended(self, bytes: int, enable_switch: bool = True) -> bool:
        self._counter = counter = (self._counter + 1) & _POSITIVE
        self.partition = self._available[counter % len(self._available)]
        return True

    def update(self, partitions: int, leaderless: Iterable[int] = ()) -> None:
        self._available = _available(partitions, leaderless)
        self.partition = self._available[self._counter % len(self._available)]

    def update_load(self, queue_sizes: Sequence[int] | None, partition_ids: Sequence[int] = (), length: int | None = None) -> None:
        """It deals alike to all, whatever their load."""


class StickyPartitioner(KeylessPartitioner):
    """Sticky, and every next partition chosen evenly."""

    __slots__ = ()

    def update_load(self, queue_sizes: Sequence[int] | None, partition_ids: Sequence[int] = (), length: int | None = None) -> None:
        """It chooses evenly, whatever the load."""
        super().update_load(None)


def _available(partitions: int, leaderless: Iterable[int]) -> Sequence[int]:
    """The partitions that have a leader, in order; all where none has."""
    if partitions < 1:
        raise ValueError(f"a topic has at least one partition, not {partitions}")
    without = frozenset(leaderless)
    return [each for each in range(partitions) if each not in without] or range(partitions)


class StrategyFactory(Protocol):
    """Makes the keyless strategy of one topic."""

    def __call__(
        self, partitions: int, *, leaderless: Iterable[int] = (), sticky_batch_size: int = DEFAULT_BATCH_SIZE, random: RandomNumbers
    ) -> KeylessStrategy: ...


class Routing(NamedTuple):
    """How a producer routes the records that name no partition."""

    custom: CustomPartitioner | None
    """Decides for all of them; what it answers is checked. `None`: keys by their hash, and those without by `keyless`."""
    keyless: StrategyFactory


STRATEGIES: dict[str, StrategyFactory] = {
    "adaptive": KeylessPartitioner,
    "sticky": StickyPartitioner,
    "round_robin": RoundRobinPartitioner,
}


def resolve(partitioner: object = "adaptive") -> Routing:
    """The routing meant by a producer's setting: the name of a strategy, a callable, or an object with such a method `partition`.

    >>> resolve("sticky").keyless.__name__
    'StickyPartitioner'
    >>> resolve(lambda topic, key, partitions: partitions - 1).custom("orders", b"42", 3)
    2
    """
    if isinstance(partitioner, str):
        if partitioner in STRATEGIES:
            return Routing(None, STRATEGIES[partitioner])
        nearest = get_close_matches(partitioner.lower().replace("-", "_"), STRATEGIES, 1, 0.5)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"choose one of {', '.join(STRATEGIES)}, or give a callable"
        raise ValueError(f"there is no partitioner {partitioner!r}: {hint}")
    choose = partitioner if callable(partitioner) else getattr(partitioner, "partition", None)
    if not callable(choose):
        names = ", ".join(STRATEGIES)
        raise TypeError(f"a partitioner is one of {names}, or a callable (topic, key, partitions) -> int, not {type(partitioner).__name__}")
    return Routing(_checked(choose), KeylessPartitioner)


def _checked(choose: Callable[..., object]) -> CustomPartitioner:
    def partition(topic: str, key: bytes | None, partitions: int) -> int:
        chosen = choose(topic, key, partitions)
        if isinstance(chosen, int) and 0 <= chosen < partitions:
            return chosen
        name = getattr(choose, "__qualname__", type(choose).__name__)
        raise ValueError(f"partitioner {name} chose {chosen!r} for topic {topic!r}, which has partitions 0 to {partitions - 1}")

    return partition
