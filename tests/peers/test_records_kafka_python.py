"""What kafka-python writes we read, and what we write it reads."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords

from support.record_peers import CODECS, MESSAGE_CODECS, PRODUCERS, Producer, Written, built_by, numbered, our_batch, ours, read_by, written
from tidemill.records import append, compression, decode, encode

pytestmark = pytest.mark.peer


@given(records=written(), codec=CODECS, producer=PRODUCERS)
def test_its_batches_are_read(records: list[Written], codec: int, producer: Producer) -> None:
    builder = DefaultRecordBatchBuilder(
        magic=2,
        compression_type=codec,
        is_transactional=producer.id >= 0,
        producer_id=producer.id,
        producer_epoch=producer.epoch,
        base_sequence=producer.sequence,
        batch_size=10_000_000,
    )
    (batch,) = decode(built_by(builder, records))
    assert ours([batch]) == numbered(records)
    assert (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.transactional) == (*producer, producer.id >= 0)
    assert batch.max_timestamp == max(record.timestamp for record in records)


@given(records=written(), codec=CODECS, producer=PRODUCERS)
def test_our_batches_are_read(records: list[Written], codec: int, producer: Producer) -> None:
    data = encode(our_batch(records, codec, producer, transactional=producer.id >= 0))
    assert read_by(MemoryRecords(data)) == numbered(records)
    batch = MemoryRecords(data).next_batch()
    assert (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.is_transactional) == (*producer, producer.id >= 0)


@given(records=written(), source=CODECS, target=CODECS, offset=st.integers(0, 2**40))
def test_what_a_leader_stores_is_read(records: list[Written], source: int, target: int, offset: int) -> None:
    produced = encode(our_batch(records, source, Producer(-1, -1, -1), transactional=False))
    names = ["uncompressed", "gzip", "snappy", "lz4", "zstd"]
    stored = append(produced, offset=offset, leader_epoch=3, now=5_000_000_000_000, compression_type=names[target]).stored
    assert read_by(MemoryRecords(stored)) == [(offset + index, record) for index, record in numbered(records)]


@given(records=written(headers=False), codec=MESSAGE_CODECS, magic=st.sampled_from([0, 1]))
def test_its_message_sets_are_read(records: list[Written], codec: int, magic: int) -> None:
    assume(magic == 1 or codec != compression.LZ4)  # which it writes with yet another library
    data = built_by(LegacyRecordBatchBuilder(magic=magic, compression_type=codec, batch_size=10_000_000), records)
    timestamps = [record.timestamp if magic else -1 for record in records]
    assert ours(decode(data)) == numbered(record._replace(timestamp=at) for record, at in zip(records, timestamps, strict=True))
