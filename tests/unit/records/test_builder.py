"""R3: records gather in a batch per partition, up to `batch.size`, which is what `BatchBuilder` holds."""

import subprocess
import sys
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidemill.errors import MessageTooLarge
from tidemill.records import BatchBuilder, Record, decode
from tidemill.records._columns import lay_out
from tidemill.records._loops import COMPILED
from tidemill.records._writing import Field, Rows
from tidemill.records.header import HEADER_SIZE

NOW = 1_700_000_000_000


def test_records_gather_until_the_batch_is_full() -> None:
    """R3: the record that finds no room is left for the next batch, and nothing of it is written."""
    builder = BatchBuilder(limit=HEADER_SIZE + 3 * 17)
    assert [builder.append(NOW, None, b"0123456789") for _ in range(5)] == [0, 1, 2, -1, -1]
    assert (builder.count, builder.size) == (3, HEADER_SIZE + 3 * 17)
    assert [record.offset for record in decode(builder.close())[0].records] == [0, 1, 2]


def test_the_first_record_is_taken_however_large_it_is() -> None:
    builder = BatchBuilder(limit=100)
    assert builder.append(NOW, None, bytes(100_000)) == 0
    assert builder.append(NOW, None, b"") == -1
    assert decode(builder.close())[0].records[0].value == bytes(100_000)


def test_the_batch_says_what_its_records_are() -> None:
    builder = BatchBuilder()
    for timestamp in (NOW, NOW + 50, NOW - 50):
        builder.append(timestamp, b"k", b"v", {"h": b"1", "n": None})
    data = builder.close(producer_id=7, producer_epoch=2, base_sequence=2**31 - 2, transactional=True)
    (batch,) = decode(data)
    assert (batch.base_offset, batch.last_offset, batch.base_timestamp, batch.max_timestamp) == (0, 2, NOW, NOW + 50)
    assert (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.last_sequence) == (7, 2, 2**31 - 2, 0)
    assert (batch.transactional, batch.control, batch.size, len(data)) == (True, False, len(data), len(data))
    assert batch.records[2] == Record(2, NOW - 50, b"k", b"v", {"h": b"1", "n": None}, sequence=0)


@pytest.mark.parametrize("compression", ["gzip", "snappy", "lz4", "zstd"])
def test_a_compressed_batch_holds_more_than_its_limit_by_the_ratio_expected(compression: str) -> None:
    """R3: what counts towards `batch.size` is what is expected to be left after compression."""
    builder = BatchBuilder(1000, compression, compression_ratio=0.1)
    while builder.append(NOW, None, bytes(90)) >= 0:
        pass
    assert 7_000 < builder.size < 10_000
    data = builder.close()
    assert len(data) < 1000
    assert [record.value for record in decode(data)[0].records] == [bytes(90)] * builder.count


def test_a_closed_batch_takes_no_more() -> None:
    builder = BatchBuilder()
    builder.append(NOW, None, b"v")
    builder.close()
    for again in (builder.close, lambda: builder.append(NOW, None, b"v"), lambda: builder.put(0, 0, None, b"v", None)):
        with pytest.raises(ValueError, match="closed"):
            again()


def test_a_batch_without_records_is_not_sent() -> None:
    with pytest.raises(ValueError, match="without records"):
        BatchBuilder().close()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("now", None, b"v"), TypeError, "timestamp must be an int, not str"),
        ((None, None, b"v"), TypeError, "timestamp must be an int, not NoneType"),
        ((2**63, None, b"v"), ValueError, "timestamp is 9223372036854775808, which does not fit into 64 bits"),
        ((-2, None, b"v"), ValueError, "timestamp must be milliseconds since 1970, or -1 for none, not -2"),
        ((NOW, "k", b"v"), TypeError, "key must be bytes or None, not str"),
        ((NOW, None, 5), TypeError, "value must be bytes or None, not int"),
        ((NOW, None, b"v", {"h": "1"}), TypeError, "header 'h' must be bytes or None, not str"),
        ((NOW, None, b"v", [(1, b"1")]), TypeError, "a header's name must be a str, not int"),
    ],
)
def test_a_wrong_argument_is_named_and_adds_nothing(arguments: tuple[object, ...], error: type[Exception], message: str) -> None:
    builder = BatchBuilder()
    with pytest.raises(error, match=message):
        builder.append(*arguments)  # type: ignore[arg-type]  # that is the mistake
    assert (builder.count, builder.size) == (0, HEADER_SIZE)


@pytest.mark.parametrize("limit", [-1, 2**31])
def test_a_limit_that_no_batch_can_have_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="limit of a batch"):
        BatchBuilder(limit)


def test_an_unknown_compression_is_refused() -> None:
    with pytest.raises(ValueError, match="'brotli' is unknown: choose one of none, gzip"):
        BatchBuilder(compression="brotli")


@given(
    st.integers(0, 400),
    st.lists(
        st.tuples(
            st.integers(-1, 2**63 - 1),
            st.none() | st.binary(max_size=70),
            st.none() | st.binary(max_size=200),
            st.none() | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), st.none() | st.binary(max_size=3), max_size=2),
        ),
        max_size=12,
    ),
)
def test_what_went_in_comes_out_and_fits(
    limit: int, appended: list[tuple[int, bytes | None, bytes | None, dict[str, bytes | None] | None]]
) -> None:
    batches, builder = [], BatchBuilder(limit)
    for timestamp, key, value, headers in appended:
        if builder.append(timestamp, key, value, headers) < 0:
            batches.append(builder.close())
            builder = BatchBuilder(limit)
            assert builder.append(timestamp, key, value, headers) == 0
    if builder.count:
        batches.append(builder.close())
    decoded = [decode(data)[0] for data in batches]
    assert [(r.timestamp, r.key, r.value, dict(r.headers)) for batch in decoded for r in batch.records] == [
        (timestamp, key, value, headers or {}) for timestamp, key, value, headers in appended
    ]
    assert all(len(data) <= limit or batch.count == 1 for data, batch in zip(batches, decoded, strict=True))
    assert [batch.max_timestamp for batch in decoded] == [max(r.timestamp for r in batch.records) for batch in decoded]


@pytest.mark.slow
def test_a_record_that_no_batch_can_hold_is_too_large() -> None:
    with pytest.raises(MessageTooLarge, match="does not fit into a batch"):
        BatchBuilder().append(NOW, None, bytes(2**31 - 1))


def test_a_batch_that_is_closed_while_a_record_is_made_plain_takes_no_more() -> None:
    """Compiled, this wrote into memory that was the caller's by then."""
    builder = BatchBuilder(limit=100_000)
    builder.append(NOW, None, b"first")
    closed: list[bytearray] = []

    def headers() -> Iterator[tuple[str, bytes]]:
        closed.append(builder.close())
        yield "name", b"value"

    with pytest.raises(ValueError, match="the batch is closed"):
        builder.append(NOW, None, bytes(50_000), headers())
    assert [record.value for record in decode(closed[0])[0].records] == [b"first"]


def test_a_record_that_is_added_while_another_is_made_plain_comes_before_it() -> None:
    """Both had the same offset."""
    builder = BatchBuilder()

    def headers() -> Iterator[tuple[str, bytes]]:
        assert builder.append(NOW, None, b"inner") == 0
        yield "name", b"value"

    assert builder.append(NOW + 5, None, b"outer", headers()) == 1
    [batch] = decode(builder.close())
    assert [(one.offset, one.timestamp, one.value) for one in batch.records] == [(0, NOW, b"inner"), (1, NOW + 5, b"outer")]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits its own memory as Linux does")
def test_a_builder_that_finds_no_memory_for_a_record_goes_on_without_it() -> None:
    """It took itself for as large as it had wished to be, and wrote the next records behind its memory."""
    script = """
import resource
from tidemill.records import BatchBuilder, decode
builder, value = BatchBuilder(limit=1 << 30), bytes(256 << 20)
builder.append(1, None, b"first")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))
try:
    builder.append(1, None, value)
except MemoryError:
    print("no memory")
for _ in range(200):
    builder.append(1, None, bytes(1000))
print(len(decode(builder.close())[0].records))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.stdout.split("\n")[:2], ended.returncode) == (["no memory", "201"], 0), ended.stderr


@pytest.mark.skipif(not COMPILED, reason="uncompiled, a batch that is shared without a lock may be wrong, but harms no memory")
def test_rows_and_records_of_two_threads_do_not_meet_in_a_batch() -> None:
    """`extend` gives up the GIL: a record that another thread added meanwhile moved the memory that it was writing to."""
    rows = 400_000
    column = lay_out(b"", memoryview(array("i", range(0, 8 * rows + 1, 8))).cast("B"), 0, rows, 8 * rows, False, False)
    nothing, none = Field(b"", bytearray(4 * rows) + b"\xff" * (4 * rows)), Field(b"", bytearray())
    table = Rows(memoryview(array("q", [NOW]) * rows), nothing, Field(bytes(8 * rows), column), nothing, none, none)
    builder = BatchBuilder(limit=1 << 28)
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(builder.extend, table, 0, rows)
        while not written.done():
            with suppress(RuntimeError):  # "another thread is adding rows to this batch"
                builder.append(NOW, None, bytes(1000))
    assert written.result() == rows
    [batch] = decode(builder.close())
    assert [record.offset for record in batch.records] == list(range(builder.count))
