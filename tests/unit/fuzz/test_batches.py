from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.batches import HEADER, repair, reshape, split, split_section
from fuzz.mutation import mutate
from fuzz.targets.records import batch_seeds
from tidemill.errors import TidemillError
from tidemill.records import Batch, Record, decode, encode

SEEDS = [seed[1:] for seed in batch_seeds([b"\0"])]


@given(st.binary(max_size=500))
def test_pieces_are_the_whole(data: bytes) -> None:
    assert b"".join(split(data)) == data


def test_batches_come_apart_where_they_meet() -> None:
    one, two = (encode(Batch.of([Record(value=value)])) for value in (b"1", b"two"))
    assert split(one + two + b"rest") == [one, two, b"rest"]


@pytest.mark.parametrize("magic", [0, 1, 2])
def test_a_repaired_batch_gets_past_the_checksum(magic: int) -> None:
    for seed in SEEDS:
        for piece in split(seed):
            if len(piece) > HEADER and piece[16] == magic:
                damaged = piece[:12] + b"\xff\xff\xff\xff" + piece[16:17] + b"\xff\xff\xff\xff" + piece[21:] + b"more"
                try:
                    decode(repair(damaged))
                except TidemillError as error:
                    assert "is damaged: its checksum" not in str(error)  # noqa: PT017 - other damage stays


def test_records_of_a_section_come_apart() -> None:
    data = encode(Batch.of([Record(value=bytes(size)) for size in (1, 200)]))
    assert [len(record) for record in split_section(data[HEADER:])] == [7, 207]


def test_most_reshaped_batches_can_be_read() -> None:
    """Without repairing them next to none would be."""
    sound = 0
    random = Random(431)
    seeds = [seed for seed in SEEDS if decodes(seed)]
    for seed in seeds:
        sound += decodes(reshape(seed, random, lambda data: mutate(data, random)))
    assert len(seeds) > 300
    assert sound > len(seeds) / 4


def decodes(data: bytes) -> bool:
    try:
        decode(data)
    except TidemillError:
        return False
    return True


@given(st.binary(max_size=300) | st.sampled_from(SEEDS), st.integers())
def test_anything_can_be_reshaped(data: bytes, seed: int) -> None:
    random = Random(seed)
    for _ in range(3):
        data = reshape(data, random, lambda piece: mutate(piece, random))
