"""Snappy in the framing of snappy-java: a header, then blocks, each preceded by its size.

    82 'SNAPPY' 00   version   compatible version   { size, that many bytes of raw snappy }*

All numbers are big-endian int32. Two streams may stand one after another. What lacks the header is one raw block: Kafka's reader
takes that too, and other clients have written it.
"""

import cramjam

from tidemill.errors import CorruptMessage, MessageTooLarge

_MAGIC = b"\x82SNAPPY\0"
_VERSION = 1
_HEADER = _MAGIC + _VERSION.to_bytes(4, "big") * 2
_HEADER_START = int.from_bytes(_MAGIC[:4], "big", signed=True)
_BLOCK = 32 * 1024
_LARGEST_CHUNK = 512 * 1024 * 1024

# No element of raw snappy yields more than 64 bytes, and the ones that do take three. So a block cannot hold what it claims
# when that is more than this many times its size, and nothing need be allocated to find out.
_HIGHEST_RATIO = 22


def compress(data: bytes | bytearray | memoryview) -> bytes:
    view = memoryview(data)
    parts = [_HEADER]
    for at in range(0, len(view), _BLOCK):
        block = bytes(cramjam.snappy.compress_raw(view[at : at + _BLOCK]))
        parts += (len(block).to_bytes(4, "big"), block)
    return b"".join(parts)


def decompress(data: bytes | bytearray | memoryview, limit: int) -> tuple[bytearray, CorruptMessage | None]:
    """The content, and the fault that ends it."""
    view = memoryview(data)
    out = bytearray()
    try:
        if len(view) < len(_HEADER) or view[: len(_MAGIC)] != _MAGIC:
            _append_block(view, out, limit)
        else:
            _append_stream(view, out, limit)
    except CorruptMessage as fault:
        return out, fault
    return out, None


def _append_stream(view: memoryview, out: bytearray, limit: int) -> None:
    at = len(_HEADER)
    while len(view) - at >= 4:  # fewer bytes are no block, and no error
        size = int.from_bytes(view[at : at + 4], "big", signed=True)
        at += 4
        if size == _HEADER_START:
            at = _after_inner_header(view, at)
            continue
        if size < 0 or size > _LARGEST_CHUNK or size > len(view) - at:
            raise CorruptMessage(f"a snappy block is said to have {size} bytes, and {len(view) - at} are left")
        _append_block(view[at : at + size], out, limit)
        at += size


def _after_inner_header(view: memoryview, at: int) -> int:
    """Where the second stream's blocks begin. What only begins like a header is stepped over, as by Kafka's library."""
    rest = len(_HEADER) - 4
    if len(view) - at < rest:
        raise CorruptMessage("snappy data end in the header of a second stream")
    version = int.from_bytes(view[at + 4 : at + 8], "big", signed=True)
    if view[at : at + 4] == _MAGIC[4:] and version < _VERSION:
        raise CorruptMessage(f"snappy stream of version {version}: only {_VERSION} and later can be read")
    return at + rest


def _append_block(block: memoryview, out: bytearray, limit: int) -> None:
    start = len(out)
    try:
        size = cramjam.snappy.decompress_raw_len(block)
        if size > _HIGHEST_RATIO * len(block):
            raise CorruptMessage(f"a snappy block of {len(block)} bytes claims to hold {size}")
        if size > limit - start:
            raise MessageTooLarge
        out += bytes(size)
        cramjam.snappy.decompress_raw_into(block, memoryview(out)[start:])
    except cramjam.DecompressionError as error:
        del out[start:]
        raise CorruptMessage(f"snappy data cannot be read: {error}") from None
