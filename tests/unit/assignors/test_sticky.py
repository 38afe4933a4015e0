"""R20: sticky, as Java's StickyAssignor."""

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.claims import claiming, claiming_groups, could_move, kept, next_round, sorted_partitions, without
from support.golden import lines
from support.groups import Group, check_sound, groups, in_wire_order, outcome, serialized, sizes
from tidemill.assignors import assign

GOLDEN = list(lines("assignors/sticky.jsonl.gz"))


def members(*subscriptions: str) -> list[dict[str, Any]]:
    """C0, C1, …, each with the topics it subscribes to."""
    return [{"id": f"C{number}", "topics": topics.split()} for number, topics in enumerate(subscriptions)]


def group(topics: dict[str, int], *subscriptions: str) -> Group:
    return {"topics": topics, "members": members(*subscriptions)}


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """R20: to the byte, unless Kafka's own outcome hangs on hash tables, is wrong or none at all: then it is as good."""
    assignment = outcome("sticky", line)
    check_sound(line, sorted_partitions(assignment))
    if "invalid" in line or "exception" in line:
        return
    if line.get("hash_order") == "assignment":
        assert sizes(assignment) == line.get("sizes", sizes(assignment))
        assert kept("sticky", line, assignment) == line.get("kept", kept("sticky", line, assignment))
        return
    assert assignment == line["assignment"]
    if "hash_order" not in line:
        assert in_wire_order(assignment) == in_wire_order(line["assignment"])
        if "assignment_bytes" in line:
            assert {member: serialized(topics).hex() for member, topics in assignment.items()} == line["assignment_bytes"]


def test_two_topics_of_four_partitions_for_two_members() -> None:
    """R20."""
    assert assign("sticky", {"t0": 4, "t1": 4}, members("t0 t1", "t0 t1")) == {
        "C0": {"t0": [0, 2], "t1": [0, 2]},
        "C1": {"t0": [1, 3], "t1": [1, 3]},
    }


def test_two_topics_of_three_partitions_for_two_members() -> None:
    """R20: as round-robin deals them."""
    assert assign("sticky", {"t0": 3, "t1": 3}, members("t0 t1", "t0 t1")) == {
        "C0": {"t0": [0, 2], "t1": [1]},
        "C1": {"t0": [1], "t1": [0, 2]},
    }


def test_unequal_subscriptions() -> None:
    """R20: better balanced than round-robin's 1, 1, 4. When C0 is gone, its partition goes to whom has less."""
    start = group({"t0": 1, "t1": 2, "t2": 3}, "t0", "t0 t1", "t0 t1 t2")
    assignment = outcome("sticky", start)
    assert assignment == {"C0": {"t0": [0]}, "C1": {"t1": [0, 1]}, "C2": {"t2": [0, 1, 2]}}
    assert outcome("sticky", without(next_round("sticky", start, assignment), "C0")) == {
        "C1": {"t1": [0, 1], "t0": [0]},
        "C2": {"t2": [0, 1, 2]},
    }


def test_unequal_subscriptions_without_a_common_topic() -> None:
    """R20: the same, C2 without the first topic."""
    assert assign("sticky", {"t0": 1, "t1": 2, "t2": 3}, members("t0", "t0 t1", "t1 t2")) == {
        "C0": {"t0": [0]},
        "C1": {"t1": [0, 1]},
        "C2": {"t2": [0, 1, 2]},
    }


def test_a_member_is_gone() -> None:
    """R20: 4 topics of 2 partitions, C0 C1 C2, then C1 leaves: the others keep all they had, and none of C1's is lost."""
    start = group(dict.fromkeys(("t0", "t1", "t2", "t3"), 2), *["t0 t1 t2 t3"] * 3)
    assignment = outcome("sticky", start)
    assert assignment == {
        "C0": {"t0": [0], "t1": [1], "t3": [0]},
        "C1": {"t0": [1], "t2": [0], "t3": [1]},
        "C2": {"t1": [0], "t2": [1]},
    }
    assert sorted_partitions(outcome("sticky", without(next_round("sticky", start, assignment), "C1"))) == {
        "C0": {"t0": [0, 1], "t1": [1], "t3": [0]},
        "C2": {"t1": [0], "t2": [0, 1], "t3": [1]},
    }


def test_members_subscribe_to_neighbouring_topics() -> None:
    """R20: C0 on A and B, C1 on B and C; B is divided so that nobody has more than one more."""
    assert assign("sticky", {"A": 3, "B": 3, "C": 3}, members("A B", "B C")) == {
        "C0": {"A": [0, 1, 2], "B": [0, 2]},
        "C1": {"C": [0, 1, 2], "B": [1]},
    }


@pytest.mark.parametrize(("stale", "winner"), [("C0", "C1"), ("C1", "C0")])
def test_of_two_claims_that_of_the_higher_generation_counts(stale: str, winner: str) -> None:
    """R20."""
    generations = {stale: 3, winner: 4}
    claiming_all = [claiming("sticky", member, {"t0": [0, 1]}, generations[member["id"]]) for member in members("t0", "t0")]
    assert assign("sticky", {"t0": 4}, claiming_all) == {winner: {"t0": [0, 1]}, stale: {"t0": [2, 3]}}


def test_nobody_keeps_what_two_members_of_one_generation_claim() -> None:
    """R20."""
    claims = [claiming("sticky", member, {"t0": [2, 3]}, 4) for member in members("t0", "t0")]
    assert assign("sticky", {"t0": 4}, claims) == {"C0": {"t0": [0, 2]}, "C1": {"t0": [1, 3]}}


def test_a_member_that_joins_gets_its_share_and_no_more_moves() -> None:
    """R20."""
    start = group({"t0": 6}, "t0", "t0")
    joined = {**next_round("sticky", start, outcome("sticky", start))}
    joined["members"] = [*joined["members"], {"id": "C2", "topics": ["t0"]}]
    assert outcome("sticky", joined) == {"C0": {"t0": [0, 2]}, "C1": {"t0": [1, 3]}, "C2": {"t0": [4, 5]}}


def test_the_same_of_members_that_differ_in_more_than_order_is_unequal() -> None:
    """R20: a topic that does not exist counts in the comparison, the order of topics does not."""
    both = {"t0": 2, "t1": 2}
    assert assign("sticky", both, members("t0 t1", "t1 t0")) == {"C0": {"t0": [0], "t1": [0]}, "C1": {"t0": [1], "t1": [1]}}
    assert assign("sticky", both, members("t0 t1", "t1 t0 not-there")) == {"C0": {"t0": [0], "t1": [0]}, "C1": {"t0": [1], "t1": [1]}}


def test_members_keep_partitions_of_their_rack_only() -> None:
    """R20: with racks in play, what has no replica near a member goes to another, if that leaves the group balanced."""
    racks = {"t0": [["a"], ["b"], ["a"], ["b"]]}
    swapped = [
        {**claiming("sticky", {"id": "C0", "topics": ["t0"]}, {"t0": [0, 1]}, 1), "rack": "b"},
        {**claiming("sticky", {"id": "C1", "topics": ["t0"]}, {"t0": [2, 3]}, 1), "rack": "a"},
    ]
    assert assign("sticky", {"t0": 4}, swapped, racks=racks) == {"C0": {"t0": [1, 3]}, "C1": {"t0": [2, 0]}}


def test_a_group_without_members() -> None:
    assert assign("sticky", {"t0": 4}, []) == {}


def test_ids_are_sorted_as_java_sorts_them() -> None:
    """R20: by UTF-16 unit, so that what lies beyond the basic plane comes before its last characters."""
    found = assign("sticky", {"t0": 2}, [{"id": "\ufb01", "topics": ["t0"]}, {"id": "😀", "topics": ["t0"]}])
    assert found == {"\ufb01": {"t0": [1]}, "😀": {"t0": [0]}}


@given(claiming_groups("sticky", racks=True))
def test_whatever_members_claim_every_partition_has_one_owner(group: Group) -> None:
    """R20."""
    check_sound(group, sorted_partitions(outcome("sticky", group)))


@given(claiming_groups("sticky", equal=True, racks=True))
def test_equal_subscriptions_give_balance(group: Group) -> None:
    """R20: whatever is claimed, and whatever racks there are."""
    balance = sizes(outcome("sticky", group))
    assert balance[-1] - balance[0] <= 1


@given(claiming_groups("sticky", racks=True))
def test_a_group_is_balanced_as_far_as_subscriptions_allow(group: Group) -> None:
    """R20: nobody has two more than another that could take one of them."""
    assert could_move(group, outcome("sticky", group)) == []


@given(claiming_groups("sticky"))
def test_a_settled_group_stays_as_it_is(group: Group) -> None:
    """R20: an assignment, claimed by those who got it, is the next assignment."""
    assignment = outcome("sticky", group)
    assert sorted_partitions(outcome("sticky", next_round("sticky", group, assignment, 9))) == sorted_partitions(assignment)


@given(groups(equal=True), st.data())
def test_who_stays_keeps_all_when_others_leave(group: Group, data: st.DataObject) -> None:
    """R20: with equal subscriptions nothing but what the others had changes hands."""
    assignment = outcome("sticky", group)
    staying = data.draw(st.sets(st.sampled_from(sorted(assignment)), min_size=1))
    smaller = next_round("sticky", {**group, "members": [each for each in group["members"] if each["id"] in staying]}, assignment)
    after = outcome("sticky", smaller)
    for member in staying:
        for topic, partitions in assignment[member].items():
            assert set(partitions) <= set(after[member][topic])


@given(claiming_groups("sticky", racks=True), st.randoms(use_true_random=False))
def test_the_order_of_members_does_not_matter(group: Group, random: Any) -> None:
    """R20: which member leads the group, and who joined it first, has no influence."""
    shuffled = list(group["members"])
    random.shuffle(shuffled)
    assert outcome("sticky", {**group, "members": shuffled}) == outcome("sticky", group)


SEEDED = """
from tidemill.assignors import assign
names = [f"member-{number}" for number in range(30)]
claims = [{f"t{each}": [index % 4, index % 3] for each in range(3)} for index in range(30)]
for step in (1, 3):
    members = [{"id": name, "topics": [f"t{each}" for each in range(8) if (each + index) % step != 1], "owned": claims[index],
                "generation": index % 3, "user_data": {"owned": claims[index], "generation": index % 3}}
               for index, name in enumerate(names)]
    for strategy in ("sticky", "cooperative-sticky"):
        print(assign(strategy, {f"t{each}": 7 for each in range(8)}, members))
"""


def test_the_outcome_does_not_hang_on_pythons_hashes() -> None:
    """R20, R21: members in different processes come to one result."""
    outputs = {
        subprocess.run([sys.executable, "-c", SEEDED], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("strategy", ["sticky", "cooperative-sticky"])
@pytest.mark.parametrize(
    ("subscriptions", "expected"),
    [
        (("t0 t0",), {"C0": {"t0": [0, 1, 2]}}),
        (("t0 t1 t0", "t1 t0 t0"), {"C0": {"t1": [0], "t0": [0, 2]}, "C1": {"t1": [1], "t0": [1]}}),
        (("t1 t1", "t0 t1"), {"C0": {"t1": [0, 1]}, "C1": {"t0": [0, 1, 2]}}),
        # As long as the other's, of which it lacks a topic: here Kafka's own gives C1 partitions of t0.
        (("t0 t1", "t1 t1"), {"C0": {"t0": [0, 1, 2]}, "C1": {"t1": [0, 1]}}),
    ],
)
def test_a_topic_that_is_named_twice_is_assigned_once(strategy: str, subscriptions: tuple[str, ...], expected: Any) -> None:
    assert assign(strategy, {"t0": 3, "t1": 2}, members(*subscriptions)) == expected
