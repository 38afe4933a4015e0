"""LZ4 frames, as Kafka takes and refuses them."""

import pytest

from tidemill.errors import CorruptMessage, MessageTooLarge
from tidemill.records.compression import lz4

HEADER = bytes.fromhex("04224d18604082")
STORED = (7 | 1 << 31).to_bytes(4, "little") + b"content"
END = bytes(4)


def read(data: bytes | bytearray, limit: int = 1000) -> bytearray:
    content, fault = lz4.decompress(data, limit, check_header=True)
    if fault is not None:
        raise fault
    return content


def test_blocks_of_64_kib_stand_for_themselves() -> None:
    data = lz4.compress(b"x" * (64 * 1024 + 1), 9)
    first = int.from_bytes(data[7:11], "little")
    assert data.startswith(HEADER)
    assert data[11 + first :] == b"\x01\x00\x00\x80x" + END


def test_what_does_not_shrink_is_stored_as_it_is() -> None:
    assert lz4.compress(b"content", 9) == HEADER + STORED + END


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (HEADER + END, b""),
        (HEADER + STORED + END, b"content"),
        (HEADER + STORED + STORED + END, b"contentcontent"),
        (HEADER + STORED + END + b"whatever follows", b"content"),
        # a block that begins like a small number
        (HEADER + b"\x05\0\0\0\x40\0\0\0\0" + END, b"\0\0\0\0"),
        # with the content's checksum, which nobody looks at
        (bytes.fromhex("04224d186440a7") + STORED + END + b"\0\0\0\0", b"content"),
        # with the content's size, a wrong one: nobody looks at it either
        (bytes.fromhex("04224d18684001000000000000002c") + STORED + END, b"content"),
        # blocks of 4 MiB
        (bytes.fromhex("04224d18607073") + STORED + END, b"content"),
    ],
)
def test_frames_are_read(data: bytes, content: bytes) -> None:
    assert read(data) == content


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes are too few"),
        (HEADER[:6], "6 bytes are too few"),
        (b"\x03" + HEADER[1:] + END, "not an LZ4 frame: it begins with 03224d18"),
        (HEADER[:-1] + b"\x83" + END, "header of an LZ4 frame does not match its checksum"),
        (bytes.fromhex("04224d18404000") + END, "depend on one another"),
        (bytes.fromhex("04224d18614000") + END, "unknown kind"),
        (bytes.fromhex("04224d18204000") + END, "unknown kind"),
        (bytes.fromhex("04224d18603000") + END, "unknown kind"),
        (bytes.fromhex("04224d1860c000") + END, "unknown kind"),
        (bytes.fromhex("04224d18684001000000"), "end in the header"),
        (HEADER, "end before the end of the frame"),
        (HEADER + STORED, "end before the end of the frame"),
        (HEADER + STORED[:-1], "said to have 7 bytes, and 6 are left"),
        (bytes.fromhex("04224d186440a7") + STORED + END + b"\0\0\0", "end before the end of the frame"),  # the content's checksum
        (HEADER + (64 * 1024 + 1).to_bytes(4, "little") + bytes(70_000), "whose blocks have 65536 at most"),
        (HEADER + b"\x03\0\0\0\xff\xff\xff" + END, "an LZ4 block of 3 bytes cannot be decompressed"),
    ],
)
def test_damage_is_corrupt(data: bytes, message: str) -> None:
    with pytest.raises(CorruptMessage, match=message):
        read(data)


# Written by the LZ4 library: blocks with checksums, stored and compressed.
STORED_WITH_CHECKSUM = bytes.fromhex("04224d187040ad07000080636f6e74656e74896a80a100000000")
COMPRESSED_WITH_CHECKSUM = bytes.fromhex("04224d187040ad110000007f636f6e74656e74070027506e74656e7423a6741900000000")


@pytest.mark.parametrize(("data", "content"), [(STORED_WITH_CHECKSUM, b"content"), (COMPRESSED_WITH_CHECKSUM, b"content" * 10)])
def test_checksums_of_blocks_are_checked(data: bytes, content: bytes) -> None:
    assert read(data) == content
    damaged = bytearray(data)
    damaged[-5] ^= 1
    with pytest.raises(CorruptMessage, match="block does not match its checksum"):
        read(damaged)
    with pytest.raises(CorruptMessage, match="end before the end of the frame"):
        read(data[:-5])


def test_the_limit_counts_all_blocks() -> None:
    assert read(HEADER + STORED * 2 + END, 14) == b"contentcontent"
    with pytest.raises(MessageTooLarge):
        read(HEADER + STORED * 2 + END, 13)


def test_a_compressed_block_may_fill_the_limit() -> None:
    data = lz4.compress(b"x" * 500, 9)
    assert read(data, 500) == b"x" * 500
    with pytest.raises(MessageTooLarge):
        read(data, 499)


@pytest.mark.parametrize("behind", [b"", STORED[:-1], b"\x03\0\0\0\xff\xff\xff" + END])
def test_what_came_out_before_the_damage_is_given(behind: bytes) -> None:
    content, fault = lz4.decompress(HEADER + STORED + behind, 1000, check_header=True)
    assert (bytes(content), type(fault)) == (b"content", CorruptMessage)
