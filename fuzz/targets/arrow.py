"""Batches to Arrow columns and back, compared with what the objects say."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from fuzz.batches import reshape
from fuzz.target import Target, after_settings, exactly
from fuzz.targets.records import DAMAGE, LIMIT, batch_seeds, with_small_limit
from tidemill.records import Record, decode, from_arrow, to_arrow

KEY_TYPES = (None, pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary()))
BATCH_SIZES = (0, 100, 1 << 20)


@with_small_limit
def columns(data: bytes) -> None:
    """A table has what the records have, and the batches that are made of it or of a slice of it have it too."""
    settings, start, rest = *data[:2].ljust(2, b"\0"), exactly(data[2:])
    check_crc = not settings & 1
    batches = decode(rest, check_crc)
    records = [record for batch in batches for record in batch.records if not batch.attributes & 0x20]
    table = to_arrow(rest, partition=3 if settings & 2 else None, check_crc=check_crc)
    table.validate(full=True)
    assert table.num_rows == len(records)
    assert rows_of(table) == [content_of(record) for record in records]
    if any(record.timestamp < -1 for record in records):
        return
    start = min(start, len(records))
    part = recast(table, KEY_TYPES[settings >> 2 & 3]).slice(start)
    written = from_arrow(part, batch_size=BATCH_SIZES[(settings >> 4) % len(BATCH_SIZES)])
    again = [record for partition, batch in written for record in decode(batch)[0].records]
    assert [content_of(record)[1:] for record in again] == [content_of(record)[1:] for record in records[start:]]


def recast(table: pa.Table, kind: Any) -> pa.Table:
    """The same keys in another of Arrow's types."""
    if kind is None:
        return table
    key = table["key"].dictionary_encode() if pa.types.is_dictionary(kind) else table["key"].cast(kind)
    return table.set_column(table.column_names.index("key"), "key", key)


def rows_of(table: pa.Table) -> list[tuple[object, ...]]:
    timestamps = table["timestamp"].cast(pa.int64())  # as a datetime, not every one of them fits
    columns = [table["offset"], timestamps, table["key"], table["value"], table["headers"]]
    rows = zip(*(column.to_pylist() for column in columns), strict=True)
    return [(*row[:4], tuple((header["key"], header["value"]) for header in row[4])) for row in rows]


def content_of(record: Record) -> tuple[object, ...]:
    return record.offset, record.timestamp, record.key, record.value, record.headers


TARGETS = (
    Target(
        name="arrow",
        run=columns,
        refusals=DAMAGE,
        seeds=lambda: batch_seeds([bytes((settings, settings % 3)) for settings in range(64)]),
        shape=after_settings(2, reshape),
        content_limit=LIMIT,
    ),
)
