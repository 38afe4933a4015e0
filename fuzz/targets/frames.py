"""Requests and responses as they travel, and messages as they are kept in records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from struct import Struct

from fuzz.mutation import Step
from fuzz.seeds import golden
from fuzz.target import Target, after_settings, exactly
from tidemill.errors import ProtocolError
from tidemill.wire.apis import APIS
from tidemill.wire.frames import (
    SIZE_BYTES,
    decode_request,
    decode_response,
    encode_request,
    encode_response,
    frame_size,
)
from tidemill.wire.message import Message
from tidemill.wire.reader import BytesLike
from tidemill.wire.record_frames import (
    decode_coordinator_record,
    decode_metadata_record,
    decode_versioned,
    encode_coordinator_key,
    encode_metadata_record,
    encode_versioned,
)
from tidemill.wire.registry import message_class

_SETTINGS = Struct(">BB")
TOPICS = ("__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata")
VERSIONED = (
    "ConsumerProtocolSubscription",
    "ConsumerProtocolAssignment",
    "DefaultPrincipalData",
    "EndTxnMarker",
    "ControlRecordTypeSchema",
)
LARGEST_FRAME = 1 << 16
LARGEST_SEED = 1000
KEPT = (
    "group_coordinator",
    "transaction_coordinator",
    "share_coordinator",
    "cluster_metadata",
    "consumer_protocol",
    "principal",
    "control_records",
)
MOST_GROWTH = 3  # of a malformed byte, which becomes U+FFFD


def frames(data: bytes) -> None:
    """Two bytes say which response it is; a first byte of 0, that it is a request. Size and header go before the rest."""
    key, version = _SETTINGS.unpack(data[: _SETTINGS.size].ljust(_SETTINGS.size, b"\0"))
    rest = data[_SETTINGS.size :]
    frame = exactly(rest[SIZE_BYTES : SIZE_BYTES + frame_size(rest, LARGEST_FRAME)])
    if key == 0:
        header, request = decode_request(frame)
        sent = encode_or_grown(lambda: encode_request(request, header.request_api_version, header.correlation_id, header.client_id), frame)
        if sent:
            again, message = decode_request(sent[SIZE_BYTES:])
            assert (again.correlation_id, again.client_id) == (header.correlation_id, header.client_id)
            assert message.encode(header.request_api_version) == request.encode(header.request_api_version)
    else:
        correlation_id, response = decode_response(key - 1, version, frame)
        sent = encode_or_grown(lambda: encode_response(response, version, correlation_id), frame)
        if sent:
            assert decode_response(key - 1, version, sent[SIZE_BYTES:])[0] == correlation_id
    assert sent == b"" or frame_size(sent, MOST_GROWTH * LARGEST_FRAME) == len(sent) - SIZE_BYTES


def encode_or_grown(encode: Callable[[], list[BytesLike]], frame: memoryview) -> bytes:
    """What goes out; nothing where a string has grown beyond its limit, because what is not UTF-8 was replaced."""
    try:
        return b"".join(encode())
    except ProtocolError:
        assert len(frame) > 0x7FFF / MOST_GROWTH
        return b""


def kept(data: bytes) -> None:
    """The first byte says what it is a record of, the second how long its key is."""
    kind, key_size = data[:2].ljust(2, b"\0")
    key, value = exactly(data[2 : 2 + key_size]), exactly(data[2 + key_size :])
    kind %= len(TOPICS) + len(VERSIONED)
    if kind >= len(TOPICS):
        version, message = decode_versioned(message_class(VERSIONED[kind - len(TOPICS)]), value)
        assert_stable(message, version, encode_versioned(message, version)[2:])
    elif TOPICS[kind] == "__cluster_metadata":
        version, message = decode_metadata_record(value)
        written = encode_metadata_record(message, version)
        assert decode_metadata_record(written)[0] == version
        assert_stable(message, version, written[len(written) - len(message.encode(version)) :])
    else:
        message, _ = decode_coordinator_record(TOPICS[kind], key, None if key_size & 1 and not value else value)
        assert_stable(message, 0, encode_coordinator_key(message)[2:])


def assert_stable(message: Message, version: int, body: bytes) -> None:
    assert body == message.encode(version) == type(message).decode(version, body).encode(version)


def frame_seeds() -> Iterator[bytes]:
    keys = {api.name: api.api_key for api in APIS}
    for line in golden("messages/[A-Z]*.jsonl"):
        name, version, body = line["name"], line["version"], bytes.fromhex(line["hex"])
        if len(body) > LARGEST_SEED or line["instance"] not in ("sparse", "mixed", "nulls"):
            continue
        message = message_class(name).decode(version, body)
        if line["kind"] == "request":
            yield _SETTINGS.pack(0, 0) + b"".join(encode_request(message, version, 7, "client"))
        else:
            yield _SETTINGS.pack(1 + keys[name.removesuffix("Response")], version) + b"".join(encode_response(message, version, 7))


def kept_seeds() -> Iterator[bytes]:
    keys: dict[str, bytes] = {}
    for number, file in enumerate(KEPT):
        for line in golden(f"messages/{file}.jsonl"):
            data, name = bytes.fromhex(line["hex"]), line["name"]
            if name in VERSIONED:
                yield bytes((len(TOPICS) + VERSIONED.index(name), 0)) + data
            elif file == "cluster_metadata":
                yield b"\3\0" + data
            elif name.endswith("Key"):
                keys[name] = data
            elif name.removesuffix("Value") + "Key" in keys:
                key = keys[name.removesuffix("Value") + "Key"]
                yield bytes((number, len(key))) + key + data


def reframe(data: bytes, random: Random, step: Step) -> bytes:
    """Mutates a frame; mostly the size before it is right afterwards."""
    frame = step(data[SIZE_BYTES:])
    return (data[:SIZE_BYTES] if random.random() < 0.1 else len(frame).to_bytes(SIZE_BYTES, "big")) + frame


TARGETS = (
    Target(name="frames", run=frames, refusals=(ProtocolError,), seeds=frame_seeds, shape=after_settings(_SETTINGS.size, reframe)),
    Target(name="kept", run=kept, refusals=(ProtocolError,), seeds=kept_seeds, shape=after_settings(2), weight=0.5),
)
