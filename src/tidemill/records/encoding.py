"""Batches of objects to bytes: the way back from `decode`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tidemill.records._loops import Record, Section
from tidemill.records.arithmetic import wrap_int32, wrap_int64
from tidemill.records.batch import Batch
from tidemill.records.builder import BatchBuilder
from tidemill.records.header import BatchHeader, seal


def encode(batches: Batch | Iterable[Batch]) -> bytes:
    """The bytes of one batch, or of several one after another, in magic 2.

    A batch that was decoded comes out as it was, byte for byte, if it is not compressed and its records have their own timestamps
    (CreateTime). Compressed batches hold the same records; a LogAppendTime batch has lost what its records said themselves.
    """
    if isinstance(batches, Batch):
        return _encode(batches)
    return b"".join(_encode(batch) for batch in batches)


def sections_of(records: Sequence[Record]) -> Iterator[tuple[BatchHeader, Section]]:
    """A header, and the records behind it as their layout: what the loops that work on batches take.

    Old message sets have offsets of 64 bits. Where one is too far from the first for a batch to say, it begins another section.
    """
    start = 0
    for index, record in enumerate(records):
        delta = record.offset - records[start].offset
        if delta != wrap_int32(delta):
            yield _section_of(records[start:index])
            start = index
    yield _section_of(records[start:])


def _section_of(records: Sequence[Record]) -> tuple[BatchHeader, Section]:
    batch = Batch.of(records)
    header = batch.header()
    data = write_records(batch)
    return header, Section(data, 0, len(data), header.count)


def write_records(batch: Batch) -> bytearray:
    """The section of records of a batch, not compressed."""
    writer = BatchBuilder()
    for record in batch.records:
        writer.put(
            wrap_int32(record.offset - batch.base_offset),
            wrap_int64(record.timestamp - batch.base_timestamp),
            record.key,
            record.value,
            record.headers,
        )
    return writer.section()


def _encode(batch: Batch) -> bytes:
    if batch.magic != 2:
        raise ValueError(f"a batch of magic {batch.magic} can only be read: make one of magic 2 with Batch.of(batch.records)")
    header = batch.header()
    section = write_records(batch)
    if not header.codec:
        return bytes(seal(header, section))
    from tidemill.records.compression import compress

    return bytes(seal(header, compress(header.codec, section)))
