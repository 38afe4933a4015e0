"""R2, R14: keys and groups go where Kafka's hash sends them; records without key are spread as Kafka spreads them."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.partitioners import (
    KeylessPartitioner,
    KeylessStrategy,
    RoundRobinPartitioner,
    StickyPartitioner,
    java_hash,
    murmur2,
    partition_for_group,
    partition_for_key,
    resolve,
)


def of_kind(file: str, *kinds: str) -> list[dict[str, Any]]:
    return [line for line in lines(file) if line["kind"] in kinds]


def numbers(seed: int = 431) -> partial[int]:
    return partial(random.Random(seed).getrandbits, 31)


def deal(strategy: KeylessStrategy, records: int, size: int = 1) -> Iterator[int]:
    """Where each of so many records goes."""
    for _ in range(records):
        yield strategy.partition
        strategy.appended(size)


# Keys and groups


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_keys_hash_as_in_kafka(kind: type[Any]) -> None:
    """R2: a key routes by `positive(murmur2(key)) % partitions`, equal to the Java client's."""
    for line in of_kind("hashes.jsonl", "murmur2"):
        key = kind(bytes.fromhex(line["bytes"]))
        assert murmur2(key) == line["murmur2"]
        assert {count: partition_for_key(key, int(count)) for count in line["partition"]} == line["partition"]


def test_groups_hash_as_in_kafka() -> None:
    """R14: Java's string hash over UTF-16 units, its absolute value, and 0 for the smallest int."""
    for line in of_kind("hashes.jsonl", "coordinator", "share_coordinator"):
        assert java_hash(line["string"]) == line["hash"]
        assert {count: partition_for_group(line["string"], int(count)) for count in line["partition"]} == line["partition"]


def test_the_group_hash_is_not_masked() -> None:
    """R14: confirmed on a running broker."""
    assert java_hash("my-group") == -1_906_497_762
    assert partition_for_group("my-group", 50) == 12


def test_the_smallest_hash_has_no_absolute_value() -> None:
    """R14: Java's `abs` of it would be negative."""
    assert java_hash("polygenelubricants") == -(2**31)
    assert [partition_for_group("polygenelubricants", count) for count in (1, 3, 50)] == [0, 0, 0]


def test_a_lone_surrogate_is_hashed_as_the_unit_it_is() -> None:
    assert java_hash("\ud800") == 0xD800
    assert java_hash("😀") == 31 * 0xD83D + 0xDE00


@given(st.binary(max_size=40), st.integers(1, 2**31 - 1))
def test_a_key_has_one_partition_and_it_exists(key: bytes, partitions: int) -> None:
    assert 0 <= partition_for_key(key, partitions) < partitions
    assert partition_for_key(key, partitions) == (murmur2(key) & 0x7FFFFFFF) % partitions
    assert -(2**31) <= murmur2(key) < 2**31


@given(st.text(st.characters(), max_size=20))
def test_the_string_hash_is_the_sum_that_java_documents(text: str) -> None:
    units = text.encode("utf-16-be", "surrogatepass")
    total = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        total = total * 31 + high * 256 + low
    assert (java_hash(text) - total) % 2**32 == 0
    assert -(2**31) <= java_hash(text) < 2**31


def test_keys_move_when_partitions_are_added() -> None:
    """R2: with one partition more than ten, ten of eleven keys are elsewhere; with twice as many, half of them."""
    keys = [b"customer-%d" % number for number in range(4_000)]
    before = [partition_for_key(key, 10) for key in keys]
    assert before == [partition_for_key(key, 10) for key in keys]

    def moved(partitions: int) -> float:
        return sum(partition_for_key(key, partitions) != old for key, old in zip(keys, before, strict=True)) / len(keys)

    assert moved(11) == pytest.approx(10 / 11, abs=0.03)
    assert moved(20) == pytest.approx(1 / 2, abs=0.03)


@pytest.mark.parametrize("partitions", [0, -1])
def test_no_partitions_is_refused(partitions: int) -> None:
    with pytest.raises(ValueError, match="at least one partition"):
        partition_for_key(b"key", partitions)
    with pytest.raises(ValueError, match="at least one partition"):
        partition_for_group("group", partitions)
    with pytest.raises(ValueError, match="at least one partition"):
        KeylessPartitioner(partitions)


@pytest.mark.parametrize("key", ["text", 5, None, [1]])
def test_a_key_that_is_not_bytes_is_refused(key: Any) -> None:
    with pytest.raises(TypeError):
        partition_for_key(key, 3)
    with pytest.raises(TypeError):
        murmur2(key)


def test_a_group_that_is_not_a_string_is_refused() -> None:
    group: Any = b"group"
    with pytest.raises(TypeError, match="bytes"):
        partition_for_group(group, 3)


# Records without key


@pytest.mark.parametrize("line", of_kind("partitioner.jsonl", "load", "uniform"), ids=lambda line: str(line["kind"]))
def test_a_random_number_chooses_the_partition_that_it_does_in_kafka(line: dict[str, Any]) -> None:
    """R2: adaptive, and even where no load is known."""
    arguments = {key: value for key, value in line.items() if key not in ("kind", "picks", "range_end")}
    partitioner = KeylessPartitioner(**arguments)
    assert partitioner.range_end == line.get("range_end")
    assert [[number, partitioner.pick(number)] for number, _ in line["picks"]] == line["picks"]


@pytest.mark.parametrize("line", of_kind("partitioner.jsonl", "sticky"), ids=lambda line: str(line["sticky_batch_size"]))
def test_the_partition_changes_when_it_does_in_kafka(line: dict[str, Any]) -> None:
    """R2: sticky."""
    drawn = [line["first_number"], *(step["number"] for step in line["steps"] if step["switched"])]
    partitioner = StickyPartitioner(line["partitions"], sticky_batch_size=line["sticky_batch_size"], random=iter(drawn).__next__)
    assert partitioner.partition == line["first_partition"]
    for step in line["steps"]:
        assert partitioner.appended(step["bytes"], step["enable_switch"]) is step["switched"]
        assert partitioner.partition == step["partition"]


def test_numbers_may_be_given_with_each_step() -> None:
    line = of_kind("partitioner.jsonl", "sticky")[0]
    partitioner = KeylessPartitioner(line["partitions"], sticky_batch_size=line["sticky_batch_size"], first_number=line["first_number"])
    steps = [
        (partitioner.appended(step["bytes"], step["enable_switch"], step.get("number")), partitioner.partition) for step in line["steps"]
    ]
    assert steps == [(step["switched"], step["partition"]) for step in line["steps"]]


def test_a_choice_without_chance_says_what_is_missing() -> None:
    with pytest.raises(ValueError, match="random="):
        _ = KeylessPartitioner(3).partition


@pytest.mark.parametrize(
    ("produced", "enable_switch", "switched"),
    [
        (99, True, False),
        (100, True, True),
        (100, False, False),
        (199, False, False),  # the batch is not ready: leaving would send it half full
        (200, False, True),  # but not for ever
    ],
)
def test_a_switch_waits_for_a_full_batch_but_not_for_ever(produced: int, enable_switch: bool, switched: bool) -> None:
    """R2: sticky."""
    partitioner = StickyPartitioner(3, sticky_batch_size=100, random=lambda: 1)
    assert partitioner.appended(produced, enable_switch) is switched


def test_sticky_chooses_evenly_whatever_the_load() -> None:
    """R2."""
    partitioner = StickyPartitioner(3, sticky_batch_size=1, random=numbers())
    partitioner.update_load([1_000, 0, 0], [0, 1, 2])
    counts = Counter(deal(partitioner, 3_000))
    assert all(counts[partition] == pytest.approx(1_000, rel=0.1) for partition in range(3))


def test_adaptive_prefers_short_queues() -> None:
    """R2: weights are what is missing to the longest queue, plus one."""
    partitioner = KeylessPartitioner(3, sticky_batch_size=1, random=numbers())
    partitioner.update_load([0, 3, 1], [0, 1, 2])
    counts = Counter(deal(partitioner, 8_000))
    assert [counts[partition] for partition in range(3)] == [pytest.approx(share * 1_000, rel=0.1) for share in (4, 1, 3)]


def test_a_slow_leader_is_left_out_while_others_answer() -> None:
    """R2: adaptive; partition 2 stands beyond `length`."""
    partitioner = KeylessPartitioner(3, sticky_batch_size=1, random=numbers())
    partitioner.update_load([0, 0, 0], [0, 1, 2], length=2)
    assert set(deal(partitioner, 200)) == {0, 1}


def test_a_partition_without_leader_is_left_at_the_next_switch() -> None:
    partitioner = KeylessPartitioner(2, sticky_batch_size=10, random=lambda: 0)
    assert partitioner.partition == 0
    partitioner.update(2, leaderless=[0])
    assert list(deal(partitioner, 3, size=5)) == [0, 0, 1]


@pytest.mark.parametrize(
    "load",
    [
        {"queue_sizes": [1], "partition_ids": [1, 2]},
        {"queue_sizes": [1, 2], "partition_ids": [1, 2], "length": 3},
        {"queue_sizes": [1, 2], "partition_ids": [1, 2], "length": -1},
    ],
)
def test_a_load_that_does_not_match_is_refused(load: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="don't match"):
        KeylessPartitioner(3, **load)


def test_a_batch_size_below_one_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="sticky_batch_size must be at least 1, not 0"):
        KeylessPartitioner(3, sticky_batch_size=0)


def test_round_robin_deals_one_each_from_a_random_start() -> None:
    """R2."""
    assert list(deal(RoundRobinPartitioner(3, random=lambda: 4), 5)) == [1, 2, 0, 1, 2]
    starts = {RoundRobinPartitioner(5, random=numbers(seed)).partition for seed in range(100)}
    assert starts == set(range(5))


def test_round_robin_wraps_as_a_32_bit_counter_does() -> None:
    """R2: after 2³¹ - 1 comes the smallest int, whose sign bit is cleared: 0."""
    assert (2**31 - 1) % 5 == 2
    assert list(deal(RoundRobinPartitioner(5, random=lambda: 2**31 - 1), 4)) == [2, 0, 1, 2]


def test_round_robin_leaves_out_partitions_without_leader() -> None:
    """R2: `positive(counter) % available`, and any partition when none is available."""
    partitioner = RoundRobinPartitioner(4, leaderless=[1], random=lambda: 0)
    assert list(deal(partitioner, 4)) == [0, 2, 3, 0]
    partitioner.update(4, leaderless=[0, 1, 2, 3])
    assert list(deal(partitioner, 4)) == [0, 1, 2, 3]


@given(st.integers(1, 12), st.sets(st.integers(0, 15)), st.sampled_from(["adaptive", "sticky", "round_robin"]), st.integers(0, 2**32))
def test_every_strategy_chooses_partitions_that_have_a_leader(partitions: int, leaderless: set[int], name: str, seed: int) -> None:
    """R2."""
    strategy = resolve(name).keyless(partitions, leaderless=leaderless, sticky_batch_size=2, random=numbers(seed))
    available = set(range(partitions)) - leaderless or set(range(partitions))
    assert set(deal(strategy, 30)) <= available


# What a producer's setting means


def test_the_default_is_javas() -> None:
    """R2."""
    assert resolve() == (None, KeylessPartitioner)


def test_a_custom_partitioner_is_a_plain_callable_or_an_object() -> None:
    """R2."""

    class ByLength:
        def partition(self, topic: str, key: bytes | None, partitions: int) -> int:
            return len(key or b"") % partitions

    for given_partitioner in (ByLength(), ByLength().partition):
        custom = resolve(given_partitioner).custom
        assert custom is not None
        assert [custom("orders", key, 3) for key in (None, b"a", b"abcde")] == [0, 1, 2]


@pytest.mark.parametrize("chosen", [3, -1, None, "0", 1.5])
def test_a_custom_partitioner_that_leaves_the_topic_is_told(chosen: Any) -> None:
    def beyond(topic: str, key: bytes | None, partitions: int) -> Any:
        return chosen

    custom = resolve(beyond).custom
    assert custom is not None
    with pytest.raises(ValueError, match=r"beyond chose .* for topic 'orders', which has partitions 0 to 2"):
        custom("orders", None, 3)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("round-robin", "did you mean 'round_robin'"), ("Sticky", "did you mean 'sticky'"), ("murmur", "choose one of adaptive, sticky")],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        resolve(name)


def test_what_is_no_partitioner_is_refused() -> None:
    with pytest.raises(TypeError, match="a partitioner is one of adaptive, sticky, round_robin, or a callable"):
        resolve(7)
