"""Snappy in the framing of snappy-java."""

import pytest

from tidemill.errors import CorruptMessage, MessageTooLarge
from tidemill.records.compression import snappy

HEADER = bytes.fromhex("82534e41505059000000000100000001")
RAW = b"\x07\x18content"  # its size, then one literal
BLOCK = len(RAW).to_bytes(4, "big") + RAW


def read(data: bytes, limit: int = 100) -> bytearray:
    content, fault = snappy.decompress(data, limit)
    if fault is not None:
        raise fault
    return content


def test_blocks_of_32_kib_follow_a_header() -> None:
    data = snappy.compress(b"x" * (32 * 1024 + 1))
    first = int.from_bytes(data[16:20], "big")
    assert data.startswith(HEADER)
    assert data[20 + first :] == b"\x00\x00\x00\x03\x01\x00x"


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (HEADER, b""),
        (HEADER + BLOCK, b"content"),
        (HEADER + BLOCK + BLOCK, b"contentcontent"),
        (HEADER + BLOCK + HEADER + BLOCK, b"contentcontent"),
        (HEADER + BLOCK + b"\0\0\0", b"content"),  # fewer than four bytes are no size
        (HEADER[:12] + b"\xff\xff\xff\xff" + BLOCK, b"content"),  # nobody looks at the second number
        (HEADER + BLOCK + HEADER[:4] + b"no header at" + BLOCK, b"contentcontent"),
        (RAW, b"content"),
        (b"\x00", b""),
        (b"\x14\x4cmore than sixteen by", b"more than sixteen by"),
    ],
)
def test_streams_and_raw_blocks_are_read(data: bytes, content: bytes) -> None:
    assert read(data) == content


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "cannot be read"),
        (HEADER + BLOCK[:-1], "said to have 9 bytes, and 8 are left"),
        (HEADER + b"\xff\xff\xff\xff", "said to have -1 bytes"),
        (HEADER + b"\x7f\xff\xff\xff", "said to have 2147483647 bytes"),
        (HEADER + BLOCK + HEADER[:12], "end in the header of a second stream"),
        (HEADER + BLOCK + HEADER[:8] + b"\0\0\0\0\0\0\0\1", "version 0"),
        (HEADER + b"\0\0\0\0", "cannot be read"),
        (HEADER + b"\0\0\0\x06\xff\xff\xff\xff\x07x", "claims to hold 2147483647"),
        (b"\x07\x18conten", "cannot be read"),
        (b"\xff\xff\xff\xff\xff\xff", "cannot be read"),
    ],
)
def test_damage_is_corrupt(data: bytes, message: str) -> None:
    with pytest.raises(CorruptMessage, match=message):
        read(data)


def test_the_limit_counts_all_blocks() -> None:
    assert read(HEADER + BLOCK * 2, 14) == b"contentcontent"
    with pytest.raises(MessageTooLarge):
        read(HEADER + BLOCK * 2, 13)


@pytest.mark.parametrize("behind", [BLOCK[:-1], b"\0\0\0\x08\x07\x18conten", b"\x7f\xff\xff\xff"])
def test_what_came_out_before_the_damage_is_given(behind: bytes) -> None:
    content, fault = snappy.decompress(HEADER + BLOCK + behind, 100)
    assert (bytes(content), type(fault)) == (b"content", CorruptMessage)
