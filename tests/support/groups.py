"""Groups for the assignors' tests: random ones, and what any assignment must keep to."""

import struct
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from hypothesis import strategies as st

from tidemill.assignors import Assignment, assign

Group = dict[str, Any]
"""A golden line, or one like it: topics, members and, where there are any, racks and assignable."""


def outcome(strategy: str, group: Group) -> Assignment:
    return assign(strategy, group["topics"], group["members"], racks=group.get("racks"), assignable=group.get("assignable"))


def named(*subscriptions: str) -> list[dict[str, Any]]:
    """Members C0, C1, …, each with the topics it subscribes to."""
    return [{"id": f"C{number}", "topics": topics.split()} for number, topics in enumerate(subscriptions)]


def in_wire_order(assignment: Mapping[str, Mapping[str, list[int]]]) -> dict[str, list[tuple[str, list[int]]]]:
    """Comparable with the order of topics in it."""
    return {member: list(topics.items()) for member, topics in assignment.items()}


def serialized(topics: Mapping[str, list[int]]) -> bytes:
    """A member's assignment as SyncGroup carries it: ConsumerProtocolAssignment, version 3, no user data."""
    parts = [struct.pack(">hi", 3, len(topics))]
    for topic, partitions in topics.items():
        name = topic.encode()
        parts.append(struct.pack(f">h{len(name)}si{len(partitions)}i", len(name), name, len(partitions), *partitions))
    return b"".join(parts) + struct.pack(">i", -1)


def without_empty(assignment: Mapping[str, Mapping[str, list[int]]]) -> dict[str, dict[str, list[int]]]:
    """Without members and topics that stand there with nothing: Kafka's server-side assignors may leave them out."""
    full = {member: {topic: partitions for topic, partitions in topics.items() if partitions} for member, topics in assignment.items()}
    return {member: topics for member, topics in full.items() if topics}


def targets(group: Group) -> set[tuple[str, int]]:
    """Every partition that somebody subscribes to and that may be assigned."""
    asked = {topic for member in group["members"] for topic in member["topics"]}
    every: dict[str, Collection[int]] = {topic: range(group["topics"].get(topic, 0)) for topic in asked}
    if "assignable" in group:
        every = {topic: [each for each in group["assignable"].get(topic, ()) if each in there] for topic, there in every.items()}
    return {(topic, partition) for topic, partitions in every.items() for partition in partitions}


def check_sound(group: Group, assignment: Assignment, *, shared: bool = False) -> None:
    """Every partition has an owner (one; some, if `shared`), who asked for it; nobody has anything else."""
    asked = {member["id"]: set(member["topics"]) for member in group["members"]}
    assert assignment.keys() == asked.keys()
    owners: Counter[tuple[str, int]] = Counter()
    for member, topics in assignment.items():
        for topic, partitions in topics.items():
            assert topic in asked[member]
            assert partitions
            assert partitions == sorted(set(partitions))
            owners.update((topic, partition) for partition in partitions)
    assert owners.keys() == targets(group)
    assert shared or all(count == 1 for count in owners.values())


def sizes(assignment: Assignment) -> list[int]:
    return sorted(sum(map(len, topics.values())) for topics in assignment.values())


def kept(group: Group, assignment: Assignment) -> int:
    """How many partitions stay with a member that was assigned them before."""
    return sum(
        len(set(partitions) & set(assignment[member["id"]].get(topic, ())))
        for member in group["members"]
        for topic, partitions in member.get("assigned", {}).items()
    )


NAMES = st.text("abcXYZ019-_", min_size=1, max_size=6)
TOPICS = st.dictionaries(NAMES, st.integers(0, 20), min_size=1, max_size=5)


@st.composite
def groups(draw: st.DrawFn, *, equal: bool | None = None, racks: bool = False, assigned: bool = False) -> Group:
    """A random group. `equal`: whether all subscribe to the same; `assigned`: with whatever claims to have been assigned."""
    topics = draw(TOPICS)
    names = st.sampled_from([*topics, "not-there"])
    subscription = st.lists(names, unique=True, max_size=5)
    ids = draw(st.lists(NAMES, unique=True, min_size=1, max_size=8))
    same = draw(subscription)
    members: list[dict[str, Any]] = []
    for number, member_id in enumerate(ids):
        member: dict[str, Any] = {"id": member_id, "topics": same if equal else draw(subscription)}
        if draw(st.booleans()):
            member["instance_id"] = f"{draw(NAMES)}-{number}"
        if racks:
            member["rack"] = draw(st.sampled_from([None, "", "a", "b", "c"]))
        if assigned:
            member["assigned"] = draw(st.dictionaries(names, st.lists(st.integers(-2, 25), max_size=6), max_size=3))
        members.append(member)
    group: Group = {"topics": topics, "members": members}
    if racks:
        rack = st.sampled_from([None, "a", "b", "c"])
        group["racks"] = {topic: [draw(st.lists(rack, min_size=1, max_size=2)) for _ in range(count)] for topic, count in topics.items()}
    return group
