"""Reading batches as a consumer does: golden lines of every format, and bytes that are no batch."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.batches import golden_batch
from support.golden import lines
from support.handmade import batch, field, record, varint
from tidemill.errors import CorruptMessage, InvalidRecord, MessageTooLarge, TidemillError, UnsupportedCompressionType
from tidemill.records import BatchBuilder, Record, compression, decode, to_arrow

GOLDEN = list(lines("records.jsonl"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: line["name"])
def test_batches_read_as_kafka_reads_them(line: dict[str, Any]) -> None:
    assert [golden_batch(batch) for batch in decode(bytes.fromhex(line["hex"]))] == line["batches"]


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview, lambda data: memoryview(b"xy" + data)[2:]])
def test_any_buffer_is_read(buffer: Any) -> None:
    assert decode(buffer(batch(record(b"k", b"v"), 1)))[0].records == [Record(key=b"k", value=b"v", timestamp=0)]


@pytest.mark.parametrize("size", range(len(batch(record(), 1))))
def test_a_batch_that_is_cut_off_is_left_out(size: int) -> None:
    whole = batch(record(), 1)
    assert len(decode(whole + whole[:size])) == 1


RECORDS_THAT_ARE_WRONG = {
    "its length is one too large": record(size=8),
    "its length is one too small": record(size=6),
    "its length is 0": b"\0",
    "its length is negative": record(size=-1),
    "its length is the largest": record(size=2**31 - 1),
    "its length has six bytes": b"\x80\x80\x80\x80\x80\x00" + record()[1:],
    "its length does not end": b"\x80",
    "it ends in the timestamp": b"\x06\0\x80\x80",
    "its timestamp has eleven bytes": varint(17) + b"\0" + b"\x80" * 10 + b"\x00" + record()[3:],
    "its key is longer than it": record(tail=varint(9) + b"k" + field(b"v") + varint(0)),
    "its key claims 2 GiB": record(tail=varint(2**31 - 1) + b"k" + field(b"v") + varint(0)),
    "its value takes the header count": record(tail=field(b"k") + varint(2) + b"v" + varint(0)),
    "it has bytes behind its headers": record(tail=field(b"k") + field(b"v") + varint(0) + b"\0"),
    "its header count is negative": record(tail=field(b"k") + field(b"v") + varint(-1)),
    "its header count claims gigabytes": record(tail=field(b"k") + field(b"v") + varint(2**31 - 1)),
    "it has fewer headers than it says": record(tail=field(b"k") + field(b"v") + varint(2) + field(b"n") + field(b"x")),
    "a header has no name": record(tail=field(b"k") + field(b"v") + varint(1) + varint(-1) + field(b"x")),
    "a header's value is longer than it": record(tail=field(b"k") + field(b"v") + varint(1) + field(b"n") + varint(9) + b"x"),
}


@pytest.mark.parametrize("wrong", RECORDS_THAT_ARE_WRONG.values(), ids=RECORDS_THAT_ARE_WRONG.keys())
@pytest.mark.parametrize("before", [0, 1])
def test_a_record_that_contradicts_itself_is_invalid(wrong: bytes, before: int) -> None:
    with pytest.raises(InvalidRecord):
        decode(batch(record() * before + wrong, before + 1))


@pytest.mark.parametrize("count", [1, 2, 4, 300, -1, 2**31 - 1, -(2**31)])
def test_a_count_of_records_that_is_not_theirs_is_invalid(count: int) -> None:
    with pytest.raises(InvalidRecord):
        decode(batch(record() * 3, count))


def test_a_count_of_zero_hides_what_follows() -> None:
    """As in Kafka, whose iterator does not look."""
    assert decode(batch(record() * 3, 0))[0].records == []


READ_ALL_THE_SAME = {
    "attributes are set": (b"\x0e\x55" + record()[2:], Record(value=b"v", timestamp=0)),
    "its length has a byte too many": (bytes([record()[0] | 0x80, 0]) + record()[1:], Record(value=b"v", timestamp=0)),
    "its key's length is -2": (record(tail=varint(-2) + field(b"v") + varint(0)), Record(value=b"v", timestamp=0)),
    "its value's length is the smallest": (record(tail=varint(-1) + varint(-(2**31)) + varint(0)), Record(timestamp=0)),
    "a header's value has length -7": (
        record(headers=[(b"n", None)])[:-1] + varint(-7),
        Record(value=b"v", timestamp=0, headers=[("n", None)]),
    ),
    "its offset goes backwards": (record(offset_delta=-5), Record(offset=-5, value=b"v", timestamp=0)),
    "a header's name is not UTF-8": (
        record(headers=[(b"\xed\xa0\x80\xff", b"")]),
        Record(value=b"v", timestamp=0, headers=[("\ufffd\ufffd", b"")]),
    ),
}


@pytest.mark.parametrize(("data", "expected"), READ_ALL_THE_SAME.values(), ids=READ_ALL_THE_SAME.keys())
def test_what_kafka_lets_pass_is_read(data: bytes, expected: Record) -> None:
    assert decode(batch(data, 1))[0].records == [expected]


def test_offsets_timestamps_and_sequences_wrap_as_in_java() -> None:
    data = record(offset_delta=1, timestamp_delta=1) + record(offset_delta=-1, timestamp_delta=-1)
    ends = {"base_offset": 2**63 - 1, "base_timestamp": 2**63 - 1, "base_sequence": 2**31 - 1, "last_offset_delta": 2}
    (decoded,) = decode(batch(data, 2, producer_id=1, **ends))
    assert (decoded.last_offset, decoded.last_sequence) == (-(2**63) + 1, 1)
    assert [(r.offset, r.timestamp, r.sequence) for r in decoded.records] == [(-(2**63), -(2**63), 0), (2**63 - 2, 2**63 - 2, -2)]


def test_a_timestamp_delta_may_fill_its_64_bits() -> None:
    lowest = b"\xff" * 9 + b"\x01"
    data = varint(16) + b"\0" + lowest + varint(0) + field(None) + field(b"v") + varint(0)
    assert decode(batch(data, 1, base_timestamp=-1))[0].records[0].timestamp == 2**63 - 1


def test_all_records_of_a_log_append_time_batch_have_its_time() -> None:
    data = record(timestamp_delta=5) + record(offset_delta=1, timestamp_delta=6)
    assert [r.timestamp for r in decode(batch(data, 2, attributes=8, max_timestamp=99))[0].records] == [99, 99]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (b"\0\0\0\1", "COMMIT"),
        (b"\0\0\0\0", "ABORT"),
        (b"\0\1\0\1more", "COMMIT"),
        (b"\0\0\0\6", "KRAFT_VOTERS"),
        (b"\0\0\0\7", "UNKNOWN"),
        (b"\0\0\xff\xff", "UNKNOWN"),
        (b"\xff\xff\0\1", None),
        (b"\0\0\0", None),
        (None, None),
    ],
)
def test_control_records_tell_their_type(key: bytes | None, expected: str | None) -> None:
    assert decode(batch(record(key), 1, attributes=0x20))[0].records[0].control_type == expected


def test_the_checksum_is_looked_at_unless_told_not_to() -> None:
    data = bytearray(batch(record(), 1))
    data[-2] ^= 1
    with pytest.raises(CorruptMessage, match="checksum"):
        decode(data)
    assert len(decode(data, check_crc=False)) == 1


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_an_unknown_codec_is_refused_where_it_matters(codec: int) -> None:
    with pytest.raises(UnsupportedCompressionType):
        decode(batch(record(), 1, attributes=codec))
    assert decode(batch(b"", 0, attributes=codec))[0].compression == f"codec {codec}"


def test_time_and_memory_are_bounded_by_the_input() -> None:
    """A count that claims 2^31 records, in each record headers that claim as many: refused before anything is allocated for them."""
    import tracemalloc

    data = batch(record() * 1000, 2**31 - 1)
    tracemalloc.start()
    with pytest.raises(InvalidRecord):
        decode(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


@given(st.data())
def test_any_change_of_a_batch_gives_batches_or_one_error(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from([line for line in GOLDEN if len(line["hex"]) < 1000]))
    changed = bytearray.fromhex(line["hex"])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=5))
        changed = changed or bytearray(1)
    try:
        decode(changed, check_crc=False)
    except TidemillError:
        return


@given(st.binary(max_size=300))
def test_any_records_section_gives_records_or_one_error(section: bytes) -> None:
    try:
        decode(batch(section, 1))
    except InvalidRecord:
        return


DAMAGED_BEHIND = {
    "gzip": compression.compress(compression.GZIP, record(size=6) + record())[:-1],
    "snappy": compression.compress(compression.SNAPPY, record(size=6) + record()) + b"\0\0\0\x09",
    "lz4": compression.compress(compression.LZ4, record(size=6) + record())[:-1],
    "zstd": compression.compress(compression.ZSTD, record(size=6) + record()) + b"behind it",
}


@pytest.mark.parametrize("codec", DAMAGED_BEHIND)
def test_a_damaged_record_is_found_before_what_ends_the_data(codec: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        decode(batch(DAMAGED_BEHIND[codec], 2, attributes=compression.codec_of(codec)))
    assert isinstance(caught.value.__cause__, CorruptMessage)


@pytest.mark.parametrize("read", [decode, to_arrow], ids=["decode", "to_arrow"])
def test_the_caller_limits_what_a_batch_may_hold(read: Callable[..., object]) -> None:
    """The error said to raise a limit that could not be given."""
    builder = BatchBuilder(limit=1 << 20, compression="zstd")
    builder.append(0, None, bytes(100_000))
    data = builder.close()
    assert read(data, limit=100_100)
    with pytest.raises(MessageTooLarge, match="hold more than 50000 bytes: raise the limit"):
        read(data, limit=50_000)
