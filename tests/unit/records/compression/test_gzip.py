"""Gzip, as Java's reader takes it."""

import gzip as stdlib_gzip
import zlib

import pytest

from tidemill.errors import CorruptMessage
from tidemill.records.compression import gzip

PLAIN = stdlib_gzip.compress(b"content", mtime=0)


def member(flags: int, optional: bytes, content: bytes = b"content") -> bytes:
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = deflate.compress(content) + deflate.flush()
    trailer = zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    return bytes((0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 0xFF)) + optional + body + trailer


def read(data: bytes) -> bytearray:
    content, fault = gzip.decompress(data, 10_000)
    assert fault is None
    return content


def with_header_checksum() -> bytes:
    start = bytes((0x1F, 0x8B, 8, 2, 0, 0, 0, 0, 0, 0xFF))
    return start + (zlib.crc32(start) & 0xFFFF).to_bytes(2, "little") + member(0, b"")[10:]


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        member(4, b"\x03\x00abc"),
        member(8, b"name\0"),
        member(16, b"comment\0"),
        member(4 | 8 | 16, b"\x00\x00name\0comment\0"),
        with_header_checksum(),
        PLAIN + b"garbage behind",
        PLAIN + PLAIN[:5],
        PLAIN + PLAIN[:18],
    ],
    ids=["plain", "extra", "name", "comment", "all", "header checksum", "garbage behind", "a header cut off behind", "too little behind"],
)
def test_every_header_is_read(data: bytes) -> None:
    assert read(data) == b"content"


def test_members_follow_one_another() -> None:
    assert read(PLAIN + member(8, b"n\0", b" and more") + PLAIN) == b"content and morecontent"


def test_members_may_be_many() -> None:
    """Each call into the library copies what it was given and has not used, so it is not given all the rest."""
    assert read(member(8, b"n\0", b"x") * 10_000) == b"x" * 10_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "end in the header: 0 bytes are left"),
        (PLAIN[:9], "end in the header: 9 bytes are left"),
        (b"\x1f\x8c" + PLAIN[2:], "not gzip data: they begin with 1f8c08"),
        (PLAIN[:2] + b"\x07" + PLAIN[3:], "not gzip data"),
        (member(8, b"")[:12], "end in the header"),
        (member(4, b"\xff\xff"), "end in the header"),
        (member(2, b"\0\0"), "gzip header does not match its checksum"),
        (PLAIN[:-12], "end in the middle"),
        (PLAIN[:10] + b"\xff" * 20, "cannot be inflated"),
    ],
)
def test_damage_is_corrupt(data: bytes, message: str) -> None:
    _, fault = gzip.decompress(data, 100)
    with pytest.raises(CorruptMessage, match=message):
        raise fault or AssertionError


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (PLAIN[:-8] + b"\0\0\0\0" + PLAIN[-4:], "does not match its checksum"),
        (PLAIN[:-4] + b"\0\0\0\0", "and is said to have 0"),
        (PLAIN[:-1], "end 1 bytes before the end of their checksum"),
        (PLAIN[:-8], "end 8 bytes before"),
        (PLAIN[:-8] + b"\0\0\0\0" + PLAIN[-4:] + PLAIN, "does not match its checksum"),
        (PLAIN + PLAIN[:19], "end 8 bytes before"),
        (PLAIN + PLAIN[:10] + b"\xff" * 20, "cannot be inflated"),
    ],
)
def test_what_came_out_before_the_damage_is_given(data: bytes, fault: str) -> None:
    content, found = gzip.decompress(data, 100)
    assert content.startswith(b"content")
    assert fault in str(found)
