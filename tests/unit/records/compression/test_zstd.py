"""Zstandard frames."""

import pytest

from tidemill.errors import CorruptMessage, MessageTooLarge
from tidemill.records.compression import zstd

FRAME = bytes.fromhex("28b52ffd2007390000") + b"content"  # one segment of 7 bytes, in one raw block
SKIPPABLE = bytes.fromhex("5a2a4d1803000000") + b"abc"


def read(data: bytes, limit: int = 100) -> bytearray:
    content, fault = zstd.decompress(data, limit)
    if fault is not None:
        raise fault
    return content


def run(size: int, *, last: bool, byte: bytes = b"x") -> bytes:
    return (size << 3 | 1 << 1 | last).to_bytes(3, "little") + byte


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (b"", b""),
        (FRAME, b"content"),
        (FRAME + FRAME, b"contentcontent"),
        (SKIPPABLE + FRAME + SKIPPABLE, b"content"),
        (bytes.fromhex("28b52ffd0058") + run(5, last=False) + run(3, last=True, byte=b"y"), b"xxxxxyyy"),
        (bytes.fromhex("28b52ffd2000010000"), b""),
        (FRAME + FRAME[:-7], b"content"),
        (FRAME + FRAME[:2], b"content"),
        (FRAME + SKIPPABLE[:9], b"content"),
        (SKIPPABLE + FRAME[:5], b""),
    ],
)
def test_frames_are_read(data: bytes, content: bytes) -> None:
    assert read(data) == content


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x", "cannot be decompressed"),
        (FRAME[:-1], "cannot be decompressed"),
        (FRAME[:-8], "cannot be decompressed"),
        (FRAME[:4], "cannot be decompressed"),
        (SKIPPABLE[:-1], "cannot be decompressed"),
        (FRAME + b"x", "cannot be decompressed"),
        (FRAME + b"behind it", "cannot be decompressed"),
        (b"\x29" + FRAME[1:], "cannot be decompressed"),
        (bytes.fromhex("28b52ffd2003390000") + b"content", "cannot be decompressed"),  # more in it than it states
        (bytes.fromhex("28b52ffd21090739"), "cannot be decompressed"),  # cut off in the header
        (bytes.fromhex("28b52ffd0058070000"), "cannot be decompressed"),  # a kind of block that does not exist
    ],
)
def test_damage_is_corrupt(data: bytes, message: str) -> None:
    with pytest.raises(CorruptMessage, match=message):
        read(data)


def test_the_limit_counts_all_frames() -> None:
    assert read(FRAME * 2, 14) == b"contentcontent"
    with pytest.raises(MessageTooLarge):
        read(FRAME * 2, 13)


def test_far_more_than_the_usual_ratio_comes_out_all_the_same() -> None:
    """A first buffer for what is usual is too small, the second is what the blocks' headers allow."""
    data = bytes.fromhex("28b52ffd0058") + run(128 * 1024, last=False) * 15 + run(7, last=True)
    assert read(data, 10_000_000) == b"x" * (15 * 128 * 1024 + 7)


def test_a_frame_is_not_believed_to_be_larger_than_its_blocks_allow() -> None:
    """It states 2^63 bytes: nothing is allocated for them."""
    stated = bytes.fromhex("28b52ffde0") + (2**63).to_bytes(8, "little") + run(7, last=True)
    with pytest.raises(CorruptMessage):
        read(stated, 10_000_000)


def test_what_came_out_before_the_damage_is_given() -> None:
    content, fault = zstd.decompress(FRAME + b"behind it", 100)
    assert (bytes(content), type(fault)) == (b"content", CorruptMessage)
