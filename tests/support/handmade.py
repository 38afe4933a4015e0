"""Batches put together by hand, without the code under test, so that they can be wrong."""

import struct
from collections.abc import Iterable
from zlib import crc32

from crc32c import crc32c


def varint(value: int) -> bytes:
    """A zigzag varint of any size."""
    raw = (value << 1) ^ (value >> 63)
    out = bytearray()
    while raw > 0x7F:
        out.append(raw & 0x7F | 0x80)
        raw >>= 7
    return bytes([*out, raw])


def field(value: bytes | None) -> bytes:
    return varint(-1) if value is None else varint(len(value)) + value


def record(
    key: bytes | None = None,
    value: bytes | None = b"v",
    headers: Iterable[tuple[bytes, bytes | None]] = (),
    offset_delta: int = 0,
    timestamp_delta: int = 0,
    tail: bytes | None = None,
    size: int | None = None,
) -> bytes:
    """A record. `tail` stands in for everything from the key's length on, `size` for the length it states."""
    if tail is None:
        pairs = list(headers)
        tail = field(key) + field(value) + varint(len(pairs)) + b"".join(field(name) + field(content) for name, content in pairs)
    body = b"\0" + varint(timestamp_delta) + varint(offset_delta) + tail
    return varint(len(body) if size is None else size) + body


def batch(section: bytes, count: int, attributes: int = 0, **fields: int) -> bytes:
    """A batch of magic 2 around a section of records, its checksum right."""
    named = {"base_offset": 0, "last_offset_delta": max(count - 1, 0), "base_timestamp": 0, "max_timestamp": 0}
    named |= {"producer_id": -1, "producer_epoch": -1, "base_sequence": -1, "epoch": -1} | fields
    covered = struct.pack(
        ">hiqqqhii",
        attributes,
        named["last_offset_delta"],
        named["base_timestamp"],
        named["max_timestamp"],
        named["producer_id"],
        named["producer_epoch"],
        named["base_sequence"],
        count,
    )
    covered += section
    return struct.pack(">qiibI", named["base_offset"], 9 + len(covered), named["epoch"], 2, crc32c(covered)) + covered


def message(
    offset: int = 0,
    magic: int = 1,
    attributes: int = 0,
    timestamp: int = 5,
    key: bytes | None = None,
    value: bytes | None = b"v",
    crc: int | None = None,
) -> bytes:
    """A message of an old format, as a set of one."""
    body = bytes((magic, attributes)) + (timestamp.to_bytes(8, "big") if magic else b"")
    for field in (key, value):
        body += b"\xff\xff\xff\xff" if field is None else len(field).to_bytes(4, "big") + field
    body = (crc32(body) if crc is None else crc).to_bytes(4, "big") + body
    return offset.to_bytes(8, "big", signed=True) + len(body).to_bytes(4, "big") + body
