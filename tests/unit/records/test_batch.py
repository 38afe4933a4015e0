import pytest

from tidemill.records import Batch, Record, decode, encode

RECORDS = [Record(offset=10, timestamp=5, value=b"a"), Record(offset=12, timestamp=3, key=b"k", value=None, headers={"h": b"1"})]


def test_a_batch_of_records_begins_with_the_first_of_them() -> None:
    batch = Batch.of(RECORDS, producer_id=7, producer_epoch=1, base_sequence=2**31 - 1)
    assert (batch.base_offset, batch.last_offset, batch.base_timestamp, batch.max_timestamp) == (10, 12, 5, 5)
    assert (batch.count, batch.last_sequence) == (2, 1)


def test_what_a_batch_is_made_of_comes_back_from_its_bytes() -> None:
    made = Batch.of(RECORDS, compression="lz4", transactional=True, delete_horizon_ms=99, partition_leader_epoch=4)
    read = decode(encode(made))[0]
    assert read.records == RECORDS
    assert (read.compression, read.transactional, read.control, read.delete_horizon_ms) == ("lz4", True, False, 99)
    assert (read.partition_leader_epoch, read.base_timestamp) == (4, 99)


def test_records_of_a_log_append_time_batch_all_get_its_time() -> None:
    read = decode(encode(Batch.of(RECORDS, timestamp_type="LogAppendTime")))[0]
    assert [record.timestamp for record in read.records] == [5, 5]


def test_a_batch_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        Batch.of([])


@pytest.mark.parametrize(("field", "value"), [("compression", "brotli"), ("timestamp_type", "AppendTime")])
def test_an_unknown_name_is_refused(field: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{value!r}"):
        Batch.of(RECORDS, **{field: value})  # type: ignore[arg-type]  # a field that takes a name


def test_batches_compare_by_all_they_say() -> None:
    assert Batch.of(RECORDS) == Batch.of(RECORDS)
    assert Batch.of(RECORDS) != Batch.of(RECORDS, transactional=True)
    assert Batch.of(RECORDS) != Batch.of(RECORDS[:1])
    assert repr(Batch.of(RECORDS)) == "Batch(base_offset=10, last_offset=12, magic=2, compression='none', 2 records)"
