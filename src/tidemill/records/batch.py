"""A batch as plain data: what `decode` gives and `encode` takes.

Rules kept here:

- The attributes carry the names and the meaning of Kafka's own accessors, derived ones included, so that a batch prints as Kafka
  understands it. `attributes` is the raw field; the flags beside it are read from it.
- A message set of magic 0 or 1 has no header of its own. What it lacks is what Kafka says of it: no producer, no leader epoch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tidemill.records._loops import Record
from tidemill.records.arithmetic import wrap_int32
from tidemill.records.header import (
    COMPRESSIONS,
    CONTROL,
    DELETE_HORIZON,
    NO_PARTITION_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL,
    BatchHeader,
    codec_of,
    timestamp_type_flag,
)

__all__ = ["Batch", "Record"]


class Batch:
    """A batch and its records. `position` and `size` say where it lay in the bytes it was decoded from.

    >>> from tidemill.records import Batch, Record, decode, encode
    >>> batch = Batch.of([Record(value=b"first"), Record(offset=1, key=b"k", value=b"second")], base_timestamp=1_700_000_000_000)
    >>> decode(encode(batch))[0].records[1]
    Record(offset=1, timestamp=-1, key=b'k', value=b'second')
    """

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp",
        "compression",
        "count",
        "crc",
        "last_offset",
        "last_sequence",
        "magic",
        "max_timestamp",
        "partition_leader_epoch",
        "position",
        "producer_epoch",
        "producer_id",
        "records",
        "size",
        "timestamp_type",
    )

    def __init__(
        self,
        *,
        records: list[Record],
        base_offset: int,
        last_offset: int,
        max_timestamp: int,
        magic: int = 2,
        position: int = 0,
        size: int = 0,
        compression: str = "none",
        timestamp_type: str = "CreateTime",
        crc: int = 0,
        attributes: int = 0,
        base_timestamp: int = NO_TIMESTAMP,
        partition_leader_epoch: int = NO_PARTITION_LEADER_EPOCH,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        last_sequence: int = NO_SEQUENCE,
        count: int | None = None,
    ) -> None:
        self.records = records
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.max_timestamp = max_timestamp
        self.magic = magic
        self.position = position
        self.size = size
        self.compression = compression
        self.timestamp_type = timestamp_type
        self.crc = crc
        self.attributes = attributes
        self.base_timestamp = base_timestamp
        self.partition_leader_epoch = partition_leader_epoch
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.last_sequence = last_sequence
        self.count = len(records) if count is None else count

    @classmethod
    def from_header(cls, header: BatchHeader, position: int, records: list[Record]) -> Batch:
        """The batch of magic 2 whose header lay at `position`."""
        return cls(
            records=records,
            base_offset=header.base_offset,
            last_offset=header.last_offset,
            max_timestamp=header.max_timestamp,
            position=position,
            size=header.size,
            compression=COMPRESSIONS[header.codec] if header.codec < len(COMPRESSIONS) else f"codec {header.codec}",
            timestamp_type=header.timestamp_type,
            crc=header.crc,
            attributes=header.attributes,
            base_timestamp=header.base_timestamp,
            partition_leader_epoch=header.partition_leader_epoch,
            producer_id=header.producer_id,
            producer_epoch=header.producer_epoch,
            base_sequence=header.base_sequence,
            last_sequence=header.last_sequence,
            count=header.count,
        )

    @classmethod
    def of(
        cls,
        records: Sequence[Record],
        *,
        compression: str = "none",
        timestamp_type: str = "CreateTime",
        transactional: bool = False,
        control: bool = False,
        base_timestamp: int | None = None,
        delete_horizon_ms: int | None = None,
        partition_leader_epoch: int = NO_PARTITION_LEADER_EPOCH,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
    ) -> Batch:
        """The batch that a producer makes of `records`: it begins at the first one's offset and timestamp."""
        if not records:
            raise ValueError("a batch is made of at least one record")
        attributes = codec_of(compression) | timestamp_type_flag(timestamp_type) | TRANSACTIONAL * transactional | CONTROL * control
        if delete_horizon_ms is not None:
            attributes |= DELETE_HORIZON
            base_timestamp = delete_horizon_ms
        header = BatchHeader(
            base_offset=records[0].offset,
            partition_leader_epoch=partition_leader_epoch,
            attributes=attributes,
            last_offset_delta=wrap_int32(records[-1].offset - records[0].offset),
            base_timestamp=records[0].timestamp if base_timestamp is None else base_timestamp,
            max_timestamp=max(record.timestamp for record in records),
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
            count=len(records),
        )
        return cls.from_header(header, 0, list(records))

    def header(self) -> BatchHeader:
        """The header of magic 2 that says of a batch what this one says."""
        return BatchHeader(
            base_offset=self.base_offset,
            partition_leader_epoch=self.partition_leader_epoch,
            attributes=self.attributes,
            last_offset_delta=wrap_int32(self.last_offset - self.base_offset),
            base_timestamp=self.base_timestamp,
            max_timestamp=self.max_timestamp,
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            base_sequence=self.base_sequence,
            count=self.count,
        )

    @property
    def transactional(self) -> bool:
        return self.attributes & TRANSACTIONAL != 0

    @property
    def control(self) -> bool:
        return self.attributes & CONTROL != 0

    @property
    def delete_horizon_ms(self) -> int | None:
        return self.base_timestamp if self.attributes & DELETE_HORIZON else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Batch):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # its records are a list

    def __repr__(self) -> str:
        return (
            f"Batch(base_offset={self.base_offset}, last_offset={self.last_offset}, magic={self.magic}, compression={self.compression!r}, "
            f"{len(self.records)} records)"
        )
