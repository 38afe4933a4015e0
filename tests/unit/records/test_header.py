import struct
from typing import Any

import pytest

from support.golden import lines
from support.handmade import batch, record
from tidemill.errors import CorruptMessage, UnsupportedCompressionType
from tidemill.records import header
from tidemill.records.header import BatchHeader

SOUND = batch(record(b"k", b"v"), 1, base_offset=7, epoch=3, producer_id=5, producer_epoch=1, base_sequence=2)


def test_a_header_is_parsed_field_by_field_and_packed_again() -> None:
    parsed = BatchHeader.parse(b"before" + SOUND, 6)
    assert (parsed.base_offset, parsed.partition_leader_epoch, parsed.magic, parsed.count) == (7, 3, 2, 1)
    assert (parsed.producer_id, parsed.producer_epoch, parsed.base_sequence) == (5, 1, 2)
    buffer = bytearray(header.HEADER_SIZE)
    parsed.pack_into(buffer)
    assert buffer == SOUND[: header.HEADER_SIZE]


def test_a_header_needs_its_61_bytes() -> None:
    with pytest.raises(CorruptMessage, match="takes 61 bytes, 60 are left at byte 0"):
        BatchHeader.parse(SOUND[:60])


@pytest.mark.parametrize("line", list(lines("records.jsonl")), ids=lambda line: line["name"])
def test_scan_finds_where_batches_lie(line: dict[str, Any]) -> None:
    found = [(batch["position"], batch["size"], batch["magic"]) for batch in line["batches"]]
    assert list(header.scan(bytes.fromhex(line["hex"]))) == found


@pytest.mark.parametrize("length", [0, 13, -1, -(2**31), 2**31 - 1, 2**31 - 12])
def test_a_length_that_no_batch_has_is_corrupt(length: int) -> None:
    with pytest.raises(CorruptMessage, match=f"no batch is {length} bytes long, as the one at byte 0 says"):
        list(header.scan(SOUND[:8] + struct.pack(">i", length) + SOUND[12:]))


@pytest.mark.parametrize("magic", [3, 4, 127, 128, 255])
def test_a_magic_that_kafka_does_not_know_is_corrupt(magic: int) -> None:
    with pytest.raises(CorruptMessage, match=f"has magic {magic}"):
        list(header.scan(SOUND[:16] + bytes([magic]) + SOUND[17:]))


@pytest.mark.parametrize("size", [0, 1, 11, 12, 16, 17, 60, 61, len(SOUND) - 1])
def test_scan_ends_before_a_batch_that_is_cut_off(size: int) -> None:
    assert list(header.scan(SOUND + SOUND[:size])) == [(0, len(SOUND), 2)]


def test_a_batch_shorter_than_a_header_is_corrupt() -> None:
    short = bytearray(SOUND)
    struct.pack_into(">i", short, 8, 48)
    with pytest.raises(CorruptMessage, match="says it has 60 bytes"):
        header.ensure_valid(short, 0, BatchHeader.parse(short))


@pytest.mark.parametrize("at", range(len(SOUND)))
def test_the_checksum_covers_all_from_the_attributes_on(at: int) -> None:
    changed = bytearray(SOUND)
    changed[at] ^= 1
    outside = at < 8 or 12 <= at < 17
    if outside:
        header.ensure_valid(changed, 0, BatchHeader.parse(changed))
        return
    with pytest.raises(CorruptMessage):
        header.ensure_valid(changed, 0, BatchHeader.parse(changed))


def test_a_leader_gives_offset_and_epoch_without_a_new_checksum() -> None:
    stored = bytearray(b"before" + SOUND)
    header.set_base_offset(stored, 2**40, 6)
    header.set_partition_leader_epoch(stored, 9, 6)
    parsed = BatchHeader.parse(stored, 6)
    header.ensure_valid(stored, 6, parsed)
    assert (parsed.base_offset, parsed.partition_leader_epoch, parsed.last_offset) == (2**40, 9, 2**40)


def test_a_leader_gives_the_append_time_and_the_checksum_that_goes_with_it() -> None:
    stored = bytearray(batch(record(), 1, attributes=0x4070))
    header.set_max_timestamp(stored, 99, True)
    parsed = BatchHeader.parse(stored)
    header.ensure_valid(stored, 0, parsed)
    assert (parsed.max_timestamp, parsed.timestamp_type, parsed.attributes) == (99, "LogAppendTime", 0x78)


def test_a_timestamp_that_is_right_already_leaves_the_batch_alone() -> None:
    """Unknown attributes included, as in Kafka."""
    stored = bytearray(batch(record(), 1, attributes=0x4000, max_timestamp=99))
    before = bytes(stored)
    header.set_max_timestamp(stored, 99, False)
    assert stored == before


def test_a_finished_batch_can_be_given_to_another_producer() -> None:
    stored = bytearray(SOUND)
    header.set_producer(stored, 8, 4, 100, True)
    parsed = BatchHeader.parse(stored)
    header.ensure_valid(stored, 0, parsed)
    assert (parsed.producer_id, parsed.producer_epoch, parsed.base_sequence, parsed.transactional) == (8, 4, 100, True)
    header.set_producer(stored, 5, 1, 2, False)
    assert stored == SOUND


def test_attributes_are_read_as_kafka_reads_them() -> None:
    all_set = BatchHeader(attributes=0x7F & ~0x03, base_timestamp=55)
    assert (all_set.compression, all_set.timestamp_type, all_set.transactional, all_set.control) == ("zstd", "LogAppendTime", True, True)
    assert all_set.delete_horizon_ms == 55
    none = BatchHeader(attributes=-0x80)
    assert (none.compression, none.timestamp_type, none.transactional, none.control) == ("none", "CreateTime", False, False)
    assert none.delete_horizon_ms is None
    with pytest.raises(UnsupportedCompressionType, match="codec 5"):
        _ = BatchHeader(attributes=5).compression


def test_headers_compare_by_their_fields() -> None:
    assert BatchHeader(count=1) == BatchHeader(count=1) != BatchHeader(count=2)
    assert "count=1" in repr(BatchHeader(count=1))


def test_a_length_that_cannot_be_is_no_error_until_the_magic_is_there() -> None:
    """As in Kafka, to which a batch of 2 GiB is cut off there like any other."""
    data = SOUND[:8] + struct.pack(">i", 2**31 - 1) + SOUND[12:]
    assert list(header.scan(data[:16])) == []
    with pytest.raises(CorruptMessage, match="no batch is 2147483647 bytes long"):
        list(header.scan(data[:17]))
