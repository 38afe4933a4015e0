"""aiokafka reads what we write, finds the same values in it, and writes the same bytes: every message and version it knows.

Its fields have names of their own, so values are compared in the order of the wire.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import aiokafka.protocol
import pytest
from aiokafka.protocol.api import RequestHeader_v1, RequestStruct, Response
from aiokafka.protocol.group import MemberAssignment, ProtocolMetadata

from support.messages import RandomMessages
from tidemill.wire.frames import encode_request
from tidemill.wire.message import Message, Struct
from tidemill.wire.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from tidemill.wire.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidemill.wire.messages.describe_acls import DescribeAclsRequest
from tidemill.wire.messages.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from tidemill.wire.record_frames import encode_versioned
from tidemill.wire.registry import request_class, response_class
from tidemill.wire.schema import fields

pytestmark = pytest.mark.peer

MESSAGES_A_VERSION = 10

# Known differences, each with a test below that it is still there.
NOT_FLEXIBLE = {"DescribeAclsRequest_v2", "DescribeAclsResponse_v2"}
LONG_LEADER_EPOCH = {"OffsetRequest_v4", "OffsetRequest_v5"}


def known_to_aiokafka() -> Iterator[tuple[type[Message], int, Any]]:
    """Our class, the version, and their class for it."""
    for module in pkgutil.walk_packages(aiokafka.protocol.__path__, "aiokafka.protocol."):
        importlib.import_module(module.name)
    for base, find in ((RequestStruct, request_class), (Response, response_class)):
        for theirs in base.__subclasses__():
            ours = find(theirs.API_KEY)
            if ours.MIN_VERSION <= theirs.API_VERSION <= ours.MAX_VERSION:
                yield ours, theirs.API_VERSION, theirs


KNOWN = list(known_to_aiokafka())
AGREEING = [row for row in KNOWN if row[2].__name__ not in NOT_FLEXIBLE | LONG_LEADER_EPOCH]


def their_name(row: object) -> str | None:
    return row.__name__ if isinstance(row, type) and not issubclass(row, Message) else None


def in_wire_order(value: Any, version: int) -> Any:
    """Our values as aiokafka has them: tuples without names, views as bytes."""
    if isinstance(value, Struct):
        present = [field for field in fields(type(value)) if field.versions.has(version)]
        return unwrapped(tuple(in_wire_order(getattr(value, field.attribute), version) for field in present))
    if isinstance(value, list):
        return [in_wire_order(element, version) for element in value]
    return bytes(value) if isinstance(value, memoryview) else value


def their_values(theirs: Any) -> Any:
    return without_tags(tuple(theirs.get_item(name) for name in theirs.SCHEMA.names))


def without_tags(value: Any) -> Any:
    """Their values, but for the mapping of tagged fields in which a struct of a flexible version ends."""
    if isinstance(value, tuple):
        return unwrapped(tuple(without_tags(element) for element in value if not isinstance(element, dict)))
    return [without_tags(element) for element in value] if isinstance(value, list) else value


def unwrapped(values: tuple[Any, ...]) -> Any:
    """The fields of a struct. They group some that Kafka does not group, and a struct of a single field is, in places, that field."""
    flat = tuple(field for value in values for field in (value if isinstance(value, tuple) else (value,)))
    return flat[0] if len(flat) == 1 else flat


def random_message(cls: type[Message], version: int, number: int) -> Message:
    return RandomMessages(Random(f"{cls.NAME}|{version}|{number}"), unknown_tags=False).message(cls.NAME, version)


def test_they_know_most_of_what_clients_send() -> None:
    assert len(KNOWN) >= 150


@pytest.mark.parametrize(("cls", "version", "theirs"), AGREEING, ids=their_name)
def test_both_read_and_write_the_same(cls: type[Message], version: int, theirs: Any) -> None:
    for number in range(MESSAGES_A_VERSION):
        message = random_message(cls, version, number)
        data = message.encode(version)
        read = theirs.decode(BytesIO(data))
        assert their_values(read) == in_wire_order(message, version)
        assert read.encode() == data


@pytest.mark.parametrize(
    ("ours", "theirs"), [(ConsumerProtocolSubscription, ProtocolMetadata), (ConsumerProtocolAssignment, MemberAssignment)]
)
def test_both_have_the_same_consumer_protocol(ours: type[Message], theirs: Any) -> None:
    for number in range(MESSAGES_A_VERSION):
        message = random_message(ours, 0, number)
        data = encode_versioned(message, 0)
        read = theirs.decode(BytesIO(data))
        assert their_values(read)[1:] == in_wire_order(message, 0)
        assert read.encode() == data


def test_both_have_the_same_header() -> None:
    request = ListOffsetsRequest()
    theirs = RequestHeader_v1(next(known for cls, version, known in KNOWN if (cls, version) == (ListOffsetsRequest, 1)), 7, "me")
    assert encode_request(request, 1, 7, "me")[0][4:] == theirs.encode() + request.encode(1)


@pytest.mark.parametrize(("cls", "version", "theirs"), [row for row in KNOWN if row[2].__name__ in NOT_FLEXIBLE], ids=their_name)
def test_known_difference_they_describe_acls_without_compact_lengths(cls: type[Message], version: int, theirs: Any) -> None:
    """Version 2 is flexible in Kafka; they give it the layout of version 1."""
    with pytest.raises(ValueError, match=r"underrun|unpack|convert"):
        theirs.decode(BytesIO(random_message(cls, version, 0).encode(version)))
    assert DescribeAclsRequest(resource_name_filter="a").encode(1) != DescribeAclsRequest(resource_name_filter="a").encode(2)


@pytest.mark.parametrize(("cls", "version", "theirs"), [row for row in KNOWN if row[2].__name__ in LONG_LEADER_EPOCH], ids=their_name)
def test_known_difference_they_send_the_leader_epoch_in_8_bytes(cls: type[Message], version: int, theirs: Any) -> None:
    """In Kafka it is an int32."""
    message = ListOffsetsRequest(topics=[ListOffsetsTopic(name="a", partitions=[ListOffsetsPartition(current_leader_epoch=1)])])
    size = len(theirs(-1, 0, [("a", [(0, 1, 0)])]).encode())
    assert size == len(message.encode(version)) + 4
