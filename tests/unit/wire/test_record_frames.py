"""Messages in records, with their types and versions. That the prefixes are right is shown by the golden vectors."""

from typing import Any

import pytest

from support.golden import lines
from tidemill.errors import ProtocolError
from tidemill.wire import record_frames
from tidemill.wire.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidemill.wire.messages.offset_commit_record import OffsetCommitKey, OffsetCommitValue
from tidemill.wire.messages.topic_record import TopicRecord
from tidemill.wire.registry import message_class


@pytest.mark.parametrize(
    ("file", "topic"),
    [
        ("group_coordinator", "__consumer_offsets"),
        ("transaction_coordinator", "__transaction_state"),
        ("share_coordinator", "__share_group_state"),
    ],
)
def test_kafkas_keys_and_values_are_told_apart_by_their_type(file: str, topic: str) -> None:
    keys: dict[int, Any] = {}
    values: dict[int, Any] = {}
    for line in lines(f"messages/{file}.jsonl"):
        (keys if line["kind"] == "coordinator-key" else values)[line["api_key"]] = line
    assert keys.keys() == values.keys()
    for number, key_line in keys.items():
        key_data, value_data = bytes.fromhex(key_line["hex"]), bytes.fromhex(values[number]["hex"])
        key, value = record_frames.decode_coordinator_record(topic, key_data, value_data)
        assert value is not None
        assert [line["name"] for line in (key_line, values[number])] == [key.NAME, value.NAME]
        assert record_frames.encode_coordinator_key(key) == key_data
        assert record_frames.encode_versioned(value, values[number]["version"]) == value_data


def test_kafkas_metadata_records_are_told_apart_by_their_type() -> None:
    for line in lines("messages/cluster_metadata.jsonl"):
        data = bytes.fromhex(line["hex"])
        version, record = record_frames.decode_metadata_record(data)
        assert (record.NAME, version) == (line["name"], line["version"])
        assert record_frames.encode_metadata_record(record, version) == data


def test_a_value_without_bytes_is_a_tombstone() -> None:
    key = OffsetCommitKey(group="g", topic="t", partition=1)
    assert record_frames.decode_coordinator_record("__consumer_offsets", record_frames.encode_coordinator_key(key), None) == (key, None)


def test_a_version_goes_before_the_consumer_protocol() -> None:
    data = record_frames.encode_versioned(ConsumerProtocolSubscription(topics=["a"]), 1)
    assert data[:2] == b"\0\1"
    assert record_frames.decode_versioned(ConsumerProtocolSubscription, data) == (1, ConsumerProtocolSubscription(topics=["a"]))


@pytest.mark.parametrize(
    ("hex_bytes", "problem"),
    [
        ("", "cannot decode a record of the cluster's metadata"),
        ("0202", "cannot decode a record of the cluster's metadata"),
        ("020200", "frame version 2: 1 is known"),
        ("010600", "no records of type 6"),
        ("010209", "TopicRecord has versions 0 to 0, not 9"),
        ("01020001", "cannot decode TopicRecord version 0"),
    ],
)
def test_metadata_records_that_are_none(hex_bytes: str, problem: str) -> None:
    with pytest.raises(ProtocolError, match=problem):
        record_frames.decode_metadata_record(bytes.fromhex(hex_bytes))


def test_bytes_after_a_record_are_an_error() -> None:
    with pytest.raises(ProtocolError, match="it ends at byte"):
        record_frames.decode_metadata_record(record_frames.encode_metadata_record(TopicRecord(), 0) + b"\0")
    with pytest.raises(ProtocolError, match="it ends at byte"):
        record_frames.decode_versioned(OffsetCommitValue, record_frames.encode_versioned(OffsetCommitValue(), 3) + b"\0")


@pytest.mark.parametrize(("topic", "key"), [("__consumer_offsets", "0009"), ("__consumer_offsets", "00"), ("orders", "0000")])
def test_keys_that_are_none(topic: str, key: str) -> None:
    with pytest.raises(ProtocolError):
        record_frames.decode_coordinator_record(topic, bytes.fromhex(key), None)


def test_what_is_not_a_record_or_has_no_such_version_is_refused() -> None:
    assignment = message_class("ConsumerProtocolAssignment")()
    with pytest.raises(ProtocolError, match="ConsumerProtocolAssignment is not kept in records"):
        record_frames.encode_metadata_record(assignment, 0)
    with pytest.raises(ProtocolError, match="ConsumerProtocolAssignment is not kept in records"):
        record_frames.encode_coordinator_key(assignment)
    with pytest.raises(ProtocolError, match="has versions 0 to 3, not 70000"):
        record_frames.encode_versioned(assignment, 70_000)
    with pytest.raises(ProtocolError, match="has versions 0 to 0, not -1"):
        record_frames.encode_metadata_record(TopicRecord(), -1)
