"""The facts of a message's fields, as its generated class carries them: one line a field, in the order of `__slots__`.

    partitionMaxBytes int32 0+
    replicaDirectoryId uuid 17+ tag=0 ignorable

Name (in Kafka's JSON form), type, versions, and where it applies `nullable=` versions, `tag=`, `default=` in JSON, `ignorable`,
`view` (bytes that are not copied). They serve the JSON form and the search for what an encoder refused; encoding and decoding do
not look at them, so they are parsed when they are first asked for.
"""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple

from tidemill.wire.message import Struct
from tidemill.wire.uuids import ZERO_UUID

_NO_DEFAULT: dict[str, Any] = {"bool": False, "string": "", "uuid": ZERO_UUID, "bytes": b"", "records": None, "float64": 0.0}
_ENDLESS = 0x7FFF


class Versions(NamedTuple):
    """A range of versions, both ends included."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> Versions:
        """`3`, `4-18`, `12+`; `none` is an empty range."""
        if text == "none":
            return cls(0, -1)
        if text.endswith("+"):
            return cls(int(text[:-1]), _ENDLESS)
        first, _, last = text.partition("-")
        return cls(int(first), int(last or first))

    def has(self, version: int) -> bool:
        return self.first <= version <= self.last


class Field(NamedTuple):
    """What Kafka's schema says about one field. `attribute` is its name in Python."""

    name: str
    attribute: str
    kind: str
    versions: Versions
    nullable: Versions
    tag: int | None
    ignorable: bool
    view: bool
    #: The class of the struct, or of each element; `None` for primitive types.
    struct: type[Struct] | None
    #: The default in JSON, as the schema gives it; a field without one has the default of its type.
    given_default: str | None

    @property
    def is_array(self) -> bool:
        return self.kind.startswith("[]")

    @property
    def element_type(self) -> str:
        return self.kind.removeprefix("[]")

    def default(self) -> Any:
        """A new object with each call, where it is one that can be changed."""
        if self.given_default is not None:
            return json.loads(self.given_default)
        if self.is_array:
            return []
        if self.struct is not None:
            return self.struct()
        return _NO_DEFAULT.get(self.kind, 0)


_parsed: dict[type[Struct], tuple[Field, ...]] = {}


def fields(struct: type[Struct]) -> tuple[Field, ...]:
    """The fields of a struct in wire order, without the unknown tagged ones."""
    known = _parsed.get(struct)
    if known is None:
        attributes: tuple[str, ...] = struct.__slots__
        lines = [line for line in struct.SCHEMA.splitlines() if line.strip()]
        known = tuple(_field(struct, attribute, line) for attribute, line in zip(attributes, lines, strict=False))
        _parsed[struct] = known
    return known


def _field(owner: type[Struct], attribute: str, line: str) -> Field:
    name, kind, versions, *rest = line.split()
    options = dict(option.split("=", 1) for option in rest if "=" in option)
    element = kind.removeprefix("[]")
    return Field(
        name=name,
        attribute=attribute,
        kind=kind,
        versions=Versions.parse(versions),
        nullable=Versions.parse(options.get("nullable", "none")),
        tag=int(options["tag"]) if "tag" in options else None,
        ignorable="ignorable" in rest,
        view="view" in rest,
        struct=getattr(sys.modules[owner.__module__], element) if element[0].isupper() else None,
        given_default=options.get("default"),
    )
