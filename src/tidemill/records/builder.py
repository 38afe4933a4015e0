"""The batch that a producer fills: append until it is full, close it, send it.

Rules kept here:

- `append` neither waits nor compresses. What is long, the checksum and the compression, happens in `close` and gives up the GIL.
- How much a compressed batch will take up is not known before; it is guessed from the ratio that the caller has seen so far, with
  Kafka's margin of 5 per cent.
"""

from __future__ import annotations

from tidemill.records._writing import Writer
from tidemill.records.header import (
    CONTROL,
    HEADER_SIZE,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    TRANSACTIONAL,
    BatchHeader,
    codec_of,
    finish,
    seal,
)

COMPRESSION_MARGIN = 1.05


class BatchBuilder(Writer):
    """A batch that grows record by record.

    >>> from tidemill.records import BatchBuilder, decode
    >>> builder = BatchBuilder(limit=16384)
    >>> builder.append(1_700_000_000_000, None, b"first"), builder.append(1_700_000_000_001, b"k", b"second")
    (0, 1)
    >>> batch = builder.close(producer_id=7, producer_epoch=0, base_sequence=0)
    >>> [record.value for record in decode(batch)[0].records]
    [b'first', b'second']
    """

    __slots__ = ("codec",)

    def __init__(self, limit: int = 16384, compression: str = "none", compression_ratio: float = 1.0) -> None:
        """`limit`: the size in bytes from which a batch takes no more records. `compression_ratio`: what compression leaves of a byte."""
        self.codec = codec_of(compression)
        super().__init__(limit, compression_ratio * COMPRESSION_MARGIN if self.codec else 1.0)

    def close(
        self,
        *,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        transactional: bool = False,
        control: bool = False,
        level: int | None = None,
    ) -> bytearray:
        """The finished batch, compressed where that was asked for, at offset 0. Nothing more can be added."""
        if self.count == 0:
            raise ValueError("a batch without records is not sent")
        header = BatchHeader(
            attributes=self.codec | TRANSACTIONAL * transactional | CONTROL * control,
            last_offset_delta=self.count - 1,
            base_timestamp=self.base_timestamp,
            max_timestamp=self.max_timestamp,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
            count=self.count,
        )
        if self.codec:
            from tidemill.records.compression import compress

            return seal(header, compress(self.codec, self.section(), level))
        buffer = self.take()
        finish(header, buffer)
        return buffer

    def section(self) -> bytearray:
        """The records alone, not compressed. Nothing more can be added."""
        buffer = self.take()
        del buffer[:HEADER_SIZE]
        return buffer
