"""LZ4 frames, as Kafka writes and reads them.

    04224d18   flags   block size   [content size]   header checksum   { size, block, [checksum] }*   0   [content checksum]

- All numbers are little-endian. The highest bit of a block's size says that the block is not compressed.
- Kafka refuses frames whose blocks refer to one another (which is what LZ4 libraries write unless told otherwise), so the
  frame is written here around single blocks of 64 KiB.
- It checks the header and the blocks, never the content as a whole, and reads nothing behind the first frame.
- In message sets of format 0 the header's checksum is wrong on purpose (it once covered the magic number too): it is not looked at.
"""

import cramjam

from tidemill.errors import CorruptMessage, MessageTooLarge

_MAGIC = 0x184D2204
_BLOCK = 64 * 1024
_HEADER = bytes.fromhex("04224d18604082")
_END = bytes(4)
_UNCOMPRESSED = 0x80000000
_FASTEST_LEVEL = 9  # Kafka's default; its other levels choose LZ4's high compression
_HIGHEST_RATIO = 255

_VERSION_AND_RESERVED, _VERSION_1 = 0xC3, 0x40
_INDEPENDENT, _BLOCK_CHECKSUM, _CONTENT_SIZE, _CONTENT_CHECKSUM = 0x20, 0x10, 0x08, 0x04


def compress(data: bytes | bytearray | memoryview, level: int) -> bytes:
    view = memoryview(data)
    parts = [_HEADER]
    for at in range(0, len(view), _BLOCK):
        content = view[at : at + _BLOCK]
        block = _compress_block(content, level)
        if len(block) < len(content):
            parts += (len(block).to_bytes(4, "little"), block)
        else:
            parts += ((len(content) | _UNCOMPRESSED).to_bytes(4, "little"), bytes(content))
    parts.append(_END)
    return b"".join(parts)


def _compress_block(content: memoryview, level: int) -> bytes:
    if level == _FASTEST_LEVEL:
        return bytes(cramjam.lz4.compress_block(content, store_size=False))
    return bytes(cramjam.lz4.compress_block(content, store_size=False, mode="high_compression", compression=level))


def decompress(data: bytes | bytearray | memoryview, limit: int, *, check_header: bool) -> tuple[bytearray, CorruptMessage | None]:
    """The content, and the fault that ends it."""
    out = bytearray()
    try:
        _append_frame(memoryview(data), out, limit, check_header)
    except CorruptMessage as fault:
        return out, fault
    return out, None


def _append_frame(view: memoryview, out: bytearray, limit: int, check_header: bool) -> None:
    largest, flags, at = _read_header(view, check_header)
    while True:
        size = _uint32(view, at)
        at += 4
        compressed = not size & _UNCOMPRESSED
        size &= ~_UNCOMPRESSED
        if size == 0:
            if flags & _CONTENT_CHECKSUM:
                _uint32(view, at)  # it is not compared, but has to be there
            return
        if size > largest:
            raise CorruptMessage(f"an LZ4 block is said to have {size} bytes in a frame whose blocks have {largest} at most")
        if size > len(view) - at:
            raise CorruptMessage(f"an LZ4 block is said to have {size} bytes, and {len(view) - at} are left")
        block = view[at : at + size]
        at += size
        if flags & _BLOCK_CHECKSUM:
            _check_block(block, compressed, largest, _uint32(view, at))
            at += 4
        if not compressed:
            if size > limit - len(out):
                raise MessageTooLarge
            out += block
        else:
            _append_block(block, out, min(largest, size * _HIGHEST_RATIO), limit)


def _append_block(block: memoryview, out: bytearray, largest: int, limit: int) -> None:
    start = len(out)
    room = min(largest, limit - start)
    out += bytes(room)
    try:
        # Unless told how much may come out, the library takes the first four bytes for a size, if they could be one.
        size = cramjam.lz4.decompress_block_into(block, memoryview(out)[start:], output_len=room) if room else -1
    except cramjam.DecompressionError:
        size = -1
    if size < 0:
        del out[start:]
        if room < largest:  # it may be sound, and only larger than there is room for: not worth the memory to find out
            raise MessageTooLarge
        raise CorruptMessage(f"an LZ4 block of {len(block)} bytes cannot be decompressed")
    del out[start + size :]


def _read_header(view: memoryview, check: bool) -> tuple[int, int, int]:
    """The largest size of a block, the flags, and where the first block begins."""
    if len(view) < len(_HEADER):
        raise CorruptMessage(f"{len(view)} bytes are too few for an LZ4 frame")
    if _uint32(view, 0) != _MAGIC:
        raise CorruptMessage(f"not an LZ4 frame: it begins with {bytes(view[:4]).hex()}")
    flags, block = view[4], view[5]
    if flags & _VERSION_AND_RESERVED != _VERSION_1 or block & 0x8F or block >> 4 < 4:
        raise CorruptMessage(f"LZ4 frame of an unknown kind: flags {flags:#04x}, block size {block:#04x}")
    if not flags & _INDEPENDENT:
        raise CorruptMessage("LZ4 frame with blocks that depend on one another: Kafka reads only independent blocks")
    end = 6 + (8 if flags & _CONTENT_SIZE else 0)
    if len(view) <= end:
        raise CorruptMessage("LZ4 data end in the header of the frame")
    if check and view[end] != (_xxh32_short(bytes(view[4:end])) >> 8) & 0xFF:
        raise CorruptMessage("the header of an LZ4 frame does not match its checksum")
    return 1 << (2 * (block >> 4) + 8), flags, end + 1


def _uint32(view: memoryview, at: int) -> int:
    if len(view) - at < 4:
        raise CorruptMessage("LZ4 data end before the end of the frame")
    return int.from_bytes(view[at : at + 4], "little")


def _check_block(block: memoryview, compressed: bool, largest: int, checksum: int) -> None:
    """Wraps the block in a frame of its own with the same checksum, for the library to judge.

    Nearly nobody writes these checksums, and the hash over a large block takes Python too long.
    """
    block_size = next(code for code in range(4, 8) if 1 << (2 * code + 8) == largest)
    descriptor = bytes((_VERSION_1 | _INDEPENDENT | _BLOCK_CHECKSUM, block_size << 4))
    header = _MAGIC.to_bytes(4, "little") + descriptor + bytes(((_xxh32_short(descriptor) >> 8) & 0xFF,))
    size = len(block) | (0 if compressed else _UNCOMPRESSED)
    frame = b"".join((header, size.to_bytes(4, "little"), block, checksum.to_bytes(4, "little"), _END))
    try:
        cramjam.lz4.decompress_into(frame, bytearray(min(largest, len(block) * _HIGHEST_RATIO)))
    except cramjam.DecompressionError as error:
        raise CorruptMessage(f"an LZ4 block does not match its checksum: {error}") from None


def _xxh32_short(data: bytes) -> int:
    """XXH32 with seed 0 of fewer than 16 bytes."""
    prime_1, prime_2, prime_3, prime_4, prime_5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
    mask = 0xFFFFFFFF

    def rotate(value: int, bits: int) -> int:
        return ((value << bits) | (value >> (32 - bits))) & mask

    digest = prime_5 + len(data)
    words = len(data) // 4 * 4
    for at in range(0, words, 4):
        digest = rotate((digest + int.from_bytes(data[at : at + 4], "little") * prime_3) & mask, 17) * prime_4 & mask
    for byte in data[words:]:
        digest = rotate((digest + byte * prime_5) & mask, 11) * prime_1 & mask
    digest = (digest ^ digest >> 15) * prime_2 & mask
    digest = (digest ^ digest >> 13) * prime_3 & mask
    return digest ^ digest >> 16
