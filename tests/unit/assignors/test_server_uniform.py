"""The broker's uniform strategy (KIP-848)."""

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from support.golden import lines
from support.groups import Group, check_sound, groups, kept, outcome, sizes, without_empty
from tidemill.assignors import Assignment, assign

GOLDEN = list(lines("assignors/server-uniform.jsonl.gz"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """Also where Kafka's outcome hangs on the order of its hash tables. Where it throws, the topics that exist are assigned."""
    assignment = outcome("server-uniform", line)
    check_sound(line, assignment)
    if "exception" not in line:
        assert without_empty(assignment) == without_empty(line["assignment"])
        assert sizes(assignment) == line.get("sizes", sizes(assignment))
        assert kept(line, assignment) == line.get("kept", kept(line, assignment))


def again(group: Group, assignment: Assignment) -> Group:
    """The group as it is when it has got that."""
    return {**group, "members": [{**member, "assigned": assignment[member["id"]]} for member in group["members"]]}


@given(groups(equal=True, assigned=True))
def test_equal_subscriptions_give_balance(group: Group) -> None:
    assignment = outcome("server-uniform", group)
    check_sound(group, assignment)
    balance = sizes(assignment)
    assert balance[-1] - balance[0] <= 1


@given(groups(assigned=True))
def test_whatever_members_claim_the_outcome_is_sound_and_stays(group: Group) -> None:
    assignment = outcome("server-uniform", group)
    check_sound(group, assignment)
    settled = outcome("server-uniform", again(group, assignment))
    assert outcome("server-uniform", again(group, settled)) == settled


@given(groups(equal=True))
def test_a_balanced_group_keeps_all(group: Group) -> None:
    assignment = outcome("server-uniform", group)
    assert outcome("server-uniform", again(group, assignment)) == assignment


def test_a_member_that_joins_takes_no_more_than_its_share() -> None:
    members: list[dict[str, Any]] = [{"id": "C0", "topics": ["t0"], "assigned": {"t0": [0, 1, 2, 3]}}, {"id": "C1", "topics": ["t0"]}]
    assert assign("server-uniform", {"t0": 4}, members) == {"C0": {"t0": [0, 1]}, "C1": {"t0": [2, 3]}}


def test_differing_subscriptions_are_balanced_by_moves() -> None:
    """C0 has all of t0 when C1, which asks for t0 only, comes: partitions move; t1 is C0's alone."""
    members: list[dict[str, Any]] = [
        {"id": "C0", "topics": ["t0", "t1"], "assigned": {"t0": [0, 1, 2, 3], "t1": [0, 1]}},
        {"id": "C1", "topics": ["t0"]},
    ]
    assert assign("server-uniform", {"t0": 4, "t1": 2}, members) == {"C0": {"t0": [0], "t1": [0, 1]}, "C1": {"t0": [1, 2, 3]}}


@pytest.mark.parametrize("strategy", ["range", "roundrobin", "server-range", "server-uniform", "share-simple"])
def test_nobody_and_nothing(strategy: str) -> None:
    assert assign(strategy, {"t0": 1}, []) == {}
    assert assign(strategy, {}, [{"id": "C0", "topics": []}]) == {"C0": {}}
    assert assign(strategy, {"t0": 0}, [{"id": "C0", "topics": ["t0", "t1"]}]) == {"C0": {}}


def test_a_partition_claimed_twice_has_one_owner() -> None:
    claims = {"t0": [0, 0, 1, 7, -1], "not-there": [0]}
    members = [{"id": name, "topics": ["t0"], "assigned": claims} for name in ("C0", "C1")]
    check_sound({"topics": {"t0": 2}, "members": members}, assign("server-uniform", {"t0": 2}, members))


SEEDED = """
from tidemill.assignors import assign
names = [f"member-{number}" for number in range(30)]
members = [{"id": name, "topics": [f"t{each}" for each in range(8) if (each + index) % 3]} for index, name in enumerate(names)]
for strategy in ("server-uniform", "share-simple"):
    print(assign(strategy, {f"t{each}": 5 + each for each in range(8)}, members))
"""


def test_pythons_own_hash_plays_no_part() -> None:
    """Two processes with different seeds give the same."""

    def run(seed: str) -> str:
        environment = os.environ | {"PYTHONHASHSEED": seed}
        return subprocess.run([sys.executable, "-c", SEEDED], env=environment, capture_output=True, text=True, check=True).stdout

    assert run("1") == run("2")
