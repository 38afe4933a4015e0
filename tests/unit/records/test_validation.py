"""R12: what a leader refuses and how far a consumer can read, damage by damage, as Apache Kafka says."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from support.handmade import message
from tidemill import errors
from tidemill.errors import InvalidRecord, InvalidTimestamp, KafkaError, MessageTooLarge, TidemillError
from tidemill.records import Batch, Record, TopicRules, compression, decode, encode, read_through, validate_produce
from tidemill.records.appending import assign
from tidemill.records.header import set_base_offset

DAMAGED = list(lines("records_damaged.jsonl"))
CLASSES = {
    "CorruptRecordException": "CorruptMessage",
    "InvalidRecordException": "InvalidRecord",
    "InvalidTimestampException": "InvalidTimestamp",
}
"""Kafka's exceptions that are errors of the protocol. Of all others it says no more than that something went wrong."""

NOW = 1_700_002_000_000
DAY = 24 * 60 * 60 * 1000


def by_name(line: dict[str, Any]) -> str:
    return str(line["name"])


@pytest.mark.parametrize("line", DAMAGED, ids=by_name)
def test_a_consumer_reads_as_far_as_kafkas(line: dict[str, Any]) -> None:
    expected = line["client"]
    reading = read_through(bytes.fromhex(line["hex"]))
    assert (reading.error is None, reading.stage, reading.batches, reading.records) == (
        expected["ok"],
        expected.get("stage"),
        expected["batches"],
        expected["records"],
    )
    if reading.error is not None:
        assert type(reading.error).__name__ == CLASSES.get(expected["exception"], type(reading.error).__name__)


@pytest.mark.parametrize("line", DAMAGED, ids=by_name)
def test_what_a_consumer_can_read_is_decoded(line: dict[str, Any]) -> None:
    try:
        batches = decode(bytes.fromhex(line["hex"]))
    except TidemillError:
        assert not line["client"]["ok"]
    else:
        assert line["client"]["ok"]
        assert sum(len(batch.records) for batch in batches) == line["client"]["records"]


def refusal(check: Callable[[], object]) -> KafkaError | None:
    try:
        check()
    except KafkaError as error:
        return error
    return None


@pytest.mark.parametrize("line", DAMAGED, ids=by_name)
def test_the_log_validator_says_what_kafkas_says(line: dict[str, Any]) -> None:
    expected, data = line["validator"], bytearray.fromhex(line["hex"])
    rules = TopicRules.from_config(line["topic_config"])
    error = refusal(lambda: assign(data, rules, offset=0, leader_epoch=0, now=NOW))
    assert (error is None) == expected["ok"]
    if error is not None:
        assert type(error).__name__ == CLASSES.get(expected["exception"], type(error).__name__)
        assert list(error.record_errors) == expected.get("record_errors", [])


@pytest.mark.parametrize("line", DAMAGED, ids=by_name)
def test_a_broker_answers_what_kafkas_answers(line: dict[str, Any]) -> None:
    """Where Kafka answers UNKNOWN_SERVER_ERROR a check is missing in it, and any refusal is as good."""
    expected, data = line["broker"], bytes.fromhex(line["hex"])
    rules = TopicRules.from_config(line["topic_config"])
    error = refusal(lambda: validate_produce(data, rules, now=NOW, version=11))
    if error is None:
        assert expected["error_code"] == 0
    else:
        assert expected["error_code"] in (error.code, errors.UnknownServerError.code)
        assert list(error.record_errors) == expected.get("record_errors", [])
        assert len(error.record_error_messages) == len(error.record_errors)


def produced(*timestamps: int, keys: bool = True, compression: str = "none") -> bytes:
    records = [
        Record(offset=index, timestamp=timestamp, key=b"k" if keys else None, value=b"v") for index, timestamp in enumerate(timestamps)
    ]
    return encode(Batch.of(records, compression=compression))


BOUNDED = {"message.timestamp.before.max.ms": str(DAY), "message.timestamp.after.max.ms": "1000"}


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize(
    ("timestamps", "refused"),
    [
        ((NOW,), []),
        ((NOW - DAY,), []),
        ((NOW + 1000,), []),
        ((-1,), []),
        ((NOW - DAY - 1,), [0]),
        ((NOW, NOW + 1001, NOW), [1]),
        ((NOW - DAY - 1, NOW, NOW + 1001), [0, 2]),
        ((0, 1), [0, 1]),
    ],
)
def test_timestamps_are_held_to_the_topics_bounds(timestamps: tuple[int, ...], refused: list[int], compression: str) -> None:
    data = produced(*timestamps, compression=compression)
    rules = TopicRules.from_config(BOUNDED)
    if not refused:
        validate_produce(data, rules, now=NOW)
        return
    with pytest.raises(InvalidTimestamp, match=f"{len(refused)} records of a batch are refused: record {refused[0]}: timestamp") as caught:
        validate_produce(data, rules, now=NOW)
    assert caught.value.record_errors == refused


def test_log_append_time_cares_for_no_timestamp() -> None:
    validate_produce(produced(0, NOW + DAY), TopicRules.from_config({**BOUNDED, "message.timestamp.type": "LogAppendTime"}), now=NOW)


def test_a_wrong_timestamp_outweighs_a_missing_key() -> None:
    data = encode(Batch.of([Record(timestamp=NOW, value=b"v"), Record(offset=1, timestamp=0, key=b"k", value=b"v")]))
    with pytest.raises(InvalidTimestamp) as caught:
        validate_produce(data, TopicRules.from_config({**BOUNDED, "cleanup.policy": "compact"}), now=NOW)
    assert caught.value.record_errors == [0, 1]
    assert caught.value.record_error_messages[0] == "a compacted topic takes no records without a key"


@pytest.mark.parametrize("policy", ["compact", "compact,delete", "delete, compact"])
def test_a_compacted_topic_needs_keys(policy: str) -> None:
    rules = TopicRules.from_config({"cleanup.policy": policy})
    validate_produce(produced(NOW), rules, now=NOW)
    with pytest.raises(InvalidRecord) as caught:
        validate_produce(produced(NOW, NOW, keys=False), rules, now=NOW)
    assert caught.value.record_errors == [0, 1]


def test_the_first_three_of_many_refusals_are_shown() -> None:
    with pytest.raises(InvalidRecord, match=r"record 2: a compacted topic takes no records without a key \(and 97 more\)"):
        validate_produce(produced(*[NOW] * 100, keys=False), TopicRules(compacted=True), now=NOW)


def test_a_batch_that_grows_by_the_topics_codec_is_measured_again() -> None:
    data = produced(*[NOW] * 100, compression="zstd")
    rules = TopicRules(compression_type="uncompressed", max_message_bytes=len(data) + 10)
    with pytest.raises(MessageTooLarge, match=r"raise max\.message\.bytes"):
        validate_produce(data, rules, now=NOW)


def test_zstd_needs_a_produce_request_that_knows_it() -> None:
    data = produced(NOW, compression="zstd")
    validate_produce(data, now=NOW, version=7)
    with pytest.raises(errors.UnsupportedCompressionType, match="Produce version 6 cannot carry zstd"):
        validate_produce(data, now=NOW, version=6)


def test_a_transactional_batch_needs_a_transactional_id() -> None:
    data = encode(Batch.of([Record(timestamp=NOW, value=b"v")], transactional=True, producer_id=1, producer_epoch=0, base_sequence=0))
    validate_produce(data, now=NOW, transactional_id="billing-1")
    with pytest.raises(errors.TransactionalIdAuthorizationFailed):
        validate_produce(data, now=NOW)


def test_every_setting_of_a_topic_is_taken() -> None:
    config = {
        "cleanup.policy": "compact",
        "compression.type": "zstd",
        "compression.zstd.level": "7",
        "compression.gzip.level": "3",
        "max.message.bytes": "1000",
        "message.timestamp.type": "LogAppendTime",
        "message.timestamp.before.max.ms": "2",
        "message.timestamp.after.max.ms": "3",
        "retention.ms": "4",
    }
    assert TopicRules.from_config(config) == TopicRules("LogAppendTime", "zstd", 7, True, 2, 3, 1000)
    assert TopicRules.from_config({}) == TopicRules()


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        (
            {"message.timestamp.type": "logappendtime"},
            ValueError,
            "'logappendtime' does not exist: choose one of CreateTime, LogAppendTime",
        ),
        ({"compression.type": "brotli"}, errors.UnsupportedCompressionType, "'brotli' does not exist"),
        ({"compression.type": "gzip", "compression.gzip.level": "10"}, ValueError, "gzip level 10 does not exist: choose 1 to 9"),
    ],
)
def test_settings_that_do_not_exist_are_refused(config: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TopicRules.from_config(config)


@pytest.mark.parametrize(
    ("setting", "source", "target"),
    [("producer", 0, 0), ("producer", 3, 3), ("uncompressed", 3, 0), ("none", 3, 0), ("gzip", 4, 1), ("zstd", 0, 4)],
)
def test_a_topic_says_which_codec_it_stores(setting: str, source: int, target: int) -> None:
    assert TopicRules(compression_type=setting).target_codec(source) == target


def test_a_batch_may_reach_beyond_the_largest_offset() -> None:
    """Offsets wrap, so its last one is less than its first: the leader counts by their distance, and gives it offsets of its own."""
    data = bytearray(produced(NOW, NOW))
    set_base_offset(data, 2**63 - 1)
    assert assign(data, TopicRules(), offset=7, leader_epoch=0, now=NOW).last_offset == 8


def test_an_old_message_is_judged_before_the_next_is_looked_at() -> None:
    """The first in the wrapper has a wrong checksum, the second is a wrapper itself, which none may hold."""
    inner = message(crc=0) + message(attributes=compression.GZIP)
    data = message(offset=1, attributes=compression.GZIP, value=compression.compress(compression.GZIP, inner))
    with pytest.raises(errors.CorruptMessage, match="its checksum says 0"):
        assign(bytearray(data), TopicRules(), offset=0, leader_epoch=0, now=NOW)


SOUND = encode(Batch.of([Record(offset=index, timestamp=NOW, key=b"k", value=b"v", headers={"h": b"x"}) for index in range(5)]))


@given(st.data())
def test_damage_anywhere_has_one_verdict(data: st.DataObject) -> None:
    damaged = bytearray(SOUND)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(damaged)))
    with suppress(KafkaError):
        validate_produce(damaged[:end], now=NOW)
    reading = read_through(damaged[:end])
    assert (reading.error is None) == (reading.stage is None)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_have_one_verdict(data: bytes) -> None:
    with suppress(KafkaError):
        validate_produce(data, now=NOW)
    assert read_through(data).records == 0
