"""The broker's strategy for share groups (KIP-932)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from support.groups import Group, check_sound, groups, kept, outcome, sizes, without_empty
from tidemill.assignors import assign

GOLDEN = list(lines("assignors/share-simple.jsonl.gz"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """Also where Kafka's outcome hangs on the order of its hash tables. Where it throws, or goes wrong, ours is sound."""
    assignment = outcome("share-simple", line)
    check_sound(line, assignment, shared=True)
    if "exception" not in line and "invalid" not in line:
        assert without_empty(assignment) == without_empty(line["assignment"])
        assert sizes(assignment) == line.get("sizes", sizes(assignment))
        assert kept(line, assignment) == line.get("kept", kept(line, assignment))


@given(groups(equal=True))
def test_partitions_are_shared_evenly(group: Group) -> None:
    """Members differ by one at most, and so do a partition's numbers of members."""
    assignment = outcome("share-simple", group)
    check_sound(group, assignment, shared=True)
    balance = sizes(assignment)
    assert balance[-1] - balance[0] <= 1


@given(groups(assigned=True), st.data())
def test_whatever_members_claim_nobody_has_what_is_not_to_be_had(group: Group, data: st.DataObject) -> None:
    assignable = {topic: data.draw(st.lists(st.integers(-1, count + 1), unique=True)) for topic, count in group["topics"].items()}
    group["assignable"] = assignable
    asked = {member["id"]: set(member["topics"]) for member in group["members"]}
    for member, topics in outcome("share-simple", group).items():
        assert topics.keys() <= asked[member]
        for topic, partitions in topics.items():
            assert set(partitions) <= set(assignable[topic]) & set(range(group["topics"][topic]))


def test_more_members_than_partitions_share_them() -> None:
    members = [{"id": f"C{number}", "topics": ["t0"]} for number in range(4)]
    assignment = assign("share-simple", {"t0": 2}, members)
    assert sorted(partition for topics in assignment.values() for partition in topics["t0"]) == [0, 0, 1, 1]
    assert sizes(assignment) == [1, 1, 1, 1]


def test_only_assignable_partitions_are_assigned() -> None:
    members = [{"id": f"C{number}", "topics": ["t0"]} for number in range(2)]
    assert assign("share-simple", {"t0": 4}, members, assignable={"t0": [1, 3, 9]}) == {"C0": {"t0": [1]}, "C1": {"t0": [3]}}


def test_a_partition_that_is_no_more_assignable_is_given_up() -> None:
    """Kafka's own leaves it with the member."""
    members = [{"id": "C0", "topics": ["t0"], "assigned": {"t0": [0, 1]}}]
    assert assign("share-simple", {"t0": 3}, members, assignable={"t0": [1, 2]}) == {"C0": {"t0": [1, 2]}}
