"""Arrow columns to record batches, without an object for a record.

    value       binary or string, large or not, views and dictionaries of them; null is a tombstone
    key         likewise; null or missing is none
    headers     list or map of (string, binary); null or missing is none
    timestamp   a timestamp of any unit and zone, or int64 of milliseconds; null or missing is the one given for such rows
    partition   an integer; null or missing is the caller's choice

Rules kept here:

- Slices, chunks and nulls are read where they lie: only views, dictionaries and timestamps of other units are cast first.
- A batch holds consecutive rows of one partition, in their order, and ends before the row that would make it larger than asked for.
- A table that was read can be written: what a record has no place for, its old offset and topic, is passed over. A column of any other
  name is an error, for a misspelt one would be lost in silence.
- pyarrow is an extra, imported when a table is first written.
"""

from __future__ import annotations

from array import array as array_of
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tidemill.records._columns import LARGEST_COLUMN, lay_out
from tidemill.records._writing import Field, Rows
from tidemill.records.arrow import require_pyarrow
from tidemill.records.builder import BatchBuilder
from tidemill.records.header import NO_TIMESTAMP
from tidemill.records.values import as_int64

if TYPE_CHECKING:
    import pyarrow as pa

# The layout of so many rows stays in the cache, and is small enough for memory that was used before.
ROWS_AT_ONCE = 8192
WRITTEN = ("value", "key", "headers", "timestamp", "partition")
PASSED_OVER = frozenset({"offset", "topic", "timestampType"})


def from_arrow(
    table: pa.Table | pa.RecordBatch, *, batch_size: int = 1024 * 1024, compression: str = "none", timestamp: int = NO_TIMESTAMP
) -> Iterator[tuple[int | None, bytearray]]:
    """The rows of a table as batches, each with the partition it is for: None where the table does not say.

    A batch has `batch_size` bytes at most, before compression, unless one row alone has more. `timestamp`, in milliseconds, is for rows
    without one. Every batch begins at offset 0 and names no producer: see `header.set_producer`.
    """
    pa = require_pyarrow()
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    unknown = sorted(set(table.column_names) - PASSED_OVER - set(WRITTEN))
    if len(set(table.column_names)) < len(table.column_names):
        raise ValueError(f"two columns of the table have the same name: {', '.join(table.column_names)}")
    if unknown or "value" not in table.column_names:
        fault = f"no place for a column {unknown[0]!r}" if unknown else "need a column 'value'"
        raise ValueError(f"records have {fault}: their columns are {', '.join(WRITTEN)}")
    if as_int64(timestamp, "timestamp") < NO_TIMESTAMP:
        raise ValueError(f"timestamp must be milliseconds since 1970, or -1 for none, not {timestamp}")
    for partition, rows_of_it in by_partition(pa, table):
        builder = BatchBuilder(batch_size, compression)
        for piece in rows_of_it.to_batches():
            for rows in rows_of(pa, piece, timestamp):
                row = builder.extend(rows, 0, rows.count)
                while row < rows.count:
                    yield partition, builder.close()
                    builder = BatchBuilder(batch_size, compression)
                    row = builder.extend(rows, row, rows.count)
        if builder.count:
            yield partition, builder.close()


def by_partition(pa: Any, table: pa.Table) -> Iterator[tuple[int | None, pa.Table]]:
    """The rows of each partition, in the order in which the partitions come up."""
    if "partition" not in table.column_names:
        yield None, table
        return
    import pyarrow.compute as compute

    column = table["partition"]
    if not pa.types.is_integer(column.type):
        raise TypeError(f"column 'partition' must be integers, not {column.type}")
    found = compute.unique(column)
    for partition in found:
        wanted = compute.equal(column, partition) if partition.is_valid else compute.is_null(column)
        yield partition.as_py(), table if len(found) == 1 else table.filter(wanted)


def rows_of(pa: Any, piece: pa.RecordBatch, timestamp: int) -> Iterator[Rows]:
    """The rows of one record batch, so many at a time that their layout is small and the data of each column below 2 GiB."""
    count = piece.num_rows
    if count == 0:  # a chunk of a table may be empty
        return
    if count > ROWS_AT_ONCE:
        for first in range(0, count, ROWS_AT_ONCE):
            yield from rows_of(pa, piece.slice(first, ROWS_AT_ONCE), timestamp)
        return
    if count > 1 and any(extent(pa, piece.column(name)) > LARGEST_COLUMN for name in ("key", "value") if name in piece.schema.names):
        yield from rows_of(pa, piece.slice(0, count // 2), timestamp)
        yield from rows_of(pa, piece.slice(count // 2), timestamp)
        return
    columns = {name: piece.column(name) for name in piece.schema.names}
    yield Rows(
        timestamps_of(pa, columns.get("timestamp"), count, timestamp),
        field(pa, "key", columns.get("key"), count),
        field(pa, "value", columns["value"], count),
        *header_fields(pa, columns.get("headers"), count),
    )


def extent(pa: Any, array: pa.Array) -> int:
    """Bytes of data that a large column reaches over. No other can reach too far."""
    if not (pa.types.is_large_binary(array.type) or pa.types.is_large_string(array.type)):
        return 0
    first, last = reach(memoryview(array.buffers()[1] or b"").cast("B"), array.offset, len(array), True)
    return last - first


def timestamps_of(pa: Any, array: pa.Array | None, count: int, default: int) -> memoryview:
    if array is None or pa.types.is_null(array.type):
        return memoryview(array_of("q", [default]) * count)
    if pa.types.is_timestamp(array.type):
        array = array.cast(pa.timestamp("ms", array.type.tz), safe=False)
    elif not pa.types.is_integer(array.type):
        raise TypeError(f"column 'timestamp' must be timestamps or integers, not {array.type}")
    import pyarrow.compute as compute

    array = array.cast(pa.int64())
    if array.null_count:
        array = compute.fill_null(array, default)
    earliest = compute.min(array).as_py()
    if earliest < NO_TIMESTAMP:
        raise ValueError(f"column 'timestamp' has {earliest} ms: Kafka keeps none before 1970, and -1 for none")
    return memoryview(array.buffers()[1]).cast("B").cast("q")[array.offset : array.offset + count]


def field(pa: Any, name: str, array: pa.Array | None, count: int) -> Field:
    """Where the values of a column lie."""
    if array is None or pa.types.is_null(array.type):
        return Field(b"", nothing(count))
    types = pa.types
    if types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if types.is_binary_view(array.type) or types.is_string_view(array.type) or types.is_fixed_size_binary(array.type):
        array = array.cast(pa.binary())
    wide = types.is_large_binary(array.type) or types.is_large_string(array.type)
    if not (wide or types.is_binary(array.type) or types.is_string(array.type)):
        raise TypeError(f"column {name!r} must be binary or string, not {array.type}: cast or serialize it first")
    if array.null_count == count:
        return Field(b"", nothing(count))
    validity, offsets, data = (memoryview(buffer or b"").cast("B") for buffer in array.buffers())
    layout = lay_out(validity, offsets, array.offset, count, len(data), array.null_count > 0, wide)
    first, _ = reach(offsets, array.offset, count, wide)
    return Field(data[first:], layout)


def header_fields(pa: Any, array: pa.Array | None, count: int) -> tuple[Field, Field, Field]:
    """Which headers belong to a row, their names, their values."""
    if array is None or pa.types.is_null(array.type):
        return Field(b"", nothing(count)), Field(b"", nothing(0)), Field(b"", nothing(0))
    if pa.types.is_map(array.type):
        names, values = array.keys, array.items
    elif (pa.types.is_list(array.type) or pa.types.is_large_list(array.type)) and names_of_fields(pa, array.type) == ["key", "value"]:
        names, values = array.values.flatten()
    else:
        raise TypeError(f"column 'headers' must be list<struct<key: string, value: binary>>, or a map of these, not {array.type}")
    wide = pa.types.is_large_list(array.type)
    validity, offsets = (memoryview(buffer or b"").cast("B") for buffer in array.buffers()[:2])
    first, last = reach(offsets, array.offset, count, wide)
    if first == last:
        return header_fields(pa, None, count)
    names, values = names.slice(first, last - first), values.slice(first, last - first)
    if names.null_count:
        raise ValueError("column 'headers' has a header without a name")
    lists = lay_out(validity, offsets, array.offset, count, first + len(names), array.null_count > 0, wide)
    return Field(b"", lists), field(pa, "headers.key", names, len(names)), field(pa, "headers.value", values, len(names))


def names_of_fields(pa: Any, type: pa.DataType) -> list[str]:
    return [field.name for field in type.value_type] if pa.types.is_struct(type.value_type) else []


def reach(offsets: memoryview, first: int, count: int, wide: bool) -> tuple[int, int]:
    """Where the values `first` to `first + count` of a column begin and end in its data."""
    if count == 0:
        return 0, 0
    numbers = offsets.cast("q" if wide else "i")
    return numbers[first], numbers[first + count]


def nothing(count: int) -> bytearray:
    """The layout of as many nulls."""
    return bytearray(4 * count) + b"\xff" * (4 * count)
