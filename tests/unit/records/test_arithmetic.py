import pytest

from tidemill.records.arithmetic import increment_sequence, wrap_int32, wrap_int64


@pytest.mark.parametrize(
    ("value", "wrapped"),
    [(0, 0), (2**31 - 1, 2**31 - 1), (2**31, -(2**31)), (-(2**31) - 1, 2**31 - 1), (2**32, 0), (2**32 + 5, 5)],
)
def test_ints_wrap_at_32_bits(value: int, wrapped: int) -> None:
    assert wrap_int32(value) == wrapped


@pytest.mark.parametrize(("value", "wrapped"), [(-1, -1), (2**63, -(2**63)), (-(2**63) - 1, 2**63 - 1), (2**64 + 7, 7)])
def test_longs_wrap_at_64_bits(value: int, wrapped: int) -> None:
    assert wrap_int64(value) == wrapped


@pytest.mark.parametrize(
    ("sequence", "increment", "expected"),
    [
        (0, 0, 0),
        (5, 3, 8),
        (2**31 - 1, 0, 2**31 - 1),
        (2**31 - 1, 1, 0),
        (2**31 - 2, 5, 3),
        (2**31 - 1, 2**31 - 1, 2**31 - 2),
        (-5, 3, -2),
        (7, -1, 6 - 2**31),  # no sound batch has this; Kafka computes it all the same
        (0, -1, 2**31 - 1),
    ],
)
def test_sequences_go_on_at_zero(sequence: int, increment: int, expected: int) -> None:
    assert increment_sequence(sequence, increment) == expected
