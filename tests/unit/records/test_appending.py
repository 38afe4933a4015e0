"""R12: what a leader makes of a produced batch, as Apache Kafka does it."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.batches import golden_batch, without
from support.golden import lines
from tidemill.errors import InvalidRecord, InvalidTimestamp, KafkaError, UnsupportedCompressionType
from tidemill.records import Batch, Record, TopicRules, append, decode, encode
from tidemill.records.appending import assign
from tidemill.records.control import EndTransactionMarker, marker_batch
from tidemill.records.header import set_crc

GOLDEN = list(lines("records_append.jsonl"))
ARGUMENTS = ("offset", "leader_epoch", "now", "timestamp_type", "compression_type")
NOW = 1_700_002_000_000


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_a_leader_stores_what_kafkas_stores(line: dict[str, Any]) -> None:
    appended = append(bytes.fromhex(line["produced"]), **{name: line[name] for name in ARGUMENTS})
    assert (appended.max_timestamp, appended.log_append_time, appended.rewritten) == (
        line["max_timestamp"],
        line["log_append_time"],
        line["rewritten"],
    )
    stored = [golden_batch(batch) for batch in appended.batches]
    if line["exact"]:
        assert appended.stored.hex() == line["stored"]
        assert stored == line["batches"]
    else:
        assert without(stored, "size", "crc") == without(line["batches"], "size", "crc")


def batch_of(count: int = 3, **options: Any) -> bytes:
    records = [Record(offset=index, timestamp=NOW + index, key=b"k", value=b"%d" % index, headers={"h": None}) for index in range(count)]
    return encode(Batch.of(records, **options))


def test_a_batch_is_changed_where_it_lies() -> None:
    """Its records are never copied."""
    frame = bytearray(b"before" + batch_of() + b"after")
    assigned = assign(memoryview(frame)[6:-5], TopicRules(), offset=100, leader_epoch=7, now=NOW)
    assert (assigned.rewritten, assigned.last_offset, assigned.max_timestamp) == (False, 102, NOW + 2)
    assert isinstance(assigned.stored, memoryview)
    assert assigned.stored.obj is frame
    (batch,) = decode(frame[6:-5])
    assert (batch.base_offset, batch.last_offset, batch.partition_leader_epoch) == (100, 102, 7)
    assert frame.startswith(b"before")
    assert frame.endswith(b"after")


def test_the_callers_bytes_stay_as_they_are() -> None:
    produced = bytearray(batch_of())
    before = bytes(produced)
    append(produced, offset=100, leader_epoch=7, now=NOW)
    assert produced == before


@pytest.mark.parametrize("target", ["uncompressed", "gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("source", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_every_codec_is_turned_into_the_topics(source: str, target: str) -> None:
    produced = batch_of(50, compression=source, producer_id=9, producer_epoch=1, base_sequence=2**31 - 10, transactional=True)
    appended = append(produced, offset=1000, leader_epoch=2, now=NOW, compression_type=target)
    same = source == target.replace("uncompressed", "none")
    assert appended.rewritten is not same
    (batch,) = appended.batches
    assert batch.compression == target.replace("uncompressed", "none")
    assert (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.last_sequence) == (9, 1, 2**31 - 10, 39)
    assert (batch.transactional, batch.partition_leader_epoch, batch.max_timestamp) == (True, 2, NOW + 49)
    (before,) = decode(produced)
    assert [(record.offset - 1000, record.timestamp, record.key, record.value, record.headers) for record in batch.records] == [
        (record.offset, record.timestamp, record.key, record.value, record.headers) for record in before.records
    ]


def test_the_topics_level_is_used() -> None:
    produced = bytearray(encode(Batch.of([Record(timestamp=NOW, value=bytes(range(256)) * 40)])))
    sizes = [
        len(
            assign(
                bytearray(produced), TopicRules(compression_type="gzip", compression_level=level), offset=0, leader_epoch=0, now=NOW
            ).stored
        )
        for level in (1, 9)
    ]
    assert sizes[0] > sizes[1]


def test_log_append_time_is_the_batchs_in_place_and_anew() -> None:
    for compression in ("producer", "lz4"):
        appended = append(batch_of(), offset=5, leader_epoch=1, now=42, timestamp_type="LogAppendTime", compression_type=compression)
        (batch,) = appended.batches
        assert (batch.timestamp_type, batch.max_timestamp, appended.max_timestamp) == ("LogAppendTime", 42, 42)
        assert [record.timestamp for record in batch.records] == [42, 42, 42]


def test_what_is_cut_off_behind_the_batch_is_left_out() -> None:
    produced = batch_of()
    assert (
        append(produced + produced[:40], offset=0, leader_epoch=0, now=NOW).stored
        == append(produced, offset=0, leader_epoch=0, now=NOW).stored
    )


def test_uncompressed_gaps_between_offsets_stay() -> None:
    records = [Record(offset=offset, timestamp=NOW, value=b"v") for offset in (0, 0, 2)]
    (batch,) = append(encode(Batch.of(records)), offset=10, leader_epoch=0, now=NOW).batches
    assert [record.offset for record in batch.records] == [10, 10, 12]


def test_compressed_gaps_are_closed_by_rewriting_or_refused() -> None:
    produced = encode(Batch.of([Record(offset=offset, timestamp=NOW, value=b"v") for offset in (0, 0, 2)], compression="gzip"))
    appended = append(produced, offset=10, leader_epoch=0, now=NOW, compression_type="zstd")
    assert [record.offset for record in appended.batches[0].records] == [10, 11, 12]
    with pytest.raises(InvalidRecord, match="offsets in a compressed batch must count from 0"):
        append(produced, offset=10, leader_epoch=0, now=NOW)


def test_a_coordinators_marker_is_kept_as_it_is() -> None:
    marker = marker_batch(EndTransactionMarker(True, 3), producer_id=7, producer_epoch=0, timestamp=NOW)
    with pytest.raises(InvalidRecord, match="clients cannot write control records"):
        append(marker, offset=8, leader_epoch=2, now=NOW)
    rules = TopicRules(compression_type="zstd")
    assigned = assign(bytearray(marker), rules, offset=8, leader_epoch=2, now=NOW, from_client=False)
    expected = marker_batch(EndTransactionMarker(True, 3), producer_id=7, producer_epoch=0, timestamp=NOW, offset=8, leader_epoch=2)
    assert (assigned.stored, assigned.rewritten) == (expected, False)


def test_timestamps_before_1970_are_refused_where_the_batch_is_rewritten() -> None:
    produced = encode(Batch.of([Record(timestamp=-5, value=b"v")], base_timestamp=-5))
    assert append(produced, offset=0, leader_epoch=0, now=NOW).batches[0].records[0].timestamp == -5
    with pytest.raises(InvalidTimestamp, match="has timestamp -5"):
        append(produced, offset=0, leader_epoch=0, now=NOW, compression_type="zstd")


def test_a_codec_that_no_topic_has_is_refused() -> None:
    with pytest.raises(UnsupportedCompressionType, match="'brotli' does not exist"):
        append(batch_of(), offset=0, leader_epoch=0, now=NOW, compression_type="brotli")


@pytest.mark.parametrize(
    "name", ["magic 0, none", "magic 1, none", "magic 0, gzip", "magic 1, gaps, lz4", "magic 1, log append time, snappy"]
)
def test_messages_of_old_formats_become_one_batch(name: str) -> None:
    (line,) = [line for line in lines("records.jsonl") if line["name"] == name]
    old = bytes.fromhex(line["hex"])
    if "log append" in name:
        with pytest.raises(InvalidTimestamp, match="cannot set the timestamp type"):
            append(old, offset=0, leader_epoch=1, now=NOW, timestamp_type="LogAppendTime")
        return
    appended = append(old, offset=30, leader_epoch=1, now=NOW)
    (batch,) = appended.batches
    before = [record for old_batch in decode(old) for record in old_batch.records]
    assert appended.rewritten
    assert (batch.magic, batch.partition_leader_epoch) == (2, 1)
    assert [record.offset for record in batch.records] == list(range(30, 30 + len(before)))
    assert [(record.timestamp, record.key, record.value) for record in batch.records] == [
        (record.timestamp, record.key, record.value) for record in before
    ]


@pytest.mark.parametrize(
    ("argument", "error", "message"),
    [
        ({"offset": 2**63}, ValueError, "offset is 9223372036854775808, which does not fit into 64 bits"),
        ({"leader_epoch": 2**31}, ValueError, "leader_epoch is 2147483648, which does not fit into 32 bits"),
        ({"now": -(2**63) - 1}, ValueError, "now is -9223372036854775809"),
        ({"now": 1.5}, TypeError, "now must be an int, not float"),
        ({"produced": 61}, TypeError, "bytes-like"),
    ],
)
@pytest.mark.parametrize("compression_type", ["producer", "gzip"])
def test_an_argument_that_fits_nowhere_is_named(
    argument: dict[str, Any], error: type[Exception], message: str, compression_type: str
) -> None:
    arguments: dict[str, Any] = {"produced": batch_of(), "offset": 0, "leader_epoch": 0, "now": NOW, "compression_type": compression_type}
    with pytest.raises(error, match=message):
        append(**(arguments | argument))


RECORDS = st.lists(
    st.builds(
        Record,
        timestamp=st.integers(-1, NOW),
        key=st.none() | st.binary(max_size=5),
        value=st.none() | st.binary(max_size=50),
        headers=st.lists(
            st.tuples(st.text(max_size=3).filter(lambda text: text.isprintable()), st.none() | st.binary(max_size=3)), max_size=2
        ),
    ),
    min_size=1,
    max_size=8,
)
CODECS = st.sampled_from(["none", "gzip", "snappy", "lz4", "zstd"])


@given(records=RECORDS, source=CODECS, target=CODECS, offset=st.integers(0, 2**62))
def test_any_batch_keeps_its_records(records: list[Record], source: str, target: str, offset: int) -> None:
    numbered = [
        Record(offset=index, timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)
        for index, record in enumerate(records)
    ]
    appended = append(encode(Batch.of(numbered, compression=source)), offset=offset, leader_epoch=0, now=NOW, compression_type=target)
    stored = appended.batches[0].records
    assert [(record.offset - offset, record.timestamp, record.key, record.value, record.headers) for record in stored] == [
        (record.offset, record.timestamp, record.key, record.value, record.headers) for record in numbered
    ]


@given(data=st.data(), target=CODECS)
def test_a_damaged_batch_is_stored_or_refused_by_one_typed_error(data: st.DataObject, target: str) -> None:
    source = data.draw(CODECS)
    produced = bytearray(batch_of(5, compression=source))
    at = data.draw(st.integers(61, len(produced) - 1))
    produced[at] = data.draw(st.integers(0, 255))
    set_crc(produced)
    with suppress(KafkaError):
        append(produced, offset=0, leader_epoch=0, now=NOW, compression_type=target)


ENDS = st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), NOW])


@given(data=st.data(), target=CODECS, from_client=st.booleans())
def test_header_fields_at_their_ends_are_stored_or_refused_by_one_typed_error(data: st.DataObject, target: str, from_client: bool) -> None:
    produced = bytearray(batch_of(3, compression=data.draw(CODECS)))
    for at, size in data.draw(
        st.lists(st.sampled_from([(0, 8), (23, 4), (27, 8), (35, 8), (43, 8), (51, 2), (53, 4), (57, 4)]), max_size=4)
    ):
        produced[at : at + size] = (data.draw(ENDS) & (1 << 8 * size) - 1).to_bytes(size, "big")
    set_crc(produced)
    offset = data.draw(st.sampled_from([0, 2**63 - 1, 2**62]))
    with suppress(KafkaError):
        assign(produced, TopicRules(compression_type=target), offset=offset, leader_epoch=0, now=NOW, from_client=from_client)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_by_one_typed_error(data: bytes) -> None:
    with pytest.raises(KafkaError):
        append(data, offset=0, leader_epoch=0, now=NOW)
