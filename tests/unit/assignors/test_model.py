"""Plain data becomes members and a cluster, or is refused with a message that names the member and the field."""

from collections import OrderedDict, UserDict, UserList
from types import MappingProxyType
from typing import Any

import pytest

from tidemill.assignors import assign
from tidemill.assignors.model import TopicPartition, java_order, parse_cluster, parse_members


def test_a_member_with_all_fields() -> None:
    fields = {
        "id": "a",
        "topics": ["t1", "t0"],
        "instance_id": "i",
        "rack": "r",
        "version": 2,
        "owned": {"t0": [1]},
        "generation": 4,
        "user_data": {"owned": {"t1": (0,)}, "generation": 3},
        "assigned": {"t0": [2]},
        "subscription": "ignored",
    }
    (member,) = parse_members([fields])
    assert (member.id, member.topics, member.instance_id, member.rack, member.version) == ("a", ("t1", "t0"), "i", "r", 2)
    assert (member.owned, member.generation, member.assigned) == ({"t0": [1]}, 4, {"t0": [2]})
    assert member.user_data is not None
    assert (member.user_data.owned, member.user_data.generation) == ({"t1": (0,)}, 3)


@pytest.mark.parametrize("absent", [{}, dict.fromkeys(("instance_id", "rack", "version", "owned", "generation", "user_data", "assigned"))])
def test_what_is_absent_or_none_has_its_default(absent: dict[str, Any]) -> None:
    (member,) = parse_members([{"id": "a", "topics": []} | absent])
    assert (member.topics, member.instance_id, member.rack, member.version) == ((), None, None, 3)
    assert (member.owned, member.generation, member.user_data, member.assigned) == ({}, -1, None, {})


def test_user_data_in_its_oldest_layout_has_no_generation() -> None:
    (member,) = parse_members([{"id": "a", "topics": [], "user_data": {"owned": None}}])
    assert member.user_data is not None
    assert (member.user_data.owned, member.user_data.generation) == ({}, None)


def test_equal_subscriptions_are_one_tuple() -> None:
    first, second, third = parse_members([{"id": name, "topics": list(topics)} for name, topics in (("a", "xy"), ("b", "xy"), ("c", "yx"))])
    assert first.topics is second.topics
    assert third.topics == ("y", "x")


def test_any_mapping_and_sequence_will_do() -> None:
    topics = MappingProxyType({"t0": 2})
    members: UserList[Any] = UserList(
        [UserDict(id="a", topics=("t0",)), OrderedDict(id="b", topics=UserList(["t0"]), user_data=UserDict(owned={"t0": range(2)}))]
    )
    assert assign("sticky", topics, members) == {"a": {"t0": [1]}, "b": {"t0": [0]}}


@pytest.mark.parametrize(
    ("texts", "ordered"),
    [
        (["b", "a", "B"], ["B", "a", "b"]),
        (["\ufb01", "😀", "a"], ["a", "😀", "\ufb01"]),
        (["\ud83d", "😀"], ["\ud83d", "😀"]),
        ([], []),
    ],
)
def test_strings_are_ordered_as_in_java(texts: list[str], ordered: list[str]) -> None:
    assert java_order(texts) == ordered


def test_a_cluster_lists_the_partitions_of_a_topic() -> None:
    cluster = parse_cluster({"t0": 2})
    assert cluster.partitions("t0") == [TopicPartition("t0", 0), TopicPartition("t0", 1)]
    assert cluster.partitions("t1") == []


A = {"id": "a", "topics": ["t0"]}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (None, "members must be a sequence of mappings, not None"),
        ("abc", "members must be a sequence of mappings, not 'abc'"),
        ([A, 3], "members[1] must be a mapping, not int"),
        ([{"id": 3, "topics": []}], "members[0]: id must be a string, not 3"),
        ([{"id": "a", "topics": "t0"}], "member 'a': topics must be a sequence of strings, not 't0'"),
        ([{"id": "a", "topics": ["t0", 1]}], "member 'a': topics holds 1, which is not a string"),
        ([A | {"rack": 3}], "member 'a': rack must be a string or None, not 3"),
        ([A | {"instance_id": b"i"}], "member 'a': instance_id must be a string or None, not b'i'"),
        ([A | {"generation": "4"}], "member 'a': generation must be an integer, not '4'"),
        ([A | {"generation": True}], "member 'a': generation must be an integer, not True"),
        ([A | {"version": 2.0}], "member 'a': version must be an integer, not 2.0"),
        ([A | {"owned": [0]}], "member 'a': owned must be a mapping, not list"),
        ([A | {"owned": {3: [0]}}], "member 'a': owned: a topic's name must be a string, not 3"),
        ([A | {"owned": {"t0": 3}}], "member 'a': owned: the partitions of 't0' must be a sequence of integers, not 3"),
        ([A | {"owned": {"t0": [0, None]}}], "member 'a': owned: partition None of 't0' is not an integer"),
        ([A | {"assigned": {"t0": {0}}}], "member 'a': assigned: the partitions of 't0' must be a sequence of integers, not {0}"),
        ([A | {"user_data": b"x"}], "member 'a': user_data must be a mapping, not bytes"),
        ([A | {"user_data": {"generation": "3"}}], "member 'a': user_data.generation must be an integer, not '3'"),
        (
            [A | {"user_data": {"owned": {"t0": "3"}}}],
            "member 'a': user_data.owned: the partitions of 't0' must be a sequence of integers, not '3'",
        ),
    ],
)
def test_members_of_the_wrong_type_are_refused(members: Any, message: str) -> None:
    with pytest.raises(TypeError) as error:
        assign("sticky", {"t0": 1}, members)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([{"topics": ["t0"]}], "members[0] has no 'id'"),
        ([A, {"id": "b"}], "member 'b' has no 'topics': a member that subscribes to nothing has an empty list"),
        ([A, {"id": "b", "topics": []}, A], "two members have the id 'a': ids must differ"),
    ],
)
def test_incomplete_or_contradictory_members_are_refused(members: Any, message: str) -> None:
    with pytest.raises(ValueError, match="member") as error:
        assign("sticky", {"t0": 1}, members)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"topics": ["t0"]}, "topics must be a mapping, not list"),
        ({"topics": {"t0": "3"}}, "topics: the number of partitions of 't0' must be an integer, not '3'"),
        ({"topics": {"t0": True}}, "topics: the number of partitions of 't0' must be an integer, not True"),
        ({"topics": {0: 3}}, "topics: a topic's name must be a string, not 0"),
        ({"topics": {}, "racks": []}, "racks must be a mapping, not list"),
        ({"topics": {}, "racks": {"t0": "a"}}, "racks: 't0' must be a sequence of lists, one a partition, not 'a'"),
        ({"topics": {}, "racks": {"t0": ["a"]}}, "racks: partition 0 of 't0' must be a sequence of racks, one a replica, not 'a'"),
        ({"topics": {}, "racks": {"t0": [["a", 1]]}}, "racks: 1, a rack of partition 0 of 't0', is neither a string nor None"),
        ({"topics": {}, "assignable": {"t0": ["a"]}}, "assignable: partition 'a' of 't0' is not an integer"),
        ({"topics": {}, "assignable": 3}, "assignable must be a mapping, not int"),
    ],
)
def test_a_cluster_of_the_wrong_type_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as error:
        assign("share-simple", members=[], **arguments)
    assert str(error.value) == message


def test_a_negative_number_of_partitions_is_refused() -> None:
    with pytest.raises(ValueError, match="topics: 't0' cannot have -1 partitions"):
        assign("range", {"t0": -1}, [])
