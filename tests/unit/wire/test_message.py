"""Every message in every version: what is written is read as the same, and nothing that should not be lost is."""

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.messages import RandomMessages, every_version, structs_of, versions_of
from tidemill.errors import ProtocolError
from tidemill.wire.message import Message, Struct
from tidemill.wire.messages import MODULES
from tidemill.wire.messages.fetch import FetchRequest, FetchTopic, ReplicaState
from tidemill.wire.messages.heartbeat import HeartbeatRequest
from tidemill.wire.messages.metadata import MetadataRequest, MetadataRequestTopic
from tidemill.wire.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidemill.wire.reader import Reader
from tidemill.wire.registry import message_class
from tidemill.wire.schema import fields

VERSIONS = every_version()


@pytest.mark.parametrize("name", MODULES)
def test_every_version_reads_what_it_wrote(name: str) -> None:
    for version in versions_of(name):
        for seed in range(5):
            message = RandomMessages(Random(f"{name}|{version}|{seed}")).message(name, version)
            data = message.encode(version)
            assert message_class(name).decode(version, data) == message, version
            assert b"".join(message.encode_parts(version)) == data


@given(st.sampled_from(VERSIONS), st.randoms(use_true_random=False))
def test_random_messages_read_what_they_wrote(name_and_version: tuple[str, int], random: Random) -> None:
    name, version = name_and_version
    message = RandomMessages(random).message(name, version)
    assert message_class(name).decode(version, message.encode(version)) == message


@given(st.sampled_from(VERSIONS), st.binary(max_size=200))
def test_any_bytes_give_a_message_or_one_error(name_and_version: tuple[str, int], data: bytes) -> None:
    name, version = name_and_version
    try:
        message, end = message_class(name).decode_from(version, data)
    except ProtocolError:
        return
    assert 0 <= end <= len(data)
    assert message_class(name).decode(version, message.encode(version)).encode(version) == message.encode(version)


@pytest.mark.parametrize("name", MODULES)
def test_schema_and_class_agree(name: str) -> None:
    """The facts that a class carries name its attributes, and its defaults are those of the facts."""
    for struct in structs_of(message_class(name)):
        known = fields(struct)
        attributes: tuple[str, ...] = struct.__slots__
        assert [field.attribute for field in known] == [slot for slot in attributes if slot != "unknown_tagged_fields"]
        new = struct()
        assert [(field.name, getattr(new, field.attribute)) for field in known] == [(field.name, field.default()) for field in known]


@pytest.mark.parametrize("name", MODULES)
def test_no_element_of_an_array_is_empty(name: str) -> None:
    """A count is bounded by the bytes that are left, which bounds the memory only if each element takes one of them."""
    for version in versions_of(name):
        for struct in structs_of(message_class(name)):
            for field in fields(struct):
                if field.is_array and field.struct is not None and field.versions.has(version):
                    used = [part for part in fields(field.struct) if part.versions.has(version) and part.tag is None]
                    assert used or message_class(name).is_flexible(version), f"{name} {version}: {field.name}"


def test_a_field_that_a_version_lacks_is_dropped_if_it_may_be() -> None:
    topics = [TopicProduceData(name="orders", partition_data=[PartitionProduceData(index=0, records=b"")])]
    request = ProduceRequest(topic_data=topics)
    assert ProduceRequest.decode(13, request.encode(13)).topic_data[0].name == ""


@pytest.mark.parametrize(
    ("message", "version", "place"),
    [
        (ProduceRequest(acks=70_000), 9, "acks: 70000 is out of range: -32768 to 32767"),
        (ProduceRequest(topic_data=[TopicProduceData(), TopicProduceData(name=None)]), 9, r"topic_data\[1\].name: null is not allowed"),  # type: ignore[arg-type]
        (FetchRequest(replica_state=ReplicaState(replica_id=3)), 14, r"replica_state: ReplicaState\(replica_id=3.* would be lost"),
        (
            FetchRequest(topics=[FetchTopic(partitions=[FetchTopic()])]),  # type: ignore[list-item]
            12,
            r"topics\[0\].partitions\[0\]: a FetchPartition is needed, not FetchTopic",
        ),
        (MetadataRequest(topics=None), 0, "topics: null is not allowed"),
        (MetadataRequest(topics=[MetadataRequestTopic(name=None)]), 9, r"topics\[0\].name: null is not allowed"),
        (MetadataRequest(allow_auto_topic_creation=False), 3, "allow_auto_topic_creation: False would be lost"),
        (MetadataRequest(unknown_tagged_fields={1: b""}), 8, "unknown_tagged_fields: there are no tagged fields in this version"),
        (MetadataRequest(unknown_tagged_fields={1: "a"}), 9, "unknown_tagged_fields: .*tags to bytes"),  # type: ignore[dict-item]
        (MetadataRequest(), 14, "has versions 0 to 13, not 14"),
        (MetadataRequest(), -1, "has versions 0 to 13, not -1"),
        (message_class("StopReplicaRequest")(), 0, "removed from the protocol"),
    ],
)
def test_what_cannot_be_encoded_names_the_field(message: Message, version: int, place: str) -> None:
    with pytest.raises(ProtocolError, match=place):
        message.encode(version)


def test_an_attribute_that_was_deleted_is_named() -> None:
    request = HeartbeatRequest()
    del request.member_id
    with pytest.raises(ProtocolError, match="member_id: has no value"):
        request.encode(4)


def leaves(struct: Struct, version: int, path: str = "") -> list[tuple[Any, str, Any, str]]:
    """Everything in a message that holds a primitive value: owner, attribute or index, field, path."""
    found: list[tuple[Any, str, Any, str]] = []
    for field in fields(type(struct)):
        if not field.versions.has(version):
            continue
        value, place = getattr(struct, field.attribute), path + field.attribute
        found.append((struct, field.attribute, field, place))
        if field.struct is not None and value is not None:
            for index, element in enumerate(value if field.is_array else [value]):
                found += leaves(element, version, f"{place}[{index}]." if field.is_array else f"{place}.")
    return found


class Foreign:
    """No value of any type of the protocol."""

    def __repr__(self) -> str:
        return "<foreign>"


@pytest.mark.parametrize("name", MODULES)
def test_a_wrong_value_in_any_field_of_any_message_is_refused_and_named(name: str) -> None:
    for version in versions_of(name):
        message = RandomMessages(Random(f"{name}|{version}"), largest=2).message(name, version)
        for owner, attribute, field, path in leaves(message, version):
            right = getattr(owner, attribute)
            wrong = [Foreign(), [Foreign()], *([] if field.nullable.has(version) else [None])]
            for value in wrong:
                setattr(owner, attribute, value)
                with pytest.raises(ProtocolError) as caught:
                    message.encode(version)
                assert f": {path}" in str(caught.value), value
            setattr(owner, attribute, right)
        message.encode(version)


def test_decoding_steps_over_what_follows_only_if_asked_to() -> None:
    data = MetadataRequest().encode(13) + b"\0"
    assert MetadataRequest.decode_from(13, data) == (MetadataRequest(), len(data) - 1)
    with pytest.raises(ProtocolError, match=r"cannot decode MetadataRequest version 13: it ends at byte 4, of 5"):
        MetadataRequest.decode(13, data)


def test_a_tag_that_is_known_in_other_versions_only_is_an_error() -> None:
    reader = Reader(FetchRequest(topics=[]).encode(12))
    assert reader.end
    data = FetchRequest(unknown_tagged_fields={1: b"\0" * 13}).encode(12)
    with pytest.raises(ProtocolError, match="tag 1 is not valid in version 12"):
        FetchRequest.decode(12, data)


def test_the_last_of_a_repeated_tag_counts_and_its_size_does_not() -> None:
    sound = FetchRequest(cluster_id="a").encode(12)
    assert sound.endswith(bytes.fromhex("01 00 02 0261"))
    repeated = sound[:-5] + bytes.fromhex("02 00 07 0261 00 00 0262")
    assert FetchRequest.decode(12, repeated).cluster_id == "b"


def test_messages_are_values() -> None:
    message = RandomMessages(Random(1)).message("FetchRequest", 18)
    assert copy.deepcopy(message) == message
    assert pickle.loads(pickle.dumps(message)) == message
    assert message != FetchRequest()
    assert message != "something else"
    assert repr(MetadataRequestTopic(name="a")).startswith(
        "MetadataRequestTopic(topic_id=Uuid.from_text('AAAAAAAAAAAAAAAAAAAAAA'), name='a'"
    )
    with pytest.raises(TypeError, match="unhashable"):
        hash(message)
    with pytest.raises(AttributeError):
        message.no_such_field = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        FetchRequest(12)  # type: ignore[call-arg, arg-type]


def test_record_bytes_are_views_of_what_was_decoded() -> None:
    data = bytearray(ProduceRequest(topic_data=[TopicProduceData(partition_data=[PartitionProduceData(records=b"\1" * 5_000)])]).encode(9))
    records = ProduceRequest.decode(9, data).topic_data[0].partition_data[0].records
    assert isinstance(records, memoryview)
    data[data.index(b"\1\1\1\1\1") + 10] = 7
    assert 7 in records


@pytest.mark.parametrize("name", MODULES)
def test_copies_and_pickles_of_every_message_hold_what_it_holds(name: str) -> None:
    """Those of a class in Python, whose base is compiled, held nothing at all."""
    for version in versions_of(name)[-1:]:
        message = RandomMessages(Random(7)).message(name, version)
        assert copy.copy(message) == copy.deepcopy(message) == pickle.loads(pickle.dumps(message)) == message


def test_a_copy_of_a_message_of_a_users_own_class_keeps_what_that_adds() -> None:
    class Marked(HeartbeatRequest):
        mark = ""

    message = Marked(group_id="g")
    message.mark = "seen"
    assert (copy.copy(message), copy.copy(message).mark) == (message, "seen")
