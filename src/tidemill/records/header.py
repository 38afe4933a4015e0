"""The batch: 61 bytes of header, then the records, compressed or not.

    offset  size  field                    offset  size  field
         0     8  base offset                  27     8  base timestamp, or the delete horizon
         8     4  length: bytes after it       35     8  max timestamp
        12     4  partition leader epoch       43     8  producer id
        16     1  magic                        51     2  producer epoch
        17     4  crc: over bytes 21 to end    53     4  base sequence
        21     2  attributes                   57     4  count of records
        23     4  last offset delta            61        records

Rules kept here:

- All fields are big-endian. The first 17 bytes lie outside the checksum, so that a leader gives a batch its offset and its epoch without
  reading the rest.
- The magic stands at byte 16 in every format, also in the message sets of magic 0 and 1 (`legacy`), so `scan` finds the bounds of any.
- A batch that the data cuts off is no error: a fetch answer ends where its size limit fell.
- Arithmetic wraps as Java's: offsets and timestamps at 64 bits, sequences after 2^31 - 1 to 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import TypeAlias

from crc32c import crc32c

from tidemill.errors import CorruptMessage, UnsupportedCompressionType
from tidemill.records.arithmetic import increment_sequence, wrap_int64

Buffer: TypeAlias = bytes | bytearray | memoryview

HEADER = Struct(">qiibIhiqqqhii")
HEADER_SIZE = HEADER.size
LENGTH_ENDS = 12
SIZE_UP_TO_MAGIC = 17
CRC_STARTS = 21
SMALLEST_LENGTH = 14  # of the smallest message of magic 0, the least that any format needs
LARGEST_LENGTH = 2**31 - 1 - LENGTH_ENDS

CODEC_MASK = 0x07
LOG_APPEND_TIME = 0x08
TRANSACTIONAL = 0x10
CONTROL = 0x20
DELETE_HORIZON = 0x40

NO_TIMESTAMP = NO_PRODUCER_ID = NO_PRODUCER_EPOCH = NO_SEQUENCE = NO_PARTITION_LEADER_EPOCH = -1
COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd")
TIMESTAMP_TYPES = ("CreateTime", "LogAppendTime")

_LENGTH = Struct(">i")
_INT64 = Struct(">q")
_UINT32 = Struct(">I")
_INT16 = Struct(">h")
_PRODUCER = Struct(">qhi")


def compression_name(codec: int) -> str:
    if codec >= len(COMPRESSIONS):
        raise UnsupportedCompressionType(f"a batch says it is compressed with codec {codec}; Kafka knows 0 to {len(COMPRESSIONS) - 1}")
    return COMPRESSIONS[codec]


def codec_of(compression: str) -> int:
    """The codec of a name that a user gave."""
    return _chosen("compression", compression, COMPRESSIONS)


def timestamp_type_flag(timestamp_type: str) -> int:
    return LOG_APPEND_TIME * _chosen("timestamp type", timestamp_type, TIMESTAMP_TYPES)


def _chosen(what: str, name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise ValueError(f"{what} {name!r} is unknown: choose one of {', '.join(names)}")
    return names.index(name)


class BatchHeader:
    """The header of a batch of magic 2, field by field as it lies there."""

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp",
        "count",
        "crc",
        "last_offset_delta",
        "length",
        "magic",
        "max_timestamp",
        "partition_leader_epoch",
        "producer_epoch",
        "producer_id",
    )

    def __init__(
        self,
        base_offset: int = 0,
        length: int = HEADER_SIZE - LENGTH_ENDS,
        partition_leader_epoch: int = NO_PARTITION_LEADER_EPOCH,
        magic: int = 2,
        crc: int = 0,
        attributes: int = 0,
        last_offset_delta: int = -1,
        base_timestamp: int = NO_TIMESTAMP,
        max_timestamp: int = NO_TIMESTAMP,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        count: int = 0,
    ) -> None:
        self.base_offset = base_offset
        self.length = length
        self.partition_leader_epoch = partition_leader_epoch
        self.magic = magic
        self.crc = crc
        self.attributes = attributes
        self.last_offset_delta = last_offset_delta
        self.base_timestamp = base_timestamp
        self.max_timestamp = max_timestamp
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.count = count

    @classmethod
    def parse(cls, data: Buffer, position: int = 0) -> BatchHeader:
        """The header at `position`. Neither the checksum nor the bounds of the batch are looked at: see `ensure_valid`."""
        if len(data) - position < HEADER_SIZE:
            raise CorruptMessage(f"a batch header takes {HEADER_SIZE} bytes, {len(data) - position} are left at byte {position}")
        return cls(*HEADER.unpack_from(data, position))

    def pack_into(self, buffer: bytearray | memoryview, position: int = 0) -> None:
        """Writes the 61 bytes, with `length` and `crc` as they are; `finish` computes both."""
        HEADER.pack_into(buffer, position, *self._values())

    @property
    def size(self) -> int:
        """Bytes of the whole batch."""
        return LENGTH_ENDS + self.length

    @property
    def last_offset(self) -> int:
        return wrap_int64(self.base_offset + self.last_offset_delta)

    @property
    def last_sequence(self) -> int:
        return NO_SEQUENCE if self.base_sequence == NO_SEQUENCE else increment_sequence(self.base_sequence, self.last_offset_delta)

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def compression(self) -> str:
        """The codec's name. `UnsupportedCompressionType` for a codec that Kafka does not know."""
        return compression_name(self.attributes & CODEC_MASK)

    @property
    def log_append_time(self) -> bool:
        return self.attributes & LOG_APPEND_TIME != 0

    @property
    def timestamp_type(self) -> str:
        return TIMESTAMP_TYPES[self.log_append_time]

    @property
    def transactional(self) -> bool:
        return self.attributes & TRANSACTIONAL != 0

    @property
    def control(self) -> bool:
        return self.attributes & CONTROL != 0

    @property
    def delete_horizon_ms(self) -> int | None:
        """When tombstones and markers of this batch may go; the cleaner keeps it in the base timestamp's place."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON else None

    def _values(self) -> tuple[int, ...]:
        return (
            self.base_offset,
            self.length,
            self.partition_leader_epoch,
            self.magic,
            self.crc,
            self.attributes,
            self.last_offset_delta,
            self.base_timestamp,
            self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.count,
        )

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, BatchHeader) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its fields change

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)}" for name in self.__slots__)
        return f"BatchHeader({fields})"


def scan(data: Buffer, position: int = 0) -> Iterator[tuple[int, int, int]]:
    """Position, size and magic of each batch or message that lies in `data` whole, of any format.

    Nothing behind the magic is read. `CorruptMessage` where no batch can begin.
    """
    end = len(data)
    while end - position >= LENGTH_ENDS:
        (length,) = _LENGTH.unpack_from(data, position + 8)
        if end - position < SIZE_UP_TO_MAGIC and length >= SMALLEST_LENGTH:
            return
        if not SMALLEST_LENGTH <= length <= LARGEST_LENGTH:
            raise CorruptMessage(f"no batch is {length} bytes long, as the one at byte {position} says")
        magic = data[position + SIZE_UP_TO_MAGIC - 1]
        if magic > 2:
            raise CorruptMessage(f"the batch at byte {position} has magic {magic}; Kafka knows 0, 1 and 2")
        size = LENGTH_ENDS + length
        if size > end - position:
            return
        yield position, size, magic
        position += size


def ensure_valid(data: Buffer, position: int, header: BatchHeader) -> None:
    """Raises `CorruptMessage` unless the batch of magic 2 at `position` is as long as a header and its checksum is right."""
    size = header.size
    if not HEADER_SIZE <= size <= len(data) - position:
        raise CorruptMessage(f"the batch at byte {position} says it has {size} bytes: fewer than its header, or more than there are")
    computed = crc32c(memoryview(data)[position + CRC_STARTS : position + size])
    if computed != header.crc:
        raise CorruptMessage(
            f"the batch of offset {header.base_offset} at byte {position} is damaged: it states checksum {header.crc}, and has {computed}"
        )


def set_base_offset(buffer: bytearray | memoryview, offset: int, position: int = 0) -> None:
    _INT64.pack_into(buffer, position, offset)


def set_partition_leader_epoch(buffer: bytearray | memoryview, epoch: int, position: int = 0) -> None:
    _LENGTH.pack_into(buffer, position + 12, epoch)


def set_max_timestamp(buffer: bytearray | memoryview, max_timestamp: int, log_append_time: bool, position: int = 0) -> None:
    """Sets the max timestamp and the timestamp type, and then the checksum, as a leader does: a batch that has both already is left
    as it is, and of the attributes only what Kafka knows is kept."""
    (attributes,) = _INT16.unpack_from(buffer, position + 21)
    if (attributes & LOG_APPEND_TIME != 0) == log_append_time and _INT64.unpack_from(buffer, position + 35) == (max_timestamp,):
        return
    kept = attributes & (CODEC_MASK | TRANSACTIONAL | CONTROL | DELETE_HORIZON)
    _INT16.pack_into(buffer, position + 21, kept | (LOG_APPEND_TIME if log_append_time else 0))
    _INT64.pack_into(buffer, position + 35, max_timestamp)
    set_crc(buffer, position)


def set_crc(buffer: bytearray | memoryview, position: int = 0) -> None:
    (length,) = _LENGTH.unpack_from(buffer, position + 8)
    with memoryview(buffer) as view:
        _UINT32.pack_into(buffer, position + 17, crc32c(view[position + CRC_STARTS : position + LENGTH_ENDS + length]))


def set_producer(
    buffer: bytearray | memoryview, producer_id: int, producer_epoch: int, base_sequence: int, transactional: bool, position: int = 0
) -> None:
    """Says who produced a finished batch, and with which sequence it begins; and sets the checksum anew."""
    (attributes,) = _INT16.unpack_from(buffer, position + 21)
    _INT16.pack_into(buffer, position + 21, attributes & ~TRANSACTIONAL | TRANSACTIONAL * transactional)
    _PRODUCER.pack_into(buffer, position + 43, producer_id, producer_epoch, base_sequence)
    set_crc(buffer, position)


def seal(header: BatchHeader, records: Buffer) -> bytearray:
    """A whole batch of a header and the section of records that belongs to it."""
    buffer = bytearray(HEADER_SIZE)
    buffer += records
    finish(header, buffer)
    return buffer


def finish(header: BatchHeader, buffer: bytearray) -> None:
    """Writes the header where the buffer has room for it, before the records; its length and checksum come of them."""
    header.length = len(buffer) - LENGTH_ENDS
    header.pack_into(buffer)
    set_crc(buffer)
    (header.crc,) = _UINT32.unpack_from(buffer, 17)
