"""The entries of a transaction index (`.txnindex`): which transactions of a segment were aborted.

    version int16 (0), producer id int64, first offset int64, last offset int64, last stable offset int64

All big-endian, one entry after another. A broker gives the entries that a fetched range touches to consumers that read committed
records only.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct
from struct import error as struct_error
from typing import NamedTuple

from tidemill.errors import CorruptMessage
from tidemill.records.header import Buffer

VERSION = 0

_ENTRY = Struct(">hqqqq")
ENTRY_SIZE = _ENTRY.size


class AbortedTransaction(NamedTuple):
    """A transaction that was aborted: its producer, the offset of its first record and that of its marker.

    `last_stable_offset` is where the last stable offset stood once the marker had been written.
    """

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int
    version: int = VERSION


def decode_aborted(data: Buffer) -> list[AbortedTransaction]:
    """The entries of a transaction index. `CorruptMessage` where the last one is torn, or one is of a version unknown here.

    >>> decode_aborted(encode_aborted([AbortedTransaction(producer_id=7, first_offset=10, last_offset=12, last_stable_offset=13)]))
    [AbortedTransaction(producer_id=7, first_offset=10, last_offset=12, last_stable_offset=13, version=0)]
    """
    data = memoryview(data).cast("B")
    torn = len(data) % ENTRY_SIZE
    if torn:
        raise CorruptMessage(f"the last entry of a transaction index, at byte {len(data) - torn}, has {torn} of {ENTRY_SIZE} bytes")
    entries = []
    for number, (version, producer_id, first_offset, last_offset, last_stable_offset) in enumerate(_ENTRY.iter_unpack(data)):
        if version != VERSION:
            raise CorruptMessage(f"entry {number} of a transaction index has version {version}: only {VERSION} can be read")
        entries.append(AbortedTransaction(producer_id, first_offset, last_offset, last_stable_offset, version))
    return entries


def encode_aborted(transactions: Iterable[AbortedTransaction]) -> bytes:
    """The bytes of a transaction index with these entries."""
    out = bytearray()
    for entry in transactions:
        try:
            out += _ENTRY.pack(entry.version, entry.producer_id, entry.first_offset, entry.last_offset, entry.last_stable_offset)
        except struct_error as error:
            raise ValueError(f"{entry} does not fit a transaction index: {error}") from None
    return bytes(out)
