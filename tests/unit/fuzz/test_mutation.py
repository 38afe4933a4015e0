from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fuzz.batches import read_varint
from fuzz.mutation import NUMBERS, mutate, uvarint, varint


def test_numbers_are_written_as_kafka_writes_them() -> None:
    assert uvarint(300) == b"\xac\x02"
    assert uvarint(-1) == b"\xff" * 9 + b"\x01"
    assert [varint(value) for value in (0, -1, 1, -2, 150)] == [b"\0", b"\x01", b"\x02", b"\x03", b"\xac\x02"]


def test_zigzag_varints_come_back() -> None:
    for value in NUMBERS:
        if -(2**63) <= value < 2**63:
            assert read_varint(varint(value), 0) == (value, len(varint(value)))


@given(st.binary(max_size=300), st.integers(), st.lists(st.binary(max_size=50), max_size=3))
def test_a_seed_of_chance_gives_one_result_within_the_limit(data: bytes, seed: int, others: list[bytes]) -> None:
    mutated = mutate(data, Random(seed), others, largest=400)
    assert mutated == mutate(data, Random(seed), others, largest=400)
    assert len(mutated) <= 400


def test_mutations_change_something_and_cover_all_kinds() -> None:
    data = bytes(range(100))
    results = {mutate(data, Random(seed)) for seed in range(500)}
    assert len(results) > 450
    assert any(len(result) > 10_000 for result in results)
    assert any(len(result) < 100 for result in results)
    assert any((2**31 - 1).to_bytes(4, "big") in result for result in results)
