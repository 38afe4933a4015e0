"""R3: gzip, snappy, lz4 and zstd, in the framing of Apache Kafka, within a bound."""

import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import cramjam
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill.errors import CorruptMessage, MessageTooLarge, TidemillError, UnsupportedCompressionType
from tidemill.records import compression

CODECS = range(len(compression.NAMES))
COMPRESSING = [compression.GZIP, compression.SNAPPY, compression.LZ4, compression.ZSTD]
SIZES = [0, 1, 15, 32 * 1024 - 1, 32 * 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024]
HEADER_SIZE = 61


def some_bytes(size: int) -> bytes:
    """Half of it repeats, half does not: what a codec meets."""
    noise = zlib.compress(b"".join(number.to_bytes(8, "little") for number in range(size // 4 + 1)))[: size // 2]
    return (noise + b"abcdefgh" * (size // 8 + 1))[:size]


def compressed_sections() -> list[tuple[str, int, bytes]]:
    """The compressed records of every golden batch: the line's name, the codec and the bytes."""
    found = []
    for line in lines("records.jsonl"):
        data = bytes.fromhex(line["hex"])
        for batch in line["batches"]:
            if batch["magic"] == 2 and batch["compression"] != "none":
                section = data[batch["position"] + HEADER_SIZE : batch["position"] + batch["size"]]
                found.append((line["name"], compression.codec_of(batch["compression"]), section))
    return found


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("size", SIZES)
def test_what_is_compressed_comes_out_again(codec: int, size: int) -> None:
    data = some_bytes(size)
    assert compression.decompress(codec, compression.compress(codec, data)) == data


@pytest.mark.parametrize("codec", CODECS)
@given(data=st.binary(max_size=5000))
def test_any_bytes_come_out_again(codec: int, data: bytes) -> None:
    assert compression.decompress(codec, compression.compress(codec, memoryview(data))) == data


def test_lz4_is_written_byte_for_byte_as_kafka_writes_it() -> None:
    sections = [section for name, codec, section in compressed_sections() if codec == compression.LZ4 and "level" not in name]
    assert len(sections) > 20
    for section in sections:
        assert compression.compress(compression.LZ4, compression.decompress(compression.LZ4, section)) == section


@pytest.mark.parametrize("codec", COMPRESSING)
def test_what_kafka_compressed_is_read_and_written_again(codec: int) -> None:
    sections = [section for _, its_codec, section in compressed_sections() if its_codec == codec]
    assert len(sections) > 20
    for section in sections:
        content = compression.decompress(codec, section)
        assert len(content) > 6
        assert compression.decompress(codec, compression.compress(codec, content)) == content


@pytest.mark.parametrize("codec", CODECS)
def test_the_limit_is_exact(codec: int) -> None:
    data = some_bytes(200_000)
    packed = compression.compress(codec, data)
    assert compression.decompress(codec, packed, len(data)) == data
    with pytest.raises(MessageTooLarge, match=f"more than (the limit of )?{len(data) - 1}"):
        compression.decompress(codec, packed, len(data) - 1)


@pytest.mark.parametrize("codec", COMPRESSING)
@given(data=st.binary(max_size=300))
def test_arbitrary_bytes_are_content_or_one_typed_error(codec: int, data: bytes) -> None:
    with suppress(TidemillError):
        compression.decompress(codec, data, 1_000_000)


@pytest.mark.parametrize("codec", COMPRESSING)
@given(data=st.data())
def test_a_changed_byte_is_content_or_one_typed_error(codec: int, data: st.DataObject) -> None:
    packed = bytearray(compression.compress(codec, some_bytes(3000)))
    packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    with suppress(TidemillError):
        compression.decompress(codec, bytes(packed), 1_000_000)


@pytest.mark.parametrize("codec", COMPRESSING)
def test_data_cut_off_anywhere_are_an_error_or_less_content(codec: int) -> None:
    packed = compression.compress(codec, some_bytes(100))
    for end in range(1, len(packed)):
        try:
            content = compression.decompress(codec, packed[:end])
        except CorruptMessage:
            continue
        assert len(content) < 100


@pytest.mark.parametrize("codec", [5, 6, 7, -1, 100])
def test_unknown_codecs_are_refused(codec: int) -> None:
    with pytest.raises(UnsupportedCompressionType, match=f"codec {codec} does not exist"):
        compression.decompress(codec, b"")
    with pytest.raises(UnsupportedCompressionType, match=f"codec {codec} does not exist"):
        compression.compress(codec, b"")


def test_codecs_have_the_names_of_kafkas_setting() -> None:
    assert [compression.codec_of(name) for name in ("none", "gzip", "snappy", "lz4", "zstd")] == [0, 1, 2, 3, 4]
    with pytest.raises(UnsupportedCompressionType, match="'brotli' does not exist: choose one of none, gzip"):
        compression.codec_of("brotli")


@pytest.mark.parametrize(
    ("codec", "levels"),
    [(compression.GZIP, (-1, 1, 6, 9)), (compression.LZ4, (1, 9, 10, 17)), (compression.ZSTD, (-131072, -5, 0, 1, 3, 22))],
)
def test_every_level_of_kafka_can_be_chosen(codec: int, levels: tuple[int, ...]) -> None:
    data = some_bytes(100_000)
    for level in levels:
        assert compression.decompress(codec, compression.compress(codec, data, level)) == data


@pytest.mark.parametrize(
    ("codec", "level"),
    [(0, 1), (2, 1), (1, 0), (1, 10), (3, 0), (3, 18), (4, 23), (4, -131073)],
)
def test_levels_out_of_range_are_refused(codec: int, level: int) -> None:
    with pytest.raises(ValueError, match="level"):
        compression.compress(codec, b"data", level)


MEGABYTE = 1024 * 1024
LIMIT = 8 * MEGABYTE
CONSTANT = 2 * MEGABYTE

# In a process of its own, so that what the libraries allocate counts too, and nothing else does. The peak is Linux's own figure of
# the process: `getrusage` hands on that of the parent.
MEASURE = f"""
import pathlib, re, sys
from tidemill.errors import TidemillError
from tidemill.records import compression
codec, bomb = int(sys.argv[1]), sys.stdin.buffer.read()
compression.decompress(codec, compression.compress(codec, b"so that the library is loaded"))
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) * 1024
before = peak()
try:
    compression.decompress(codec, bomb, {LIMIT})
except TidemillError as error:
    print(type(error).__name__, peak() - before)
"""


def gzip_bomb() -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = stream.compress(bytes(16 * MEGABYTE)) + stream.flush(zlib.Z_FULL_FLUSH)
    return bytes.fromhex("1f8b08000000000000ff") + piece * 64


def zstd_bomb(window: int = 0x58) -> bytes:
    """A gigabyte of runs, four bytes each. A window of 0x88 is the largest that a reader takes, 128 MiB."""
    run = (128 * 1024 << 3 | 1 << 1).to_bytes(3, "little") + b"x"
    return bytes.fromhex("28b52ffd00") + bytes((window,)) + run * 8192


def lz4_bomb() -> bytes:
    """Blocks of 4 MiB, the largest."""
    block = bytes(cramjam.lz4.compress_block(bytes(4 * MEGABYTE), store_size=False))
    return bytes.fromhex("04224d18607073") + (len(block).to_bytes(4, "little") + block) * 256 + bytes(4)


SNAPPY_HEADER = bytes.fromhex("82534e41505059000000000100000001")


def snappy_bomb() -> bytes:
    """Blocks of 245,761 bytes, each a byte and then copies of 64 bytes."""
    block = bytes.fromhex("81800f0000") + bytes.fromhex("fe0100") * 3840
    return SNAPPY_HEADER + (len(block).to_bytes(4, "big") + block) * 4300


def snappy_that_claims_two_gigabytes() -> bytes:
    return SNAPPY_HEADER + (100_000).to_bytes(4, "big") + bytes.fromhex("ffffffff07") + bytes(99_995)


@pytest.mark.parametrize(
    ("codec", "bomb", "verdict"),
    [
        (compression.GZIP, gzip_bomb, "MessageTooLarge"),
        (compression.ZSTD, zstd_bomb, "MessageTooLarge"),
        (compression.ZSTD, partial(zstd_bomb, window=0x88), "MessageTooLarge"),
        (compression.LZ4, lz4_bomb, "MessageTooLarge"),
        (compression.SNAPPY, snappy_bomb, "MessageTooLarge"),
        (compression.SNAPPY, snappy_that_claims_two_gigabytes, "CorruptMessage"),
    ],
    ids=["gzip", "zstd", "zstd-window", "lz4", "snappy", "snappy-claim"],
)
def test_bombs_take_no_more_memory_than_the_limit(codec: int, bomb: Callable[[], bytes], verdict: str) -> None:
    """Each would be a gigabyte or more. Zstandard's decoder has a window beside its output, which can be as large."""
    if sys.platform != "linux":
        pytest.skip("the peak of a process alone is told by Linux")
    done = subprocess.run([sys.executable, "-c", MEASURE, str(codec)], input=bomb(), capture_output=True, check=True)
    error, grown = done.stdout.decode().split()
    assert error == verdict
    assert int(grown) <= LIMIT * (2 if codec == compression.ZSTD else 1) + CONSTANT
