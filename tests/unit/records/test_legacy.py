"""R12: old logs stay readable: message sets of magic 0 and 1."""

from contextlib import suppress
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.batches import golden_batch
from support.golden import lines
from support.handmade import message
from tidemill.errors import CorruptMessage, InvalidRecord, KafkaError, UnsupportedCompressionType
from tidemill.records import Record, compression, decode

GOLDEN = [line for line in lines("records.jsonl") if any(batch["magic"] < 2 for batch in line["batches"])]


def wrapper(*inner: bytes, offset: int, magic: int = 1, codec: int = compression.GZIP, log_append_time: bool = False) -> bytes:
    value = compression.compress(codec, b"".join(inner))
    return message(offset, magic, codec | (8 if log_append_time else 0), timestamp=9, value=value)


def offsets_and_timestamps(data: bytes) -> list[tuple[int, int]]:
    return [(record.offset, record.timestamp) for batch in decode(data) for record in batch.records]


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_message_sets_are_read_as_by_kafka(line: dict[str, Any]) -> None:
    assert [golden_batch(batch) for batch in decode(bytes.fromhex(line["hex"]))] == line["batches"]


def test_a_message_is_a_batch_of_one_record() -> None:
    (batch,) = decode(message(7, key=b"k"))
    assert (batch.base_offset, batch.last_offset, batch.timestamp_type, batch.max_timestamp) == (7, 7, "CreateTime", 5)
    assert batch.records == [Record(offset=7, timestamp=5, key=b"k", value=b"v")]


INNER = (message(0), message(1), message(2))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        # magic 1: the wrapper has the offset of the last, the others count up to it
        (wrapper(*INNER, offset=12), [(10, 5), (11, 5), (12, 5)]),
        (wrapper(message(0), message(4), offset=12), [(8, 5), (12, 5)]),
        # an offset of 0 is one that a producer left: theirs count as they are
        (wrapper(*INNER, offset=0), [(0, 5), (1, 5), (2, 5)]),
        (wrapper(*INNER, offset=12, log_append_time=True), [(10, 9), (11, 9), (12, 9)]),
        # magic 0: offsets are absolute, timestamps there are none
        (wrapper(message(3, magic=0), message(9, magic=0), offset=9, magic=0), [(3, -1), (9, -1)]),
        (wrapper(message(0), message(1, magic=0), offset=1, log_append_time=True), [(0, 9), (1, -1)]),
        # a message that the wrapper cuts off ends it
        (wrapper(message(0), message(1)[:20], offset=0), [(0, 5)]),
        (wrapper(message(0), b"\0" * 11, offset=0), [(0, 5)]),
    ],
)
def test_wrappers_give_offsets_and_timestamps(data: bytes, expected: list[tuple[int, int]]) -> None:
    assert offsets_and_timestamps(data) == expected


@pytest.mark.parametrize("codec", [compression.GZIP, compression.SNAPPY, compression.LZ4])
@pytest.mark.parametrize("magic", [0, 1])
def test_every_codec_of_the_time_is_unwrapped(codec: int, magic: int) -> None:
    data = wrapper(message(0, magic), message(1, magic), offset=1, magic=magic, codec=codec)
    assert [record.offset for batch in decode(data) for record in batch.records] == [0, 1]


def test_the_wrong_header_checksum_of_the_oldest_lz4_frames_is_passed_over() -> None:
    """In magic 0 it covered the frame's magic number too."""
    frame = bytearray(compression.compress(compression.LZ4, message(0, magic=0)))
    frame[6] ^= 0xFF
    old = message(0, magic=0, attributes=compression.LZ4, value=bytes(frame))
    assert [record.offset for record in decode(old)[0].records] == [0]
    with pytest.raises(CorruptMessage, match="header of an LZ4 frame does not match its checksum"):
        decode(message(0, magic=1, attributes=compression.LZ4, value=bytes(frame)))


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (message(3, crc=1), CorruptMessage, "message of offset 3 is damaged: its checksum says 1, its bytes give"),
        (message(value=None, attributes=compression.GZIP), InvalidRecord, "compressed and has no value"),
        (wrapper(offset=0), InvalidRecord, "compressed and holds no messages"),
        (wrapper(message(0), offset=5, codec=compression.ZSTD), InvalidRecord, "zstd, which came with magic 2"),
        (message(attributes=5), UnsupportedCompressionType, "codec 5"),
        (wrapper(wrapper(message(0), offset=0), offset=0), InvalidRecord, "lies in a wrapper and is compressed itself"),
        (wrapper(message(7), offset=5), InvalidRecord, "offset 5 holds one with the later offset 7"),
        (wrapper(bytes(8) + (13).to_bytes(4, "big") + bytes(13), offset=0), CorruptMessage, "no message has 13 bytes"),
        (message(value=b"no gzip", attributes=compression.GZIP), CorruptMessage, "gzip"),
    ],
)
def test_damage_is_refused(data: bytes, error: type[KafkaError], text: str) -> None:
    with pytest.raises(error, match=text):
        decode(data)


def test_a_checksum_is_left_alone_on_request() -> None:
    assert decode(message(crc=1), check_crc=False)[0].crc == 1


@pytest.mark.parametrize("size", [14, 15, 21])
def test_messages_too_short_for_their_magic_are_corrupt(size: int) -> None:
    body = b"\x01" + bytes(size - 5)
    data = bytes(8) + size.to_bytes(4, "big") + crc32(body).to_bytes(4, "big") + body
    with pytest.raises(CorruptMessage, match="too few for one of magic 1"):
        decode(data)[0].records[0].key  # noqa: B018


@pytest.mark.parametrize("field", ["key", "value"])
@pytest.mark.parametrize("length", [2, 1000, 2**31 - 1])
def test_fields_longer_than_the_message_are_corrupt(field: str, length: int) -> None:
    data = bytearray(message(key=b"k"))
    at = 12 + 14 if field == "key" else len(data) - 5
    data[at : at + 4] = length.to_bytes(4, "big")
    with pytest.raises(CorruptMessage, match=r"a field is said to have|too few"):
        decode(bytes(data), check_crc=False)[0].records[0].value  # noqa: B018


@pytest.mark.parametrize("length", [-1, -2, -(2**31)])
def test_every_negative_length_is_null(length: int) -> None:
    data = bytearray(message(key=None))
    data[26:30] = length.to_bytes(4, "big", signed=True)
    assert decode(bytes(data), check_crc=False)[0].records[0].key is None


OFFSETS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, 0, -1])


@given(offset=OFFSETS, inner=st.lists(OFFSETS, min_size=1, max_size=3))
def test_offsets_at_their_ends_wrap_as_in_java(offset: int, inner: list[int]) -> None:
    with suppress(InvalidRecord):
        offsets = [record.offset for record in decode(wrapper(*[message(each) for each in inner], offset=offset))[0].records]
        assert offsets[-1] == (inner[-1] if offset == 0 else offset)


@given(body=st.binary(min_size=9, max_size=120), magic=st.integers(0, 1), codec=st.integers(0, 7))
def test_arbitrary_bytes_are_messages_or_one_typed_error(body: bytes, magic: int, codec: int) -> None:
    content = bytes((magic, codec)) + body
    entry = bytes(8) + (len(content) + 4).to_bytes(4, "big") + crc32(content).to_bytes(4, "big") + content
    with suppress(KafkaError):
        decode(entry)


@given(inner=st.binary(max_size=120), magic=st.integers(0, 1))
def test_arbitrary_bytes_in_a_wrapper_are_messages_or_one_typed_error(inner: bytes, magic: int) -> None:
    with suppress(KafkaError):
        decode(wrapper(inner, offset=3, magic=magic))


def test_a_key_longer_than_its_message_is_an_error_when_it_is_asked_for() -> None:
    """Kafka's client iterates over such a message without complaint; the whole batch was refused here."""
    [batch] = decode(bytes.fromhex("0000000000000000000000107531dc200000000001006b0000000176"))
    [record] = batch.records
    assert (record.offset, record.headers) == (0, ())
    for field in ("key", "value"):
        with pytest.raises(CorruptMessage, match="is said to have"):
            getattr(record, field)
    assert "UnreadableRecord(offset=0" in repr(record)
