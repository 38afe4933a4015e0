"""Headers of a record: a name and bytes, in order, names may repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def plain_headers(headers: Mapping[str, bytes | None] | Iterable[tuple[str, bytes | None]]) -> tuple[tuple[str, bytes | None], ...]:
    """Headers, a mapping or pairs, as a tuple of (name, bytes or None): nothing that could hold a record, and with it a cycle."""
    pairs = []
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        if type(name) is not str:
            raise TypeError(f"a header's name is a str, not {type(name).__name__}")
        if value is not None and type(value) is not bytes:
            raise TypeError(f"the value of header {name!r} is bytes or None, not {type(value).__name__}")
        pairs.append((name, value))
    return tuple(pairs)


def header_name(name: bytes) -> str:
    """A header's name. Bytes that are not UTF-8 become replacement characters, as many of them as Java makes: a surrogate is one mistake."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        import re  # not worth its time where every name is sound

        return re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]?", "\N{REPLACEMENT CHARACTER}".encode(), name).decode(errors="replace")
