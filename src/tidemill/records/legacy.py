"""Message sets of magic 0 and 1, which brokers wrote before batches: reading only.

    offset int64, size int32, crc int32, magic int8, attributes int8, [magic 1: timestamp int64],
    key length int32, key, value length int32, value

Rules kept here:

- A set is messages one after another; each stands for a batch of its own. The checksum is CRC-32 over all that follows it.
- A compressed message is a wrapper: its value holds a set. Only wrappers compress, and what is in one is no wrapper again, so nothing
  unpacks twice.
- A wrapper has the offset of its last message. Those in a wrapper of magic 1 count from 0, those in one of magic 0 do not.
- A wrapper that says LogAppendTime gives its timestamp to all its messages of magic 1. Magic 0 knows no timestamps.
- As in Kafka, a set that is cut off, inside of a wrapper too, ends before what is cut off.
- As in Kafka, a message whose key or value does not fit into it is a record all the same: the error comes when one of them is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import cast
from zlib import crc32

from tidemill.errors import CorruptMessage, InvalidRecord
from tidemill.records import compression
from tidemill.records.arithmetic import wrap_int64
from tidemill.records.batch import Batch, Record
from tidemill.records.header import NO_TIMESTAMP, Buffer, compression_name

_ENTRY = Struct(">qi")
_INT32 = Struct(">i")
_INT64 = Struct(">q")
_SMALLEST_SIZE = 14
_MAGIC_AT, _ATTRIBUTES_AT, _AFTER_ATTRIBUTES = 4, 5, 6
_CODEC_MASK = 0x07
_LOG_APPEND_TIME = 0x08

NO_TIMESTAMP_TYPE = "NoTimestampType"


class UnreadableRecord:
    """A record of which only offset and timestamp can be told: its key and value raise what is wrong with them."""

    __slots__ = ("_damage", "offset", "timestamp")
    headers = ()
    sequence = -1
    control_type = None

    def __init__(self, offset: int, timestamp: int, damage: CorruptMessage) -> None:
        self.offset = offset
        self.timestamp = timestamp
        self._damage = damage

    @property
    def key(self) -> bytes | None:
        raise self._damage

    @property
    def value(self) -> bytes | None:
        raise self._damage

    def __repr__(self) -> str:
        return f"UnreadableRecord(offset={self.offset}, timestamp={self.timestamp}, {str(self._damage)!r})"


class Message:
    """One message: its offset, and `body`, which is all that follows its size."""

    __slots__ = ("body", "offset", "wrapper_timestamp")

    def __init__(self, offset: int, body: memoryview) -> None:
        self.offset = offset
        self.body = body
        self.wrapper_timestamp: int | None = None

    @property
    def crc(self) -> int:
        return int.from_bytes(self.body[:4], "big")

    @property
    def magic(self) -> int:
        return self.body[_MAGIC_AT]

    @property
    def codec(self) -> int:
        return self.body[_ATTRIBUTES_AT] & _CODEC_MASK

    @property
    def timestamp_type(self) -> str:
        if self.magic == 0:
            return NO_TIMESTAMP_TYPE
        return "LogAppendTime" if self.body[_ATTRIBUTES_AT] & _LOG_APPEND_TIME else "CreateTime"

    @property
    def timestamp(self) -> int:
        if self.magic == 0:
            return NO_TIMESTAMP
        if self.wrapper_timestamp is not None:
            return self.wrapper_timestamp
        if len(self.body) - _AFTER_ATTRIBUTES < 8:
            raise self._too_short()
        timestamp: int = _INT64.unpack_from(self.body, _AFTER_ATTRIBUTES)[0]
        return timestamp

    def key_and_value(self) -> tuple[memoryview | None, memoryview | None]:
        key, at = self._field(_AFTER_ATTRIBUTES if self.magic == 0 else _AFTER_ATTRIBUTES + 8)
        value, _ = self._field(at)
        return key, value

    def _field(self, at: int) -> tuple[memoryview | None, int]:
        """The field whose length stands at `at`, and where it ends. Every negative length is null."""
        if len(self.body) - at < 4:
            raise self._too_short()
        (size,) = _INT32.unpack_from(self.body, at)
        at += 4
        if size < 0:
            return None, at
        if size > len(self.body) - at:
            raise CorruptMessage(f"message of offset {self.offset}: a field is said to have {size} bytes, {len(self.body) - at} are left")
        return self.body[at : at + size], at + size

    def _too_short(self) -> CorruptMessage:
        return CorruptMessage(f"message of offset {self.offset}: {len(self.body)} bytes are too few for one of magic {self.magic}")

    def ensure_valid(self) -> None:
        computed = crc32(self.body[4:])
        if computed != self.crc:
            raise CorruptMessage(f"message of offset {self.offset} is damaged: its checksum says {self.crc}, its bytes give {computed}")

    def record(self) -> Record:
        try:
            key, value = self.key_and_value()
        except CorruptMessage as damage:
            # It has what a record has, but is no instance: `Record` is final, so that compiled it stays cheap.
            return cast(Record, UnreadableRecord(self.offset, self.timestamp, damage))
        return Record(
            offset=self.offset,
            timestamp=self.timestamp,
            key=None if key is None else bytes(key),
            value=None if value is None else bytes(value),
        )


def message_at(data: Buffer, position: int, size: int) -> Message:
    """The message that `header.scan` found there."""
    (offset,) = _INT64.unpack_from(data, position)
    return Message(offset, memoryview(data)[position + _ENTRY.size : position + size])


def messages(outer: Message, limit: int | None = None) -> Iterator[Message]:
    """What a message stands for: itself, or the messages in it if it is a wrapper, with their own offsets and timestamps.

    Like Kafka, this reads a wrapper whole before it gives anything, and only then refuses a message that is compressed itself.
    """
    if outer.codec == compression.NONE:
        yield outer
        return
    base_offset, inner = _unwrap(outer, limit)
    for message in inner:
        message.offset = wrap_int64(message.offset + base_offset)
        if message.codec != compression.NONE:
            raise InvalidRecord(f"message of offset {message.offset} lies in a wrapper and is compressed itself")
        yield message


def decode_batch(data: Buffer, position: int, size: int, check_crc: bool = True, limit: int | None = None) -> Batch:
    """The message there, as the batch for which it stands."""
    outer = message_at(data, position, size)
    if check_crc:
        outer.ensure_valid()
    name = compression_name(outer.codec)
    records = [message.record() for message in messages(outer, limit)]
    return Batch(
        position=position,
        size=size,
        magic=outer.magic,
        crc=outer.crc,
        attributes=outer.codec,
        base_offset=records[0].offset,
        last_offset=outer.offset,
        compression=name,
        timestamp_type=outer.timestamp_type,
        max_timestamp=outer.timestamp,
        records=records,
    )


def _unwrap(wrapper: Message, limit: int | None) -> tuple[int, list[Message]]:
    """The messages in a wrapper, and what to add to their offsets."""
    if wrapper.codec == compression.ZSTD:
        raise InvalidRecord(f"message of offset {wrapper.offset} is compressed with zstd, which came with magic 2")
    _, value = wrapper.key_and_value()
    if value is None:
        raise InvalidRecord(f"message of offset {wrapper.offset} is compressed and has no value")
    content = compression.decompress(wrapper.codec, value, limit, magic=wrapper.magic)
    inner = list(_entries(memoryview(content)))
    if not inner:
        raise InvalidRecord(f"message of offset {wrapper.offset} is compressed and holds no messages")
    if wrapper.timestamp_type == "LogAppendTime":
        for message in inner:
            message.wrapper_timestamp = wrapper.timestamp
    if wrapper.magic == 0 or wrapper.offset == 0:
        return 0, inner
    if wrapper.offset < inner[-1].offset:
        raise InvalidRecord(f"message of offset {wrapper.offset} holds one with the later offset {inner[-1].offset}")
    return wrapper.offset - inner[-1].offset, inner


def _entries(content: memoryview) -> Iterator[Message]:
    at = 0
    while len(content) - at >= _ENTRY.size:
        offset, size = _ENTRY.unpack_from(content, at)
        at += _ENTRY.size
        if size < _SMALLEST_SIZE:
            raise CorruptMessage(f"no message has {size} bytes, as the one of offset {offset} in a wrapper says")
        if size > len(content) - at:
            return
        yield Message(offset, content[at : at + size])
        at += size
