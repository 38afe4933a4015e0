"""R20, R21: partitions as numbers."""

import pytest

from tidemill.assignors.sticky_partitions import Partitions


@pytest.mark.parametrize(
    ("topics", "ids"),
    [
        ({"b": 2, "a": 2}, {"a": [0, 2], "b": [1, 3]}),
        ({"a": 1, "b": 3, "c": 2}, {"a": [0], "b": [1, 3, 5], "c": [2, 4]}),
        ({"a": 3}, {"a": [0, 1, 2]}),
        ({"a": 0, "b": 1}, {"b": [0]}),
        ({}, {}),
    ],
)
def test_ids_go_by_number_and_then_by_topic(topics: dict[str, int], ids: dict[str, list[int]]) -> None:
    partitions = Partitions(topics, [*topics, "not-there"])
    assert partitions.ids == ids
    assert list(partitions.ids) == sorted(ids)
    assert partitions.count == sum(topics.values())
    assert {(topic, number): each for topic, each_topic in ids.items() for number, each in enumerate(each_topic)} == {
        (partitions.topics[each], partitions.numbers[each]): each for each in range(partitions.count)
    }


def test_a_list_of_partitions_is_told_by_topic_in_its_order() -> None:
    partitions = Partitions({"a": 2, "b": 2}, "ab")
    assert list(partitions.by_topic([3, 0, 1]).items()) == [("b", [1, 0]), ("a", [0])]


def test_of_claims_those_that_exist_are_known() -> None:
    partitions = Partitions({"a": 2, "b": 2}, "ab")
    assert partitions.known({"a": [1, 2, -1], "c": [0], "b": [0, 0]}) == {2, 1}
