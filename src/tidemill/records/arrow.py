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

from array import array
from collections.abc import Sequence
from struct import calcsize
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tidemill.records import decoding
from tidemill.records._columns import Binary, fill_ends, fill_sums, fill_wide_sums, total_size
from tidemill.records._loops import PLANES, Section
from tidemill.records.header import BatchHeader, Buffer
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


def to_arrow(
    data: Buffer,
    *,
    partition: int | None = None,
    columns: Sequence[str] | None = None,
    check_crc: bool = True,
    limit: int | None = None,
) -> pa.Table:
    """The records in `data`, one or more batches one after another, as a table.

    `columns` are those wanted, in their order; all if it is None, without `partition` where that is not given. `limit` is what it is in
    `decode`, and damage raises what it raises there.
    """
    if columns is None:
        columns = [name for name in COLUMNS if name != "partition" or partition is not None]
    elif "partition" in columns and partition is None:
        raise ValueError("the column partition is asked for: say which partition the data are of")
    result = schema(columns)
    chunk = Chunk(result, partition)
    chunks = []
    for header, section in decoding.sections(memoryview(data).cast("B"), check_crc, limit):
        if header.control:
            continue
        if not chunk.has_room(section):
            chunks.append(chunk.finish())
            chunk = Chunk(result, partition)
        chunk.append(header, section)
    chunks.append(chunk.finish())
    return require_pyarrow().Table.from_batches(chunks, result)


class Part(NamedTuple):
    """Some values of a binary column: where their layout lies, and what it is a layout of."""

    source: Buffer
    start: int
    layout: bytearray
    position: int
    length: int


class Chunk:
    """The batches that one Arrow record batch is made of."""

    def __init__(self, schema: pa.Schema, partition: int | None) -> None:
        self.schema = schema
        self.partition = partition
        self.batches: list[tuple[BatchHeader, Section]] = []
        self.count = 0
        self.size = 0

    def has_room(self, section: Section) -> bool:
        return self.size == 0 or section.size <= CHUNK_BYTES - self.size

    def append(self, header: BatchHeader, section: Section) -> None:
        self.batches.append((header, section))
        self.count += section.count
        self.size += section.size

    def finish(self) -> pa.RecordBatch:
        columns = {
            "key": lambda pa, type: binary_column(pa, type, self.parts("key_at")),
            "value": lambda pa, type: binary_column(pa, type, self.parts("value_at")),
            "partition": lambda pa, type: pa.repeat(pa.scalar(self.partition, type), self.count),
            "offset": self.offsets,
            "timestamp": self.timestamps,
            "headers": self.headers,
        }
        pa = require_pyarrow()
        return pa.RecordBatch.from_arrays([columns[field.name](pa, field.type) for field in self.schema], schema=self.schema)

    def parts(self, plane: str) -> list[Part]:
        return [
            Part(section.source, section.start, section.layout, position_of(plane, section), section.count) for _, section in self.batches
        ]

    def offsets(self, pa: Any, type: pa.DataType) -> pa.Array:
        buffer, column = allocate(pa, self.count, "q")
        row = 0
        for header, section in self.batches:
            fill_sums(column, row, header.base_offset, section.layout, position_of("offset_deltas", section), section.count)
            row += section.count
        return pa.Array.from_buffers(type, self.count, [None, buffer])

    def timestamps(self, pa: Any, type: pa.DataType) -> pa.Array:
        buffer, column = allocate(pa, self.count, "q")
        row = 0
        for header, section in self.batches:
            if header.log_append_time:
                column[row : row + section.count] = array("q", [header.max_timestamp]) * section.count
            else:
                fill_wide_sums(column, row, header.base_timestamp, section.layout, section.count)
            row += section.count
        return pa.Array.from_buffers(type, self.count, [None, buffer])

    def headers(self, pa: Any, type: pa.DataType) -> pa.Array:
        buffer, ends = allocate(pa, self.count + 1, "i")
        ends[0] = row = 0
        names, values = [], []
        for _, section in self.batches:
            fill_ends(ends, row, section.layout, position_of("header_count", section), section.count)
            row += section.count
            if section.header_total:
                layout, total = section.headers(), section.header_total
                names.append(Part(section.source, section.start, layout, 0, total))
                values.append(Part(section.source, section.start, layout, 8 * total, total))
        name_type, value_type = (field.type for field in type.value_type)
        children = [sound_names(pa, name_type, names), binary_column(pa, value_type, values)]
        items = pa.Array.from_buffers(type.value_type, ends[self.count], [None], children=children)
        return pa.Array.from_buffers(type, self.count, [None, buffer], children=[items])


def position_of(plane: str, section: Section) -> int:
    """Where one of the arrays of a section's layout begins."""
    return section.count * (8 + 4 * PLANES.index(plane))


def allocate(pa: Any, count: int, format: Literal["B", "i", "q"]) -> tuple[pa.Buffer, memoryview]:
    """Memory of Arrow's for `count` numbers of that format, and the same to be written to."""
    buffer = pa.allocate_buffer(count * calcsize(format))
    return buffer, memoryview(buffer).cast("B").cast(format)


def binary_column(pa: Any, type: pa.DataType, parts: Sequence[Part]) -> pa.Array:
    count = sum(part.length for part in parts)
    offsets, offset_view = allocate(pa, count + 1, "i")
    data, data_view = allocate(pa, sum(total_size(*part[2:]) for part in parts), "B")
    validity, validity_view = allocate(pa, (count + 7) // 8, "B")
    column = Binary(offset_view, data_view, validity_view)
    for part in parts:
        column.append(*part)
    return pa.Array.from_buffers(type, count, [validity if column.null_count else None, offsets, data], column.null_count)


def sound_names(pa: Any, type: pa.DataType, parts: Sequence[Part]) -> pa.Array:
    """Header names as Arrow must have them, in UTF-8: almost always they are."""
    names = binary_column(pa, pa.binary(), parts)
    if memoryview(names.buffers()[2]).tobytes().isascii():
        return names.view(type)
    return pa.array([header_name(name) for name in names.to_pylist()], type)
