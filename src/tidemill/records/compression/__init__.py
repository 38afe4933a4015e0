"""The five compression codecs of Kafka, each in Kafka's own framing.

- Compressing writes what Apache Kafka's clients write: gzip, snappy-java's block stream, LZ4 frames with independent blocks,
  zstd frames. The bytes differ between compressors; what is in them does not.
- Decompressing reads what Apache Kafka reads, and no more than `limit` bytes of it: memory grows with what has really come out,
  never with what the data claim. (Zstandard keeps a window beside it, which can be as large again.)
- Damage is `CorruptMessage`, a codec that Kafka does not know `UnsupportedCompressionType`, content over the limit
  `MessageTooLarge`. Nothing else leaves this package.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from tidemill.errors import KafkaError, MessageTooLarge, UnsupportedCompressionType
from tidemill.records.compression import gzip, lz4, snappy, zstd
from tidemill.records.header import COMPRESSIONS, Buffer

NONE: Final = 0
GZIP: Final = 1
SNAPPY: Final = 2
LZ4: Final = 3
ZSTD: Final = 4

NAMES: Final = COMPRESSIONS
"""By codec: what batches are described by and `compression.type` is set to."""

# Kafka itself has no limit. Batches are made in memory by producers and hold a few megabytes at most, however well they compress.
DEFAULT_LIMIT: Final = 128 * 1024 * 1024


class Levels(NamedTuple):
    """What `compression.<codec>.level` may be set to."""

    lowest: int
    highest: int
    default: int


LEVELS: Final = {GZIP: Levels(1, 9, -1), LZ4: Levels(1, 17, 9), ZSTD: Levels(-131072, 22, 3)}

_COMPRESSORS: Final[dict[int, Callable[[Buffer, int], bytes]]] = {
    NONE: lambda data, level: bytes(data),
    GZIP: gzip.compress,
    SNAPPY: lambda data, level: snappy.compress(data),
    LZ4: lz4.compress,
    ZSTD: zstd.compress,
}


class Unpacked(NamedTuple):
    """What came out, and what was found wrong behind it: a checksum, a block that is no block, an end that is missing."""

    data: Buffer
    fault: KafkaError | None


def codec_of(name: str) -> int:
    """The codec of a name; the names are those of the setting `compression.type`."""
    try:
        return NAMES.index(name)
    except ValueError:
        raise UnsupportedCompressionType(f"compression type {name!r} does not exist: choose one of {', '.join(NAMES)}") from None


def level_of(codec: int, level: int | None) -> int:
    """The level to compress with: the default for none, else the given one, which must be in the codec's range."""
    levels = LEVELS.get(codec)
    if levels is None:
        if level is not None:
            raise ValueError(f"compression type {NAMES[codec]!r} has no levels: leave the level out")
        return 0
    if level is None or level == levels.default:
        return levels.default
    if not levels.lowest <= level <= levels.highest:
        raise ValueError(f"{NAMES[codec]} level {level} does not exist: choose {levels.lowest} to {levels.highest}")
    return level


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """The data as they stand in a batch of that codec.

    >>> decompress(LZ4, compress(LZ4, b"to be or not to be"))
    bytearray(b'to be or not to be')
    """
    return _COMPRESSORS[_known(codec)](data, level_of(codec, level))


def decompress(codec: int, data: Buffer, limit: int | None = None, *, magic: int = 2) -> Buffer:
    """What was compressed, `DEFAULT_LIMIT` bytes at most unless told otherwise.

    `magic` is the format of the batch that holds the data: LZ4 was written differently in the oldest.
    """
    unpacked = unpack(codec, data, limit, magic=magic)
    if unpacked.fault is not None:
        raise unpacked.fault
    return unpacked.data


def unpack(codec: int, data: Buffer, limit: int | None = None, *, magic: int = 2) -> Unpacked:
    """Like `decompress`, for readers that judge what came out before the fault that ended it, as Kafka's do."""
    codec = _known(codec)
    limit = DEFAULT_LIMIT if limit is None else limit
    try:
        if codec == GZIP:
            return Unpacked(*gzip.decompress(data, limit))
        if codec == SNAPPY:
            return Unpacked(*snappy.decompress(data, limit))
        if codec == LZ4:
            return Unpacked(*lz4.decompress(data, limit, check_header=magic > 0))
        if codec == ZSTD:
            return Unpacked(*zstd.decompress(data, limit))
    except MessageTooLarge:
        raise MessageTooLarge(
            f"{len(data)} bytes of {NAMES[codec]} hold more than {limit} bytes: raise the limit if the sender is to be trusted"
        ) from None
    if len(data) > limit:
        raise MessageTooLarge(f"{len(data)} bytes are more than the limit of {limit}: raise the limit if the sender is to be trusted")
    return Unpacked(data, None)


def _known(codec: int) -> int:
    if 0 <= codec < len(NAMES):
        return codec
    raise UnsupportedCompressionType(f"compression codec {codec} does not exist: the batch is damaged, or of a newer Kafka")
