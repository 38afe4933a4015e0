"""R18, R19: the order in which Kafka takes members and topics."""

import pytest

from tidemill.assignors.membership import (
    in_coordinators_order,
    in_kafkas_order,
    is_homogeneous,
    subscribers_of,
    topic_id_hash,
    topic_id_order,
)
from tidemill.assignors.model import Member


def member(id: str, *topics: str, instance_id: str | None = None) -> Member:
    return Member(id=id, topics=topics, instance_id=instance_id)


def test_static_members_stand_before_the_others() -> None:
    """R18, R19."""
    group = [member("b"), member("a"), member("d", instance_id="1"), member("c", instance_id="2")]
    assert [each.id for each in in_kafkas_order(group)] == ["d", "c", "a", "b"]


def test_the_coordinator_takes_members_in_the_order_of_a_hash_map() -> None:
    """As Java 17 iterates over a HashMap of these names."""
    names = ["member-0", "member-1", "Aa", "BB", "consumer-group-1-5"]
    assert [each.id for each in in_coordinators_order([member(name) for name in names])] == [
        "Aa",
        "BB",
        "consumer-group-1-5",
        "member-1",
        "member-0",
    ]


@pytest.mark.parametrize(
    ("subscriptions", "subscribers", "homogeneous"),
    [
        ([["a", "b"], ["a", "b"]], {"a": [0, 1], "b": [0, 1]}, True),
        ([["a", "b"], ["b", "a"]], {"a": [0, 1], "b": [0, 1]}, True),
        ([["a"], ["a", "b"]], {"a": [0, 1], "b": [1]}, False),
        ([["a", "a"], ["a"]], {"a": [0, 1]}, True),
        ([[], ["a"]], {"a": [1]}, False),
        ([[], []], {}, True),
        ([], {}, True),
    ],
)
def test_who_subscribes_to_what(subscriptions: list[list[str]], subscribers: dict[str, list[int]], homogeneous: bool) -> None:
    group = [member(str(number), *topics) for number, topics in enumerate(subscriptions)]
    found = subscribers_of(group)
    assert {topic: list(positions) for topic, positions in found.items()} == subscribers
    assert is_homogeneous(group, found) is homogeneous


def test_topic_ids_compare_as_two_signed_numbers() -> None:
    """As Kafka's Uuid does; plain names come last, in their own order."""
    ids = ["__________8AAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAD__________w", "AAAAAAAAAAEAAAAAAAAAAA"]
    assert sorted(["orders", *ids, "a"], key=topic_id_order) == ["__________8AAAAAAAAAAA", ids[2], ids[1], ids[3], "a", "orders"]


@pytest.mark.parametrize(
    ("topic", "hashed"),
    [("AAAAAAAAAAEAAAAAAAAAAQ", 0), ("62winhBjwuXmc4RrFJNVaQ", 166670713), ("__________8AAAAAAAAAAA", 0), ("orders", -1008770331)],
)
def test_topic_ids_hash_as_in_java(topic: str, hashed: int) -> None:
    """As Kafka's Uuid does; a plain name as a string."""
    assert topic_id_hash(topic) == hashed


@pytest.mark.parametrize("name", ["orders.by.country.v.20", "a..................!==", "=====================a", "äää"])
def test_a_name_as_long_as_an_id_is_a_name(name: str) -> None:
    assert topic_id_order(name) == (1 << 63, 0, name)
