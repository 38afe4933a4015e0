"""What a leader makes of a produced batch: checked, with offsets, its epoch, and the topic's timestamps and compression.

Rules kept here:

- A batch that needs nothing else is changed in place: the offset and the epoch lie outside of its checksum, so its records are read
  (to judge them) and never copied. LogAppendTime changes two fields and the checksum.
- A batch is written anew only for another codec (`rewritten`), or where offsets inside of it have gaps that a client may not leave.
- Batches of magic 0 and 1 become one of magic 2. No client of today's protocol can send them; old logs can hold them.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from tidemill.errors import InvalidRecord
from tidemill.records import compression, legacy
from tidemill.records.arithmetic import wrap_int64
from tidemill.records.batch import Batch, Record
from tidemill.records.decoding import decode
from tidemill.records.header import (
    CODEC_MASK,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TRANSACTIONAL,
    BatchHeader,
    Buffer,
    ensure_valid,
    scan,
    set_base_offset,
    set_max_timestamp,
    set_partition_leader_epoch,
)
from tidemill.records.rebuilding import rebuild
from tidemill.records.validation import Judged, TopicRules, check_batch, check_messages, check_records, check_request
from tidemill.records.values import as_int32, as_int64


class Assigned(NamedTuple):
    """What is to be stored, and what a log wants to know about it."""

    stored: Buffer
    last_offset: int
    max_timestamp: int
    rewritten: bool


class Appended:
    """What `append` gives. `log_append_time` is the clock's time at the append, whatever the topic's timestamp type."""

    def __init__(self, assigned: Assigned, now: int) -> None:
        self.stored = bytes(assigned.stored)
        self.max_timestamp = assigned.max_timestamp
        self.log_append_time = now
        self.rewritten = assigned.rewritten

    @cached_property
    def batches(self) -> list[Batch]:
        """What is stored, decoded."""
        return decode(self.stored)

    def __repr__(self) -> str:
        return f"Appended({len(self.stored)} bytes, max_timestamp={self.max_timestamp}, rewritten={self.rewritten})"


def append(
    produced: Buffer,
    *,
    offset: int,
    leader_epoch: int,
    now: int,
    timestamp_type: str = "CreateTime",
    compression_type: str = "producer",
) -> Appended:
    """What the leader of epoch `leader_epoch` stores when a client's batch gets `offset` at the time `now`.

    >>> from tidemill.records import Batch, Record, encode
    >>> produced = encode(Batch.of([Record(value=b"v", timestamp=1_700_000_000_000)]))
    >>> append(produced, offset=42, leader_epoch=3, now=1_700_000_000_005, compression_type="zstd").batches[0].records
    [Record(offset=42, timestamp=1700000000000, key=None, value=b'v')]

    A batch that a leader refuses raises the error that the client would be answered, with `record_errors` if it is about single records.
    """
    rules = TopicRules(timestamp_type=timestamp_type, compression_type=compression_type).checked()
    buffer = bytearray(memoryview(produced))
    offset, leader_epoch, now = as_int64(offset, "offset"), as_int32(leader_epoch, "leader_epoch"), as_int64(now, "now")
    return Appended(assign(buffer, rules, offset=offset, leader_epoch=leader_epoch, now=now), now)


def validate_produce(
    data: Buffer,
    rules: TopicRules | None = None,
    *,
    now: int,
    version: int = 13,
    transactional_id: str | None = None,
) -> None:
    """Raises what a broker answers to a Produce request with these records for a partition; nothing if it takes them.

    >>> validate_produce(b"", now=1_700_000_000_000)
    Traceback (most recent call last):
    tidemill.errors.kafka.InvalidRecord: a Produce request must have a whole batch for each partition: none is here
    """
    rules = rules or TopicRules()
    view = memoryview(data).cast("B")
    check_request(view, rules, version=version, transactional_id=transactional_id)
    stored = assign(bytearray(view), rules, offset=0, leader_epoch=0, now=now).stored
    rules.check_size(len(stored))


def assign(
    buffer: bytearray | memoryview, rules: TopicRules, *, offset: int, leader_epoch: int, now: int, from_client: bool = True
) -> Assigned:
    """Checks the batch in `buffer` and gives it its place in the log. `buffer` is changed, and is part of the result unless rewritten.

    Coordinators append batches of their own, to which the rules for clients do not apply: `from_client=False`. Whatever follows the
    batch, cut off, is left out.
    """
    view = memoryview(buffer).cast("B")
    batches = list(scan(view))
    headers = [_check_bytes(view, *batch) for batch in batches]
    if not batches:
        raise InvalidRecord("there is no whole batch to append")
    header = headers[0]
    if header is None:
        return _convert(view, batches, rules, offset=offset, leader_epoch=leader_epoch, now=now)
    if len(batches) > 1:
        raise InvalidRecord(f"a client appends one batch at a time, not {len(batches)}")
    view = view[: header.size]
    if from_client:
        check_batch(header)
    codec = compression.codec_of(header.compression)
    target = rules.target_codec(codec)
    in_place = target == codec or (header.control and codec == compression.NONE)
    judged = check_records(view, header, rules, now, rewrite=not in_place)
    last_offset = wrap_int64(offset + judged.section.count - 1)
    max_timestamp = now if rules.log_append_time else judged.max_timestamp
    if not in_place:
        new = _rewrite(header, judged, rules, target, offset=offset, leader_epoch=leader_epoch, now=now)
        return Assigned(new, last_offset, max_timestamp, rewritten=True)
    if codec != compression.NONE and not judged.in_order:
        raise InvalidRecord("the offsets in a compressed batch must count from 0: this one cannot stay as it is")
    set_base_offset(view, wrap_int64(last_offset - header.last_offset_delta))
    set_partition_leader_epoch(view, leader_epoch)
    set_max_timestamp(view, max_timestamp, rules.log_append_time)
    return Assigned(view, last_offset, max_timestamp, rewritten=False)


def _check_bytes(view: memoryview, position: int, size: int, magic: int) -> BatchHeader | None:
    """The header of a batch whose size and checksum are right; None for a message of an old format, whose checksum is."""
    if magic < 2:
        legacy.message_at(view, position, size).ensure_valid()
        return None
    header = BatchHeader.parse(view[: position + size], position)
    ensure_valid(view, position, header)
    return header


def _rewrite(header: BatchHeader, judged: Judged, rules: TopicRules, target: int, *, offset: int, leader_epoch: int, now: int) -> bytearray:
    append_time = header.max_timestamp if header.log_append_time else None
    records = judged.section.records(wrap_int64(offset + header.base_offset), header.base_timestamp, -1, append_time)
    if not judged.in_order:
        records = _renumbered(records, offset)
    new = _new_header(rules, target, len(records), offset=offset, leader_epoch=leader_epoch, now=now)
    new.attributes |= header.attributes & TRANSACTIONAL
    new.producer_id, new.producer_epoch, new.base_sequence = header.producer_id, header.producer_epoch, header.base_sequence
    return rebuild(new, records, rules.compression_level)


def _new_header(rules: TopicRules, codec: int, count: int, *, offset: int, leader_epoch: int, now: int) -> BatchHeader:
    return BatchHeader(
        base_offset=offset,
        partition_leader_epoch=leader_epoch,
        attributes=codec & CODEC_MASK | (LOG_APPEND_TIME if rules.log_append_time else 0),
        last_offset_delta=count - 1,
        max_timestamp=now,
    )


def _renumbered(records: list[Record], offset: int) -> list[Record]:
    return [
        Record(offset=wrap_int64(offset + index), timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)
        for index, record in enumerate(records)
    ]


def _convert(
    view: memoryview, batches: list[tuple[int, int, int]], rules: TopicRules, *, offset: int, leader_epoch: int, now: int
) -> Assigned:
    """Messages of an old format as a batch of magic 2."""
    if any(magic != batches[0][2] for _, _, magic in batches):
        raise InvalidRecord("the batches of one append must be of one format")
    messages = [legacy.message_at(view, position, size) for position, size, _ in batches]
    codec = max(message.codec for message in messages)
    if codec != compression.NONE and len(messages) > 1:
        raise InvalidRecord(f"a client appends one compressed message at a time, not {len(messages)}")
    inner = check_messages(messages, rules, now)
    records = _renumbered([message.record() for message in inner], offset)
    header = _new_header(rules, rules.target_codec(codec), len(records), offset=offset, leader_epoch=leader_epoch, now=now)
    stored = rebuild(header, records, rules.compression_level)
    max_timestamp = now if rules.log_append_time else max(NO_TIMESTAMP, *(record.timestamp for record in records))
    return Assigned(stored, offset + len(records) - 1, max_timestamp, rewritten=True)
