"""R22: a strategy of the user's own is one class with a name and one pure method."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tidemill.assignors import Assignor, Cluster, Member, TopicPartition, assign

TOPICS = {"t0": 3, "t1": 1}
GROUP = [{"id": "a", "topics": ["t0", "t1"], "rack": "r1"}, {"id": "b", "topics": ["t0"]}]


class ByRack(Assignor):
    """All to the first member that has a rack, as an example that looks at more than names."""

    name = "by-rack"

    def assign(self, cluster: Cluster, members: Sequence[Member]) -> Mapping[str, Sequence[TopicPartition]]:
        chosen = next(member for member in members if member.rack)
        return {chosen.id: [each for topic in chosen.topics for each in cluster.partitions(topic)]}


class Returning(Assignor):
    name = "returning"

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    def assign(self, cluster: Cluster, members: Sequence[Member]) -> Mapping[str, Sequence[TopicPartition]]:
        returned: Mapping[str, Sequence[TopicPartition]] = self.outcome
        return returned


def test_a_custom_strategy_assigns() -> None:
    """R22: members that it leaves out get nothing."""
    assert assign(ByRack(), TOPICS, GROUP) == {"a": {"t0": [0, 1, 2], "t1": [0]}, "b": {}}


def test_it_sees_the_cluster() -> None:
    """R22."""
    seen: list[object] = []

    class Looking(Assignor):
        name = "looking"

        def assign(self, cluster: Cluster, members: Sequence[Member]) -> Mapping[str, Sequence[TopicPartition]]:
            seen.extend([dict(cluster.topics), cluster.partitions("t1"), cluster.partitions("not-there"), cluster.racks])
            return {}

    assign(Looking(), TOPICS, GROUP, racks={"t1": [["r1", None]]})
    assert seen == [TOPICS, [TopicPartition("t1", 0)], [], {"t1": [["r1", None]]}]


def test_partitions_come_in_the_order_given_and_may_be_plain_pairs() -> None:
    """R22."""
    assert assign(Returning({"b": [("t0", 2), ("t0", 0)]}), TOPICS, GROUP) == {"a": {}, "b": {"t0": [2, 0]}}


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ({"c": []}, "assignor 'returning' gave partitions to 'c', which is not a member of the group"),
        ({"b": [("t1", 0)]}, "assignor 'returning' gave t1-0 to 'b', which does not subscribe to 't1'"),
        ({"a": [("t0", 3)]}, "assignor 'returning' gave t0-3 to 'a', but there is no such partition"),
        ({"a": [("t0", -1)]}, "assignor 'returning' gave t0--1 to 'a', but there is no such partition"),
        ({"a": [("t0", 1)], "b": [("t0", 1)]}, "assignor 'returning' gave t0-1 twice: to 'a' and to 'b'"),
        ({"a": [("t0", 1), ("t0", 1)]}, "assignor 'returning' gave t0-1 twice: to 'a' and to 'a'"),
    ],
)
def test_an_unsound_outcome_is_refused_before_anyone_gets_it(outcome: object, message: str) -> None:
    """R22."""
    with pytest.raises(ValueError, match="assignor 'returning'") as error:
        assign(Returning(outcome), TOPICS, GROUP)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (None, "must return a mapping from member ids to partitions, not NoneType"),
        ({"a": ["t0"]}, "gave 't0' to 'a': it must give TopicPartition(topic, partition)"),
        ({"a": [("t0", "1")]}, "gave ('t0', '1') to 'a': it must give TopicPartition(topic, partition)"),
    ],
)
def test_an_outcome_of_the_wrong_shape_is_refused(outcome: object, message: str) -> None:
    """R22."""
    with pytest.raises(TypeError) as error:
        assign(Returning(outcome), TOPICS, GROUP)
    assert str(error.value) == f"assignor 'returning' {message}"


def test_a_strategy_needs_a_name() -> None:
    """R22."""

    class Nameless(Assignor):
        def assign(self, cluster: Cluster, members: Sequence[Member]) -> Mapping[str, Sequence[TopicPartition]]:
            return {}

    with pytest.raises(TypeError, match="Nameless has no name: set the class attribute 'name'"):
        assign(Nameless(), TOPICS, GROUP)


def test_a_strategy_needs_its_method() -> None:
    """R22."""
    with pytest.raises(TypeError, match="abstract"):
        Assignor()  # type: ignore[abstract]
