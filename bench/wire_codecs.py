"""Encoding and decoding of the messages that a client or broker handles most, beside kafka-python's and aiokafka's codecs.

Each is measured in the highest version that both know. What is decoded are the bytes that all three agree on; what is encoded is,
for each library, the message that it decoded from them itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import Any

from bench.harness import Case, Result, Work, measure, table
from tidemill.wire.message import Message
from tidemill.wire.messages.fetch import FetchableTopicResponse, FetchResponse, PartitionData
from tidemill.wire.messages.join_group import JoinGroupResponse, JoinGroupResponseMember
from tidemill.wire.messages.metadata import MetadataResponse, MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic
from tidemill.wire.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidemill.wire.uuids import Uuid

TARGET = "≥ 3 × both"
REPEATS = 20  # calls in one measurement: a single one takes microseconds, and would show little but cold caches
PARTITIONS = 100
RECORDS = bytes(range(256)) * 4  # of each partition; the codecs do not look inside

KAFKA_PYTHON = {
    "MetadataResponse": "kafka.protocol.metadata",
    "ProduceRequest": "kafka.protocol.producer",
    "FetchResponse": "kafka.protocol.consumer",
    "JoinGroupResponse": "kafka.protocol.consumer",
}
AIOKAFKA = {
    "MetadataResponse": ("aiokafka.protocol.metadata", 5),
    "ProduceRequest": ("aiokafka.protocol.produce", 8),
    "FetchResponse": ("aiokafka.protocol.fetch", 11),
    "JoinGroupResponse": ("aiokafka.protocol.group", 5),
}


def metadata() -> MetadataResponse:
    """1,000 partitions in 10 topics, each on three brokers."""
    partitions = [
        MetadataResponsePartition(partition_index=index, leader_id=index % 3, leader_epoch=7, replica_nodes=[0, 1, 2], isr_nodes=[0, 1, 2])
        for index in range(100)
    ]
    return MetadataResponse(
        cluster_id="4L6g3nShT-eMCtK--X86sw",
        brokers=[MetadataResponseBroker(node_id=number, host=f"broker-{number}", port=9092) for number in range(3)],
        topics=[
            MetadataResponseTopic(name=f"topic-{number}", topic_id=Uuid([number + 1] * 16), partitions=partitions) for number in range(10)
        ],
    )


def produce() -> ProduceRequest:
    partitions = [PartitionProduceData(index=index, records=RECORDS) for index in range(PARTITIONS)]
    return ProduceRequest(
        acks=-1, timeout_ms=30_000, topic_data=[TopicProduceData(name="orders", topic_id=Uuid([1] * 16), partition_data=partitions)]
    )


def fetch() -> FetchResponse:
    partitions = [
        PartitionData(partition_index=index, high_watermark=10, last_stable_offset=10, log_start_offset=0, records=RECORDS)
        for index in range(PARTITIONS)
    ]
    return FetchResponse(responses=[FetchableTopicResponse(topic="orders", topic_id=Uuid([1] * 16), partitions=partitions)])


def join_group() -> JoinGroupResponse:
    """What the leader of a group of 100 members receives."""
    members = [JoinGroupResponseMember(member_id=f"consumer-{number}-4f1a", metadata=bytes(80)) for number in range(100)]
    return JoinGroupResponse(
        generation_id=5,
        protocol_type="consumer",
        protocol_name="range",
        leader="consumer-0-4f1a",
        member_id="consumer-0-4f1a",
        members=members,
    )


MESSAGES = {"Metadata, 1,000 partitions": metadata, "Produce": produce, "Fetch": fetch, "JoinGroup, 100 members": join_group}


def cases() -> Iterator[Case]:
    for title, make in MESSAGES.items():
        message = make()
        yield from _beside(title, message, message.MAX_VERSION, "kafka-python", _kafka_python(message))
        module, version = AIOKAFKA[message.NAME]
        yield from _beside(title, message, version, "aiokafka", _aiokafka(message, module, version))


def _beside(title: str, message: Message, version: int, peer: str, works: tuple[Work, Work]) -> Iterator[Case]:
    data = message.encode(version)
    encode, decode = works
    cls = type(message)
    name = f"{title}, version {version}"
    yield _case(f"encode {name}", lambda: message.encode(version), peer, encode)
    yield _case(f"decode {name}", lambda: cls.decode(version, data), peer, decode)


def _case(name: str, ours: Work, peer: str, theirs: Work) -> Case:
    return Case(name, {"tidemill": _repeated(ours), peer: _repeated(theirs)}, REPEATS, "messages", TARGET)


def _repeated(work: Work) -> Work:
    def run() -> None:
        for _ in range(REPEATS):
            work()

    return run


def _kafka_python(message: Message) -> tuple[Work, Work]:
    version = message.MAX_VERSION
    data = message.encode(version)
    cls: Any = getattr(import_module(KAFKA_PYTHON[message.NAME]), message.NAME)
    theirs = cls.decode(data, version=version)
    theirs._header = None  # its decoder leaves this unset, and its encoder asks for it
    assert bytes(theirs.encode(version=version)) == data, f"kafka-python encodes {message.NAME} version {version} differently"
    return lambda: theirs.encode(version=version), lambda: cls.decode(data, version=version)


def _aiokafka(message: Message, module: str, version: int) -> tuple[Work, Work]:
    data = message.encode(version)
    cls: Any = getattr(import_module(module), f"{message.NAME}_v{version}")
    theirs = cls.decode(BytesIO(data))
    assert theirs.encode() == data, f"aiokafka encodes {message.NAME} version {version} differently"
    return theirs.encode, lambda: cls.decode(BytesIO(data))


def report(rounds: int) -> str:
    return table(results(rounds))


def results(rounds: int) -> list[Result]:
    return measure(cases(), rounds)


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
