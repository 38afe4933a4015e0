"""Zstandard frames, one after another. As in Kafka, one that is cut off ends the content unless it is the first.

How much they can hold at most is added up from the blocks' headers before anything is decompressed.
"""

import cramjam

from tidemill.errors import CorruptMessage, MessageTooLarge

_MAGIC = 0xFD2FB528
_SKIPPABLE_MAGIC, _SKIPPABLE_MASK = 0x184D2A50, 0xFFFFFFF0
_LARGEST_BLOCK = 128 * 1024
_RAW, _RUN, _COMPRESSED = 0, 1, 2
_DICTIONARY_ID_SIZES = (0, 1, 2, 4)
_CONTENT_SIZE_SIZES = (0, 2, 4, 8)

# Most batches shrink less than this. A buffer for all that the blocks' headers allow would be 128 KiB for the smallest batch.
_USUAL_RATIO = 10


def compress(data: bytes | bytearray | memoryview, level: int) -> bytes:
    return bytes(cramjam.zstd.compress(data, level=level))


def decompress(data: bytes | bytearray | memoryview, limit: int) -> tuple[bytearray, CorruptMessage | None]:
    """The content, and the fault that ends it."""
    if len(data) == 0:
        return bytearray(), None
    view = memoryview(data)
    largest, whole_frames = _survey(view)
    usual = 1024 + _USUAL_RATIO * len(view)
    sizes = [usual, largest] if usual < largest else [largest]
    for size in sizes:
        out = bytearray(min(size, limit))
        target = cramjam.Buffer(out, copy=False)
        fault = None
        try:
            cramjam.zstd.decompress_into(view, target)
        except cramjam.DecompressionError as error:
            if _is_full(error):
                continue
            if not (whole_frames and "incomplete frame" in str(error)):
                fault = CorruptMessage(f"zstd data cannot be decompressed: {error}")
        written = target.tell()
        del target  # which holds `out` as it is
        del out[written:]
        return out, fault
    if limit < largest:
        raise MessageTooLarge
    return bytearray(), CorruptMessage(f"zstd data hold more than the {largest} bytes that their blocks allow")


def _is_full(error: Exception) -> bool:
    """The library says in words alone that the buffer was too small."""
    return "Too much to write" in str(error)


def _survey(view: memoryview) -> tuple[int, int]:
    """The most that the frames can hold, and how many are whole. What is no frame counts nothing: decompressing it will say why."""
    at = total = whole = 0
    while len(view) - at >= 8:
        magic = int.from_bytes(view[at : at + 4], "little")
        if magic & _SKIPPABLE_MASK == _SKIPPABLE_MAGIC:
            at += 8 + int.from_bytes(view[at + 4 : at + 8], "little")
        elif magic == _MAGIC:
            content, at = _largest_frame(view, at)
            total += content
        else:
            break
        whole += at <= len(view)
    return total, whole


def _largest_frame(view: memoryview, start: int) -> tuple[int, int]:
    """The most that the frame at `start` can hold, and where it ends: behind the data if it is cut off."""
    descriptor = view[start + 4]
    single_segment = descriptor & 0x20
    size_size = _CONTENT_SIZE_SIZES[descriptor >> 6] or (1 if single_segment else 0)
    at = start + 5 + (0 if single_segment else 1) + _DICTIONARY_ID_SIZES[descriptor & 3]
    stated = None
    if size_size:
        stated = int.from_bytes(view[at : at + size_size], "little") + (256 if size_size == 2 else 0)
        at += size_size
    total = 0
    while len(view) - at >= 3:
        header = int.from_bytes(view[at : at + 3], "little")
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        total += min(size, _LARGEST_BLOCK) if kind in (_RAW, _RUN) else _LARGEST_BLOCK
        at += 3 + (1 if kind == _RUN else size)
        if last:
            at += 4 if descriptor & 4 else 0
            break
    else:
        at = len(view) + 1
    return total if stated is None else min(total, stated), at
