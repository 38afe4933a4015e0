"""What Kafka's sticky assignors add to a subscription, as bytes.

- `sticky`: the partitions owned, by topic, then the generation in which the member got them; its oldest layout ends before the
  generation. Bytes that are neither say as much as a member that owns nothing.
- `cooperative-sticky`: the generation alone; what is owned stands in the subscription itself.
- Any bytes are read without an error, as Kafka does: they come from another member, and the group must go on.
"""

import struct

from tidemill.assignors.model import NO_GENERATION, Claims, UserData

_INT16 = struct.Struct(">h")
_INT32 = struct.Struct(">i")


def encode_sticky(owned: Claims, generation: int) -> bytes:
    """In the latest layout.

    >>> encode_sticky({"t0": [2]}, 5).hex(" ", -4)
    '00000001 00027430 00000001 00000002 00000005'
    """
    parts = [_INT32.pack(len(owned))]
    for topic, partitions in owned.items():
        name = topic.encode()
        parts += [_INT16.pack(len(name)), name, struct.pack(f">i{len(partitions)}i", len(partitions), *partitions)]
    return b"".join([*parts, _INT32.pack(generation)])


def decode_sticky(data: bytes | memoryview | None) -> UserData | None:
    """`None` where there is none.

    >>> decode_sticky(encode_sticky({"t0": [0, 2]}, 5)).owned
    {'t0': [0, 2]}
    """
    if not data:
        return None
    try:
        owned, end = _read_owned(data)
    except (struct.error, ValueError):
        return UserData(generation=NO_GENERATION)
    return UserData(owned=owned, generation=_INT32.unpack_from(data, end)[0] if len(data) - end >= 4 else None)


def encode_cooperative(generation: int) -> bytes:
    return _INT32.pack(generation)


def decode_cooperative(data: bytes | memoryview | None) -> UserData | None:
    """`None` where there is none; too few bytes tell no generation."""
    if data is None:
        return None
    return UserData(generation=_INT32.unpack_from(data)[0] if len(data) >= 4 else NO_GENERATION)


def _read_owned(data: bytes | memoryview) -> tuple[dict[str, list[int]], int]:
    """What is owned, and where it ends. A count or length beyond the end is a `struct.error` before anything is made for it."""
    owned: dict[str, list[int]] = {}
    (topics,) = _INT32.unpack_from(data)
    _refuse_negative(topics)
    at = 4
    for _ in range(topics):
        (length,) = _INT16.unpack_from(data, at)
        _refuse_negative(length)
        (name,) = struct.unpack_from(f"{length}s", data, at + 2)
        at += 2 + length
        (count,) = _INT32.unpack_from(data, at)
        _refuse_negative(count)
        owned.setdefault(str(name, "utf-8", "replace"), []).extend(struct.unpack_from(f">{count}i", data, at + 4))
        at += 4 + 4 * count
    return owned, at


def _refuse_negative(count: int) -> None:
    if count < 0:
        raise ValueError(f"a count of {count}")
