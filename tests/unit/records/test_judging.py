"""The loop over the records of a produced batch, at the ends of its arithmetic."""

from array import array

import pytest

from tidemill.records._judging import judge

LOWEST, HIGHEST = -(2**63), 2**63 - 1


def layout(timestamps: list[int], offset_deltas: list[int], key_sizes: list[int]) -> bytearray:
    """As `Section` lays out what it found; the planes that are not looked at are empty."""
    count = len(timestamps)
    planes = [*offset_deltas, *[0] * count, *key_sizes, *[0] * 4 * count]
    return bytearray(array("q", timestamps).tobytes() + array("i", planes).tobytes())


def judged(
    timestamps: list[int],
    *,
    offset_deltas: list[int] | None = None,
    key_sizes: list[int] | None = None,
    base_offset: int = 0,
    base_timestamp: int = 0,
    append_time: int | None = None,
    needs_keys: bool = False,
    timestamps_matter: bool = True,
    now: int = 1000,
    before_max: int = HIGHEST,
    after_max: int = HIGHEST,
) -> tuple[int, bool, list[tuple[int, int | None]]]:
    count = len(timestamps)
    data = layout(timestamps, offset_deltas or list(range(count)), key_sizes or [0] * count)
    return judge(data, count, base_offset, base_timestamp, append_time, needs_keys, timestamps_matter, now, before_max, after_max)


def test_the_largest_timestamp_is_found() -> None:
    assert judged([5, 9, -3], base_timestamp=100) == (109, True, [])
    assert judged([-5], base_timestamp=0)[0] == -1


@pytest.mark.parametrize(
    ("base_offset", "offset_deltas", "in_order"),
    [
        (0, [0, 1, 2], True),
        (0, [0, 2, 1], False),
        (0, [1, 2, 3], False),
        (5, [0, 1, 2], False),
        (-1, [1, 2, 3], True),
        (HIGHEST, [1, 2, 3], False),
    ],
)
def test_offsets_are_to_count_from_0(base_offset: int, offset_deltas: list[int], in_order: bool) -> None:
    assert judged([0, 0, 0], base_offset=base_offset, offset_deltas=offset_deltas)[1] is in_order


@pytest.mark.parametrize(
    ("timestamp", "before_max", "after_max", "refused"),
    [
        (990, 10, 10, False),
        (989, 10, 10, True),
        (1010, 10, 10, False),
        (1011, 10, 10, True),
        (-1, 0, 0, False),
        (-2, HIGHEST, HIGHEST, False),
        # differences wrap as in Java: what lies 2^63 ahead is as far behind
        (HIGHEST, HIGHEST, 10, True),
        (LOWEST, 10, HIGHEST, False),
        (LOWEST, HIGHEST, 10, True),
    ],
)
def test_timestamps_are_compared_with_the_clock(timestamp: int, before_max: int, after_max: int, refused: bool) -> None:
    found = judged([timestamp], before_max=before_max, after_max=after_max)[2]
    assert found == ([(0, timestamp)] if refused else [])


def test_sums_of_timestamps_wrap() -> None:
    assert judged([1], base_timestamp=HIGHEST, timestamps_matter=False)[0] == -1
    assert judged([-1], base_timestamp=LOWEST, timestamps_matter=False)[0] == HIGHEST


def test_a_missing_key_hides_a_wrong_timestamp() -> None:
    assert judged([5000, 5000], key_sizes=[-1, 3], needs_keys=True, after_max=0)[2] == [(0, None), (1, 5000)]


def test_nobody_may_state_a_log_append_time() -> None:
    assert judged([0, 1], append_time=7, timestamps_matter=False) == (7, True, [(0, 7), (1, 7)])
    assert judged([0, 1], append_time=-1) == (-1, True, [(0, -1), (1, -1)])
    assert judged([0, 1], append_time=7) == (7, True, [])


def test_no_records_are_fine() -> None:
    assert judged([]) == (-1, True, [])


@pytest.mark.parametrize("count", [3, -1, 2**62])
def test_a_layout_of_fewer_records_is_not_read_beyond_its_end(count: int) -> None:
    with pytest.raises(ValueError, match="no layout"):
        judge(layout([1], [0], [1])[:40], count, 0, 0, None, True, True, 0, 0, 0)
