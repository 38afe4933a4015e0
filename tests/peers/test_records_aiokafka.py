"""What aiokafka writes we read, and what we write it reads."""

import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords
from hypothesis import assume, given
from hypothesis import strategies as st

from support.record_peers import CODECS, MESSAGE_CODECS, PRODUCERS, Producer, Written, built_by, numbered, our_batch, ours, read_by, written
from tidemill.records import compression, decode, encode

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


@given(records=written(), codec=CODECS, producer=PRODUCERS)
def test_our_batches_are_read(records: list[Written], codec: int, producer: Producer) -> None:
    data = encode(our_batch(records, codec, producer, transactional=producer.id >= 0))
    assert read_by(MemoryRecords(data)) == numbered(records)


@given(records=written(headers=False), codec=MESSAGE_CODECS, magic=st.sampled_from([0, 1]))
def test_its_message_sets_are_read(records: list[Written], codec: int, magic: int) -> None:
    assume(magic == 1 or codec != compression.LZ4)  # which it does not write
    builder = LegacyRecordBatchBuilder(magic, codec, 10_000_000)
    for offset, record in enumerate(records):
        assert builder.append(offset, record.timestamp, record.key, record.value) is not None
    timestamps = [record.timestamp if magic else -1 for record in records]
    assert ours(decode(bytes(builder.build()))) == numbered(
        record._replace(timestamp=at) for record, at in zip(records, timestamps, strict=True)
    )
