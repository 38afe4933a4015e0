"""The loops between layouts and Arrow's buffers, where they can go wrong; what they are for is tested with `to_arrow` and `from_arrow`."""

from array import array
from collections.abc import Callable

import pytest

from tidemill.records._columns import Binary, fill_ends, fill_sums, fill_wide_sums, lay_out, total_size


def int32(*numbers: int) -> bytearray:
    return bytearray(array("i", numbers).tobytes())


def int64(*numbers: int) -> bytearray:
    return bytearray(array("q", numbers).tobytes())


def column(count: int, size: int) -> tuple[Binary, bytearray, bytearray, bytearray]:
    offsets, data, validity = bytearray(4 * count + 4), bytearray(size), bytearray((count + 7) // 8)
    return Binary(memoryview(offsets).cast("i"), memoryview(data), memoryview(validity)), offsets, data, validity


def test_a_column_is_filled_by_ranges_of_buffers() -> None:
    binary, offsets, data, validity = column(4, 7)
    binary.append(b"--abcdef", 2, int32(4, 0, 0, 2, 3, -1), 0, 3)
    binary.append(b"xyz", 0, int32(99, 1, 2), 4, 1)
    assert (bytes(data), offsets, binary.count, binary.null_count) == (b"efabcyz", int32(0, 2, 5, 5, 7), 4, 1)
    assert validity[0] & 0b1111 == 0b1011


def test_validity_goes_on_within_a_byte() -> None:
    binary, _, _, validity = column(20, 20)
    for index in range(20):
        binary.append(b"v", 0, int32(0, 1 if index % 3 else -1), 0, 1)
    bits = int.from_bytes(validity, "little")
    assert [bits >> index & 1 for index in range(20)] == [1 if index % 3 else 0 for index in range(20)]


@pytest.mark.parametrize(("count", "size"), [(1, 9), (2, 2)])
def test_more_than_a_column_was_made_for_is_refused(count: int, size: int) -> None:
    binary, _, _, _ = column(count, size)
    with pytest.raises(ValueError, match="no room for 2 values of 3 bytes"):
        binary.append(b"abc", 0, int32(0, 1, 1, 2), 0, 2)


def test_sums_wrap_at_64_bits() -> None:
    sums = int64(5, 0, 0, 0, 0)
    view = memoryview(sums).cast("q")
    fill_wide_sums(view, 1, 2**63 - 1, int64(1, -1), 2)
    fill_sums(view, 3, -(2**63), int32(7, -1, 1), 4, 2)
    assert sums == int64(5, -(2**63), 2**63 - 2, 2**63 - 1, -(2**63) + 1)


def test_sizes_become_ends() -> None:
    ends = int32(0, 2, 0, 0, 0)
    fill_ends(memoryview(ends).cast("i"), 1, int32(0, 3, 0, 1), 4, 3)
    assert ends == int32(0, 2, 5, 5, 6)


def test_rows_beyond_the_column_are_refused() -> None:
    view = memoryview(int64(0, 0)).cast("q")
    fills: list[Callable[[], None]] = [
        lambda: fill_sums(view, 1, 0, int32(1, 1), 0, 2),
        lambda: fill_wide_sums(view, -1, 0, int64(1), 1),
    ]
    for fill in fills:
        with pytest.raises(ValueError, match="a column of 2 rows has no room"):
            fill()
    with pytest.raises(ValueError, match="has no room"):
        fill_ends(memoryview(int32(0, 0)).cast("i"), 0, int32(1, 1), 0, 2)


@pytest.mark.parametrize("wide", [False, True])
def test_arrow_offsets_become_a_layout(wide: bool) -> None:
    offsets = (int64 if wide else int32)(0, 5, 5, 8, 9)
    assert lay_out(b"\x0b", offsets, 1, 3, 9, True, wide) == int32(0, 0, 3, 0, -1, 1)
    assert lay_out(b"", offsets, 0, 4, 9, False, wide) == int32(0, 5, 5, 8, 5, 0, 3, 1)
    assert lay_out(b"", b"", 0, 0, 0, False, wide) == b""


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(
    ("offsets", "limit"),
    [((0, 5), 4), ((3, 2), 9), ((-1, 2), 9), ((0, -1), 9), ((0, 2**31 - 1), 9)],
)
def test_offsets_outside_of_the_data_are_refused(offsets: tuple[int, int], limit: int, wide: bool) -> None:
    with pytest.raises(ValueError, match="lie outside of its data"):
        lay_out(b"", (int64 if wide else int32)(*offsets), 0, 1, limit, False, wide)


def test_values_that_are_2_gib_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="2 GiB apart"):
        lay_out(b"", int64(0, 2**31), 0, 1, 2**40, False, True)


@pytest.mark.parametrize(
    ("validity", "offsets", "first", "count", "nullable"),
    [(b"", int32(0, 1), 0, 2, False), (b"", int32(0, 1), 1, 1, False), (b"", int32(0, 1), -1, 1, False), (b"", int32(0, 1), 0, 1, True)],
)
def test_buffers_that_are_too_short_are_refused(validity: bytes, offsets: bytearray, first: int, count: int, nullable: bool) -> None:
    with pytest.raises(ValueError, match=f"do not hold {count} values from value {first}"):
        lay_out(validity, offsets, first, count, 1, nullable, False)


def test_a_layout_that_is_too_short_is_not_read_beyond_its_end() -> None:
    binary, *_ = column(4, 7)
    wide, narrow = memoryview(bytearray(32)).cast("q"), memoryview(bytearray(20)).cast("i")
    for position, count in ((0, 3), (8, 2), (-8, 1), (2**62, 1), (0, 2**62)):
        for reads in (
            lambda at=position, count=count: total_size(int32(0, 0, 1, 1), at, count),
            lambda at=position, count=count: binary.append(b"abc", 0, int32(0, 0, 1, 1), at, count),
        ):
            with pytest.raises(ValueError, match="does not hold"):
                reads()
    shorts: list[Callable[[], None]] = [
        lambda: fill_sums(wide, 0, 0, int32(1), 0, 2),
        lambda: fill_wide_sums(wide, 0, 0, int64(1), 2),
        lambda: fill_ends(narrow, 0, int32(1), 0, 2),
    ]
    for short in shorts:
        with pytest.raises(ValueError, match="does not hold"):
            short()
