"""Our codecs and the libraries that clients in Python use read one another."""

import gzip

import lz4.frame
import pytest
import snappy
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tidemill.errors import CorruptMessage
from tidemill.records.compression import GZIP, LZ4, SNAPPY, ZSTD, compress, decompress

pytestmark = pytest.mark.peer

CONTENT = st.binary(max_size=2000) | st.builds(
    lambda piece, times: piece * times, st.binary(min_size=1, max_size=300), st.integers(1, 1000)
)


@given(content=CONTENT, level=st.integers(1, 9))
def test_gzip(content: bytes, level: int) -> None:
    assert decompress(GZIP, gzip.compress(content, level)) == content
    assert gzip.decompress(compress(GZIP, content, level)) == content


@given(content=CONTENT)
def test_raw_snappy(content: bytes) -> None:
    """Some clients send one raw block, without the framing of snappy-java; Kafka reads it."""
    assert decompress(SNAPPY, snappy.compress(content)) == content


@given(content=CONTENT)
def test_snappy_in_blocks(content: bytes) -> None:
    framed = compress(SNAPPY, content)
    at, blocks = 16, []
    while at < len(framed):
        size = int.from_bytes(framed[at : at + 4], "big")
        blocks.append(snappy.uncompress(framed[at + 4 : at + 4 + size]))
        at += 4 + size
    assert b"".join(blocks) == content


@given(
    content=CONTENT,
    block_size=st.sampled_from([4, 5, 6, 7]),
    level=st.integers(-3, 12),
    content_checksum=st.booleans(),
    block_checksum=st.booleans(),
    store_size=st.booleans(),
)
def test_lz4(content: bytes, block_size: int, level: int, content_checksum: bool, block_checksum: bool, store_size: bool) -> None:
    frame = lz4.frame.compress(
        content,
        compression_level=level,
        block_size=block_size,
        block_linked=False,
        content_checksum=content_checksum,
        block_checksum=block_checksum,
        store_size=store_size,
    )
    assert decompress(LZ4, frame) == content
    assert lz4.frame.decompress(compress(LZ4, content)) == content


@given(level=st.integers(1, 17))
def test_lz4_with_the_levels_of_kafka(level: int) -> None:
    content = bytes(range(256)) * 1000
    assert lz4.frame.decompress(compress(LZ4, content, level)) == content


def test_linked_blocks_of_lz4_are_refused_as_by_kafka() -> None:
    frame = lz4.frame.compress(bytes(range(256)) * 1000, block_size=lz4.frame.BLOCKSIZE_MAX64KB, block_linked=True)
    with pytest.raises(CorruptMessage, match="depend on one another"):
        decompress(LZ4, frame)


@given(content=CONTENT, level=st.integers(-5, 12), checksum=st.booleans(), size=st.booleans())
def test_zstd(content: bytes, level: int, checksum: bool, size: bool) -> None:
    compressor = zstandard.ZstdCompressor(level=level, write_checksum=checksum, write_content_size=size)
    assert decompress(ZSTD, compressor.compress(content)) == content
    assert zstandard.ZstdDecompressor().decompressobj().decompress(compress(ZSTD, content, level)) == content
