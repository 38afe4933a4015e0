"""The records by which brokers end transactions."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.errors import InvalidRecord
from tidemill.records import Record, decode
from tidemill.records.control import EndTransactionMarker, control_key, marker_batch, parse_control_key, parse_marker

MARKERS = [line for line in lines("records.jsonl") if line["name"].startswith("marker ")]


@pytest.mark.parametrize("line", MARKERS, ids=lambda line: str(line["name"]))
def test_markers_are_read_and_written_as_by_kafka(line: dict[str, str]) -> None:
    data = bytes.fromhex(line["hex"])
    (batch,) = decode(data)
    marker = parse_marker(batch.records[0])
    assert marker.control_type == line["name"].split()[1].rstrip(",")
    again = marker_batch(
        marker,
        producer_id=batch.producer_id,
        producer_epoch=batch.producer_epoch,
        timestamp=batch.max_timestamp,
        offset=batch.base_offset,
        leader_epoch=batch.partition_leader_epoch,
    )
    assert again == data


def test_there_are_markers_of_both_kinds_to_compare_with() -> None:
    assert {line["name"].split()[1].rstrip(",") for line in MARKERS} == {"COMMIT", "ABORT"}


@pytest.mark.parametrize(
    ("key", "control_type"),
    [
        ("00000000", "ABORT"),
        ("00000001", "COMMIT"),
        ("00000002", "LEADER_CHANGE"),
        ("00000003", "SNAPSHOT_HEADER"),
        ("00000004", "SNAPSHOT_FOOTER"),
        ("00000005", "KRAFT_VERSION"),
        ("00000006", "KRAFT_VOTERS"),
        ("00000007", "UNKNOWN"),
        ("0000ffff", "UNKNOWN"),
        ("00090001", "COMMIT"),
        ("00000001ff", "COMMIT"),
    ],
)
def test_the_key_tells_the_type(key: str, control_type: str) -> None:
    assert parse_control_key(bytes.fromhex(key)) == control_type
    if key.startswith("0000") and len(key) == 8 and control_type != "UNKNOWN":
        assert control_key(control_type) == bytes.fromhex(key)


@pytest.mark.parametrize("key", [None, b"", bytes(3), bytes.fromhex("ffff0001")])
def test_what_is_no_key_of_a_control_record_is_refused(key: bytes | None) -> None:
    with pytest.raises(InvalidRecord, match="key of a control record has"):
        parse_control_key(key)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("00000002", "000000000001", "of type LEADER_CHANGE ends no transaction"),
        ("00000001", "0000000000", "has 6 bytes, not 5"),
        ("00000001", None, "has 6 bytes, not 0"),
        ("00000001", "ffff00000001", "has version -1"),
    ],
)
def test_damaged_markers_are_refused(key: str, value: str | None, message: str) -> None:
    record = Record(key=bytes.fromhex(key), value=None if value is None else bytes.fromhex(value))
    with pytest.raises(InvalidRecord, match=message):
        parse_marker(record)


def test_a_newer_marker_is_read_as_far_as_it_is_known() -> None:
    record = Record(key=control_key("COMMIT"), value=bytes.fromhex("0001000000070000"))
    assert parse_marker(record) == EndTransactionMarker(committed=True, coordinator_epoch=7)


def test_types_that_do_not_exist_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="'UNKNOWN' does not exist: choose one of ABORT, COMMIT"):
        control_key("UNKNOWN")


@given(key=st.none() | st.binary(max_size=6), value=st.none() | st.binary(max_size=8))
def test_any_record_is_a_marker_or_refused(key: bytes | None, value: bytes | None) -> None:
    with suppress(InvalidRecord):
        assert parse_marker(Record(key=key, value=value)).control_type in ("COMMIT", "ABORT")
