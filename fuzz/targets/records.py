"""Record batches: what a consumer reads, a leader appends, the cleaner keeps. Formats 0, 1 and 2.

The first bytes of an input choose what is done with the others; so one corpus serves all of these targets, but for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from struct import Struct

from fuzz.batches import reshape
from fuzz.seeds import golden
from fuzz.target import Target, after_settings, exactly
from tidemill.errors import (
    CorruptMessage,
    InvalidRecord,
    InvalidTimestamp,
    MessageTooLarge,
    TransactionalIdAuthorizationFailed,
    UnsupportedCompressionType,
)
from tidemill.records import Record, compression, decode, encode
from tidemill.records.aborted import decode_aborted, encode_aborted
from tidemill.records.appending import append, validate_produce
from tidemill.records.compaction import Retention, filter_batches
from tidemill.records.control import parse_control_key, parse_marker
from tidemill.records.header import BatchHeader
from tidemill.records.validation import TopicRules, read_through

LIMIT = 1 << 18
LARGEST_SEED = 3000
DAMAGE = (CorruptMessage, InvalidRecord, MessageTooLarge, UnsupportedCompressionType)
REFUSALS = (*DAMAGE, InvalidTimestamp, TransactionalIdAuthorizationFailed)

OFFSETS = (0, 1, 42, 2**31 - 1, 2**31, 2**40, 2**62)
CLOCKS = (0, 1_700_000_000_000, 1_700_002_000_000, 2**41)
CODECS = ("producer", "uncompressed", *compression.NAMES[1:])

_Run = Callable[[bytes], None]


def with_small_limit(run: _Run) -> _Run:
    """While it runs, nothing unpacks to more than `LIMIT`: a bomb is refused early, so that what a batch may cost is bounded tightly."""

    @wraps(run)
    def limited(data: bytes) -> None:
        usual = compression.DEFAULT_LIMIT
        compression.DEFAULT_LIMIT = LIMIT  # type: ignore[misc]
        try:
            run(data)
        finally:
            compression.DEFAULT_LIMIT = usual  # type: ignore[misc]

    return limited


@with_small_limit
def decode_batches(data: bytes) -> None:
    """What can be decoded can be encoded, and is the same then; and a reader that stops at damage gets as far as one that raises."""
    check_crc = not data[:1] or data[0] & 1 == 0
    view = exactly(data[1:])
    batches = decode(view, check_crc)
    if check_crc:
        reading = read_through(view)
        assert reading.error is None, reading
        assert reading.records == sum(len(batch.records) for batch in batches)
    for batch in batches:
        for record in batch.records:
            assert record.control_type is None or batch.control
        if batch.magic == 2:
            again = decode(encode(batch))[0]
            if batch.timestamp_type == "CreateTime":
                assert again.records == batch.records, (again.records, batch.records)
            assert (again.base_offset, again.count, again.last_sequence) == (batch.base_offset, batch.count, batch.last_sequence)


@with_small_limit
def append_batch(data: bytes) -> None:
    """What a leader stores can be read, and begins at the offset it was given."""
    choice, clock, offset, produced = *data[:3].ljust(3, b"\0"), data[3:]
    now = CLOCKS[clock % len(CLOCKS)]
    first = OFFSETS[offset % len(OFFSETS)]
    timestamp_type = ("CreateTime", "LogAppendTime")[choice & 1]
    codec = CODECS[(choice >> 2) % len(CODECS)]
    validate_produce(produced, TopicRules(timestamp_type, codec, compacted=bool(choice & 2)), now=now)
    result = append(produced, offset=first, leader_epoch=3, now=now, timestamp_type=timestamp_type, compression_type=codec)
    (batch,) = decode(result.stored)
    assert batch.records[0].offset == first or batch.compression == "none"
    assert batch.partition_leader_epoch == 3
    assert batch.last_offset == first + batch.count - 1


class Pattern:
    """Keeps records and batches by the bits of two bytes."""

    def __init__(self, records: int, batches: int) -> None:
        self.record_bits, self.batch_bits = records, batches
        self.seen = 0

    def check_batch(self, header: BatchHeader) -> tuple[Retention, bool]:
        self.seen += 1
        bits = self.batch_bits >> self.seen % 4 * 2
        return tuple(Retention)[bits % 4 % 3], bool(self.batch_bits & 1)

    def retain(self, header: BatchHeader, records: Sequence[Record]) -> list[Record]:
        return [record for index, record in enumerate(records) if self.record_bits >> index % 8 & 1]


@with_small_limit
def compact_batches(data: bytes) -> None:
    """What the cleaner leaves can be read, and cleaning it again with nothing to drop leaves it as it is."""
    records, batches, clock = data[:3].ljust(3, b"\0")
    now = CLOCKS[clock % len(CLOCKS)]
    result = filter_batches(exactly(data[3:]), Pattern(records, batches), now=now, delete_retention_ms=1000)
    left = decode(result.output, check_crc=False)
    assert sum(len(batch.records) for batch in left) == result.messages_retained
    again = filter_batches(result.output, Pattern(0xFF, 0xAA), now=now, delete_retention_ms=1000)
    assert again.messages_retained == result.messages_retained


ABORTED_SIZE = Struct(">hqqqq").size


def aborted_index(data: bytes) -> None:
    entries = decode_aborted(exactly(data))
    assert len(entries) == len(data) // ABORTED_SIZE
    assert encode_aborted(entries) == data


def control_record(data: bytes) -> None:
    """The key's size, the key, and the value of a control record."""
    size = data[0] if data else 0
    key, value = data[1 : 1 + size], data[1 + size :]
    kind = parse_control_key(key)
    assert parse_marker(Record(key=key, value=value)).control_type == kind


def batch_seeds(settings: Sequence[bytes]) -> Iterator[bytes]:
    """Every golden batch under each of the settings in turn."""
    found = [line["hex"] for line in (*golden("records.jsonl"), *golden("records_damaged.jsonl"))]
    found += [line["produced"] for line in golden("records_append.jsonl")]
    found += [line["input"] for line in golden("records_compaction.jsonl")]
    for number, text in enumerate(found):
        if len(text) <= 2 * LARGEST_SEED:
            yield settings[number % len(settings)] + bytes.fromhex(text)


def aborted_seeds() -> Iterator[bytes]:
    for line in golden("records_aborted_index.jsonl"):
        yield bytes.fromhex(line["hex"])


def control_seeds() -> Iterator[bytes]:
    for line in golden("messages/control_records.jsonl"):
        yield b"\4" + bytes((0, 0, 0, line["version"] % 3)) + bytes.fromhex(line["hex"])


def sent_alone(settings: Sequence[bytes]) -> Iterator[bytes]:
    """Like `batch_seeds`, with the first offset that a leader asks of what clients send."""
    for seed in batch_seeds(settings):
        yield seed[:3] + bytes(8) + seed[11:]


APPEND_SETTINGS = [bytes((choice, 1, 2)) for choice in range(4 * len(CODECS))]
COMPACT_SETTINGS = [bytes((records, batches, 1)) for records in (0x55, 0xFE, 0, 0xFF) for batches in (0xAA, 0xA8, 0x55)]

TARGETS = (
    Target(
        name="records",
        run=decode_batches,
        refusals=DAMAGE,
        seeds=lambda: batch_seeds([b"\0", b"\1"]),
        shape=after_settings(1, reshape),
        content_limit=LIMIT,
    ),
    Target(
        name="append",
        run=append_batch,
        refusals=REFUSALS,
        seeds=lambda: sent_alone(APPEND_SETTINGS),
        shape=after_settings(3, reshape),
        content_limit=LIMIT,
    ),
    Target(
        name="compaction",
        run=compact_batches,
        refusals=REFUSALS,
        seeds=lambda: batch_seeds(COMPACT_SETTINGS),
        shape=after_settings(3, reshape),
        content_limit=LIMIT,
    ),
    Target(name="aborted-index", run=aborted_index, refusals=(CorruptMessage,), seeds=aborted_seeds),
    Target(name="control", run=control_record, refusals=(InvalidRecord,), seeds=control_seeds),
)
