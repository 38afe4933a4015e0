"""R18: range, as Java's RangeAssignor."""

from typing import Any

import pytest
from hypothesis import given

from support.golden import lines
from support.groups import Group, check_sound, groups, in_wire_order, named, outcome, serialized
from tidemill.assignors import assign

GOLDEN = list(lines("assignors/range.jsonl.gz"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """R18: to the order of partitions; that of topics where Kafka's own does not change with their names."""
    assignment = outcome("range", line)
    assert assignment == line["assignment"]
    if "hash_order" not in line:
        assert in_wire_order(assignment) == in_wire_order(line["assignment"])
        if "assignment_bytes" in line:
            assert {member: serialized(topics).hex() for member, topics in assignment.items()} == line["assignment_bytes"]


def test_two_topics_of_four_partitions_for_two_members() -> None:
    """R18: each gets the halves of both topics: neither interleaved, nor with the remainder's formula turned round."""
    assert assign("range", {"t0": 4, "t1": 4}, named("t0 t1", "t0 t1")) == {
        "C0": {"t0": [0, 1], "t1": [0, 1]},
        "C1": {"t0": [2, 3], "t1": [2, 3]},
    }


def test_two_topics_of_three_partitions_for_two_members() -> None:
    """R18: the first member gets the odd one of every topic."""
    assert assign("range", {"t0": 3, "t1": 3}, named("t0 t1", "t0 t1")) == {
        "C0": {"t0": [0, 1], "t1": [0, 1]},
        "C1": {"t0": [2], "t1": [2]},
    }


def test_more_members_than_partitions() -> None:
    """R18: the rest idle."""
    assert assign("range", {"t0": 2}, named("t0", "t0", "t0")) == {"C0": {"t0": [0]}, "C1": {"t0": [1]}, "C2": {}}


def test_members_differ_in_what_they_subscribe_to() -> None:
    """R18: each topic is cut among its own subscribers."""
    assert assign("range", {"t0": 3, "t1": 3}, named("t0", "t0 t1")) == {"C0": {"t0": [0, 1]}, "C1": {"t0": [2], "t1": [0, 1, 2]}}


def test_static_members_come_first_by_instance_id() -> None:
    """R18."""
    group = [
        {"id": "a", "topics": ["t0"]},
        {"id": "b", "topics": ["t0"], "instance_id": "2"},
        {"id": "c", "topics": ["t0"], "instance_id": "1"},
    ]
    assert assign("range", {"t0": 3}, group) == {"a": {"t0": [2]}, "b": {"t0": [1]}, "c": {"t0": [0]}}


def test_ids_are_sorted_as_java_sorts_them() -> None:
    """R18: by UTF-16 unit, so that what lies beyond the basic plane comes before its last characters."""
    group = [{"id": "\ufb01", "topics": ["t0"]}, {"id": "😀", "topics": ["t0"]}]
    assert assign("range", {"t0": 2}, group) == {"\ufb01": {"t0": [1]}, "😀": {"t0": [0]}}


def test_members_get_partitions_of_their_rack() -> None:
    """R18: rack-aware when racks are known."""
    group = [{"id": "C0", "topics": ["t0"], "rack": "b"}, {"id": "C1", "topics": ["t0"], "rack": "a"}]
    racks = {"t0": [["a"], ["a"], ["b"], ["b"]]}
    assert assign("range", {"t0": 4}, group, racks=racks) == {"C0": {"t0": [2, 3]}, "C1": {"t0": [0, 1]}}
    assert assign("range", {"t0": 4}, group) == {"C0": {"t0": [0, 1]}, "C1": {"t0": [2, 3]}}


def test_topics_of_equal_size_stay_together_across_racks() -> None:
    """R18: who has a partition of one topic has it of the other, where racks allow."""
    group = [{"id": "C0", "topics": ["t0", "t1"], "rack": "b"}, {"id": "C1", "topics": ["t0", "t1"], "rack": "a"}]
    racks = {"t0": [["a", "b"], ["b", "a"]], "t1": [["a"], ["b"]]}
    assert assign("range", {"t0": 2, "t1": 2}, group, racks=racks) == {"C0": {"t0": [1], "t1": [1]}, "C1": {"t0": [0], "t1": [0]}}


def test_racks_that_say_nothing_change_nothing() -> None:
    """R18: every partition in all racks, or members and replicas in different ones."""
    group = [{"id": "C0", "topics": ["t0"], "rack": "b"}, {"id": "C1", "topics": ["t0"], "rack": "a"}]
    plain = assign("range", {"t0": 3}, group)
    for replicas in (["a", "b"], ["x"], [None]):
        assert assign("range", {"t0": 3}, group, racks={"t0": [replicas] * 3}) == plain


@given(groups())
def test_sound_and_balanced(group: Group) -> None:
    """R18: contiguous ranges whose lengths differ by one at most, the longer ones first."""
    assignment = outcome("range", group)
    check_sound(group, assignment)
    static = sorted((member for member in group["members"] if "instance_id" in member), key=lambda member: str(member["instance_id"]))
    others = sorted((member for member in group["members"] if "instance_id" not in member), key=lambda member: str(member["id"]))
    for topic, count in group["topics"].items():
        shares = [assignment[member["id"]].get(topic, []) for member in static + others if topic in member["topics"]]
        assert [partition for share in shares for partition in share] == list(range(count if shares else 0))
        lengths = [len(share) for share in shares]
        assert lengths == sorted(lengths, reverse=True)
        assert not lengths or lengths[0] - lengths[-1] <= 1


@given(groups(racks=True))
def test_racks_leave_it_sound_and_balanced(group: Group) -> None:
    """R18."""
    assignment = outcome("range", group)
    check_sound(group, assignment)
    for topic in group["topics"]:
        lengths = [len(assignment[member["id"]].get(topic, [])) for member in group["members"] if topic in member["topics"]]
        assert not lengths or max(lengths) - min(lengths) <= 1


@given(groups(racks=True))
def test_the_order_of_members_and_topics_does_not_matter(group: Group) -> None:
    """R18."""
    turned = {**group, "members": group["members"][::-1], "topics": dict(reversed(group["topics"].items()))}
    assert outcome("range", turned) == outcome("range", group)
