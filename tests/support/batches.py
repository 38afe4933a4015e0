"""Batches in the form of the golden files, to be compared with them as a whole."""

from hashlib import sha256
from typing import Any

from tidemill.records import Batch, Record

LARGEST_SHOWN = 1024


def shown(data: bytes | None) -> str | dict[str, Any] | None:
    """Bytes as the golden files show them: large ones by length and hash."""
    if data is None:
        return None
    return data.hex() if len(data) <= LARGEST_SHOWN else {"length": len(data), "sha256": sha256(data).hexdigest()}


def golden_record(batch: Batch, record: Record) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": shown(record.key),
        "value": shown(record.value),
        "headers": [[name, shown(value)] for name, value in record.headers],
    }
    if batch.producer_id != -1:
        fields["sequence"] = record.sequence
    if batch.control:
        fields["control_type"] = record.control_type
    return fields


def golden_batch(batch: Batch) -> dict[str, Any]:
    names = ["position", "size", "magic", "base_offset", "last_offset", "compression", "timestamp_type", "max_timestamp"]
    if batch.magic == 2:
        names += ["partition_leader_epoch", "crc", "attributes", "base_timestamp", "transactional", "control", "delete_horizon_ms"]
        names += ["producer_id", "producer_epoch", "base_sequence", "last_sequence", "count"]
    return {name: getattr(batch, name) for name in names} | {"records": [golden_record(batch, record) for record in batch.records]}


def without(batches: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """The same batches without these fields, such as what depends on a compressor."""
    return [{name: value for name, value in batch.items() if name not in names} for batch in batches]
