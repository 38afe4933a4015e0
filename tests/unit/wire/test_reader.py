"""Reading primitive types, above all from bytes that mean no good."""

import struct
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidemill.errors import ProtocolError
from tidemill.wire.reader import Reader
from tidemill.wire.uuids import Uuid


def compact(hex_bytes: str) -> Reader:
    return Reader(bytes.fromhex(hex_bytes), flexible=True)


def classic(hex_bytes: str) -> Reader:
    return Reader(bytes.fromhex(hex_bytes))


@pytest.mark.parametrize(
    ("read", "layout", "values"),
    [
        (Reader.int8, ">b", [-128, -1, 0, 1, 127]),
        (Reader.int16, ">h", [-32_768, -1, 0, 258, 32_767]),
        (Reader.uint16, ">H", [0, 1, 32_768, 65_535]),
        (Reader.int32, ">i", [-(2**31), -1, 0, 16_909_060, 2**31 - 1]),
        (Reader.uint32, ">I", [0, 2**31, 2**32 - 1]),
        (Reader.int64, ">q", [-(2**63), -1, 0, 72_623_859_790_382_856, 2**63 - 1]),
        (Reader.float64, ">d", [0.0, -1.5, 1e308]),
    ],
)
def test_numbers(read: Callable[[Reader], float], layout: str, values: list[float]) -> None:
    for value in values:
        data = struct.pack(layout, value)
        reader = Reader(data)
        assert read(reader) == value
        assert reader.at == len(data)
        for size in range(len(data)):
            with pytest.raises(ProtocolError, match="more bytes are needed"):
                read(Reader(data[:size]))


def test_any_boolean_byte_but_zero_is_true() -> None:
    assert [Reader(bytes([byte])).boolean() for byte in (0, 1, 2, 128, 255)] == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("hex_bytes", "value"),
    [
        ("00", 0),
        ("7f", 127),
        ("8001", 128),
        ("ac02", 300),
        ("ffffffff0f", 2**32 - 1),
        ("8000", 0),  # longer than it has to be
        ("ffffffff7f", 2**32 - 1),  # bits beyond the 32nd are dropped
    ],
)
def test_unsigned_varints(hex_bytes: str, value: int) -> None:
    reader = classic(hex_bytes)
    assert reader.uvarint() == value
    assert reader.at == len(bytes.fromhex(hex_bytes))


@pytest.mark.parametrize("hex_bytes", ["", "80", "ffffff", "ffffffffff", "8080808080808000"])
def test_a_varint_that_does_not_end_is_an_error(hex_bytes: str) -> None:
    with pytest.raises(ProtocolError):
        classic(hex_bytes).uvarint()


def test_strings() -> None:
    assert classic("0003e282ac").string() == "€"
    assert compact("04e282ac").string() == "€"
    assert classic("0000").nullable_string() == ""
    assert compact("01").nullable_string() == ""
    assert Reader(b"\x00\x02hi", flexible=True).nullable_int16_string() == "hi"


@pytest.mark.parametrize("reader", [classic("ffff"), classic("8000"), compact("00"), compact("8180808008"), compact("ffffffff0f")])
def test_any_negative_length_means_null(reader: Reader) -> None:
    assert reader.nullable_string() is None


@pytest.mark.parametrize("method", ["string", "binary", "view", "count", "int32_array", "string_array", "uuid_array"])
@pytest.mark.parametrize("flexible", [False, True])
def test_null_where_it_is_not_allowed_is_an_error(method: str, flexible: bool) -> None:
    reader = Reader(b"\0" if flexible else b"\xff" * 4, flexible=flexible)
    with pytest.raises(ProtocolError, match="null"):
        getattr(reader, method)()


def test_a_string_has_at_most_32767_bytes_in_flexible_versions_too() -> None:
    assert len(Reader(b"\x80\x80\x02" + b"x" * 32_767, flexible=True).string()) == 32_767
    with pytest.raises(ProtocolError, match="the most is 32767"):
        Reader(b"\x81\x80\x02" + b"x" * 32_768, flexible=True).string()


@pytest.mark.parametrize(
    ("hex_bytes", "text"),
    [
        ("eda080", "\ufffd"),
        ("f4908080", "\ufffd\ufffd\ufffd\ufffd"),
        ("c080", "\ufffd\ufffd"),
        ("e08080", "\ufffd\ufffd\ufffd"),
        ("f09f98", "\ufffd"),
        ("e282", "\ufffd"),
        ("41edf1bfbfe08f", "A\ufffd\ufffd\ufffd\ufffd"),
        ("c2eda0bff0f59f", "\ufffd\ufffd\ufffd\ufffd\ufffd"),
        ("ed80", "\ufffd"),
        ("f5c0eddfa0", "\ufffd\ufffd\ufffd\u07e0"),
        ("f5c29fedf18f", "\ufffd\x9f\ufffd\ufffd"),
        ("e0909080bf", "\ufffd\ufffd\ufffd\ufffd\ufffd"),
        ("eddf41a0c2", "\ufffd\ufffdA\ufffd\ufffd"),
    ],
)
def test_malformed_text_is_replaced_as_java_replaces_it(hex_bytes: str, text: str) -> None:
    data = bytes.fromhex(hex_bytes)
    assert Reader(bytes([len(data) + 1]) + data, flexible=True).string() == text


def test_bytes_are_copied_and_views_are_not() -> None:
    data = bytearray(b"\x00\x00\x00\x02hi\x00\x00\x00\x02ho")
    reader = Reader(data)
    copied, viewed = reader.binary(), reader.view()
    data[4:6], data[10:12] = b"XX", b"YY"
    assert (copied, bytes(viewed)) == (b"hi", b"YY")


def test_uuids() -> None:
    value = Reader(bytes(range(16))).uuid()
    assert isinstance(value, Uuid)
    assert value == bytes(range(16))


@pytest.mark.parametrize("method", ["string", "binary", "view", "nullable_view", "int32_array", "string_array", "nullable_count"])
@pytest.mark.parametrize(
    ("hex_bytes", "flexible"),
    [("7fffffff00", False), ("00ffffff", False), ("ffffffff07", True), ("8080808008", True), ("8880808000", True), ("1000", True)],
)
def test_lengths_and_counts_beyond_the_end_are_refused_before_anything_is_allocated(method: str, hex_bytes: str, flexible: bool) -> None:
    reader = Reader(bytes.fromhex(hex_bytes), flexible=flexible)
    tracemalloc.start()
    try:
        with pytest.raises(ProtocolError):
            getattr(reader, method)()
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_tagged_fields_repeat_and_come_in_any_order() -> None:
    assert compact("030a01aa0502bbcc0a01dd").unknown_tagged_fields() == {10: b"\xdd", 5: b"\xbb\xcc"}
    assert compact("00").unknown_tagged_fields() is None
    assert classic("03").unknown_tagged_fields() is None


@pytest.mark.parametrize("hex_bytes", ["", "01", "0164", "016405aabb", "ffffffff07", "0164ffffffff0f", "ff7f6401aa"])
def test_tagged_fields_that_the_bytes_do_not_fill_are_an_error(hex_bytes: str) -> None:
    with pytest.raises(ProtocolError):
        compact(hex_bytes).unknown_tagged_fields()


def test_what_is_not_a_flat_view_of_bytes_is_read_as_its_bytes() -> None:
    words = memoryview(bytes(range(16))).cast("I")
    assert Reader(words).end == 16
    assert Reader(words).int32() == 0x00010203


def test_a_start_outside_of_the_bytes_is_refused() -> None:
    for at in (-1, 3):
        with pytest.raises(ValueError, match="outside of the 2 bytes"):
            Reader(b"ab", at)


NOT_BY_THEMSELVES = {"at", "end", "flexible", "nested", "nullable_nested", "nullable_tagged", "array", "nullable_array"}
NOT_BY_THEMSELVES |= {"unknown_tagged_field", "wrong_tag"}
METHODS = sorted(name for name in dir(Reader) if not name.startswith("_") and name not in NOT_BY_THEMSELVES)


@given(data=st.binary(max_size=40), flexible=st.booleans(), calls=st.lists(st.sampled_from(METHODS), max_size=8))
def test_any_bytes_give_values_or_one_error(data: bytes, flexible: bool, calls: list[str]) -> None:
    reader = Reader(data, flexible=flexible)
    for name in calls:
        try:
            getattr(reader, name)()
        except ProtocolError:
            break
        assert 0 <= reader.at <= reader.end == len(data)
