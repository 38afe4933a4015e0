"""Kafka's verdict on bytes that somebody sent: what a leader refuses to append, and how far a consumer can read.

The checks of an append, in Kafka's order; each says which error it raises:

1. of the request: a batch, of magic 2, and no second one (`check_request`);
2. of the batch as bytes: offset 0, its size, its checksum, a known codec (`check_request`, `header.ensure_valid`);
3. of the batch as a client's: a range of offsets that agrees with the count, no control records, a sequence where there is a producer id
   (`check_batch`);
4. of the records: that they fill the batch, have keys where the topic needs them, and timestamps within its bounds (`check_records`).

Where Kafka lacks a check and answers UNKNOWN_SERVER_ERROR (an unknown codec, garbage in a known one), the error here has a code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tidemill.errors import (
    InvalidRecord,
    InvalidTimestamp,
    KafkaError,
    MessageTooLarge,
    TransactionalIdAuthorizationFailed,
    UnsupportedCompressionType,
)
from tidemill.records import compression, legacy
from tidemill.records._judging import judge
from tidemill.records._loops import Section
from tidemill.records.arithmetic import wrap_int64
from tidemill.records.decoding import read_section
from tidemill.records.header import HEADER_SIZE, NO_PRODUCER_ID, NO_TIMESTAMP, TIMESTAMP_TYPES, BatchHeader, Buffer, ensure_valid, scan
from tidemill.records.legacy import Message

_FIRST_VERSION_WITH_ZSTD = 7
_SHOWN_ERRORS = 3


class TopicRules(NamedTuple):
    """What a topic's configuration says about batches; the defaults are Kafka's."""

    timestamp_type: str = "CreateTime"
    compression_type: str = "producer"
    compression_level: int | None = None
    compacted: bool = False
    timestamp_before_max_ms: int = 2**63 - 1
    timestamp_after_max_ms: int = 60 * 60 * 1000
    max_message_bytes: int = 1024 * 1024 + 12

    @classmethod
    def from_config(cls, config: Mapping[str, str]) -> TopicRules:
        """The rules of a topic with these settings, by Kafka's names; all others are left at their defaults.

        >>> TopicRules.from_config({"cleanup.policy": "compact", "compression.type": "zstd"}).compacted
        True
        """
        default = cls()
        codec = config.get("compression.type", default.compression_type)
        level = config.get(f"compression.{codec}.level")
        rules = cls(
            timestamp_type=config.get("message.timestamp.type", default.timestamp_type),
            compression_type=codec,
            compression_level=None if level is None else int(level),
            compacted="compact" in [policy.strip() for policy in config.get("cleanup.policy", "").split(",")],
            timestamp_before_max_ms=int(config.get("message.timestamp.before.max.ms", default.timestamp_before_max_ms)),
            timestamp_after_max_ms=int(config.get("message.timestamp.after.max.ms", default.timestamp_after_max_ms)),
            max_message_bytes=int(config.get("max.message.bytes", default.max_message_bytes)),
        )
        return rules.checked()

    def checked(self) -> TopicRules:
        """These rules, if what they name exists."""
        if self.timestamp_type not in TIMESTAMP_TYPES:
            raise ValueError(f"timestamp type {self.timestamp_type!r} does not exist: choose one of {', '.join(TIMESTAMP_TYPES)}")
        compression.level_of(self.target_codec(compression.NONE), self.compression_level)
        return self

    @property
    def log_append_time(self) -> bool:
        return self.timestamp_type == "LogAppendTime"

    def target_codec(self, source: int) -> int:
        """The codec in which the topic stores a batch that came in `source`."""
        if self.compression_type == "producer":
            return source
        return compression.codec_of("none" if self.compression_type == "uncompressed" else self.compression_type)

    def check_size(self, size: int) -> None:
        """For a batch as it came, and again for one that was written anew."""
        if size > self.max_message_bytes:
            raise MessageTooLarge(
                f"a batch has {size} bytes, its topic allows {self.max_message_bytes}: send less at once or raise max.message.bytes"
            )


def check_request(view: memoryview, rules: TopicRules, *, version: int = 13, transactional_id: str | None = None) -> None:
    """What a broker asks of the records for one partition in a Produce request of that version, before it looks into the batch."""
    batches = scan(view)
    first = next(batches, None)
    if first is None:
        raise InvalidRecord("a Produce request must have a whole batch for each partition: none is here")
    position, size, magic = first
    header = BatchHeader.parse(view, position) if magic == 2 and size >= HEADER_SIZE else None
    if header is not None and header.transactional and transactional_id is None:
        raise TransactionalIdAuthorizationFailed("a transactional batch came in a Produce request without a transactional id")
    if magic != 2:
        raise InvalidRecord(f"a Produce request can hold batches of magic 2 only, not {magic}: the client is too old")
    if header is not None and version < _FIRST_VERSION_WITH_ZSTD and header.codec == compression.ZSTD:
        raise UnsupportedCompressionType(f"Produce version {version} cannot carry zstd: use version {_FIRST_VERSION_WITH_ZSTD} or later")
    if next(batches, None) is not None:
        raise InvalidRecord("a Produce request can hold one batch for each partition: a second one follows")
    base_offset = int.from_bytes(view[position : position + 8], "big", signed=True)
    if base_offset != 0:
        raise InvalidRecord(f"a produced batch must begin at offset 0, not {base_offset}: the leader gives the offsets")
    rules.check_size(size)


def check_batch(header: BatchHeader) -> None:
    """What a leader asks of the header of a client's batch."""
    count_by_offsets = header.last_offset_delta + 1
    if count_by_offsets <= 0:
        raise InvalidRecord(f"a batch has offsets {header.base_offset} to {header.last_offset}: it ends before it begins")
    if header.count <= 0:
        raise InvalidRecord(f"a produced batch must have records: its count is {header.count}")
    if header.count != count_by_offsets:
        raise InvalidRecord(f"a batch has offsets {header.base_offset} to {header.last_offset} and a count of {header.count}")
    if header.control:
        raise InvalidRecord("clients cannot write control records")
    if header.producer_id > NO_PRODUCER_ID and header.base_sequence < 0:
        raise InvalidRecord(f"a batch of producer {header.producer_id} has no sequence number: {header.base_sequence}")


class Judged(NamedTuple):
    """What came out of judging the records of a sound batch."""

    section: Section
    max_timestamp: int
    in_order: bool


def check_records(view: memoryview, header: BatchHeader, rules: TopicRules, now: int, *, rewrite: bool) -> Judged:
    """What a leader asks of the records of the batch that begins `view`.

    Kafka reads a compressed batch that it will not `rewrite` by another way, which never looks at the lengths that records state of
    themselves. A batch with wrong ones is stored, though no consumer can read it.
    """
    section = read_section(view, 0, header, sized=rewrite)
    max_timestamp, in_order, refused = judge(
        section.layout,
        section.count,
        header.base_offset,
        header.base_timestamp,
        header.max_timestamp if header.log_append_time else None,
        rules.compacted,
        not rules.log_append_time,
        now,
        rules.timestamp_before_max_ms,
        rules.timestamp_after_max_ms,
    )
    if refused:
        raise _refusal([_why(index, timestamp, header.log_append_time, rules, now) for index, timestamp in refused])
    return Judged(section, max_timestamp, in_order)


def check_messages(messages: Sequence[Message], rules: TopicRules, now: int) -> list[Message]:
    """What a leader asks of messages of an old format: all that they stand for, if it is sound."""
    inner: list[Message] = []
    for outer in messages:
        refused = []
        for index, message in enumerate(legacy.messages(outer)):
            inner.append(message)
            if message.magic != outer.magic:
                refused.append(RecordError(index, InvalidRecord, f"magic {message.magic} in a message of magic {outer.magic}"))
                continue
            if message is not outer:
                message.ensure_valid()
            timestamp = message.timestamp
            if rules.compacted and message.key_and_value()[0] is None:
                refused.append(_why(index, None, False, rules, now))
            elif _is_refused(timestamp, outer, rules, now):
                refused.append(_why(index, timestamp, outer.timestamp_type == "LogAppendTime", rules, now))
        if refused:
            raise _refusal(refused)
    return inner


def _is_refused(timestamp: int, outer: Message, rules: TopicRules, now: int) -> bool:
    if not rules.log_append_time and timestamp != NO_TIMESTAMP:
        age = wrap_int64(now - timestamp)
        return age > rules.timestamp_before_max_ms or wrap_int64(-age) > rules.timestamp_after_max_ms
    return outer.timestamp_type == "LogAppendTime"


class RecordError(NamedTuple):
    """What is wrong with one record of a batch."""

    record_index: int
    kind: type[KafkaError]
    message: str


def _why(index: int, timestamp: int | None, append_time: bool, rules: TopicRules, now: int) -> RecordError:
    """What is wrong with a record that was refused: without a `timestamp`, that it has no key."""
    if timestamp is None:
        return RecordError(index, InvalidRecord, "a compacted topic takes no records without a key")
    if append_time and (rules.log_append_time or timestamp == NO_TIMESTAMP):
        return RecordError(index, InvalidTimestamp, "a producer cannot set the timestamp type to LogAppendTime")
    earliest, latest = now - rules.timestamp_before_max_ms, now + rules.timestamp_after_max_ms
    message = f"timestamp {timestamp} is out of the range that the topic allows, {earliest} to {latest}"
    return RecordError(index, InvalidTimestamp, message)


def _refusal(refused: Sequence[RecordError]) -> KafkaError:
    """The error for a batch of which single records are refused: about timestamps if it is so with any of them.

    It carries `record_errors`, the indexes of these records in the batch, and `record_error_messages`, what is wrong with each: a Produce
    response tells both.
    """
    shown = "; ".join(f"record {record.record_index}: {record.message}" for record in refused[:_SHOWN_ERRORS])
    more = f" (and {len(refused) - _SHOWN_ERRORS} more)" if len(refused) > _SHOWN_ERRORS else ""
    kind = InvalidTimestamp if any(record.kind is InvalidTimestamp for record in refused) else InvalidRecord
    error = kind(f"{len(refused)} records of a batch are refused: {shown}{more}")
    error.record_errors = [record.record_index for record in refused]
    error.record_error_messages = [record.message for record in refused]
    return error


class Reading(NamedTuple):
    """How far a consumer gets: the batches it has seen and the records it has read when `error` stops it at `stage`."""

    batches: int
    records: int
    stage: str | None = None
    error: KafkaError | None = None


def read_through(data: Buffer) -> Reading:
    """Reads as a consumer of Kafka's does: batch by batch, each checked before its records are read one by one.

    >>> read_through(bytes(61))
    Reading(batches=0, records=0, stage='batches', error=CorruptMessage('no batch is 0 bytes long, as the one at byte 0 says'))
    """
    view = memoryview(data).cast("B")
    batches = records = 0
    stage = "batches"
    try:
        for position, size, magic in scan(view):
            batches, stage = batches + 1, "ensure_valid"
            if magic < 2:
                message = legacy.message_at(view, position, size)
                message.ensure_valid()
                stage = "records"
                for _ in legacy.messages(message):
                    records += 1
            else:
                header = BatchHeader.parse(view[: position + size], position)
                ensure_valid(view, position, header)
                stage = "records"
                read, error = _readable_records(view, position, header)
                records += read
                if error is not None:
                    return Reading(batches, records, stage, error)
            stage = "batches"
    except KafkaError as error:
        return Reading(batches, records, stage, error)
    return Reading(batches, records)


def _readable_records(view: memoryview, position: int, header: BatchHeader) -> tuple[int, KafkaError | None]:
    """How many records of a batch can be read, and what is wrong with the next one. A compressed batch is read whole or not at all."""
    if header.count == 0:
        return 0, None
    try:
        return read_section(view, position, header).count, None
    except KafkaError as error:
        if header.codec != compression.NONE:
            return 0, error
        return _sound_records(view[position + HEADER_SIZE : position + header.size], header.count), error


def _sound_records(section: memoryview, count: int) -> int:
    """How many records at the beginning of a damaged section are sound. The last of `count` is not, if anything follows it."""
    at = found = 0
    while found < count:
        size, start = _length_at(section, at)
        if not 0 <= size <= len(section) - start:
            break
        try:
            Section(section, at, start + size, 1)
        except InvalidRecord:
            break
        at = start + size
        found += 1
    return found - 1 if found == count and at < len(section) else found


def _length_at(section: memoryview, at: int) -> tuple[int, int]:
    """The length of a record and where the record begins; -1 where there is no length."""
    raw = shift = 0
    while at < len(section) and shift < 35:
        byte = section[at]
        at += 1
        raw |= (byte & 0x7F) << shift
        if byte < 0x80:
            raw &= 0xFFFFFFFF
            return raw >> 1 ^ -(raw & 1), at
        shift += 7
    return -1, at
