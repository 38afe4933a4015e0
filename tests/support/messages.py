"""Random messages of every name and version, built from the facts in the generated classes.

`RandomMessages` draws from any `random.Random`, so a seed, a fuzzer's bytes or hypothesis (`st.randoms()`) can drive it.
"""

from random import Random
from typing import Any, TypeVar

from tidemill.wire.message import Message, Struct
from tidemill.wire.messages import MODULES
from tidemill.wire.registry import message_class
from tidemill.wire.schema import Field, fields
from tidemill.wire.uuids import ZERO_UUID, Uuid

StructType = TypeVar("StructType", bound=Struct)

_BITS = {"int8": (7, True), "int16": (15, True), "uint16": (16, False), "int32": (31, True), "uint32": (32, False), "int64": (63, True)}
_STRINGS = ["", "a", "orders", "naïve café", "日本語", "x\0y", "\U0001f600", "z" * 127, "ü" * 100, "w" * 400]
_FLOATS = [0.0, -0.0, 1.0, -1.5, 1e300, 5e-324, 0.1]


def versions_of(name: str) -> range:
    cls = message_class(name)
    return range(cls.MIN_VERSION, cls.MAX_VERSION + 1)


def every_version() -> list[tuple[str, int]]:
    """All pairs of a message's name and one of its versions."""
    return [(name, version) for name in MODULES for version in versions_of(name)]


def structs_of(cls: type[Struct]) -> list[type[Struct]]:
    """A struct and all that it contains."""
    found = [cls]
    for field in fields(cls):
        if field.struct is not None:
            found += [struct for struct in structs_of(field.struct) if struct not in found]
    return found


class RandomMessages:
    """Draws messages. `largest` bounds the elements of an array; `unknown_tags` says whether there are tagged fields nobody knows."""

    def __init__(self, random: Random, largest: int = 3, unknown_tags: bool = True) -> None:
        self._random = random
        self._largest = largest
        self._unknown_tags = unknown_tags

    def message(self, name: str, version: int) -> Message:
        cls = message_class(name)
        return self.struct(cls, version, cls.is_flexible(version))

    def struct(self, cls: type[StructType], version: int, flexible: bool) -> StructType:
        """A struct that this version can hold without loss: what the version lacks stays at its default."""
        struct = cls()
        for field in fields(cls):
            if field.versions.has(version):
                setattr(struct, field.attribute, self._value(field, version, flexible))
        if flexible and self._unknown_tags and self._random.random() < 0.2:
            known = {field.tag for field in fields(cls)}
            tags = {self._random.choice([100, 127, 128, 10_000, 2**31, 2**32 - 1]) for _ in range(self._random.randint(1, 3))}
            struct.unknown_tagged_fields = {tag: self._bytes() for tag in sorted(tags) if tag not in known}  # type: ignore[attr-defined]
        return struct

    def _value(self, field: Field, version: int, flexible: bool) -> Any:
        if field.nullable.has(version) and self._random.random() < 0.2:
            return None
        if field.tag is not None and self._random.random() < 0.4:
            return field.default()
        if field.is_array:
            return [self._element(field, version, flexible) for _ in range(self._random.randint(0, self._largest))]
        return self._element(field, version, flexible)

    def _element(self, field: Field, version: int, flexible: bool) -> Any:
        if field.struct is not None:
            return self.struct(field.struct, version, flexible)
        kind = field.element_type
        if kind in _BITS:
            return self._integer(*_BITS[kind])
        if kind == "bool":
            return self._random.random() < 0.5
        if kind == "string":
            return self._random.choice(_STRINGS)
        if kind == "uuid":
            return ZERO_UUID if self._random.random() < 0.2 else Uuid(self._random.randrange(2**128).to_bytes(16, "big"))
        if kind == "float64":
            return self._random.choice(_FLOATS)
        return self._bytes()

    def _integer(self, bits: int, signed: bool) -> int:
        highest = (1 << bits) - 1
        lowest = -(1 << bits) if signed else 0
        edges = [lowest, highest, 0, 1, -1 if signed else 1, 127, min(128, highest)]
        return self._random.choice(edges) if self._random.random() < 0.5 else self._random.randint(lowest, highest)

    def _bytes(self) -> bytes:
        size = self._random.choice([0, 1, 5, 126, 127, 128, 300, 3_000])
        return bytes(self._random.randrange(256) for _ in range(min(size, 8))) + bytes(max(size - 8, 0))
