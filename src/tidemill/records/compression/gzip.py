"""Gzip as Java reads it: members one after another; what follows the last one is left alone.

The header is read here and the checksum kept here, because zlib, which can do both, gives nothing out of a member whose
checksum is wrong. Java's reader meets the checksum after the content.
"""

import zlib

from tidemill.errors import CorruptMessage, MessageTooLarge

_DEFLATE = 8
_HEADER_CHECKSUM, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_HEADER_SIZE = 10
_TRAILER_SIZE = 8
_FIRST_PIECE = 4096


def compress(data: bytes | bytearray | memoryview, level: int) -> bytes:
    stream = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return stream.compress(data) + stream.flush()


def decompress(data: bytes | bytearray | memoryview, limit: int) -> tuple[bytes, CorruptMessage | None]:
    """The content, and the fault found after it."""
    data = bytes(data)
    parts: list[bytes] = []
    at, total = _after_header(data, 0), 0
    while True:
        content, at = _inflate(data, at, limit - total)
        parts.append(content)
        total += len(content)
        fault = _check(data, at, content)
        if fault is None:
            try:
                at = _after_header(data, at + _TRAILER_SIZE)
                continue
            except CorruptMessage:
                pass  # no further member
        return b"".join(parts), fault


def _check(data: bytes, at: int, content: bytes) -> CorruptMessage | None:
    """What the trailer at `at` says against the content."""
    if len(data) - at < _TRAILER_SIZE:
        return CorruptMessage(f"gzip data end {_TRAILER_SIZE - (len(data) - at)} bytes before the end of their checksum")
    stated, size = int.from_bytes(data[at : at + 4], "little"), int.from_bytes(data[at + 4 : at + 8], "little")
    computed = zlib.crc32(content)
    if stated != computed or size != len(content) & 0xFFFFFFFF:
        return CorruptMessage(f"gzip content does not match its checksum (stated {stated:#010x}, computed {computed:#010x})")
    return None


def _inflate(data: bytes, at: int, limit: int) -> tuple[bytes, int]:
    """The content of the member whose deflate data begin at `at`, and where they end.

    The input goes in by pieces, since the stream copies what it has not used: else a thousand members would copy all the rest
    a thousand times.
    """
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    view, piece = memoryview(data), _FIRST_PIECE
    parts: list[bytes] = []
    total = 0
    while not stream.eof:
        if at >= len(data):
            raise CorruptMessage("gzip data end in the middle")
        try:
            # 0 would mean that there is no limit, and one byte more than allowed tells too much from just enough.
            content = stream.decompress(view[at : at + piece], limit - total + 1)
        except zlib.error as error:
            raise CorruptMessage(f"gzip data cannot be inflated: {error}") from None
        total += len(content)
        if total > limit:
            raise MessageTooLarge
        parts.append(content)
        at = min(at + piece, len(data))
        piece *= 4
    return b"".join(parts) if len(parts) > 1 else parts[0], at - len(stream.unused_data)


def _after_header(data: bytes, start: int) -> int:
    """Where the deflate data of the member that begins at `start` begin."""
    if len(data) - start < _HEADER_SIZE:
        raise CorruptMessage(f"gzip data end in the header: {max(len(data) - start, 0)} bytes are left")
    if data[start] != 0x1F or data[start + 1] != 0x8B or data[start + 2] != _DEFLATE:
        raise CorruptMessage(f"not gzip data: they begin with {data[start : start + 3].hex()}")
    flags = data[start + 3]
    at = start + _HEADER_SIZE
    if flags & _EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            at = data.find(0, at) + 1 or len(data) + 1
    if flags & _HEADER_CHECKSUM:
        if int.from_bytes(data[at : at + 2], "little") != zlib.crc32(memoryview(data)[start:at]) & 0xFFFF:
            raise CorruptMessage("gzip header does not match its checksum")
        at += 2
    if at > len(data):
        raise CorruptMessage("gzip data end in the header")
    return at
