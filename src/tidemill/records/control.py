"""Control records: what brokers write between the records of clients. A control batch holds nothing else.

    key: version int16, type int16          value of the marker of a transaction: version int16, coordinator epoch int32

A transaction ends in each partition with one marker, a batch of one record that says COMMIT or ABORT. The types beyond these two belong to
the metadata log, and their values are messages of the protocol. A version newer than 0 is read as 0, which it begins like.
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from tidemill.errors import InvalidRecord
from tidemill.records._loops import Record
from tidemill.records.header import CONTROL, NO_PARTITION_LEADER_EPOCH, TRANSACTIONAL, BatchHeader
from tidemill.records.rebuilding import rebuild
from tidemill.records.values import CONTROL_TYPES

VERSION = 0
UNKNOWN = "UNKNOWN"

_KEY = Struct(">hh")
_MARKER = Struct(">hi")


class EndTransactionMarker(NamedTuple):
    """The end of a transaction in a partition, written by a transaction coordinator of that epoch."""

    committed: bool
    coordinator_epoch: int

    @property
    def control_type(self) -> str:
        return "COMMIT" if self.committed else "ABORT"


def control_key(control_type: str) -> bytes:
    """The key of a control record of that type, such as "COMMIT"."""
    if control_type not in CONTROL_TYPES:
        raise ValueError(f"control record type {control_type!r} does not exist: choose one of {', '.join(CONTROL_TYPES)}")
    return _KEY.pack(VERSION, CONTROL_TYPES.index(control_type))


def parse_control_key(key: bytes | None) -> str:
    """The type of a control record; "UNKNOWN" for one that this Kafka does not have. `InvalidRecord` for what is no such key."""
    if key is None or len(key) < _KEY.size:
        raise InvalidRecord(f"the key of a control record has {_KEY.size} bytes, not {0 if key is None else len(key)}")
    version, number = _KEY.unpack_from(key)
    if version < 0:
        raise InvalidRecord(f"the key of a control record has version {version}")
    return CONTROL_TYPES[number] if 0 <= number < len(CONTROL_TYPES) else UNKNOWN


def parse_marker(record: Record) -> EndTransactionMarker:
    """What the marker of a transaction says. `InvalidRecord` if it is another control record, or damaged.

    >>> from tidemill.records import decode
    >>> batch = marker_batch(EndTransactionMarker(True, 3), producer_id=7, producer_epoch=0, timestamp=1_700_000_000_000)
    >>> parse_marker(decode(batch)[0].records[0])
    EndTransactionMarker(committed=True, coordinator_epoch=3)
    """
    control_type = parse_control_key(record.key)
    if control_type not in ("COMMIT", "ABORT"):
        raise InvalidRecord(f"a control record of type {control_type} ends no transaction")
    if record.value is None or len(record.value) < _MARKER.size:
        raise InvalidRecord(f"the marker of a transaction has {_MARKER.size} bytes, not {len(record.value or b'')}")
    version, coordinator_epoch = _MARKER.unpack_from(record.value)
    if version < 0:
        raise InvalidRecord(f"the marker of a transaction has version {version}")
    return EndTransactionMarker(control_type == "COMMIT", coordinator_epoch)


def marker_batch(
    marker: EndTransactionMarker,
    *,
    producer_id: int,
    producer_epoch: int,
    timestamp: int,
    offset: int = 0,
    leader_epoch: int = NO_PARTITION_LEADER_EPOCH,
) -> bytearray:
    """The batch that ends a transaction of that producer in a partition."""
    value = _MARKER.pack(VERSION, marker.coordinator_epoch)
    record = Record(offset=offset, timestamp=timestamp, key=control_key(marker.control_type), value=value)
    header = BatchHeader(
        base_offset=offset,
        partition_leader_epoch=leader_epoch,
        attributes=TRANSACTIONAL | CONTROL,
        last_offset_delta=0,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
    )
    return rebuild(header, [record])
