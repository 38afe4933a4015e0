"""R21: cooperative sticky, as Java's CooperativeStickyAssignor."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.claims import claiming, claiming_groups, kept, next_round, sorted_partitions, without
from support.golden import lines
from support.groups import Group, check_sound, groups, in_wire_order, outcome, serialized, sizes, targets
from tidemill.assignors import Assignment, assign

STRATEGY = "cooperative-sticky"
GOLDEN = list(lines("assignors/cooperative-sticky.jsonl.gz"))


def members(*subscriptions: str) -> list[dict[str, Any]]:
    """C0, C1, …, each with the topics it subscribes to."""
    return [{"id": f"C{number}", "topics": topics.split()} for number, topics in enumerate(subscriptions)]


def given_out(assignment: Assignment) -> list[tuple[str, int]]:
    return [(topic, each) for topics in assignment.values() for topic, partitions in topics.items() for each in partitions]


def check_sound_so_far(group: Group, assignment: Assignment) -> None:
    """Nothing has two owners, is nobody's wish or does not exist; but some partitions may have to wait."""
    there = targets(group)
    waiting = there - set(given_out(assignment))
    asked = {member["id"]: set(member["topics"]) for member in group["members"]}
    full = {member: {topic: list(partitions) for topic, partitions in topics.items()} for member, topics in assignment.items()}
    for topic, partition in sorted(waiting):
        full[next(member for member in full if topic in asked[member])].setdefault(topic, []).append(partition)
    check_sound(group, sorted_partitions(full))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """R21: to the byte, unless Kafka's own outcome hangs on hash tables, is wrong or none at all: then it is as good."""
    assignment = outcome(STRATEGY, line)
    check_sound_so_far(line, assignment)
    if "invalid" in line or "exception" in line:
        return
    if line.get("hash_order") == "assignment":
        assert sizes(assignment) == line.get("sizes", sizes(assignment))
        assert kept(STRATEGY, line, assignment) == line.get("kept", kept(STRATEGY, line, assignment))
        return
    assert in_wire_order(assignment) == in_wire_order(line["assignment"])
    if "assignment_bytes" in line:
        assert {member: serialized(topics).hex() for member, topics in assignment.items()} == line["assignment_bytes"]


def test_a_new_group_has_all_at_once() -> None:
    """R21: what nobody owned need not wait."""
    topics = {"t0": 3, "t1": 3}
    assert assign(STRATEGY, topics, members("t0 t1", "t0 t1")) == assign("sticky", topics, members("t0 t1", "t0 t1"))


def test_a_member_joins() -> None:
    """R21: in the first round the others let go of two partitions, which nobody has; in the second the new member gets them."""
    group: Group = {"topics": {"t0": 6}, "members": members("t0", "t0")}
    group = next_round(STRATEGY, group, outcome(STRATEGY, group), 1)
    group["members"].append({"id": "C2", "topics": ["t0"]})
    first = outcome(STRATEGY, group)
    assert first == {"C0": {"t0": [0, 2]}, "C1": {"t0": [1, 3]}, "C2": {}}
    assert outcome(STRATEGY, next_round(STRATEGY, group, first, 2)) == {"C0": {"t0": [0, 2]}, "C1": {"t0": [1, 3]}, "C2": {"t0": [4, 5]}}


def test_a_member_leaves() -> None:
    """R21: what it had is free at once: one round."""
    group: Group = {"topics": dict.fromkeys(("t0", "t1", "t2", "t3"), 2), "members": members(*["t0 t1 t2 t3"] * 3)}
    group = without(next_round(STRATEGY, group, outcome(STRATEGY, group)), "C1")
    first = outcome(STRATEGY, group)
    assert sorted_partitions(first) == {
        "C0": {"t0": [0, 1], "t1": [1], "t3": [0]},
        "C2": {"t1": [0], "t2": [0, 1], "t3": [1]},
    }
    assert sorted_partitions(outcome(STRATEGY, next_round(STRATEGY, group, first, 2))) == sorted_partitions(first)


def test_unequal_subscriptions_move_in_two_rounds() -> None:
    """R21: C1 starts to subscribe to t0 as well; what C0 has to give up waits."""
    before = claiming(STRATEGY, {"id": "C0", "topics": ["t0", "t1"]}, {"t0": [0, 1, 2, 3], "t1": [0, 1]}, 1)
    group: Group = {"topics": {"t0": 4, "t1": 2}, "members": [before, {"id": "C1", "topics": ["t0"]}]}
    first = outcome(STRATEGY, group)
    assert sorted_partitions(first) == {"C0": {"t0": [3], "t1": [0, 1]}, "C1": {}}
    second = outcome(STRATEGY, next_round(STRATEGY, group, first, 2))
    assert sorted_partitions(second) == {"C0": {"t0": [3], "t1": [0, 1]}, "C1": {"t0": [0, 1, 2]}}


def test_what_two_members_claim_waits() -> None:
    """R21: in one generation only one of them can be right, and it may be either."""
    group = [claiming(STRATEGY, member, {"t0": [0, 1]}, 1) for member in members("t0", "t0")]
    assert given_out(assign(STRATEGY, {"t0": 4}, group)) == [("t0", 2), ("t0", 3)]


def test_a_partition_in_the_wrong_rack_waits_too() -> None:
    """R21: a member that has to swap one partition for another does so in two rounds."""
    racks = {"t0": [["a"], ["b"]]}
    group = [
        {**claiming(STRATEGY, {"id": "C0", "topics": ["t0"]}, {"t0": [0]}, 1), "rack": "b"},
        {**claiming(STRATEGY, {"id": "C1", "topics": ["t0"]}, {"t0": [1]}, 1), "rack": "a"},
    ]
    assert assign(STRATEGY, {"t0": 2}, group, racks=racks) == {"C0": {}, "C1": {}}
    freed = [{**each, "owned": {}, "generation": 2} for each in group]
    assert assign(STRATEGY, {"t0": 2}, freed, racks=racks) == {"C0": {"t0": [1]}, "C1": {"t0": [0]}}


def test_a_layout_without_generation_has_it_in_the_user_data() -> None:
    """R21: so that a claim of an older client that has missed a generation does not win over a newer one."""
    stale = {"id": "C0", "topics": ["t0"], "version": 1, "owned": {"t0": [0, 1]}, "user_data": {"generation": 1}}
    newer = {"id": "C1", "topics": ["t0"], "owned": {"t0": [0, 1]}, "generation": 2, "user_data": {"generation": 2}}
    assert assign(STRATEGY, {"t0": 4}, [stale, newer])["C1"] == {"t0": [0, 1]}


@given(claiming_groups(STRATEGY, racks=True))
def test_whatever_members_claim_nothing_has_two_owners(group: Group) -> None:
    """R21."""
    check_sound_so_far(group, outcome(STRATEGY, group))


@given(groups(), st.data())
def test_two_rounds_lead_to_what_the_sticky_strategy_assigns(group: Group, data: st.DataObject) -> None:
    """R21: nobody gets what another still has; and the second round gives all, as sticky does at once."""
    settled = outcome(STRATEGY, group)
    ids = [member["id"] for member in group["members"]]
    staying = data.draw(st.sets(st.sampled_from(ids)))
    changed = next_round(STRATEGY, group, {member: settled[member] for member in staying}, 1)
    first = outcome(STRATEGY, changed)
    owners = {(topic, each): member for member in staying for topic, partitions in settled[member].items() for each in partitions}
    for member, topics in first.items():
        for topic, partitions in topics.items():
            assert {owners.get((topic, each), member) for each in partitions} <= {member}
    second = outcome(STRATEGY, next_round(STRATEGY, changed, first, 2))
    check_sound(group, sorted_partitions(second))
    at_once = outcome("sticky", next_round("sticky", group, {member: settled[member] for member in staying}, 1))
    assert sizes(second) == sizes(at_once)
    assert sorted_partitions(outcome(STRATEGY, next_round(STRATEGY, changed, second, 3))) == sorted_partitions(second)


@given(claiming_groups(STRATEGY, racks=True), st.randoms(use_true_random=False))
def test_the_order_of_members_does_not_matter(group: Group, random: Any) -> None:
    """R21."""
    shuffled = list(group["members"])
    random.shuffle(shuffled)
    assert outcome(STRATEGY, {**group, "members": shuffled}) == outcome(STRATEGY, group)
