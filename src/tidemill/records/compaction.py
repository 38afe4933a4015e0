"""What the log cleaner makes of a buffer of batches: the same batches without the records that a filter drops.

Rules kept here, all of them Kafka's:

- A batch of which all records stay is copied as it is, compressed or not. One that loses records is written anew, with its offsets, base
  offset, last offset and producer unchanged: consumers and producer state go by these.
- A batch that loses all its records goes too, unless it is to be retained empty (it holds a producer's last sequence number): then its
  header stays.
- A batch that keeps a tombstone, or the marker of a transaction none of whose records is left, gets a delete horizon the first time it is
  cleaned: once that has passed, a later cleaning may drop them. It is written in place of the base timestamp.
- A message of magic 0 or 1 that stays becomes a batch of magic 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from typing import NamedTuple, Protocol

from tidemill.errors import InvalidRecord
from tidemill.records import legacy
from tidemill.records.arithmetic import wrap_int32, wrap_int64
from tidemill.records.batch import Batch, Record
from tidemill.records.decoding import decode, read_records
from tidemill.records.header import (
    CODEC_MASK,
    CONTROL,
    DELETE_HORIZON,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TRANSACTIONAL,
    BatchHeader,
    Buffer,
    scan,
    seal,
)
from tidemill.records.rebuilding import rebuild
from tidemill.records.values import as_int64


class Retention(Enum):
    """What is to become of a batch."""

    DELETE = "DELETE"
    """It goes, without a look at its records."""
    RETAIN_EMPTY = "RETAIN_EMPTY"
    """Its header stays even when none of its records does."""
    DELETE_EMPTY = "DELETE_EMPTY"
    """It goes when none of its records stays."""


class RecordFilter(Protocol):
    """Decides what stays. Both methods see the header, which tells a batch of an old format by its `magic`."""

    def check_batch(self, header: BatchHeader) -> tuple[Retention, bool]:
        """What is to become of the batch, and whether it is the marker of a transaction of which no record is left."""

    def retain(self, header: BatchHeader, records: Sequence[Record]) -> list[Record]:
        """The records of a batch that stay, in their order."""


class Filtered(NamedTuple):
    """What `filter_batches` gives. Offsets and timestamps are -1 where nothing stayed."""

    output: bytearray
    messages_read: int
    messages_retained: int
    max_offset: int
    max_timestamp: int


class Compacted:
    """What `compact` gives."""

    def __init__(self, filtered: Filtered) -> None:
        self.output = bytes(filtered.output)
        self.messages_read = filtered.messages_read
        self.messages_retained = filtered.messages_retained
        self.max_offset = filtered.max_offset

    @cached_property
    def batches(self) -> list[Batch]:
        """What stayed, decoded."""
        return decode(self.output)

    def __repr__(self) -> str:
        return (
            f"Compacted({len(self.output)} bytes, {self.messages_retained} of {self.messages_read} records, max_offset={self.max_offset})"
        )


def compact(
    input: Buffer,
    *,
    keep_offsets: Iterable[int],
    batch_retention: Iterable[tuple[int, str]],
    marker_of_empty_transaction: bool,
    now: int,
    delete_retention_ms: int,
) -> Compacted:
    """The batches of `input` with the records at `keep_offsets` alone.

    `batch_retention` says per batch, by base offset, whether it is to `DELETE`, to `RETAIN_EMPTY` or to `DELETE_EMPTY` (which goes for all
    that are not named). With `marker_of_empty_transaction`, every control batch is one.

    >>> from tidemill.records import Batch, Record, encode
    >>> data = encode(Batch.of([Record(offset=offset, timestamp=0, key=b"k", value=b"v") for offset in range(3)]))
    >>> compact(data, keep_offsets=[2], batch_retention=[], marker_of_empty_transaction=False, now=0, delete_retention_ms=0)
    Compacted(70 bytes, 1 of 3 records, max_offset=2)
    """
    record_filter = _Offsets(
        frozenset(keep_offsets), {offset: Retention(retention) for offset, retention in batch_retention}, marker_of_empty_transaction
    )
    now, delete_retention_ms = as_int64(now, "now"), as_int64(delete_retention_ms, "delete_retention_ms")
    return Compacted(filter_batches(input, record_filter, now=now, delete_retention_ms=delete_retention_ms))


class _Offsets:
    """Keeps records by their offsets."""

    def __init__(self, offsets: frozenset[int], retention: dict[int, Retention], marker_of_empty_transaction: bool) -> None:
        self._offsets = offsets
        self._retention = retention
        self._marker_of_empty_transaction = marker_of_empty_transaction

    def check_batch(self, header: BatchHeader) -> tuple[Retention, bool]:
        retention = self._retention.get(header.base_offset, Retention.DELETE_EMPTY)
        return retention, header.control and self._marker_of_empty_transaction

    def retain(self, header: BatchHeader, records: Sequence[Record]) -> list[Record]:
        return [record for record in records if record.offset in self._offsets]


def filter_batches(data: Buffer, record_filter: RecordFilter, *, now: int, delete_retention_ms: int) -> Filtered:
    """What a filter leaves of the batches that lie in `data` whole. Their checksums are not looked at: they come from our own log."""
    view = memoryview(data).cast("B")
    output = bytearray()
    read = retained = 0
    max_offset = max_timestamp = -1
    for position, size, magic in scan(view):
        source = _Source(view, position, size, magic)
        retention, marker_of_empty_transaction = record_filter.check_batch(source.header)
        if retention is Retention.DELETE:
            continue
        records = source.records()
        kept = record_filter.retain(source.header, records)
        read += len(records)
        retained += len(kept)
        if kept:
            horizon = wrap_int64(now + delete_retention_ms) if marker_of_empty_transaction or _has_tombstone(kept) else None
            piece = _with_records(source, kept, complete=len(kept) == len(records), horizon=horizon)
        elif retention is Retention.RETAIN_EMPTY:
            piece = _without_records(source.header)
        else:
            continue
        output += piece.data
        max_offset, max_timestamp = max(max_offset, piece.last_offset), max(max_timestamp, piece.max_timestamp)
    return Filtered(output, read, retained, max_offset, max_timestamp)


class _Source:
    """A batch as it comes. A message of an old format gets the header that it would have."""

    def __init__(self, view: memoryview, position: int, size: int, magic: int) -> None:
        self.view = view[position : position + size]
        self.header = BatchHeader.parse(self.view) if magic == 2 else _legacy_header(legacy.message_at(self.view, 0, size))

    def records(self) -> list[Record]:
        if self.header.magic == 2:
            return read_records(self.view, 0, self.header)
        return legacy.decode_batch(self.view, 0, len(self.view), check_crc=False).records


def _legacy_header(message: legacy.Message) -> BatchHeader:
    base_offset = next(legacy.messages(message)).offset
    return BatchHeader(
        base_offset=base_offset,
        magic=message.magic,
        attributes=message.codec | (LOG_APPEND_TIME if message.timestamp_type == "LogAppendTime" else 0),
        last_offset_delta=wrap_int32(message.offset - base_offset),
        max_timestamp=message.timestamp,
    )


class _Piece(NamedTuple):
    data: Buffer
    last_offset: int
    max_timestamp: int


def _has_tombstone(records: Sequence[Record]) -> bool:
    return any(record.value is None for record in records)


def _with_records(source: _Source, kept: Sequence[Record], *, complete: bool, horizon: int | None) -> _Piece:
    """A batch of which records stay. `horizon`: the delete horizon that it gets unless it has one already."""
    old = source.header
    if old.delete_horizon_ms is not None:
        horizon = old.delete_horizon_ms
    if complete and horizon == old.delete_horizon_ms and old.magic == 2:
        return _Piece(source.view, old.last_offset, old.max_timestamp)
    new = _header(old, old.attributes & CODEC_MASK)
    if horizon is not None and horizon >= 0:
        new.attributes |= DELETE_HORIZON
        new.base_timestamp = horizon
    if old.magic < 2:
        new.base_offset = kept[0].offset
        new.last_offset_delta = wrap_int32(kept[-1].offset - kept[0].offset)
    return _Piece(rebuild(new, kept), max(record.offset for record in kept), new.max_timestamp)


def _without_records(old: BatchHeader) -> _Piece:
    if old.magic < 2:
        raise InvalidRecord(f"message of offset {old.base_offset} has magic {old.magic}: only a batch of magic 2 can be empty")
    return _Piece(seal(_header(old, 0), b""), old.last_offset, old.max_timestamp)


def _header(old: BatchHeader, attributes: int) -> BatchHeader:
    """The header of what becomes of a batch: what names its place and its producer stays."""
    return BatchHeader(
        base_offset=old.base_offset,
        partition_leader_epoch=old.partition_leader_epoch,
        attributes=attributes | old.attributes & (LOG_APPEND_TIME | TRANSACTIONAL | CONTROL),
        last_offset_delta=old.last_offset_delta,
        base_timestamp=NO_TIMESTAMP,
        max_timestamp=old.max_timestamp,
        producer_id=old.producer_id,
        producer_epoch=old.producer_epoch,
        base_sequence=old.base_sequence,
    )
