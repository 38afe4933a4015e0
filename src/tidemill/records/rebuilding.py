"""A batch written anew from records that were in another one: after re-compression, or after compaction took some away."""

from __future__ import annotations

from collections.abc import Sequence

from tidemill.errors import InvalidRecord, InvalidTimestamp
from tidemill.records._loops import Record
from tidemill.records.arithmetic import LARGEST_INT32, wrap_int32, wrap_int64
from tidemill.records.builder import BatchBuilder
from tidemill.records.compression import compress
from tidemill.records.header import (
    DELETE_HORIZON,
    LOG_APPEND_TIME,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    BatchHeader,
    seal,
)


def rebuild(header: BatchHeader, records: Sequence[Record], level: int | None = None) -> bytearray:
    """The batch of these records, compressed as the attributes of `header` say, in which count, checksum and timestamps are set.

    The base timestamp stays what it is in a batch with a delete horizon, which it holds, and the max timestamp in one that says
    LogAppendTime. As Kafka's builder does, this refuses what no writer should have made.
    """
    _check_producer(header)
    if not records:
        raise InvalidRecord(f"a batch without records, of offset {header.base_offset}, cannot be written anew")
    if not header.attributes & DELETE_HORIZON:
        header.base_timestamp = records[0].timestamp
    if not header.attributes & LOG_APPEND_TIME:
        header.max_timestamp = max(NO_TIMESTAMP, *(record.timestamp for record in records))
    header.count = len(records)
    content = _section(header, records)
    return seal(header, compress(header.codec, content, level) if header.codec else content)


def _section(header: BatchHeader, records: Sequence[Record]) -> bytearray:
    builder = BatchBuilder()
    last_offset: int | None = None  # the first record may lie before the base offset: Kafka has such batches
    for record in records:
        delta = wrap_int64(record.offset - header.base_offset)
        if (last_offset is not None and record.offset <= last_offset) or delta > LARGEST_INT32:
            raise InvalidRecord(
                f"record of offset {record.offset} does not fit behind offset {last_offset} in a batch of {header.base_offset}"
            )
        if record.timestamp < NO_TIMESTAMP:
            raise InvalidTimestamp(f"record of offset {record.offset} has timestamp {record.timestamp}: none is before 1970")
        timestamp_delta = wrap_int64(record.timestamp - header.base_timestamp)
        builder.put(wrap_int32(delta), timestamp_delta, record.key, record.value, record.headers or None)
        last_offset = record.offset
    return builder.section()


def _check_producer(header: BatchHeader) -> None:
    if header.producer_id == NO_PRODUCER_ID:
        if header.transactional:
            raise InvalidRecord("a transactional batch has no producer id")
    elif header.producer_epoch == NO_PRODUCER_EPOCH:
        raise InvalidRecord(f"a batch of producer {header.producer_id} has no producer epoch")
    elif header.base_sequence < 0 and not header.control:
        raise InvalidRecord(f"a batch of producer {header.producer_id} has no sequence number: {header.base_sequence}")
