"""Groups whose members say what they own, for the tests of the sticky strategies."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from support.groups import Group, groups
from tidemill.assignors import Assignment

Topics = Mapping[str, list[int]]


def claiming(strategy: str, member: Mapping[str, Any], owned: Topics, generation: int) -> dict[str, Any]:
    """The member as it reports what it owns: a sticky one in its user data, a cooperative one in its subscription."""
    if strategy == "sticky":
        return {**member, "generation": generation, "user_data": {"owned": owned, "generation": generation}}
    return {**member, "owned": owned, "generation": generation, "user_data": {"generation": generation}}


def claims_of(strategy: str, member: Mapping[str, Any]) -> Topics:
    source = member.get("user_data") or {} if strategy == "sticky" else member
    claims: Topics = source.get("owned") or {}
    return claims


def next_round(strategy: str, group: Group, assignment: Assignment, generation: int = 1) -> Group:
    """The group when its members have got that. Members that are new in it own nothing yet."""
    members = [
        claiming(strategy, member, assignment[member["id"]], generation) if member["id"] in assignment else member
        for member in group["members"]
    ]
    return {**group, "members": members}


def without(group: Group, member_id: str) -> Group:
    return {**group, "members": [member for member in group["members"] if member["id"] != member_id]}


def sorted_partitions(assignment: Assignment) -> Assignment:
    """Regardless of order in the lists."""
    return {member: {topic: sorted(partitions) for topic, partitions in topics.items()} for member, topics in assignment.items()}


def kept(strategy: str, group: Group, assignment: Assignment) -> int:
    """How many partitions stay with a member that claimed them."""
    return sum(
        len(set(partitions) & set(assignment[member["id"]].get(topic, ())))
        for member in group["members"]
        for topic, partitions in claims_of(strategy, member).items()
    )


def could_move(group: Group, assignment: Assignment) -> list[tuple[str, str, str]]:
    """Whom, with at least two more than another, that other could take a partition of a topic from."""
    sizes = {member: sum(map(len, topics.values())) for member, topics in assignment.items()}
    asked = {member["id"]: set(member["topics"]) for member in group["members"]}
    return [
        (rich, poor, topic)
        for rich in sizes
        for poor in sizes
        if sizes[rich] > sizes[poor] + 1
        for topic in assignment[rich]
        if topic in asked[poor]
    ]


@st.composite
def claiming_groups(draw: st.DrawFn, strategy: str, *, equal: bool | None = None, racks: bool = False) -> Group:
    """A random group with whatever claims: conflicting, stale, to what does not exist."""
    group: Group = draw(groups(equal=equal, racks=racks))
    names = st.sampled_from([*group["topics"], "not-there"])
    claims = st.dictionaries(names, st.lists(st.integers(-2, 25), max_size=12), max_size=4)
    members = []
    for member in group["members"]:
        if draw(st.booleans()):
            member = claiming(strategy, member, draw(claims), draw(st.integers(-1, 3)))
        members.append(member)
    return {**group, "members": members}
