"""R6: what of Java's library the placement hangs on."""

import pytest

from tidemill._hashes import java_hash
from tidemill._java import JavaRandom, buckets_copied, buckets_grown, buckets_made_for, hash_order

# What Java 17 printed, seed and bound before the numbers.
NUMBERS = {
    (0, 10): [0, 8, 9, 7, 5, 3],
    (42, 8): [5, 0, 5, 0, 2, 7],
    (-1, 2**31 - 1): [577549913, 943952225, 26349579, 1176895439, 1421815604, 1290198438],
    (431, 1431655765): [196397715, 914607465, 930060140, 356475217, 728058539, 735580432],
    (2**48, 1): [0, 0, 0, 0, 0, 0],
    (-(2**63), 1610612737): [1569741360, 516548029, 1302116447, 1368843515, 663681053, 1182054491],
}
SHUFFLED = [4, 6, 2, 1, 7, 9, 8, 5, 3, 0]
FEW = [None, "Aa", "BB", "rack-b", "rack-a", "eu-west-1c"]
MANY = [20, 21, 22, 23, 24, 25, 26, 27, 7, 28, 6, 29, 9, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 3, 2, 5, 4, 1, 0]


def test_random_numbers_are_javas() -> None:
    """R6: `new Random(seed)`, then `nextInt(bound)` six times."""
    drawn = {(seed, bound): JavaRandom(seed) for seed, bound in NUMBERS}
    assert {key: [random.next_int(key[1]) for _ in range(6)] for key, random in drawn.items()} == NUMBERS


def test_a_shuffle_is_javas() -> None:
    """R6: `Collections.shuffle` of 0 to 9 with `new Random(42)`."""
    items = list(range(10))
    JavaRandom(42).shuffle(items)
    assert items == SHUFFLED


@pytest.mark.parametrize("bound", [0, -1, 2**31])
def test_a_bound_that_java_has_not_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="positive 32-bit integer"):
        JavaRandom(0).next_int(bound)


def hash_of(key: str | None) -> int:
    return 0 if key is None else java_hash(key)


def test_hash_tables_iterate_as_javas() -> None:
    """R6: a `HashMap` with Optional keys, before and after it grew."""
    assert hash_order(["rack-b", "rack-a", None, "Aa", "BB", "eu-west-1c"], buckets_grown(6), hash_of) == FEW
    assert hash_order([f"rack-{number}" for number in range(30)], buckets_grown(30), hash_of) == [f"rack-{number}" for number in MANY]


@pytest.mark.parametrize(
    ("count", "grown", "copied", "made_for"),
    [(0, 16, 16, 2), (1, 16, 16, 4), (11, 16, 16, 32), (12, 16, 32, 32), (13, 32, 32, 32), (24, 32, 64, 64), (25, 64, 64, 64)],
)
def test_hash_tables_are_as_large_as_javas(count: int, grown: int, copied: int, made_for: int) -> None:
    """R6: a table grows when more than three quarters of it are full."""
    assert (buckets_grown(count), buckets_copied(count), buckets_made_for(count)) == (grown, copied, made_for)
