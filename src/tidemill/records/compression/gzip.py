"""Gzip as Java reads it: members one after another; what follows the last one is left alone, and so is the beginning of another
that fewer bytes are left for than any member has.

The header is read here and the checksum kept here, because zlib, which can do both, gives nothing out of a member whose
checksum is wrong. Java's reader meets the checksum after the content.
"""

import zlib

from tidemill.errors import CorruptMessage, MessageTooLarge

_DEFLATE = 8
_HEADER_CHECKSUM, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_HEADER_SIZE = 10
_TRAILER_SIZE = 8
_SMALLEST_MEMBER = 19  # as far as Java looks: a member without content has 20
_SMALLEST_PIECE, _LARGEST_PIECE = 4096, 65536


def compress(data: bytes | bytearray | memoryview, level: int) -> bytes:
    stream = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return stream.compress(data) + stream.flush()


def decompress(data: bytes | bytearray | memoryview, limit: int) -> tuple[bytearray, CorruptMessage | None]:
    """The content, and the fault that ends it."""
    data = bytes(data)
    out = bytearray()
    try:
        at = _after_header(data, 0)
        while True:
            start = len(out)
            at = _inflate(data, at, out, limit)
            _check(data, at, memoryview(out)[start:])
            at += _TRAILER_SIZE
            if len(data) - at < _SMALLEST_MEMBER:
                return out, None
            try:
                at = _after_header(data, at)
            except CorruptMessage:
                return out, None  # no further member
    except CorruptMessage as fault:
        return out, fault


def _check(data: bytes, at: int, content: memoryview) -> None:
    """Raises what the trailer at `at` says against the content."""
    if len(data) - at < _TRAILER_SIZE:
        raise CorruptMessage(f"gzip data end {_TRAILER_SIZE - (len(data) - at)} bytes before the end of their checksum")
    stated, size = int.from_bytes(data[at : at + 4], "little"), int.from_bytes(data[at + 4 : at + 8], "little")
    computed = zlib.crc32(content)
    if stated != computed:
        raise CorruptMessage(f"gzip content does not match its checksum (stated {stated:#010x}, computed {computed:#010x})")
    if size != len(content) & 0xFFFFFFFF:
        raise CorruptMessage(f"gzip content has {len(content)} bytes, and is said to have {size}")


def _inflate(data: bytes, at: int, out: bytearray, limit: int) -> int:
    """Appends the content of the member whose deflate data begin at `at`, and tells where they end.

    Both sides go by pieces. The stream copies what input it has not used: given all of it, a thousand members would copy the rest a
    thousand times. And it joins what it gives at once, which takes the memory twice.
    """
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    view, piece = memoryview(data), _SMALLEST_PIECE
    while not stream.eof:
        rest: bytes | memoryview = stream.unconsumed_tail
        if not rest:
            if at >= len(data):
                raise CorruptMessage("gzip data end in the middle")
            rest = view[at : at + piece]
            at += len(rest)
            piece = min(piece * 4, _LARGEST_PIECE)
        try:
            # A length of 0 would mean no limit, and one byte too many tells too much from just enough.
            out += stream.decompress(rest, min(limit - len(out) + 1, _LARGEST_PIECE * 4))
        except zlib.error as error:
            raise CorruptMessage(f"gzip data cannot be inflated: {error}") from None
        if len(out) > limit:
            raise MessageTooLarge
    return at - len(stream.unused_data)


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
