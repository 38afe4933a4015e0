"""R18, R19: where the other clients are right, their assignors and ours agree.

They know nothing of racks, and kafka-python's round-robin fails where subscriptions differ; so groups here subscribe alike.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.coordinator.assignors.range import RangePartitionAssignor as AioKafkaRange
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor as AioKafkaRoundRobin
from hypothesis import given
from hypothesis import strategies as st
from kafka.coordinator.assignors.range import RangePartitionAssignor as KafkaPythonRange
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor as KafkaPythonRoundRobin
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

from support.groups import NAMES
from tidemill.assignors import Assignment, assign

pytestmark = pytest.mark.peer


class Cluster:
    """What these clients' assignors ask of a cluster."""

    def __init__(self, topics: dict[str, int]) -> None:
        self._topics = topics

    def topics(self) -> set[str]:
        return set(self._topics)

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        return set(range(self._topics[topic])) if topic in self._topics else None


def of_aiokafka(assignor: Any, topics: dict[str, int], members: list[str]) -> Assignment:
    outcome = assignor.assign(Cluster(topics), {member: assignor.metadata(list(topics)) for member in members})
    return {member: {topic: list(partitions) for topic, partitions in given.assignment} for member, given in outcome.items()}


def of_kafka_python(assignor: Any, topics: dict[str, int], members: list[str]) -> Assignment:
    subscription = ConsumerProtocolSubscription(0, list(topics), b"")
    group = [SimpleNamespace(member_id=member, group_instance_id=None, metadata=subscription) for member in members]
    outcome = assignor.assign(Cluster(topics), group)
    return {member: {topic: list(partitions) for topic, partitions in pairs(given)} for member, given in outcome.items()}


def pairs(given: Any) -> list[tuple[str, list[int]]]:
    return [each if isinstance(each, tuple) else (each.topic, each.partitions) for each in given.assigned_partitions]


def full(assignment: Assignment) -> Assignment:
    return {member: {topic: partitions for topic, partitions in topics.items() if partitions} for member, topics in assignment.items()}


@given(st.dictionaries(NAMES, st.integers(1, 12), min_size=1, max_size=4), st.lists(NAMES, unique=True, min_size=1, max_size=6))
def test_equal_subscriptions(topics: dict[str, int], members: list[str]) -> None:
    """R18, R19."""
    group = [{"id": member, "topics": list(topics)} for member in members]
    for strategy, aiokafka, kafka_python in (
        ("range", AioKafkaRange, KafkaPythonRange()),
        ("roundrobin", AioKafkaRoundRobin, KafkaPythonRoundRobin()),
    ):
        ours = assign(strategy, topics, group)
        assert full(of_aiokafka(aiokafka, topics, members)) == ours
        assert full(of_kafka_python(kafka_python, topics, members)) == ours
