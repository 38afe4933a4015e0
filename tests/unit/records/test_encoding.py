from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.records import Batch, Record, decode, encode
from tidemill.records.encoding import sections_of
from tidemill.records.header import COMPRESSIONS


def is_rebuilt_exactly(batch: dict[str, Any]) -> bool:
    return (batch["magic"], batch["compression"], batch["timestamp_type"]) == (2, "none", "CreateTime")


LINES = list(lines("records.jsonl"))
EXACT = [line for line in LINES if all(map(is_rebuilt_exactly, line["batches"]))]
OTHERS = [line for line in LINES if line not in EXACT and all(batch["magic"] == 2 for batch in line["batches"])]


@pytest.mark.parametrize("line", EXACT, ids=lambda line: line["name"])
def test_an_uncompressed_batch_comes_out_as_it_was(line: dict[str, Any]) -> None:
    data = bytes.fromhex(line["hex"])
    assert encode(decode(data)) == data


@pytest.mark.parametrize("line", OTHERS, ids=lambda line: line["name"])
def test_any_other_batch_comes_out_with_the_same_records(line: dict[str, Any]) -> None:
    batches = decode(bytes.fromhex(line["hex"]))
    assert [batch.records for batch in decode(encode(batches))] == [batch.records for batch in batches]


def test_a_message_of_an_old_format_is_not_written() -> None:
    old = next(line for line in LINES if line["batches"][0]["magic"] == 1)
    with pytest.raises(ValueError, match="magic 1 can only be read"):
        encode(decode(bytes.fromhex(old["hex"])))


int64 = st.integers(-(2**63), 2**63 - 1)
records = st.lists(
    st.builds(
        Record,
        offset=st.integers(0, 2**31 - 1),
        timestamp=int64,
        key=st.none() | st.binary(max_size=200),
        value=st.none() | st.binary(max_size=9000),
        headers=st.lists(st.tuples(st.text(st.characters(codec="utf-8"), max_size=5), st.none() | st.binary(max_size=5)), max_size=3),
    ),
    min_size=1,
    max_size=20,
)


@given(records, st.sampled_from(COMPRESSIONS), st.none() | int64)
def test_records_survive_the_way_there_and_back(records: list[Record], compression: str, base_timestamp: int | None) -> None:
    batch = Batch.of(records, compression=compression, base_timestamp=base_timestamp)
    data = encode(batch)
    (read,) = decode(data)
    assert read.records == records
    assert encode([read, read])[: len(data)] == data


def test_offsets_too_far_apart_for_a_batch_are_kept() -> None:
    """A message of magic 0 or 1 has an offset of 64 bits, a record one of 32 behind the first: the second here became 2^40 + 2."""
    offsets = [2**40, 2, 3, 2**40, 2**40 + 1, 2**40 - 2**31 - 1]
    found = list(sections_of([Record(offset=offset) for offset in offsets]))
    assert [header.count for header, _ in found] == [1, 2, 2, 1]
    assert [record.offset for header, section in found for record in section.records(header.base_offset, header.base_timestamp)] == offsets
