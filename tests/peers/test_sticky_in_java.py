"""R20, R21: on random groups our sticky strategies decide as Apache Kafka's own, run here in Java.

What Kafka makes of a group is only compared where it does not hang on the hashes of names: where all its outcomes, under other
names in the same order, agree.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support import oracle
from support.claims import claiming, claims_of, could_move, sorted_partitions
from support.groups import Group, check_sound, in_wire_order, outcome, targets
from tidemill.assignors import Assignment

pytestmark = pytest.mark.oracle

PROGRAM = Path(__file__).resolve().parent.parent / "oracle" / "java" / "StickyAssignors.java"
NAMINGS = 16
GROUPS = int(os.environ.get("TIDEMILL_GROUPS", "300"))
STRATEGIES = ["sticky", "cooperative-sticky"]


def random_group(random: Random, strategy: str) -> Group:
    """Equal or unequal subscriptions, with and without racks; members own what they had in a slightly other group, or claim at random."""
    topics = {f"t{number}": random.randint(1, random.choice([3, 8, 20])) for number in range(random.choice([1, 2, 4, 9]))}
    names = [*topics, "not-there"]
    equal = random.random() < 0.4
    share = random.choice([0.3, 0.6, 0.9])
    everything = random.sample(names, random.randint(1, len(names)))
    members: list[dict[str, Any]] = []
    for number in range(random.choice([1, 2, 3, 5, 8, 20])):
        wanted = everything if equal else [name for name in names if random.random() < share]
        members.append({"id": f"m{number:02}", "topics": random.sample(wanted, len(wanted))})
    random.shuffle(members)
    group: Group = {"topics": topics, "members": members}
    if random.random() < 0.4:
        add_racks(random, group)
    group["members"] = list((claims_at_random if random.random() < 0.4 else claims_of_before)(random, strategy, group))
    return group


def add_racks(random: Random, group: Group) -> None:
    racks = ["a", "b", "c"][: random.randint(1, 3)]
    group["racks"] = {
        topic: [[random.choice([*racks, None]) for _ in range(random.randint(1, 2))] for _ in range(count)]
        for topic, count in group["topics"].items()
    }
    for member in group["members"]:
        if random.random() < 0.8:
            member["rack"] = random.choice([*racks, "elsewhere"])


def claims_at_random(random: Random, strategy: str, group: Group) -> Iterator[dict[str, Any]]:
    """Conflicting ones, of several generations."""
    every = [(topic, number) for topic, count in group["topics"].items() for number in range(count)]
    for member in group["members"]:
        owned: dict[str, list[int]] = {}
        for topic, number in random.sample(every, min(len(every), random.randint(0, 2 * len(every) // len(group["members"]) + 1))):
            owned.setdefault(topic, []).append(number)
        yield claiming(strategy, member, owned, random.randint(3, 5)) if random.random() < 0.8 else member


def claims_of_before(random: Random, strategy: str, group: Group) -> Iterator[dict[str, Any]]:
    """What members had when some were not there yet, another has gone since, and some subscribed to something else."""
    before = [dict(member) for member in group["members"] if random.random() < 0.8]
    before.append({"id": "gone", "topics": list(group["topics"])})
    for member in before:
        if random.random() < 0.2:
            member["topics"] = [topic for topic in group["topics"] if random.random() < 0.5]
    had = outcome("sticky", {**group, "members": before})
    for member in group["members"]:
        if member["id"] in had:
            yield claiming(strategy, member, had[member["id"]], 7 if random.random() < 0.9 else 6)
        else:
            yield member


def in_java(groups: list[Group]) -> list[list[dict[str, Any]]]:
    """The outcomes of each group, one a naming."""
    oracle.require()
    classpath = oracle.run("classpath")
    lines = "".join(json.dumps(group) + "\n" for group in groups)
    command = ["java", "-cp", classpath, str(PROGRAM), str(NAMINGS)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_topic(found: dict[str, list[tuple[str, int]]]) -> Assignment:
    assignment: Assignment = {}
    for member, partitions in found.items():
        assignment[member] = {}
        for topic, number in partitions:
            assignment[member].setdefault(topic, []).append(number)
    return assignment


def is_sound(group: Group, assignment: Assignment) -> bool:
    """Kafka's own is not always: it may give a partition to who did not ask for it."""
    asked = {member["id"]: set(member["topics"]) for member in group["members"]}
    given = [(topic, each) for topics in assignment.values() for topic, partitions in topics.items() for each in partitions]
    return (
        len(given) == len(set(given))
        and set(given) <= targets(group)
        and all(topics.keys() <= asked[member] for member, topics in assignment.items())
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_random_groups_are_assigned_as_in_java(strategy: str) -> None:
    """R20, R21: to the order of topics and partitions. `TIDEMILL_GROUPS` says how many groups."""
    random = Random(f"431 {strategy}")
    groups = [{**random_group(random, strategy), "strategy": strategy} for _ in range(GROUPS)]
    compared = 0
    for group, outcomes in zip(groups, in_java(groups), strict=True):
        ours = outcome(strategy, group)
        if strategy == "sticky":
            check_sound(group, sorted_partitions(ours))
            assert could_move(group, ours) == []
        if any("exception" in each for each in outcomes):
            continue
        theirs = [by_topic(each) for each in outcomes]
        if all(in_wire_order(each) == in_wire_order(theirs[0]) for each in theirs) and is_sound(group, theirs[0]):
            assert in_wire_order({member: ours[member] for member in theirs[0]}) == in_wire_order(theirs[0]), json.dumps(group)
            compared += any(claims_of(strategy, member) for member in group["members"])
    assert compared > GROUPS // 3
