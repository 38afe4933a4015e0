"""A batch written anew is refused where Kafka's builder refuses it."""

import pytest

from tidemill.errors import InvalidRecord, InvalidTimestamp, KafkaError
from tidemill.records import Record, decode
from tidemill.records.header import CONTROL, DELETE_HORIZON, LOG_APPEND_TIME, TRANSACTIONAL, BatchHeader
from tidemill.records.rebuilding import rebuild

RECORDS = [Record(offset=10, timestamp=7, value=b"a"), Record(offset=15, timestamp=5, key=b"k", headers={"h": b""})]


def header(**fields: int) -> BatchHeader:
    return BatchHeader(base_offset=10, last_offset_delta=9, **fields)


@pytest.mark.parametrize("codec", range(5))
def test_records_come_out_as_they_went_in(codec: int) -> None:
    (batch,) = decode(rebuild(header(attributes=codec), RECORDS))
    assert batch.records == RECORDS
    assert (batch.base_offset, batch.last_offset, batch.count, batch.base_timestamp, batch.max_timestamp) == (10, 19, 2, 7, 7)


def test_a_delete_horizon_stands_in_the_base_timestamp() -> None:
    (batch,) = decode(rebuild(header(attributes=DELETE_HORIZON, base_timestamp=99), RECORDS))
    assert (batch.delete_horizon_ms, [record.timestamp for record in batch.records]) == (99, [7, 5])


def test_a_log_append_time_stays() -> None:
    (batch,) = decode(rebuild(header(attributes=LOG_APPEND_TIME, max_timestamp=99), RECORDS))
    assert [record.timestamp for record in batch.records] == [99, 99]


FAR = Record(offset=10 + 2**31, timestamp=7)


@pytest.mark.parametrize(
    ("fields", "records", "error", "message"),
    [
        ({"attributes": TRANSACTIONAL}, RECORDS, InvalidRecord, "transactional batch has no producer id"),
        ({"producer_id": 5}, RECORDS, InvalidRecord, "producer 5 has no producer epoch"),
        ({"producer_id": 5, "producer_epoch": 0}, RECORDS, InvalidRecord, "producer 5 has no sequence number"),
        ({}, [], InvalidRecord, "without records, of offset 10"),
        ({}, RECORDS[::-1], InvalidRecord, "offset 10 does not fit behind offset 15"),
        ({}, [RECORDS[0]] * 2, InvalidRecord, "offset 10 does not fit behind offset 10"),
        ({}, [FAR], InvalidRecord, "does not fit"),
        ({}, [Record(offset=10, timestamp=-2)], InvalidTimestamp, "has timestamp -2: none is before 1970"),
    ],
)
def test_what_no_writer_should_have_made_is_refused(
    fields: dict[str, int], records: list[Record], error: type[KafkaError], message: str
) -> None:
    with pytest.raises(error, match=message):
        rebuild(header(**fields), records)


def test_a_control_batch_needs_no_sequence() -> None:
    (batch,) = decode(rebuild(header(attributes=TRANSACTIONAL | CONTROL, producer_id=5, producer_epoch=0), RECORDS))
    assert batch.control


def test_a_record_without_a_timestamp_is_taken() -> None:
    (batch,) = decode(rebuild(header(), [Record(offset=10, timestamp=-1)]))
    assert (batch.base_timestamp, batch.max_timestamp) == (-1, -1)


def test_the_first_record_may_lie_before_the_base_offset() -> None:
    """No leader of today makes such a batch, and old logs can hold one."""
    (batch,) = decode(rebuild(header(), [Record(offset=9, timestamp=7)]))
    assert [record.offset for record in batch.records] == [9]
