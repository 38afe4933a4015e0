from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidemill.records.values import as_bytes, as_int32, as_int64, encoded_name, header_name, plain_headers


@pytest.mark.parametrize("value", [b"ab", bytearray(b"ab"), memoryview(b"ab")])
def test_bytes_like_values_become_bytes(value: bytes | bytearray | memoryview) -> None:
    assert as_bytes(value, "value") == b"ab"


@pytest.mark.parametrize("value", ["text", 5, ["a"], object()])
def test_what_is_not_bytes_is_named(value: object) -> None:
    with pytest.raises(TypeError, match=f"value must be bytes or None, not {type(value).__name__}"):
        as_bytes(value, "value")


def test_an_int_that_is_too_wide_is_named() -> None:
    with pytest.raises(ValueError, match="timestamp is 9223372036854775808, which does not fit into 64 bits"):
        as_int64(2**63, "timestamp")
    with pytest.raises(TypeError, match="timestamp must be an int, not float"):
        as_int64(1.0, "timestamp")
    with pytest.raises(ValueError, match="leader_epoch is -2147483649, which does not fit into 32 bits"):
        as_int32(-(2**31) - 1, "leader_epoch")
    assert (as_int32(2**31 - 1, "leader_epoch"), as_int64(-(2**63), "timestamp")) == (2**31 - 1, -(2**63))


HEADERS: Mapping[str, bytes | None] = {"a": b"1", "b": None}


@pytest.mark.parametrize(
    "headers", [HEADERS, MappingProxyType(dict(HEADERS)), [("a", b"1"), ("b", None)], (("a", bytearray(b"1")), ("b", None))]
)
def test_headers_are_a_mapping_or_pairs(headers: Mapping[str, bytes | None]) -> None:
    assert plain_headers(headers) == (("a", b"1"), ("b", None))


def test_a_header_of_a_wrong_type_is_named() -> None:
    with pytest.raises(TypeError, match="a header's name must be a str, not bytes"):
        plain_headers([(b"a", b"1")])  # type: ignore[list-item]  # that is the mistake
    with pytest.raises(TypeError, match="header 'a' must be bytes or None, not str"):
        plain_headers({"a": "1"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "read"),
    [  # what Java's UTF-8 decoder gives
        (b"sound \xf0\x9f\xa6\xa6", "sound \U0001f9a6"),
        (b"\xff", "\ufffd"),
        (b"\xed\xa0\x80", "\ufffd"),
        (b"\xed\xa0", "\ufffd"),
        (b"\xed\xbf\xe0\xf4\x90", "\ufffd\ufffd\ufffd\ufffd"),
        (b"\xa7\xf0\xb1\x90\xed\xad", "\ufffd\ufffd\ufffd"),
        (b"\xc0\xcd\x8f\xed\xac", "\ufffd\u034f\ufffd"),
        (b"a\xe2\x82", "a\ufffd"),
    ],
)
def test_names_that_are_not_utf8_are_read_as_java_reads_them(name: bytes, read: str) -> None:
    assert header_name(name) == read


def test_a_lone_surrogate_is_written_as_java_writes_it() -> None:
    assert encoded_name("a\ud800b") == b"a?b"


@given(st.binary(max_size=20))
def test_every_name_can_be_read(name: bytes) -> None:
    header_name(name).encode()
