"""Decompressing, each codec up to a limit. The first byte chooses the codec, its highest bit the oldest message format."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fuzz.mutation import Step
from fuzz.target import Target, after_settings, exactly
from tidemill.errors import CorruptMessage, MessageTooLarge, TidemillError
from tidemill.records import compression

LIMIT = 1 << 20
LARGEST_TO_COMPRESS = 1 << 16
CODECS = len(compression.NAMES)


def decompress(data: bytes) -> None:
    settings, packed = data[0] if data else 0, data[1:]
    codec = settings % 0x80 % CODECS
    content = compression.decompress(codec, exactly(packed), LIMIT, magic=0 if settings & 0x80 else 2)
    assert len(content) <= LIMIT
    if len(content) <= LARGEST_TO_COMPRESS:
        assert compression.decompress(codec, compression.compress(codec, content), LIMIT) == content


def seeds() -> Iterator[bytes]:
    random = Random(431)
    texts = (b"", b"a", b"to be or not to be " * 60, random.randbytes(300), bytes(70_000), b"abc" * 30_000 + random.randbytes(40_000))
    for codec in range(CODECS):
        for text in texts:
            packed = compression.compress(codec, text)
            if len(packed) < 20_000:
                yield bytes((codec,)) + packed
                yield bytes((codec,)) + packed * 2


def within(packed: bytes, random: Random, step: Step) -> bytes:
    """Now and then what is in the data is changed, and packed again: of random changes to packed data few get past the first block."""
    if random.random() < 0.2:
        codec = random.randrange(CODECS)
        try:
            return compression.compress(codec, step(bytes(compression.decompress(codec, packed, LARGEST_TO_COMPRESS))))
        except TidemillError:
            pass
    return step(packed)


TARGETS = (
    Target(
        name="compression",
        run=decompress,
        refusals=(CorruptMessage, MessageTooLarge),
        seeds=seeds,
        shape=after_settings(1, within),
        content_limit=LIMIT,
    ),
)
