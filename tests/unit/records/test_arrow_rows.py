from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.records import arrow_rows, decode, from_arrow, to_arrow

HEADER = pa.struct([("key", pa.string()), ("value", pa.binary())])


def written(table: pa.Table | pa.RecordBatch, **options: Any) -> list[tuple[Any, ...]]:
    """The records of all batches, with the partition that each is for."""
    return [
        (partition, record.key, record.value, record.timestamp, record.headers)
        for partition, data in from_arrow(table, **options)
        for batch in decode(data)
        for record in batch.records
    ]


def values(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    return [value for _, _, value, _, _ in written(pa.table({"value": column}))]


@pytest.mark.parametrize("line", list(lines("records.jsonl")), ids=lambda line: line["name"])
@pytest.mark.parametrize("batch_size", [0, 300, 2**20])
def test_a_table_that_was_read_is_written_with_the_same_records(line: dict[str, Any], batch_size: int) -> None:
    data = bytes.fromhex(line["hex"])
    records = [record for batch in decode(data) if not batch.control for record in batch.records]
    expected = [(3, record.key, record.value, record.timestamp, record.headers) for record in records]
    assert written(to_arrow(data, partition=3), batch_size=batch_size) == expected


VALUES = [b"a", None, b"", b"bcd"]
SHAPES: dict[str, Callable[[], Any]] = {
    "binary": lambda: pa.array(VALUES, pa.binary()),
    "large_binary": lambda: pa.array(VALUES, pa.large_binary()),
    "string": lambda: pa.array(["a", None, "", "bcd"]),
    "large_string": lambda: pa.array(["a", None, "", "bcd"], pa.large_string()),
    "binary_view": lambda: pa.array(VALUES, pa.binary_view()),
    "string_view": lambda: pa.array(["a", None, "", "bcd"], pa.string_view()),
    "dictionary": lambda: pa.array(VALUES, pa.binary()).dictionary_encode(),
    "a slice": lambda: pa.array([b"before", *VALUES, b"after"], pa.binary()).slice(1, 4),
    "a slice of a large one": lambda: pa.array([b"before", None, *VALUES, b"after"], pa.large_binary()).slice(2, 4),
    "chunks": lambda: pa.chunked_array([pa.array(VALUES[:1], pa.binary()), pa.array([], pa.binary()), pa.array(VALUES[1:], pa.binary())]),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_of_binary_is_read_where_it_lies(shape: Callable[[], Any]) -> None:
    assert values(shape()) == VALUES


def test_binary_of_a_fixed_size_and_nulls_are_read() -> None:
    assert values(pa.array([b"ab", None], pa.binary(2))) == [b"ab", None]
    assert values(pa.nulls(2)) == [None, None]


def test_columns_that_are_missing_are_null() -> None:
    assert written(pa.table({"value": [b"v"]}), timestamp=5) == [(None, None, b"v", 5, ())]
    assert written(pa.table({"value": [b"v"]})) == [(None, None, b"v", -1, ())]


MOMENT = datetime(2023, 11, 14, 22, 13, 20, 123_999, tzinfo=UTC)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1_700_000_000_123, None], pa.int64()),
        pa.array([MOMENT, None], pa.timestamp("us", tz="UTC")),
        pa.array([MOMENT, None], pa.timestamp("ns", tz="Europe/Zurich")),
        pa.array([1_700_000_000_123, None], pa.timestamp("ms")),
        pa.array([7, 1_700_000_000_123, None], pa.timestamp("ms", tz="UTC")).slice(1),
    ],
    ids=lambda column: str(column.type),
)
def test_timestamps_of_any_unit_become_milliseconds(column: pa.Array) -> None:
    table = pa.table({"value": [b"v", b"w"], "timestamp": column})
    assert [timestamp for *_, timestamp, _ in written(table, timestamp=42)] == [1_700_000_000_123, 42]


HEADERS: list[Any] = [[{"key": "a", "value": b"1"}, {"key": "a", "value": None}], [], None, [{"key": "", "value": b""}]]
PAIRS = [(("a", b"1"), ("a", None)), (), (), (("", b""),)]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(HEADERS, pa.list_(HEADER)),
        pa.array(HEADERS, pa.large_list(HEADER)),
        pa.array([HEADERS[0], *HEADERS], pa.list_(HEADER)).slice(1),
        pa.array(HEADERS, pa.list_(pa.struct([("key", pa.large_string()), ("value", pa.large_binary())]))),
        pa.array([None if row is None else [(h["key"], h["value"]) for h in row] for row in HEADERS], pa.map_(pa.string(), pa.binary())),
    ],
    ids=lambda column: str(column.type)[:40],
)
def test_headers_are_lists_or_maps(column: pa.Array) -> None:
    assert [headers for *_, headers in written(pa.table({"value": [b"v"] * 4, "headers": column}))] == PAIRS


def test_rows_go_to_their_partitions_in_order() -> None:
    table = pa.table({"value": [b"a", b"b", b"c", b"d", b"e"], "partition": [1, None, 1, 0, None]})
    assert [(partition, value) for partition, _, value, _, _ in written(table)] == [
        (1, b"a"),
        (1, b"c"),
        (None, b"b"),
        (None, b"e"),
        (0, b"d"),
    ]


def test_batches_end_before_the_row_that_makes_them_too_large() -> None:
    table = pa.table({"value": [bytes(90)] * 100})
    batches = [data for _, data in from_arrow(table, batch_size=1000)]
    assert all(900 < len(data) <= 1000 for data in batches[:-1])
    assert [decode(data)[0].base_offset for data in batches] == [0] * len(batches)


@pytest.mark.parametrize("compression", ["gzip", "snappy", "lz4", "zstd"])
def test_batches_are_compressed(compression: str) -> None:
    table = pa.table({"value": [bytes(90)] * 100})
    batches = [decode(data)[0] for _, data in from_arrow(table, compression=compression)]
    assert [(batch.compression, batch.count) for batch in batches] == [(compression, 100)]


def test_a_record_batch_is_a_table_too() -> None:
    assert written(pa.record_batch({"value": [b"v"]})) == [(None, None, b"v", -1, ())]


def test_an_empty_table_makes_no_batch() -> None:
    assert list(from_arrow(pa.table({"value": pa.array([], pa.binary())}))) == []


def test_rows_are_taken_in_parts_where_a_large_column_reaches_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_rows, "LARGEST_COLUMN", 10)
    column = pa.array([bytes([index]) * 4 for index in range(11)], pa.large_binary())
    assert values(column) == column.to_pylist()


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        ({"key": [b"k"]}, ValueError, "need a column 'value'"),
        ({"value": [b"v"], "keys": [b"k"]}, ValueError, "no place for a column 'keys': their columns are value, key"),
        ({"value": [1]}, TypeError, "column 'value' must be binary or string, not int64"),
        ({"value": [b"v"], "key": [1.5]}, TypeError, "column 'key' must be binary or string, not double"),
        ({"value": [b"v"], "timestamp": ["now"]}, TypeError, "column 'timestamp' must be timestamps or integers, not string"),
        ({"value": [b"v"], "timestamp": [-2]}, ValueError, "column 'timestamp' has -2 ms: Kafka keeps none before 1970"),
        ({"value": [b"v"], "partition": ["p"]}, TypeError, "column 'partition' must be integers, not string"),
        ({"value": [b"v"], "headers": [b"h"]}, TypeError, "column 'headers' must be list<struct<key: string, value: binary>>"),
        ({"value": [b"v"], "headers": [[1]]}, TypeError, "column 'headers' must be list<struct<key: string, value: binary>>"),
        ({"value": [b"v"], "headers": [[{"key": None, "value": b"x"}]]}, ValueError, "column 'headers' has a header without a name"),
    ],
)
def test_a_column_that_records_cannot_take_is_named(table: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        list(from_arrow(pa.table(table)))


def test_what_a_reader_added_is_passed_over() -> None:
    table = pa.table({"value": [b"v"], "offset": [9], "topic": ["t"], "timestampType": [0]})
    assert written(table) == [(None, None, b"v", -1, ())]


def test_two_columns_of_one_name_are_refused() -> None:
    column = pa.array([b"v"])
    with pytest.raises(ValueError, match="same name: value, value"):
        list(from_arrow(pa.Table.from_arrays([column, column], ["value", "value"])))


rows = st.lists(
    st.tuples(
        st.none() | st.binary(max_size=70),
        st.none() | st.binary(max_size=200),
        st.none() | st.integers(-1, 2**40),
        st.none() | st.lists(st.tuples(st.text(st.characters(codec="utf-8"), max_size=3), st.none() | st.binary(max_size=3)), max_size=3),
    ),
    max_size=30,
)


@given(rows, st.integers(0, 10), st.integers(0, 500))
def test_rows_survive_the_way_there_and_back(rows: list[Any], skipped: int, batch_size: int) -> None:
    keys, contents, timestamps, headers = ([row[at] for row in rows] for at in range(4))
    table = pa.table(
        {
            "key": pa.array(keys, pa.binary()),
            "value": pa.array(contents, pa.large_binary()),
            "timestamp": pa.array(timestamps, pa.timestamp("ms", tz="UTC")),
            "headers": pa.array(headers, pa.map_(pa.string(), pa.binary())),
        }
    ).slice(skipped)
    assert written(table, batch_size=batch_size, timestamp=7) == [
        (None, key, value, 7 if timestamp is None else timestamp, tuple(pairs or ())) for key, value, timestamp, pairs in rows[skipped:]
    ]


def test_a_chunk_without_rows_is_stepped_over() -> None:
    """Its earliest timestamp, which is none, was compared with a number."""
    timestamps = pa.chunked_array([pa.array([], pa.int64()), pa.array([5], pa.int64())])
    table = pa.table({"value": pa.chunked_array([pa.array([], pa.binary()), pa.array([b"v"])]), "timestamp": timestamps})
    assert written(table) == [(None, None, b"v", 5, ())]


def test_the_timestamp_for_rows_without_one_is_one_that_kafka_keeps() -> None:
    with pytest.raises(ValueError, match="timestamp must be milliseconds since 1970, or -1 for none, not -5"):
        written(pa.table({"value": pa.array([b"v"])}), timestamp=-5)
