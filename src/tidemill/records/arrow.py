"""Record batches to Arrow columns, without an object for a record; `arrow_rows` is the way back.

    key        binary                                     null where the record has none
    value      binary                                     null in a tombstone
    partition  int32                                      if it is given
    offset     int64
    timestamp  timestamp[ms, tz=UTC]                      -1 ms where the record has none
    headers    list<struct<key: string, value: binary>>   an empty list where the record has none

Rules kept here:

- A column that is not asked for costs nothing.
- Arrow's offsets within a column are 32 bits wide. A table goes on in another chunk long before a column holds 2 GiB; a batch is never
  split, and cannot be that large.
- Control batches are no data and are left out. Which records of aborted transactions to leave out is the consumer's knowledge.
- A header's name in Arrow is UTF-8; one that is not gets replacement characters, as in a `Record`.
- pyarrow is an extra, imported when a column is first asked for.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from tidemill.records import decoding
from tidemill.records._columns import Binary, append_counts, append_sums
from tidemill.records._loops import PLANES, Section
from tidemill.records.header import LOG_APPEND_TIME, BatchHeader, Buffer
from tidemill.records.values import header_name

if TYPE_CHECKING:
    import pyarrow as pa

# What is read is spread over chunks of about this size: memory that was let go of is soon used again, and stays in the cache.
CHUNK_BYTES = 2 * 1024 * 1024
COLUMNS = ("key", "value", "partition", "offset", "timestamp", "headers")


def require_pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("Arrow columns need pyarrow, which is not installed: pip install 'tidemill[arrow]'") from None
    return pyarrow


def schema(columns: Sequence[str] = COLUMNS) -> pa.Schema:
    """The Arrow schema of records, or of some of their columns."""
    pa = require_pyarrow()
    header = pa.struct([("key", pa.string()), ("value", pa.binary())])
    types = {
        "key": pa.binary(),
        "value": pa.binary(),
        "partition": pa.int32(),
        "offset": pa.int64(),
        "timestamp": pa.timestamp("ms", tz="UTC"),
        "headers": pa.list_(header),
    }
    unknown = [name for name in columns if name not in types]
    if unknown:
        raise ValueError(f"records have no column {unknown[0]!r}: choose of {', '.join(COLUMNS)}")
    return pa.schema([(name, types[name]) for name in columns])


def to_arrow(data: Buffer, *, partition: int | None = None, columns: Sequence[str] | None = None, check_crc: bool = True) -> pa.Table:
    """The records in `data`, one or more batches one after another, as a table.

    `columns` are those wanted, in their order; all if it is None, without `partition` where that is not given. Damage raises what it
    raises in `decode`.
    """
    if columns is None:
        columns = [name for name in COLUMNS if name != "partition" or partition is not None]
    elif "partition" in columns and partition is None:
        raise ValueError("the column partition is asked for: say which partition the data are of")
    result = schema(columns)
    chunk = Chunk(result, partition)
    chunks = []
    for header, section in decoding.sections(memoryview(data).cast("B"), check_crc):
        if header.control:
            continue
        if not chunk.has_room(section):
            chunks.append(chunk.finish())
            chunk = Chunk(result, partition)
        chunk.append(header, section)
    chunks.append(chunk.finish())
    return require_pyarrow().Table.from_batches(chunks, result)


class Chunk:
    """The columns of one Arrow record batch while they grow."""

    def __init__(self, schema: pa.Schema, partition: int | None) -> None:
        self.schema = schema
        self.partition = partition
        self.count = 0
        self.keys, self.values, self.names, self.header_values = Binary(), Binary(), Binary(), Binary()
        self.offsets, self.timestamps, self.lists = bytearray(), bytearray(), bytearray(4)
        self.size = 0
        appends = {
            "key": self.append_keys,
            "value": self.append_values,
            "offset": self.append_offsets,
            "timestamp": self.append_timestamps,
            "headers": self.append_headers,
        }
        self.appends = [appends[name] for name in schema.names if name in appends]

    def has_room(self, section: Section) -> bool:
        return self.size == 0 or section.size <= CHUNK_BYTES - self.size

    def append(self, header: BatchHeader, section: Section) -> None:
        for append in self.appends:
            append(header, section)
        self.count += section.count
        self.size += section.size

    def append_keys(self, header: BatchHeader, section: Section) -> None:
        self.keys.append(section.source, section.start, section.layout, plane("key_at", section), section.count)

    def append_values(self, header: BatchHeader, section: Section) -> None:
        self.values.append(section.source, section.start, section.layout, plane("value_at", section), section.count)

    def append_offsets(self, header: BatchHeader, section: Section) -> None:
        append_sums(self.offsets, header.base_offset, section.layout, plane("offset_deltas", section), section.count, False)

    def append_timestamps(self, header: BatchHeader, section: Section) -> None:
        if header.attributes & LOG_APPEND_TIME:
            self.timestamps += header.max_timestamp.to_bytes(8, sys.byteorder, signed=True) * section.count
        else:
            append_sums(self.timestamps, header.base_timestamp, section.layout, 0, section.count, True)

    def append_headers(self, header: BatchHeader, section: Section) -> None:
        append_counts(self.lists, section.layout, plane("header_count", section), section.count)
        total = section.header_total
        if total:
            layout = section.headers()
            self.names.append(section.source, section.start, layout, 0, total)
            self.header_values.append(section.source, section.start, layout, 8 * total, total)

    def finish(self) -> pa.RecordBatch:
        pa = require_pyarrow()
        arrays = {
            "key": lambda type: binary_array(pa, self.keys, type),
            "value": lambda type: binary_array(pa, self.values, type),
            "partition": lambda type: pa.repeat(pa.scalar(self.partition, type), self.count),
            "offset": lambda type: pa.Array.from_buffers(type, self.count, [None, pa.py_buffer(self.offsets)]),
            "timestamp": lambda type: pa.Array.from_buffers(type, self.count, [None, pa.py_buffer(self.timestamps)]),
            "headers": self.header_array,
        }
        return pa.RecordBatch.from_arrays([arrays[field.name](field.type) for field in self.schema], schema=self.schema)

    def header_array(self, type: pa.DataType) -> pa.Array:
        pa = require_pyarrow()
        names = binary_array(pa, sound_names(self.names), type.value_type[0].type)
        values = binary_array(pa, self.header_values, type.value_type[1].type)
        items = pa.Array.from_buffers(type.value_type, self.names.count, [None], children=[names, values])
        return pa.Array.from_buffers(type, self.count, [None, pa.py_buffer(self.lists)], children=[items])


def plane(name: str, section: Section) -> int:
    """Where one of the arrays of a section's layout begins."""
    return section.count * (8 + 4 * PLANES.index(name))


def binary_array(pa: Any, column: Binary, type: pa.DataType) -> pa.Array:
    validity = pa.py_buffer(column.validity) if column.null_count else None
    return pa.Array.from_buffers(type, column.count, [validity, pa.py_buffer(column.offsets), pa.py_buffer(column.data)], column.null_count)


def sound_names(column: Binary) -> Binary:
    """Header names as Arrow must have them, in UTF-8: almost always they are."""
    if column.data.isascii():
        return column
    ends = memoryview(column.offsets).cast("i")
    names = [header_name(bytes(column.data[start:end])).encode() for start, end in pairwise(ends)]
    sizes = [len(name) for name in names]
    starts = [0, *accumulate(sizes)]
    sound = Binary()
    sound.append(b"".join(names), 0, bytearray(array("i", [*starts[:-1], *sizes]).tobytes()), 0, len(names))
    return sound
