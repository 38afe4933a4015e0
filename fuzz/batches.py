"""Record batches as the mutations see them: taken apart without judging, and put together again with lengths and checksums that are right.

Only so do inputs get past the first check. All of it is lenient, since what it is given was mutated before: what cannot be taken apart is
left as it is. It knows the formats by itself and takes only the codecs from tidemill.
"""

from __future__ import annotations

from random import Random
from zlib import crc32

from crc32c import crc32c

from fuzz.mutation import Step, varint
from tidemill.errors import TidemillError
from tidemill.records.compression import compress, decompress

ENTRY = 12  # offset and length, which begin a batch and a message alike
MAGIC_AT = 16
HEADER = 61
CRC_AT, ATTRIBUTES_AT, COUNT_AT = 17, 21, 57
CODECS = 5
LARGEST_CONTENT = 1 << 16


def split(data: bytes) -> list[bytes]:
    """Batches and messages by the lengths that they state; what is left over is the last piece."""
    pieces = []
    at = 0
    while len(data) - at > MAGIC_AT:
        size = ENTRY + int.from_bytes(data[at + 8 : at + 12], "big")
        if size > len(data) - at or size <= MAGIC_AT:
            break
        pieces.append(data[at : at + size])
        at += size
    return [*pieces, data[at:]] if at < len(data) else pieces


def repair(piece: bytes) -> bytes:
    """The same batch or message with its own length and a checksum that is right."""
    if len(piece) <= MAGIC_AT:
        return piece
    fixed = bytearray(piece)
    fixed[8:12] = (len(piece) - ENTRY).to_bytes(4, "big")
    if piece[MAGIC_AT] < 2:
        fixed[12:16] = crc32(piece[MAGIC_AT:]).to_bytes(4, "big")
    elif len(piece) >= ATTRIBUTES_AT:
        fixed[CRC_AT : CRC_AT + 4] = crc32c(piece[ATTRIBUTES_AT:]).to_bytes(4, "big")
    return bytes(fixed)


def reshape(data: bytes, random: Random, step: Step) -> bytes:
    """Mutates one batch of several: its header, the records in it, or just bytes. Mostly its checksum is right afterwards."""
    pieces = split(data)
    if not pieces or random.random() < 0.1:
        return step(data)
    chosen = random.randrange(len(pieces))
    piece = pieces[chosen]
    if random.random() < 0.3:
        piece = step(piece)
    elif len(piece) > MAGIC_AT and piece[MAGIC_AT] < 2:
        piece = _reshape_message(piece, random, step)
    else:
        piece = _reshape_batch(piece, random, step)
    if random.random() < 0.85:
        piece = repair(piece)
    if random.random() < 0.05:
        pieces.insert(random.randrange(len(pieces) + 1), piece)
    pieces[chosen] = piece
    return b"".join(pieces)


def _reshape_batch(piece: bytes, random: Random, step: Step) -> bytes:
    header, section = bytearray(piece[:HEADER].ljust(HEADER, b"\0")), piece[HEADER:]
    if random.random() < 0.3:
        return step(bytes(header))[:HEADER].ljust(HEADER, b"\0") + section
    codec, section = _content(header[ATTRIBUTES_AT + 1] % 8, section)
    records = split_section(section)
    if records and random.random() < 0.6:
        reshape_records(records, random, step)
        section = b"".join(varint(len(record)) + record for record in records)
        if random.random() < 0.9:
            header[COUNT_AT:HEADER] = len(records).to_bytes(4, "big")
            header[23:27] = (len(records) - 1).to_bytes(4, "big", signed=True)
    else:
        section = step(section)
    if random.random() < 0.1:
        codec = random.randrange(CODECS)
    header[ATTRIBUTES_AT + 1] = header[ATTRIBUTES_AT + 1] & 0xF8 | codec
    return bytes(header) + compress(codec, section)


def reshape_records(records: list[bytes], random: Random, step: Step) -> None:
    at = random.randrange(len(records))
    choice = random.random()
    if choice < 0.7:
        records[at] = step(records[at])
    elif choice < 0.8:
        records.insert(random.randrange(len(records) + 1), records[at])
    elif choice < 0.9:
        del records[at]
    else:
        records[at:at] = [records[at]] * random.choice((1, 2, 2, 5, 30, 500))


def _reshape_message(piece: bytes, random: Random, step: Step) -> bytes:
    """A message of magic 0 or 1; of a wrapper mostly what is in it."""
    value_at = _value_of_message(piece)
    if value_at > len(piece):
        return piece[:MAGIC_AT] + step(piece[MAGIC_AT:])
    codec, inner = _content(piece[MAGIC_AT + 1] % 8, piece[value_at:])
    if codec == 0 or random.random() < 0.3:
        return piece[:MAGIC_AT] + step(piece[MAGIC_AT:])
    packed = compress(codec, reshape(inner, random, step))
    return piece[: value_at - 4] + len(packed).to_bytes(4, "big") + packed


def _value_of_message(piece: bytes) -> int:
    """Where the value of a message begins, behind its length."""
    at = MAGIC_AT + 2 + (8 if piece[MAGIC_AT] == 1 else 0)
    key_size = int.from_bytes(piece[at : at + 4], "big", signed=True)
    return at + 4 + max(key_size, 0) + 4


def _content(codec: int, packed: bytes) -> tuple[int, bytes]:
    """What is in there; codec 0 where it cannot be unpacked."""
    try:
        return codec, bytes(decompress(codec, packed, LARGEST_CONTENT))
    except TidemillError:
        return 0, packed


def split_section(section: bytes) -> list[bytes]:
    """The records of a section by the lengths that they state, without these; what is left over is dropped."""
    records = []
    at = 0
    while at < len(section):
        size, start = read_varint(section, at)
        if not 0 <= size <= len(section) - start:
            break
        records.append(section[start : start + size])
        at = start + size
    return records


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    raw = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        at += 1
        raw |= (byte & 0x7F) << shift
        if byte < 0x80:
            return raw >> 1 ^ -(raw & 1), at
        shift += 7
    return -1, at
