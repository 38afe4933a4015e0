"""What the comparisons of record batches with other clients have in common: their builders and readers have the same shape."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tidemill.records import Batch, Record, compression

HIGHEST_TIMESTAMP = 4_000_000_000_000
HEADER_NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
CODECS = st.sampled_from(range(len(compression.NAMES)))
MESSAGE_CODECS = st.sampled_from([compression.NONE, compression.GZIP, compression.SNAPPY, compression.LZ4])


class Written(NamedTuple):
    """A record as a user gives it."""

    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]]


class Producer(NamedTuple):
    id: int
    epoch: int
    sequence: int


def values(largest: int) -> st.SearchStrategy[bytes | None]:
    """Small ones, now and then one that takes several blocks of a codec."""
    large = st.builds(lambda piece, times: piece * times, st.binary(min_size=1, max_size=50), st.integers(1, largest // 50))
    return st.none() | st.binary(max_size=100) | large


def written(*, headers: bool = True) -> st.SearchStrategy[list[Written]]:
    pairs = st.lists(st.tuples(HEADER_NAMES, st.none() | st.binary(max_size=20)), max_size=3) if headers else st.just([])
    record = st.builds(Written, st.integers(0, HIGHEST_TIMESTAMP), st.none() | st.binary(max_size=20), values(150_000), pairs)
    return st.lists(record, min_size=1, max_size=6)


PRODUCERS = st.just(Producer(-1, -1, -1)) | st.builds(
    Producer, st.integers(0, 2**62), st.integers(0, 2**15 - 1), st.integers(0, 2**31 - 100)
)


def our_batch(records: Iterable[Written], codec: int, producer: Producer, transactional: bool) -> Batch:
    return Batch.of(
        [
            Record(offset=offset, timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)
            for offset, record in enumerate(records)
        ],
        compression=compression.NAMES[codec],
        producer_id=producer.id,
        producer_epoch=producer.epoch,
        base_sequence=producer.sequence,
        transactional=transactional,
    )


def built_by(builder: Any, records: Iterable[Written]) -> bytes:
    """What a peer's builder makes of the records."""
    for offset, record in enumerate(records):
        assert builder.append(offset, record.timestamp, record.key, record.value, record.headers) is not None
    return bytes(builder.build())


def read_by(memory_records: Any) -> list[tuple[int, Written]]:
    """What a peer's reader finds, with the offsets."""
    found = []
    while memory_records.has_next():
        batch = memory_records.next_batch()
        assert batch.validate_crc()
        found += [(record.offset, Written(record.timestamp, record.key, record.value, list(record.headers))) for record in batch]
    return found


def numbered(records: Iterable[Written]) -> list[tuple[int, Written]]:
    return list(enumerate(records))


def ours(batches: Iterable[Batch]) -> list[tuple[int, Written]]:
    """What we find, in the form of `read_by`."""
    return [
        (record.offset, Written(record.timestamp, record.key, record.value, list(record.headers)))
        for batch in batches
        for record in batch.records
    ]
