"""R12: what compaction makes of batches, as Apache Kafka's record filter does it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.batches import golden_batch, without
from support.golden import lines
from tidemill.errors import InvalidRecord, KafkaError
from tidemill.records import Batch, Record, compact, decode, encode
from tidemill.records.compaction import Retention, filter_batches
from tidemill.records.control import EndTransactionMarker, marker_batch
from tidemill.records.header import BatchHeader

GOLDEN = list(lines("records_compaction.jsonl"))
ARGUMENTS = ("keep_offsets", "batch_retention", "marker_of_empty_transaction", "now", "delete_retention_ms")
RESULTS = ("messages_read", "messages_retained", "max_offset")
NOW, DAY = 1_700_010_000_000, 86_400_000
TIMES = {"now": NOW, "delete_retention_ms": DAY}


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_a_buffer_is_compacted_as_by_kafka(line: dict[str, Any]) -> None:
    compacted = compact(bytes.fromhex(line["input"]), **{name: line[name] for name in ARGUMENTS})
    assert [getattr(compacted, name) for name in RESULTS] == [line[name] for name in RESULTS]
    kafkas = bytes.fromhex(line["output"])
    assert [without([golden_batch(batch)], "position", "size", "crc") for batch in compacted.batches] == [
        without([batch], "position", "size", "crc") for batch in line["batches"]
    ]
    for batch, expected in zip(compacted.batches, line["batches"], strict=True):
        if expected["compression"] == "none":
            piece = compacted.output[batch.position : batch.position + batch.size]
            assert piece == kafkas[expected["position"] : expected["position"] + expected["size"]]


def keep(data: bytes, offsets: Sequence[int], retention: str = "DELETE_EMPTY", **options: Any) -> Any:
    base_offsets = [batch.base_offset for batch in decode(data)]
    settings = {"marker_of_empty_transaction": False, "now": NOW, "delete_retention_ms": DAY} | options
    return compact(data, keep_offsets=offsets, batch_retention=[(offset, retention) for offset in base_offsets], **settings)


def batch_of(*values: bytes | None, first: int = 10, **options: Any) -> bytes:
    records = [Record(offset=first + index, timestamp=NOW - 5 + index, key=b"k", value=value) for index, value in enumerate(values)]
    return encode(Batch.of(records, **options))


IDEMPOTENT = {"producer_id": 5, "producer_epoch": 1, "base_sequence": 40}


def test_a_batch_that_loses_nothing_is_copied_byte_for_byte() -> None:
    for compression in ("none", "gzip", "snappy", "lz4", "zstd"):
        data = batch_of(b"a", b"b", b"c", compression=compression)
        assert keep(data, [10, 11, 12]).output == data


def test_offsets_and_sequences_stay_where_records_go() -> None:
    (batch,) = keep(batch_of(b"a", b"b", b"c", **IDEMPOTENT), [11]).batches
    assert (batch.base_offset, batch.last_offset, batch.base_sequence, batch.last_sequence, batch.count) == (10, 12, 40, 42, 1)
    assert [(record.offset, record.sequence, record.value) for record in batch.records] == [(11, 41, b"b")]


def test_an_empty_batch_stays_as_a_header_or_goes() -> None:
    data = batch_of(b"a", b"b", compression="gzip", **IDEMPOTENT)
    assert keep(data, []).output == b""
    (batch,) = keep(data, [], "RETAIN_EMPTY").batches
    assert (batch.size, batch.base_offset, batch.last_offset, batch.last_sequence, batch.compression) == (61, 10, 11, 41, "none")


def test_a_batch_to_be_deleted_is_not_looked_into() -> None:
    data = bytearray(batch_of(b"a", compression="zstd"))
    data[61:] = bytes(len(data) - 61)
    assert keep(bytes(data[:0]) + batch_of(b"a"), [10], "DELETE").messages_read == 0
    compacted = compact(
        data, keep_offsets=[10], batch_retention=[(10, "DELETE")], marker_of_empty_transaction=False, now=NOW, delete_retention_ms=DAY
    )
    assert (compacted.output, compacted.messages_read, compacted.max_offset) == (b"", 0, -1)


def test_a_tombstone_gets_a_delete_horizon_once() -> None:
    data = batch_of(None, b"b")
    first = keep(data, [10, 11])
    assert first.batches[0].delete_horizon_ms == NOW + DAY
    assert [(record.timestamp, record.value) for record in first.batches[0].records] == [(NOW - 5, None), (NOW - 4, b"b")]
    later = keep(first.output, [10, 11], now=NOW + 5)
    assert later.output == first.output
    fewer = keep(first.output, [10], now=NOW + 5)
    assert fewer.batches[0].delete_horizon_ms == NOW + DAY


def test_the_marker_of_an_empty_transaction_gets_a_delete_horizon() -> None:
    marker = bytes(marker_batch(EndTransactionMarker(False, 1), producer_id=5, producer_epoch=1, timestamp=NOW, offset=20))
    assert keep(marker, [20]).batches[0].delete_horizon_ms is None
    (batch,) = keep(marker, [20], marker_of_empty_transaction=True).batches
    assert (batch.delete_horizon_ms, batch.control, batch.transactional) == (NOW + DAY, True, True)
    assert batch.records[0].control_type == "ABORT"


@pytest.mark.parametrize(
    "name", ["magic 0, gaps, none", "magic 1, gaps, gzip", "magic 1, log append time, lz4", "magics 0, 1, 2 in one set"]
)
def test_messages_of_old_formats_become_batches(name: str) -> None:
    (line,) = [line for line in lines("records.jsonl") if line["name"] == name]
    data = bytes.fromhex(line["hex"])
    before = [record for batch in decode(data) for record in batch.records]
    compacted = keep(data, [record.offset for record in before])
    assert {batch.magic for batch in compacted.batches} == {2}
    after = [record for batch in compacted.batches for record in batch.records]
    assert [(record.offset, record.timestamp, record.key, record.value) for record in after] == [
        (record.offset, record.timestamp, record.key, record.value) for record in before
    ]


def test_a_message_of_an_old_format_cannot_stay_empty() -> None:
    (line,) = [line for line in lines("records.jsonl") if line["name"] == "magic 1, gzip"]
    with pytest.raises(InvalidRecord, match="only a batch of magic 2 can be empty"):
        keep(bytes.fromhex(line["hex"]), [], "RETAIN_EMPTY")


def test_offsets_that_run_backwards_cannot_be_written_anew() -> None:
    data = encode(Batch.of([Record(offset=offset, timestamp=NOW, value=b"v") for offset in (5, 7, 6)]))
    assert keep(data, [5, 6, 7]).output == data
    with pytest.raises(InvalidRecord, match="record of offset 6 does not fit behind offset 7"):
        keep(data, [7, 6])


@pytest.mark.parametrize("argument", ["now", "delete_retention_ms"])
def test_a_time_that_fits_nowhere_is_named(argument: str) -> None:
    with pytest.raises(ValueError, match=f"{argument} is 9223372036854775808, which does not fit into 64 bits"):
        compact(batch_of(None), keep_offsets=[10], batch_retention=[], marker_of_empty_transaction=False, **TIMES | {argument: 2**63})


def test_a_delete_horizon_beyond_all_time_is_none() -> None:
    """As in Kafka, where the sum wraps."""
    assert keep(batch_of(None, b"b"), [10], now=2**63 - 1).batches[0].delete_horizon_ms is None


class LatestOfEachKey:
    """What the cleaner does: of each key the record at the offset that its map holds."""

    def __init__(self, latest: dict[bytes, int]) -> None:
        self.latest = latest

    def check_batch(self, header: BatchHeader) -> tuple[Retention, bool]:
        return Retention.DELETE_EMPTY, False

    def retain(self, header: BatchHeader, records: Sequence[Record]) -> list[Record]:
        return [record for record in records if record.key is not None and self.latest[record.key] == record.offset]


@given(st.lists(st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c"]), st.binary(max_size=4)), min_size=1, max_size=5), max_size=5))
def test_the_newest_value_of_every_key_is_left(batches: list[list[tuple[bytes, bytes]]]) -> None:
    data, values, latest, offset = b"", {}, {}, 0
    for pairs in batches:
        records = []
        for key, value in pairs:
            records.append(Record(offset=offset, timestamp=NOW, key=key, value=value))
            values[key], latest[key] = value, offset
            offset += 1
        data += encode(Batch.of(records, compression="lz4"))
    filtered = filter_batches(data, LatestOfEachKey(latest), now=NOW, delete_retention_ms=DAY)
    left = [record for batch in decode(filtered.output) for record in batch.records]
    assert {record.key: record.value for record in left} == values
    assert (filtered.messages_read, filtered.messages_retained) == (offset, len(values))
    assert filtered.max_offset == offset - 1 if batches else filtered.max_offset == -1


@given(st.data())
def test_a_damaged_buffer_is_compacted_or_one_typed_error(data: st.DataObject) -> None:
    damaged = bytearray(batch_of(b"a", None, b"c", compression=data.draw(st.sampled_from(["none", "snappy"]))) * 2)
    damaged[data.draw(st.integers(8, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    with suppress(KafkaError):
        compact(
            damaged,
            keep_offsets=[11],
            batch_retention=[(10, "RETAIN_EMPTY")],
            marker_of_empty_transaction=True,
            now=NOW,
            delete_retention_ms=DAY,
        )


def test_a_retention_beyond_all_time_sets_no_horizon() -> None:
    """`delete.retention.ms` may be as large as a long; the sum wraps, and what is negative is no horizon."""
    (batch,) = keep(batch_of(None, b"b"), [10, 11], delete_retention_ms=2**63 - 1).batches
    assert batch.delete_horizon_ms is None


ENDS = st.sampled_from([0, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)])


@given(st.data())
def test_header_fields_at_their_ends_are_compacted_or_one_typed_error(data: st.DataObject) -> None:
    batch = bytearray(batch_of(b"a", None, b"c"))
    for at, size in data.draw(st.lists(st.sampled_from([(0, 8), (23, 4), (27, 8), (35, 8), (43, 8), (51, 2), (53, 4)]), max_size=4)):
        batch[at : at + size] = (data.draw(ENDS) & (1 << 8 * size) - 1).to_bytes(size, "big")
    retention = [(int.from_bytes(batch[:8], "big", signed=True), data.draw(st.sampled_from(["RETAIN_EMPTY", "DELETE_EMPTY"])))]
    offsets = [record.offset for record in decode(batch, check_crc=False)[0].records]
    kept = data.draw(st.sets(st.sampled_from(offsets)))
    with suppress(KafkaError):
        compact(batch, keep_offsets=kept, batch_retention=retention, marker_of_empty_transaction=True, now=NOW, delete_retention_ms=DAY)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_compacted_or_one_typed_error(data: bytes) -> None:
    with suppress(KafkaError):
        compact(data, keep_offsets=[0], batch_retention=[], marker_of_empty_transaction=False, now=NOW, delete_retention_ms=DAY)
