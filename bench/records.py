"""The loops over records: values of 100 bytes without keys, not compressed, beside kafka-python's and aiokafka's.

What is decoded lies in batches of 1 MB, or, as producers with default settings make them, of 16 KB. Objects are kept until all are
there; Arrow tables are made of 1 MB at a time, as a consumer fetches from a partition, and dropped. The work of every subject includes
the batch around the records, checksum and all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import aiokafka.record.memory_records as aiokafka_records
import kafka.record.memory_records as kafka_records
import pyarrow as pa
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AiokafkaBuilder
from kafka.record.default_records import DefaultRecordBatchBuilder as KafkaPythonBuilder

from bench.harness import Case, Result, measure, table
from tidemill.records import BatchBuilder, decode, from_arrow, to_arrow

NOW = 1_700_000_000_000
VALUES = [bytes([index % 251]) * 100 for index in range(200_000)]
LARGE, SMALL = 1024 * 1024, 16 * 1024


def append(size: int, done: Callable[[bytearray], object]) -> None:
    """Every value by a call of its own, into batches of `size`."""
    builder = BatchBuilder(size)
    add = builder.append
    for value in VALUES:
        if add(NOW, None, value) < 0:
            done(builder.close())
            builder = BatchBuilder(size)
            add = builder.append
            add(NOW, None, value)
    done(builder.close())


def fetches_of(size: int) -> list[bytes]:
    """All values in batches of `size`, 1 MB of these at a time."""
    batches: list[bytearray] = []
    append(size, batches.append)
    at_once = LARGE // size
    return [b"".join(batches[first : first + at_once]) for first in range(0, len(batches), at_once)]


def append_with(new_builder: Callable[[], Any]) -> None:
    """Likewise with a peer's builder."""
    builder, offset = new_builder(), 0
    for value in VALUES:
        if builder.append(offset, NOW, None, value, []) is None:
            builder.build()
            builder, offset = new_builder(), 0
            builder.append(offset, NOW, None, value, [])
        offset += 1
    builder.build()


def decode_with(memory_records: Any, data: bytes) -> list[Any]:
    kept = []
    records = memory_records(data)
    while records.has_next():
        batch = records.next_batch()
        batch.validate_crc()
        kept += list(batch)
    return kept


def builder_of(kind: Any, size: int) -> Callable[[], Any]:
    return lambda: kind(
        magic=2, compression_type=0, is_transactional=0, producer_id=-1, producer_epoch=-1, base_sequence=-1, batch_size=size
    )


def cases() -> list[Case]:
    count = len(VALUES)
    large_fetches, small_fetches = fetches_of(LARGE), fetches_of(SMALL)
    large, small = b"".join(large_fetches), b"".join(small_fetches)
    values = to_arrow(large, columns=["value"])
    every_column = to_arrow(large)
    return [
        Case(
            "append keyless records, one call each",
            {
                "tidemill": lambda: append(LARGE, len),
                "tidemill, batches of 16 KB": lambda: append(SMALL, len),
                "aiokafka": lambda: append_with(builder_of(AiokafkaBuilder, LARGE)),
                "kafka-python": lambda: append_with(builder_of(KafkaPythonBuilder, LARGE)),
            },
            count,
            "records",
            "≥ 10 M",
        ),
        Case(
            "decode to objects that are kept",
            {
                "tidemill": lambda: decode(large),
                "tidemill, batches of 16 KB": lambda: decode(small),
                "aiokafka": lambda: decode_with(aiokafka_records.MemoryRecords, large),
                "kafka-python": lambda: decode_with(kafka_records.MemoryRecords, large),
            },
            count,
            "records",
            "≥ 4 M",
        ),
        Case(
            "decode to Arrow",
            {
                "tidemill, the values": lambda: decode_to_arrow(large_fetches, ["value"]),
                "tidemill, all columns": lambda: decode_to_arrow(large_fetches),
                "tidemill, all columns, batches of 16 KB": lambda: decode_to_arrow(small_fetches),
            },
            count,
            "records",
            "≥ 40 M",
        ),
        Case(
            "encode from Arrow",
            {
                "tidemill, the values": lambda: encode(values, LARGE),
                "tidemill, all columns": lambda: encode(every_column, LARGE),
                "tidemill, the values, batches of 16 KB": lambda: encode(values, SMALL),
            },
            count,
            "records",
            "≥ 50 M",
        ),
    ]


def decode_to_arrow(fetches: list[bytes], columns: list[str] | None = None) -> int:
    return sum(to_arrow(data, columns=columns).num_rows for data in fetches)


def encode(columns: pa.Table, size: int) -> int:
    return sum(len(data) for _, data in from_arrow(columns, batch_size=size))


def results(rounds: int) -> list[Result]:
    return measure(cases(), rounds)


def report(rounds: int) -> str:
    return table(results(rounds))


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
