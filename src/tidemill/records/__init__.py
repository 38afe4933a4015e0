"""Record batches: what Kafka stores and sends.

    >>> from tidemill.records import Batch, Record, decode, encode
    >>> data = encode(Batch.of([Record(key=b"k", value=b"v", timestamp=1_700_000_000_000)]))
    >>> decode(data)[0].records
    [Record(offset=0, timestamp=1700000000000, key=b'k', value=b'v')]

Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidemill.records.aborted import AbortedTransaction as AbortedTransaction
    from tidemill.records.aborted import decode_aborted as decode_aborted
    from tidemill.records.aborted import encode_aborted as encode_aborted
    from tidemill.records.appending import Appended as Appended
    from tidemill.records.appending import append as append
    from tidemill.records.appending import validate_produce as validate_produce
    from tidemill.records.arrow import to_arrow as to_arrow
    from tidemill.records.arrow_rows import from_arrow as from_arrow
    from tidemill.records.batch import Batch as Batch
    from tidemill.records.batch import Record as Record
    from tidemill.records.builder import BatchBuilder as BatchBuilder
    from tidemill.records.compaction import Compacted as Compacted
    from tidemill.records.compaction import compact as compact
    from tidemill.records.decoding import decode as decode
    from tidemill.records.encoding import encode as encode
    from tidemill.records.validation import TopicRules as TopicRules
    from tidemill.records.validation import read_through as read_through

_HOME = {
    "AbortedTransaction": "aborted",
    "Appended": "appending",
    "Batch": "batch",
    "BatchBuilder": "builder",
    "Compacted": "compaction",
    "Record": "batch",
    "TopicRules": "validation",
    "append": "appending",
    "compact": "compaction",
    "decode": "decoding",
    "decode_aborted": "aborted",
    "encode": "encoding",
    "encode_aborted": "aborted",
    "from_arrow": "arrow_rows",
    "read_through": "validation",
    "to_arrow": "arrow",
    "validate_produce": "appending",
}
__all__ = sorted(_HOME)


if not TYPE_CHECKING:  # a checker that saw this would take any name for one that is there

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
