"""What may stand in a record: the values that users give, made plain, and what others wrote, made sense of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

CONTROL_TYPES = ("ABORT", "COMMIT", "LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER", "KRAFT_VERSION", "KRAFT_VOTERS")

Headers: TypeAlias = Mapping[str, bytes | None] | Iterable[tuple[str, bytes | None]]


def as_bytes(value: object, what: str) -> bytes:
    """`value` as bytes. `TypeError` unless it is bytes-like."""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    raise TypeError(f"{what} must be bytes or None, not {type(value).__name__}: serialize it first")


def as_int64(value: object, what: str) -> int:
    return _as_int(value, what, 64)


def as_int32(value: object, what: str) -> int:
    return _as_int(value, what, 32)


def _as_int(value: object, what: str, bits: int) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{what} must be an int, not {type(value).__name__}")
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{what} is {value}, which does not fit into {bits} bits")
    return int(value)


def plain_headers(headers: Headers) -> tuple[tuple[str, bytes | None], ...]:
    """Headers, a mapping or pairs, as a tuple of (name, bytes or None): nothing in it that could refer back to a record."""
    pairs = []
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        if not isinstance(name, str):
            raise TypeError(f"a header's name must be a str, not {type(name).__name__}")
        pairs.append((str(name), value if value is None else as_bytes(value, f"header {name!r}")))
    return tuple(pairs)


def encoded_name(name: str) -> bytes:
    """A header's name in UTF-8. A lone surrogate, which UTF-8 has no place for, becomes a question mark, as in Java."""
    return name.encode(errors="replace")


def header_name(name: bytes) -> str:
    """A header's name. Bytes that are not UTF-8 become replacement characters, as many as in Java: half a surrogate pair is one mistake."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        import re  # not worth its time where every name is sound

        return re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]?", "\N{REPLACEMENT CHARACTER}".encode(), name).decode(errors="replace")


def control_type(key: bytes | None) -> str | None:
    """What a control record says: its key is a version and a type, both int16. None where the key is none of a control record."""
    if key is None or len(key) < 4 or key[0] > 0x7F:
        return None
    number = key[2] << 8 | key[3]
    return CONTROL_TYPES[number] if number < len(CONTROL_TYPES) else "UNKNOWN"
