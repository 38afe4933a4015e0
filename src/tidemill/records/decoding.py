"""Bytes to batches and records, with the checks that a consumer makes, in its order: the bounds of a batch, its checksum, its records."""

from __future__ import annotations

from collections.abc import Iterator

from tidemill.errors import InvalidRecord
from tidemill.records._loops import Section
from tidemill.records.batch import Batch, Record
from tidemill.records.header import HEADER_SIZE, LOG_APPEND_TIME, BatchHeader, Buffer, ensure_valid, scan


def decode(data: Buffer, check_crc: bool = True, *, limit: int | None = None) -> list[Batch]:
    """The batches that lie in `data` whole, of any format, with their records.

    `limit`: how many bytes a compressed batch may hold; by default `compression.DEFAULT_LIMIT`. More raises `MessageTooLarge`.
    A batch that `data` cuts off is left out. Damage raises what Kafka calls it: `CorruptMessage` for a batch that cannot be one or whose
    checksum is wrong, `UnsupportedCompressionType` for an unknown codec, `InvalidRecord` for records that do not fill their batch.
    """
    view = memoryview(data).cast("B")
    batches = []
    for position, size, magic in scan(view):
        if magic < 2:
            from tidemill.records import legacy  # seldom met

            batches.append(legacy.decode_batch(view, position, size, check_crc, limit))
            continue
        header = BatchHeader.parse(view[: position + size], position)
        if check_crc:
            ensure_valid(view, position, header)
        batches.append(Batch.from_header(header, position, read_records(view, position, header, limit)))
    return batches


def sections(view: memoryview, check_crc: bool, limit: int | None = None) -> Iterator[tuple[BatchHeader, Section]]:
    """The batches of `view` with their records, not yet as objects. A message set is handed over as the batch that says the same."""
    for position, size, magic in scan(view):
        if magic == 2:
            header = BatchHeader.parse(view[: position + size], position)
            if check_crc:
                ensure_valid(view, position, header)
            if header.count != 0:
                yield header, read_section(view, position, header, limit)
        else:
            from tidemill.records import encoding, legacy  # seldom met

            batch = legacy.decode_batch(view, position, size, check_crc, limit)
            if batch.records:
                yield from encoding.sections_of(batch.records)


def read_records(view: memoryview, position: int, header: BatchHeader, limit: int | None = None) -> list[Record]:
    """The records of the batch of magic 2 whose header lies at `position`; none where the count is 0, whatever follows."""
    if header.count == 0:
        return []
    return read_section(view, position, header, limit).records(
        header.base_offset,
        header.base_timestamp,
        header.base_sequence,
        header.max_timestamp if header.attributes & LOG_APPEND_TIME else None,
        header.control,
    )


def read_section(view: memoryview, position: int, header: BatchHeader, limit: int | None = None, *, sized: bool = True) -> Section:
    """The records of a batch, decompressed, and where their fields lie.

    What can be decompressed of damaged data is read first: Kafka finds a record that is damaged before it comes to what ends the data.
    `sized`: as for `Section`, of compressed records only.
    """
    start, end = position + HEADER_SIZE, position + header.size
    if header.codec == 0:
        return Section(view, start, end, header.count)
    from tidemill.records import compression

    data, fault = compression.unpack(header.codec, view[start:end], limit)
    try:
        section = Section(data, 0, len(data), header.count, sized)
    except InvalidRecord as error:
        raise error from fault
    if fault is not None:
        raise fault
    return section
