"""R6: replicas are placed as Kafka's striped placer does, or by the plain rule."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill._java import JavaRandom
from tidemill.errors import InvalidPartitions, InvalidReplicationFactor
from tidemill.placement import Broker, StripedReplicaPlacer, place

GOLDEN = list(lines("placement.jsonl"))
PLAIN = [line for line in GOLDEN if line["kind"] == "plain"]
STRIPED = [line for line in GOLDEN if line["kind"] == "striped"]


def without(line: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in keys}


@pytest.mark.parametrize("line", PLAIN, ids=lambda line: f"{len(line['brokers'])}x{line['partitions']}x{line['replication_factor']}")
def test_the_plain_rule(line: dict[str, Any]) -> None:
    """R6: replica j of partition i on broker (i + j) mod n of the sorted brokers."""
    assert place(**without(line, "replicas")) == line["replicas"]


@pytest.mark.parametrize(
    "line", STRIPED, ids=lambda line: f"{len(line['brokers'])}x{line['replication_factor']} seed {line['random_seed']}"
)
def test_striped_as_in_kafka(line: dict[str, Any]) -> None:
    """R6: random start, shifts, racks, fenced brokers; several calls draw on one random generator."""
    if any("exception" in call for call in line["calls"]):
        with pytest.raises(InvalidReplicationFactor):
            place(**line)
    else:
        assert place(**line) == [call["replicas"] for call in line["calls"]]


def test_striped_is_the_default() -> None:
    """R6."""
    arguments: dict[str, Any] = {"brokers": range(5), "partitions": 5, "replication_factor": 3, "random_seed": 7}
    assert place(**arguments) == place(**arguments, kind="striped")


def test_topics_do_not_all_start_on_the_first_broker() -> None:
    """R6."""
    placer = StripedReplicaPlacer(JavaRandom(431))
    leaders = Counter(placer.place([Broker(id) for id in range(4)], 1, 2)[0][0] for _ in range(400))
    assert all(leaders[broker] == pytest.approx(100, abs=35) for broker in range(4))


BROKER = st.builds(Broker, st.integers(0, 99), st.sampled_from([None, "a", "b", "c"]), st.booleans())
BROKERS = st.lists(BROKER, min_size=1, max_size=9, unique_by=lambda broker: broker.id).filter(
    lambda brokers: not all(broker.fenced for broker in brokers)
)


@given(BROKERS, st.integers(0, 12), st.integers(1, 9), st.integers(0, 2**48 - 1))
def test_no_broker_twice_and_no_fenced_leader(brokers: list[Broker], partitions: int, factor: int, seed: int) -> None:
    """R6: what no placement may break."""
    factor = min(factor, len(brokers))
    replicas = place(brokers=brokers, partitions=partitions, replication_factor=factor, random_seed=seed)
    assert len(replicas) == partitions
    fenced = {broker.id for broker in brokers if broker.fenced}
    for each in replicas:
        assert len(set(each)) == len(each) == factor
        assert set(each) <= {broker.id for broker in brokers}
        assert each[0] not in fenced
    assert replicas == place(brokers=brokers, partitions=partitions, replication_factor=factor, random_seed=seed)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**48 - 1))
def test_each_partition_is_spread_over_all_racks(racks: int, brokers_a_rack: int, seed: int) -> None:
    """R6: rack-aware."""
    brokers = [Broker(rack + racks * number, f"rack-{rack}") for rack in range(racks) for number in range(brokers_a_rack)]
    for replicas in place(brokers=brokers, partitions=10, replication_factor=racks, random_seed=seed):
        assert len({broker % racks for broker in replicas}) == racks


@given(st.integers(1, 8), st.integers(1, 5), st.integers(0, 2**48 - 1))
def test_brokers_lead_equally_often(brokers: int, rounds: int, seed: int) -> None:
    """R6: where there are no racks and nothing is fenced."""
    replicas = place(brokers=range(brokers), partitions=brokers * rounds, replication_factor=1, random_seed=seed)
    assert Counter(each[0] for each in replicas) == dict.fromkeys(range(brokers), rounds)


def test_partitions_added_later_go_on_with_the_plain_rule() -> None:
    """R6."""
    whole = place(kind="plain", brokers=[1, 2, 3], partitions=5, replication_factor=2)
    calls = [{"partitions": 2, "start_partition": 0}, {"partitions": 3, "start_partition": 2}]
    first, second = place(kind="plain", brokers=[1, 2, 3], calls=calls, replication_factor=2)
    assert first + second == whole


def test_the_plain_rule_leaves_out_fenced_brokers() -> None:
    brokers = [Broker(1), Broker(2, fenced=True), Broker(3)]
    assert place(kind="plain", brokers=brokers, partitions=2, replication_factor=2) == [[1, 3], [3, 1]]


@pytest.mark.parametrize("kind", ["plain", "striped"])
@pytest.mark.parametrize(
    ("brokers", "factor", "message"),
    [
        ([1, 2], 0, "replication factor 0 is not positive"),
        ([1, 2], -1, "replication factor -1 is not positive"),
        ([1, 2], 3, r"replication factor 3 cannot be reached with 2 broker\(s\)"),
        ([], 1, "there is no broker"),
        ([{"id": 1, "fenced": True}], 1, "all are fenced"),
    ],
)
def test_an_impossible_replication_factor_is_refused(kind: str, brokers: list[Any], factor: int, message: str) -> None:
    with pytest.raises(InvalidReplicationFactor, match=message):
        place(kind=kind, brokers=brokers, partitions=1, replication_factor=factor, random_seed=0)


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"kind": "stripes"}, ValueError, "there is no placement 'stripes': choose striped or plain"),
        ({"random_seed": None}, TypeError, "give random_seed"),
        ({"partitions": None}, TypeError, "either partitions or calls"),
        ({"calls": [{"partitions": 1}]}, TypeError, "either partitions or calls"),
        ({"partitions": -1}, InvalidPartitions, "-1 partitions cannot be placed"),
        ({"brokers": [1, 2, 1]}, ValueError, "two brokers have the id 1"),
        ({"brokers": ["1"]}, TypeError, "a broker is given by its id"),
        ({"brokers": [{"rack": "a"}]}, TypeError, "a broker is given by its id"),
        ({"brokers": [{"id": 1, "rack": 5}]}, TypeError, "broker 1: rack must be a string or None, not 5"),
        ({"partitions": None, "calls": [{"start_partition": 1}]}, TypeError, "each of calls has to say how many partitions"),
    ],
)
def test_a_mistake_is_told(changed: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments: dict[str, Any] = {"brokers": [1, 2], "partitions": 1, "replication_factor": 1, "random_seed": 0}
    with pytest.raises(error, match=message):
        place(**(arguments | changed))
