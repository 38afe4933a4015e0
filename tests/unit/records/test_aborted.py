"""The entries of a transaction index, by which consumers of committed records pass over aborted ones."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.errors import CorruptMessage
from tidemill.records import AbortedTransaction, decode_aborted, encode_aborted
from tidemill.records.aborted import ENTRY_SIZE

INT64 = st.integers(-(2**63), 2**63 - 1)
TRANSACTIONS = st.builds(AbortedTransaction, INT64, INT64, INT64, INT64, st.just(0))

GOLDEN = list(lines("records_aborted_index.jsonl"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["producer_id"]))
def test_an_entry_of_kafkas_is_read_and_written(line: dict[str, object]) -> None:
    data = bytes.fromhex(str(line["hex"]))
    (entry,) = decode_aborted(data)
    assert entry._asdict() == {name: value for name, value in line.items() if name != "hex"}
    assert encode_aborted([entry]) == data


def test_an_index_holds_one_entry_after_another() -> None:
    data = b"".join(bytes.fromhex(line["hex"]) for line in GOLDEN)
    assert [entry.producer_id for entry in decode_aborted(data)] == [line["producer_id"] for line in GOLDEN]


def test_an_empty_index_has_no_entries() -> None:
    assert decode_aborted(b"") == []


@given(st.lists(TRANSACTIONS, max_size=5))
def test_what_is_written_is_read(transactions: list[AbortedTransaction]) -> None:
    assert decode_aborted(memoryview(encode_aborted(transactions))) == transactions


@pytest.mark.parametrize("cut", range(1, ENTRY_SIZE))
def test_a_torn_last_entry_is_corrupt(cut: int) -> None:
    data = bytes.fromhex(GOLDEN[0]["hex"] + GOLDEN[1]["hex"])
    with pytest.raises(CorruptMessage, match=f"at byte {ENTRY_SIZE}, has {cut} of {ENTRY_SIZE} bytes"):
        decode_aborted(data[: ENTRY_SIZE + cut])


@pytest.mark.parametrize("version", ["0001", "7fff", "ffff"])
def test_another_version_is_corrupt(version: str) -> None:
    with pytest.raises(CorruptMessage, match="entry 0 of a transaction index has version"):
        decode_aborted(bytes.fromhex(version + GOLDEN[0]["hex"][4:]))


@pytest.mark.parametrize("data", ["00" * ENTRY_SIZE, [0] * ENTRY_SIZE, None])
def test_what_is_no_bytes_is_refused(data: Any) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        decode_aborted(data)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"first_offset=9223372036854775808.* does not fit"):
        encode_aborted([AbortedTransaction(1, 2**63, 0, 0)])


@given(st.binary(max_size=4 * ENTRY_SIZE))
def test_arbitrary_bytes_are_entries_or_corrupt(data: bytes) -> None:
    with suppress(CorruptMessage):
        assert encode_aborted(decode_aborted(data)) == data
