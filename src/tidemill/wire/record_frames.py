"""Messages that are kept in records, with what tells their type and version apart from the body.

| what | before the body |
|---|---|
| a coordinator's record, key | int16 type; the body is of version 0 |
| a coordinator's record, value; consumer protocol, principal, `EndTxnMarker`, `ControlRecordTypeSchema` | int16 version |
| a record of the cluster's metadata | unsigned varints: frame version 1, type, version |

Bytes after the end are an error.
"""

from __future__ import annotations

from typing import TypeVar

from tidemill.errors.base import ProtocolError
from tidemill.wire.message import Message
from tidemill.wire.reader import BytesLike, Reader
from tidemill.wire.registry import coordinator_record_classes, metadata_record_class
from tidemill.wire.writer import Writer

METADATA_FRAME_VERSION = 1
_PREFIX_BYTES = 2

_MessageType = TypeVar("_MessageType", bound=Message)


def encode_versioned(message: Message, version: int) -> bytes:
    """A message after its version."""
    message.check_version(version)
    writer = Writer()
    writer.int16(version)
    return message.written(writer, version).join()


def decode_versioned(cls: type[_MessageType], data: BytesLike) -> tuple[int, _MessageType]:
    """The version, and the message of that version that follows it."""
    version = _int16(data, cls.NAME)
    return version, cls.decode(version, data, _PREFIX_BYTES)


def encode_coordinator_key(key: Message) -> bytes:
    """The key of a coordinator's record, after its type."""
    _check_type(key)
    writer = Writer()
    writer.int16(key.API_KEY)
    return key.written(writer, 0).join()


def decode_coordinator_record(topic: str, key: BytesLike, value: BytesLike | None) -> tuple[Message, Message | None]:
    """Key and value of a record in a coordinator's topic, such as `__consumer_offsets`; a value of `None` is a tombstone."""
    key_class, value_class = coordinator_record_classes(topic, _int16(key, f"a key of {topic}"))
    return key_class.decode(0, key, _PREFIX_BYTES), None if value is None else decode_versioned(value_class, value)[1]


def encode_metadata_record(record: Message, version: int) -> bytes:
    """A record of the cluster's metadata, after frame version, type and version."""
    _check_type(record)
    record.check_version(version)
    writer = Writer()
    for number in (METADATA_FRAME_VERSION, record.API_KEY, version):
        writer.uvarint(number)
    return record.written(writer, version).join()


def decode_metadata_record(data: BytesLike) -> tuple[int, Message]:
    """The version of a record of the cluster's metadata, and the record."""
    reader = Reader(data)
    try:
        frame_version, record_type, version = reader.uvarint(), reader.uvarint(), reader.uvarint()
    except ProtocolError as error:
        raise ProtocolError(f"cannot decode a record of the cluster's metadata: {error}") from None
    if frame_version != METADATA_FRAME_VERSION:
        raise ProtocolError(f"a record of the cluster's metadata has frame version {frame_version}: {METADATA_FRAME_VERSION} is known")
    return version, metadata_record_class(record_type).decode(version, data, reader.at)


def _check_type(message: Message) -> None:
    if message.API_KEY < 0:
        raise ProtocolError(f"{message.NAME} is not kept in records of its own: it has no number as a type of them")


def _int16(data: BytesLike, what: str) -> int:
    try:
        return Reader(data).int16()
    except ProtocolError as error:
        raise ProtocolError(f"cannot decode {what}: {error}") from None
