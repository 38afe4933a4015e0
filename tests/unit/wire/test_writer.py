"""Writing primitive types: the bytes of right values, and no byte of wrong ones."""

from array import array
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import pytest

from tidemill.wire.message import Struct
from tidemill.wire.messages.heartbeat import HeartbeatRequest
from tidemill.wire.reader import Reader
from tidemill.wire.writer import Unwritable, Writer


def written(method: str, value: Any, flexible: bool = False) -> str:
    writer = Writer(flexible)
    getattr(writer, method)(value)
    return writer.join().hex()


class Level(IntEnum):
    HIGH = 7


@pytest.mark.parametrize(
    ("method", "value", "classic", "compact"),
    [
        ("boolean", True, "01", "01"),
        ("int8", -2, "fe", "fe"),
        ("int16", -2, "fffe", "fffe"),
        ("uint16", 65_535, "ffff", "ffff"),
        ("int32", Level.HIGH, "00000007", "00000007"),
        ("int32", -(2**31), "80000000", "80000000"),
        ("uint32", 2**32 - 1, "ffffffff", "ffffffff"),
        ("int64", -(2**63), "8000000000000000", "8000000000000000"),
        ("int64", 2**63 - 1, "7fffffffffffffff", "7fffffffffffffff"),
        ("float64", 1, "3ff0000000000000", "3ff0000000000000"),
        ("uuid", bytes(range(16)), "000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f"),
        ("uvarint", 300, "ac02", "ac02"),
        ("uvarint", 2**32 - 1, "ffffffff0f", "ffffffff0f"),
        ("string", "€", "0003e282ac", "04e282ac"),
        ("nullable_string", None, "ffff", "00"),
        ("nullable_int16_string", "a", "000161", "000161"),
        ("nullable_int16_string", None, "ffff", "ffff"),
        ("binary", b"hi", "000000026869", "036869"),
        ("binary", memoryview(b"ahib")[1:3], "000000026869", "036869"),
        ("binary", memoryview(array("H", [0x6868])), "000000026868", "036868"),
        ("nullable_binary", None, "ffffffff", "00"),
        ("int8_array", [1, -1], "0000000201ff", "0301ff"),
        ("int16_array", (1,), "000000010001", "020001"),
        ("int32_array", [], "00000000", "01"),
        ("nullable_int32_array", None, "ffffffff", "00"),
        ("int64_array", [1], "000000010000000000000001", "020000000000000001"),
        ("uuid_array", [bytes(16)], "00000001" + "00" * 16, "02" + "00" * 16),
        ("nullable_uuid_array", None, "ffffffff", "00"),
        ("string_array", ["a"], "00000001000161", "020261"),
        ("nullable_string_array", None, "ffffffff", "00"),
    ],
)
def test_values(method: str, value: Any, classic: str, compact: str) -> None:
    assert (written(method, value), written(method, value, flexible=True)) == (classic, compact)


@pytest.mark.parametrize(
    ("method", "value", "problem"),
    [
        ("boolean", 1, "True or False"),
        ("boolean", None, "True or False"),
        ("int8", 128, "out of range"),
        ("int8", -129, "out of range"),
        ("int16", 32_768, "out of range"),
        ("uint16", -1, "out of range"),
        ("uint16", 65_536, "out of range"),
        ("int32", 2**31, "out of range"),
        ("int32", 2**80, "out of range"),
        ("uint32", -1, "out of range"),
        ("int64", 2**63, "out of range"),
        ("int64", -(2**63) - 1, "out of range"),
        ("int32", True, "not bool"),
        ("int32", 1.0, "not float"),
        ("int32", "1", "not str"),
        ("int32", None, "not NoneType"),
        ("float64", "1", "not str"),
        ("float64", True, "not bool"),
        ("uuid", bytes(15), "16 bytes"),
        ("uuid", "AAAAAAAAAAAAAAAAAAAAAA", "16 bytes"),
        ("string", None, "not NoneType"),
        ("string", b"a", "not bytes"),
        ("string", "ü" * 16_384, "32768 bytes"),
        ("binary", "a", "not str"),
        ("binary", None, "not NoneType"),
        ("binary", [1], "not list"),
        ("int32_array", None, "not NoneType"),
        ("int32_array", {1: 2}, "not dict"),
        ("int32_array", "12", "not str"),
        ("int32_array", [1, None], "not NoneType"),
        ("string_array", ["a", 1], "not int"),
        ("uuid_array", iter([]), "a list is needed"),
    ],
)
@pytest.mark.parametrize("flexible", [False, True])
def test_what_a_type_cannot_hold_is_refused(method: str, value: Any, problem: str, flexible: bool) -> None:
    with pytest.raises(Unwritable, match=problem):
        written(method, value, flexible)


def test_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        written("string", "\ud800")


def test_a_struct_of_another_class_is_refused() -> None:
    class Alike(HeartbeatRequest):
        pass

    others: list[Any] = [Alike(), Struct(), None, {}]
    for wrong in others:
        with pytest.raises(Unwritable, match="a HeartbeatRequest is needed"):
            Writer().nested(wrong, HeartbeatRequest, 0)


def test_large_bytes_are_parts_of_their_own_and_not_copied() -> None:
    writer = Writer()
    records = bytearray(10_000)
    writer.int32(1)
    writer.binary(records)
    writer.binary(b"small")
    parts = writer.parts()
    records[0] = 9
    assert [len(part) for part in parts] == [8, 10_000, 9]
    assert parts[1][0] == 9
    assert writer.join() == b"\0\0\0\1" + (10_000).to_bytes(4, "big") + records + b"\0\0\0\5small"


def test_what_was_written_grows_as_it_has_to() -> None:
    writer = Writer(capacity=1)
    for number in range(1_000):
        writer.int32(number)
    reader = Reader(writer.join())
    assert [reader.int32() for _ in range(1_000)] == list(range(1_000))


def test_tagged_fields_are_written_in_ascending_order_of_their_tags() -> None:
    writer = Writer(flexible=True)
    writer.tagged_fields({1: b"a", 300: b"b"}, {2: b"c", 0: b""})
    assert writer.join().hex() == "040000010161020163ac020162"


@pytest.mark.parametrize(
    ("known", "unknown", "problem"),
    [({1: b""}, {1: b""}, r"tags \[1\]"), ({}, {1: "a"}, "tags to bytes"), ({}, [1], "tags to bytes"), ({}, {-1: b""}, "out of range")],
)
def test_wrong_tagged_fields_are_refused(known: dict[int, bytes], unknown: Any, problem: str) -> None:
    with pytest.raises(Unwritable, match=problem):
        Writer(flexible=True).tagged_fields(known, unknown)


def test_unknown_tagged_fields_do_not_get_lost_in_versions_without_them() -> None:
    Writer().unknown_tagged_fields(None)
    Writer().unknown_tagged_fields({})
    with pytest.raises(Unwritable, match="no tagged fields"):
        Writer().unknown_tagged_fields({5: b""})


@pytest.mark.parametrize("method", [Writer.int8, Writer.string, Writer.binary])
def test_a_refused_value_leaves_nothing_behind(method: Callable[[Writer, Any], None]) -> None:
    writer = Writer()
    with pytest.raises(Unwritable):
        method(writer, object())
    assert writer.join() == b""


class Boastful(bytes):
    def __len__(self) -> int:
        return 1000


def test_bytes_that_lie_about_their_length_give_no_more_than_they_hold() -> None:
    """Compiled, 997 bytes of whatever lay behind them were written."""
    assert written("binary", Boastful(b"abc")) == "00000003616263"
    with pytest.raises(Unwritable, match="says that it has 1000 bytes, and has 3"):
        Writer(flexible=True).unknown_tagged_fields({1: Boastful(b"abc")})
