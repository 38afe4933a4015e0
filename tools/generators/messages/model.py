"""The messages of schemas/messages.json as objects, with the names that their classes and attributes have in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.generators.messages.versions import NONE, Versions

_WORD_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """`ThrottleTimeMs` → `throttle_time_ms`; `KRaft` is one word."""
    return _WORD_BOUNDARY.sub("_", name.replace("KRaft", "Kraft")).lower()


@dataclass
class FieldSpec:
    """One field of a struct, in the versions in which the struct is sent at all."""

    name: str
    type: str
    versions: Versions
    nullable: Versions
    tag: int | None
    ignorable: bool
    default: Any
    has_default: bool
    zero_copy: bool
    is_int16_string: bool
    versions_text: str
    nullable_text: str | None
    struct: StructSpec | None = None

    @property
    def attribute(self) -> str:
        return snake_case(self.name)

    @property
    def json_name(self) -> str:
        return self.name[0].lower() + self.name[1:]

    @property
    def is_array(self) -> bool:
        return self.type.startswith("[]")

    @property
    def element_type(self) -> str:
        return self.type.removeprefix("[]")

    @property
    def is_view(self) -> bool:
        """Whether decoding leaves the bytes where they lie."""
        return self.type == "records" or (self.type == "bytes" and self.zero_copy)


@dataclass
class StructSpec:
    """A struct: a whole message, or a part of one."""

    name: str
    versions: Versions
    flexible: Versions
    fields: list[FieldSpec]
    #: Where in the message it is found, such as `topics[].partitions[]`; empty for the message itself.
    path: str
    #: The class in Python, and the messages that share it.
    class_name: str = ""
    owners: str = ""

    @property
    def plain_fields(self) -> list[FieldSpec]:
        return [field for field in self.fields if field.tag is None]

    @property
    def tagged_fields(self) -> list[FieldSpec]:
        return sorted((field for field in self.fields if field.tag is not None), key=lambda field: field.tag or 0)

    @property
    def has_tags(self) -> bool:
        return bool(self.flexible & self.versions)


@dataclass
class MessageSpec:
    """A message: its own struct, and those inside it, each before the one that uses it."""

    name: str
    kind: str
    api_key: int | None
    used_in: str | None
    versions: Versions
    flexible: Versions
    struct: StructSpec
    parts: list[StructSpec] = field(default_factory=list)
    schema: dict[str, Any] = field(default_factory=dict)


class _Structs:
    """Builds the structs of one message. What several fields refer to is one struct, sent in the versions of all of them."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.flexible = Versions.parse(message.get("flexibleVersions"))
        self.common = {struct["name"]: struct for struct in message.get("commonStructs", [])}
        self.built: dict[str, StructSpec] = {}

    def build(self, name: str, fields: list[dict[str, Any]], versions: Versions, path: str) -> StructSpec:
        struct = self.built.get(name) or StructSpec(name, versions, self.flexible, [], path)
        struct.versions = versions.hull(struct.versions)
        struct.fields = [spec for spec in (self._field(raw, struct.versions, struct.path) for raw in fields) if spec.versions]
        self.built.pop(name, None)
        self.built[name] = struct  # behind what it uses
        return struct

    def _field(self, raw: dict[str, Any], within: Versions, path: str) -> FieldSpec:
        versions = Versions.parse(raw["versions"]) & within
        tagged = Versions.parse(raw.get("taggedVersions"))
        assert not tagged & versions or tagged.covers(versions), f"{raw['name']} is tagged in some of its versions only"
        spec = FieldSpec(
            name=raw["name"],
            type=raw["type"],
            versions=versions,
            nullable=Versions.parse(raw.get("nullableVersions")) & versions,
            tag=raw["tag"] if tagged & versions else None,
            ignorable=raw.get("ignorable", False),
            default=raw.get("default"),
            has_default="default" in raw,
            zero_copy=raw.get("zeroCopy", False),
            is_int16_string=raw.get("flexibleVersions") == "none",
            versions_text=raw["versions"],
            nullable_text=raw.get("nullableVersions"),
        )
        element = spec.element_type
        if element[0].isupper() and versions:
            fields = raw["fields"] if "fields" in raw else self.common[element]["fields"]
            place = f"{path}.{spec.attribute}".removeprefix(".") + ("[]" if spec.is_array else "")
            spec.struct = self.build(element, fields, versions, place)
        return spec


def _message(raw: dict[str, Any]) -> MessageSpec:
    structs = _Structs(raw)
    versions = Versions.parse(raw["validVersions"])
    # Built twice: a struct that several fields share is complete only when all of them have been seen.
    for _ in range(2):
        struct = structs.build(raw["name"], raw["fields"], versions, "")
    parts = list(structs.built.values())
    assert parts.pop() is struct
    return MessageSpec(
        raw["name"], raw["type"], raw.get("apiKey"), raw.get("usedIn"), versions, structs.flexible or NONE, struct, parts, raw
    )


def load(schemas: Path) -> tuple[str, list[MessageSpec]]:
    """Kafka's version and all messages, requests and responses first."""
    facts = json.loads((schemas / "messages.json").read_text(encoding="utf-8"))
    return facts["kafka"], [_message(raw) for raw in (*facts["rpc"], *facts["other"])]


def structs_of(messages: list[MessageSpec]) -> Iterator[tuple[MessageSpec, StructSpec]]:
    for message in messages:
        for struct in (*message.parts, message.struct):
            yield message, struct
