"""R19: round-robin, as Java's RoundRobinAssignor."""

from itertools import cycle
from typing import Any

import pytest
from hypothesis import given

from support.golden import lines
from support.groups import Group, check_sound, groups, in_wire_order, named, outcome, serialized, sizes
from tidemill.assignors import Assignment, assign

GOLDEN = list(lines("assignors/roundrobin.jsonl.gz"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """R19: to the order of topics and partitions, and so to the byte."""
    assignment = outcome("roundrobin", line)
    assert assignment == line["assignment"]
    assert in_wire_order(assignment) == in_wire_order(line["assignment"])
    if "assignment_bytes" in line:
        assert {member: serialized(topics).hex() for member, topics in assignment.items()} == line["assignment_bytes"]


def test_two_topics_of_three_partitions_for_two_members() -> None:
    """R19: the pointer goes on from one topic into the next."""
    assert assign("roundrobin", {"t0": 3, "t1": 3}, named("t0 t1", "t0 t1")) == {
        "C0": {"t0": [0, 2], "t1": [1]},
        "C1": {"t0": [1], "t1": [0, 2]},
    }


def test_unequal_subscriptions() -> None:
    """R19: topics of 1, 2 and 3 partitions; C0 subscribes to the first, C1 to two, C2 to all."""
    assert assign("roundrobin", {"t0": 1, "t1": 2, "t2": 3}, named("t0", "t0 t1", "t0 t1 t2")) == {
        "C0": {"t0": [0]},
        "C1": {"t1": [0]},
        "C2": {"t1": [1], "t2": [0, 1, 2]},
    }


def test_unequal_subscriptions_without_a_common_topic() -> None:
    """R19: the same, C2 without the first topic."""
    assert assign("roundrobin", {"t0": 1, "t1": 2, "t2": 3}, named("t0", "t0 t1", "t1 t2")) == {
        "C0": {"t0": [0]},
        "C1": {"t1": [0]},
        "C2": {"t1": [1], "t2": [0, 1, 2]},
    }


def test_a_member_is_gone() -> None:
    """R19: all is dealt anew: 4 topics of 2 partitions, C0 C1 C2, then without C1."""
    topics = dict.fromkeys(("t0", "t1", "t2", "t3"), 2)
    before = named(*["t0 t1 t2 t3"] * 3)
    assert assign("roundrobin", topics, before) == {
        "C0": {"t0": [0], "t1": [1], "t3": [0]},
        "C1": {"t0": [1], "t2": [0], "t3": [1]},
        "C2": {"t1": [0], "t2": [1]},
    }
    assert assign("roundrobin", topics, [before[0], before[2]]) == {
        "C0": {"t0": [0], "t1": [0], "t2": [0], "t3": [0]},
        "C2": {"t0": [1], "t1": [1], "t2": [1], "t3": [1]},
    }


def test_the_pointer_skips_who_does_not_subscribe() -> None:
    """R19: C0 on A and B, C1 on B and C; B is not dealt to C1 alone."""
    assert assign("roundrobin", {"A": 3, "B": 3, "C": 3}, named("A B", "B C")) == {
        "C0": {"A": [0, 1, 2], "B": [1]},
        "C1": {"B": [0, 2], "C": [0, 1, 2]},
    }


def test_members_are_ordered_by_id_and_topics_by_name() -> None:
    """R19: not by hash or by time of joining; static members first, by instance id."""
    group = [
        {"id": "b", "topics": ["t1", "t0"]},
        {"id": "a", "topics": ["t0", "t1"]},
        {"id": "d", "topics": ["t1", "t0"], "instance_id": "1"},
    ]
    assert assign("roundrobin", {"t1": 2, "t0": 2}, group) == {
        "b": {"t1": [0]},
        "a": {"t0": [1]},
        "d": {"t0": [0], "t1": [1]},
    }


def dealt_one_by_one(group: Group) -> Assignment:
    """The rule, word by word."""
    static = sorted((member for member in group["members"] if "instance_id" in member), key=lambda member: str(member["instance_id"]))
    others = sorted((member for member in group["members"] if "instance_id" not in member), key=lambda member: str(member["id"]))
    assignment: Assignment = {member["id"]: {} for member in group["members"]}
    circle = cycle(static + others)
    for topic in sorted({topic for member in group["members"] for topic in member["topics"]}):
        for partition in range(group["topics"].get(topic, 0)):
            member = next(member for member in circle if topic in member["topics"])
            assignment[member["id"]].setdefault(topic, []).append(partition)
    return assignment


@given(groups())
def test_it_is_the_circular_pointer(group: Group) -> None:
    """R19."""
    assignment = outcome("roundrobin", group)
    check_sound(group, assignment)
    assert assignment == dealt_one_by_one(group)


@given(groups(equal=True))
def test_equal_subscriptions_give_balance(group: Group) -> None:
    """R19."""
    balance = sizes(outcome("roundrobin", group))
    assert balance[-1] - balance[0] <= 1
