"""Batches built here are taken, stored, compressed and read by a real Apache Kafka as is said here."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import confluent_kafka
import pytest

from support import oracle
from support.kafka_client import Client
from tidemill.errors import KafkaError, UnknownServerError
from tidemill.records import Batch, Record, TopicRules, append, decode, encode, validate_produce
from tidemill.records.control import EndTransactionMarker, marker_batch
from tidemill.records.header import HEADER_SIZE, set_crc

pytestmark = [pytest.mark.oracle, pytest.mark.peer]

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
NOW = 1_800_000_000_000  # timestamps of records lie before every clock's time of today


@pytest.fixture
def client(apache_kafka: str) -> Iterator[Client]:
    with Client(apache_kafka) as connected:
        yield connected


def records(count: int = 3) -> list[Record]:
    large = b"".join(b"%d, " % number for number in range(20_000))
    values = [b"v", None, b"", large] + [b"value %d" % number for number in range(count)]
    return [
        Record(
            offset=offset,
            timestamp=1_700_000_000_000 + offset % 3,
            key=b"k%d" % offset,
            value=value,
            headers=[("h", b"1"), ("h", None), ("ä", b"")][: offset % 4],
        )
        for offset, value in enumerate(values)
    ]


def new_topic(client: Client, **config: str) -> str:
    name = f"records-{uuid4().hex}"
    client.create_topic(name, {key.replace("_", "."): value for key, value in config.items()})
    return name


def fields(batch: Batch) -> dict[str, object]:
    """What a batch says, but for what depends on a compressor."""
    return {name: getattr(batch, name) for name in Batch.__slots__ if name not in ("crc", "position", "size")}


@pytest.mark.parametrize("codec", CODECS)
def test_a_batch_comes_back_as_a_leader_stores_it(client: Client, codec: str) -> None:
    topic = new_topic(client)
    produced = encode(Batch.of(records(), compression=codec))
    for _ in range(2):
        answer = client.produce(topic, produced)
        assert (answer.error_code, answer.error_message) == (0, None)
    expected = b"".join(append(produced, offset=offset, leader_epoch=0, now=NOW).stored for offset in (0, len(records())))
    assert client.fetch(topic, 0) == expected


@pytest.mark.parametrize("target", ["uncompressed", "gzip", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("source", CODECS)
def test_a_topic_with_its_own_codec_gets_what_a_leader_makes(client: Client, source: str, target: str) -> None:
    topic = new_topic(client, compression_type=target)
    produced = encode(Batch.of(records(), compression=source, producer_id=7, producer_epoch=0, base_sequence=0))
    assert client.produce(topic, produced).error_code == 0
    appended = append(produced, offset=0, leader_epoch=0, now=NOW, compression_type=target)
    stored = client.fetch(topic, 0)
    assert [fields(batch) for batch in decode(stored)] == [fields(batch) for batch in appended.batches]
    if target == "uncompressed" or not appended.rewritten:
        assert stored == appended.stored


@pytest.mark.parametrize("codec", CODECS)
def test_log_append_time_is_the_brokers(client: Client, codec: str) -> None:
    topic = new_topic(client, message_timestamp_type="LogAppendTime")
    produced = encode(Batch.of(records(), compression=codec))
    answer = client.produce(topic, produced)
    now = answer.log_append_time_ms
    assert client.fetch(topic, 0) == append(produced, offset=0, leader_epoch=0, now=now, timestamp_type="LogAppendTime").stored


def damaged(chance: random.Random) -> bytes:
    """A small batch with something wrong in its header or its records, mostly under a right checksum."""
    codec = chance.choice(CODECS)
    batch = Batch.of([Record(offset=index, timestamp=1_700_000_000_000, key=b"k", value=b"v" * 9) for index in range(3)], compression=codec)
    data = bytearray(encode(batch))
    kind = chance.random()
    if kind < 0.5:
        data[chance.randrange(HEADER_SIZE, len(data))] = chance.randrange(256)
    elif kind < 0.9:
        at = chance.randrange(16, HEADER_SIZE)
        data[at] = chance.choice([0, 1, 255, data[at] ^ 1, data[at] ^ 4])
    else:
        del data[chance.randrange(1, len(data)) :]
    length_is_right = len(data) > HEADER_SIZE and int.from_bytes(data[8:12], "big") == len(data) - 12
    if length_is_right and data[16] == 2 and chance.random() < 0.95:
        set_crc(data)
    return bytes(data)


@pytest.mark.parametrize("config", [{}, {"cleanup.policy": "compact"}, {"compression.type": "lz4"}], ids=["plain", "compacted", "lz4"])
def test_damage_is_answered_as_by_kafka(client: Client, config: dict[str, str]) -> None:
    """Seeded; a code that Kafka answers for want of a check, UNKNOWN_SERVER_ERROR, may be any here."""
    topic = f"damage-{uuid4().hex}"
    client.create_topic(topic, config)
    rules = TopicRules.from_config(config)
    chance = random.Random(431)
    verdicts = set()
    for _ in range(250):
        data = damaged(chance)
        answer = client.produce(topic, data)
        try:
            validate_produce(data, rules, now=NOW, version=11)
            code, indexes = 0, []
        except KafkaError as error:
            code, indexes = error.code, list(error.record_errors)
        if answer.error_code == UnknownServerError.code:
            assert code != 0, data.hex()
        else:
            assert (code, indexes) == (answer.error_code, [record.batch_index for record in answer.record_errors]), data.hex()
        verdicts.add(answer.error_code)
    assert {0, 2, 87} <= verdicts


def test_kafkas_own_tool_reads_a_log_written_here(tmp_path: Path) -> None:
    """With every codec, a marker of a transaction, and offsets that compaction left."""
    oracle.require()
    log, offset, written = b"", 0, 0
    for codec in CODECS:
        batch = encode(Batch.of(records(), compression=codec, producer_id=7, producer_epoch=0, base_sequence=offset, transactional=True))
        log += append(batch, offset=offset, leader_epoch=1, now=NOW).stored
        offset += len(records())
        written += len(records())
    marker = EndTransactionMarker(committed=True, coordinator_epoch=11)
    log += marker_batch(marker, producer_id=7, producer_epoch=0, timestamp=1_700_000_000_000, offset=offset, leader_epoch=1)
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(log)
    printed = oracle.run("class", "org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--files", str(file))
    assert re.findall(r"compresscodec: (\w+) crc: \d+ isvalid: (\w+)", printed) == [(codec, "true") for codec in [*CODECS, "none"]]
    assert len(re.findall(r"^\| offset: ", printed, re.MULTILINE)) == written + 1
    assert "endTxnMarker: COMMIT coordinatorEpoch: 11" in printed


@pytest.mark.parametrize("codec", CODECS)
def test_librdkafka_reads_what_was_built_here(client: Client, apache_kafka: str, codec: str) -> None:
    topic = new_topic(client)
    assert client.produce(topic, encode(Batch.of(records(), compression=codec))).error_code == 0
    consumer = confluent_kafka.Consumer({"bootstrap.servers": apache_kafka, "group.id": topic})
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, 0)])
    try:
        messages = consumer.consume(len(records()), timeout=60)
    finally:
        consumer.close()
    assert [
        (message.offset(), message.timestamp()[1], message.key(), message.value(), message.headers() or []) for message in messages
    ] == [(record.offset, record.timestamp, record.key, record.value, list(record.headers)) for record in records()]
