"""Messages in Kafka's JSON form, the one of its own converters and tools: plain data in, plain data out.

- Keys are the schema's names with a small first letter. Fields that the version lacks are absent, and so are tagged fields at
  their default; every other field is there, and has to be there for encoding.
- `bytes` and `records` are base64 with padding, uuids Kafka's 22 characters, numbers numbers; those that JSON has none for are
  `"NaN"`, `"Infinity"` and `"-Infinity"`.
- Tagged fields that are not known have no place in it. The classes keep them.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping
from math import inf, isfinite, nan
from typing import Any, TypeVar

from tidemill.errors.base import ProtocolError
from tidemill.wire.faults import first_fault
from tidemill.wire.message import Message, Struct
from tidemill.wire.registry import message_class
from tidemill.wire.schema import Field, fields
from tidemill.wire.uuids import Uuid

_StructType = TypeVar("_StructType", bound=Struct)
_NOT_FINITE = {"NaN": nan, "Infinity": inf, "-Infinity": -inf}


def decode(name: str, version: int, data: bytes | bytearray | memoryview) -> dict[str, Any]:
    """Any message of Kafka by its name, from the bytes of its body to plain data.

    >>> decode("HeartbeatResponse", 1, bytes(6))
    {'throttleTimeMs': 0, 'errorCode': 0}
    """
    cls = _class(name, version)
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ProtocolError(f"cannot decode {name} version {version}: bytes are needed, not {type(data).__name__}")
    return to_json(cls.decode(version, data), version)


def encode(name: str, version: int, mapping: Mapping[str, Any]) -> bytes:
    """The same form back to bytes. What does not fit raises `ProtocolError`, which names the field.

    >>> encode("HeartbeatResponse", 1, {"throttleTimeMs": 0, "errorCode": 27}).hex()
    '00000000001b'
    """
    cls = _class(name, version)
    try:
        message = from_json(cls, version, mapping)
    except _Misfit as misfit:
        raise ProtocolError(f"cannot encode {name} version {version}: {misfit}") from None
    try:
        return message.encode(version)
    except ProtocolError as error:
        raise first_fault(message, version, error, json_names=True) from None


def _class(name: str, version: int) -> type[Message]:
    cls = message_class(name)
    if type(version) is not int:
        raise ProtocolError(f"the version of {name} has to be a number, not {version!r}")
    cls.check_version(version)
    return cls


def to_json(struct: Struct, version: int) -> dict[str, Any]:
    result = {}
    for field in fields(type(struct)):
        if field.versions.has(version):
            value = getattr(struct, field.attribute)
            if field.tag is None or value != field.default():
                result[field.name] = _plain(field, value, version)
    return result


def _plain(field: Field, value: Any, version: int) -> Any:
    if value is None:
        return None
    if field.is_array:
        return [_plain_element(field, element, version) for element in value]
    return _plain_element(field, value, version)


def _plain_element(field: Field, value: Any, version: int) -> Any:
    if field.struct is not None:
        return to_json(value, version)
    if field.element_type in ("bytes", "records"):
        return b64encode(value).decode()
    if field.element_type == "uuid":
        return str(value)
    if field.element_type == "float64" and not isfinite(value):
        return next(name for name, number in _NOT_FINITE.items() if str(number) == str(value))
    return value


class _Misfit(Exception):
    """What cannot be part of a message, and where: the path grows on the way out."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem, path)
        self.problem = problem
        self.path = path

    def inside(self, step: str) -> _Misfit:
        dot = "." if self.path and not self.path.startswith("[") else ""
        return _Misfit(self.problem, step + dot + self.path)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem


def from_json(cls: type[_StructType], version: int, mapping: Mapping[str, Any]) -> _StructType:
    """The struct that the mapping describes. Ranges and nulls are left for the encoder to check."""
    if not isinstance(mapping, Mapping):
        raise _Misfit(f"a mapping is needed, not {type(mapping).__name__}")
    struct = cls()
    known = fields(cls)
    for field in known:
        if field.name in mapping:
            try:
                setattr(struct, field.attribute, _object(field, mapping[field.name], version))
            except _Misfit as misfit:
                raise misfit.inside(field.name) from None
        elif field.tag is None and field.versions.has(version):
            raise _Misfit("is missing, and has to be there in this version", field.name)
    names = {field.name for field in known}
    for name in mapping:
        if name not in names:
            raise _Misfit(f"there is no such field{_suggestion(name, names)}", str(name))
    return struct


def _suggestion(name: object, names: set[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), sorted(names), n=1)
    return f": do you mean {near[0]!r}?" if near else ""


def _object(field: Field, value: Any, version: int) -> Any:
    if value is None:
        return None
    if not field.is_array:
        return _element(field, value, version)
    if not isinstance(value, list | tuple):
        raise _Misfit(f"a list is needed, not {type(value).__name__}")
    elements = []
    for index, element in enumerate(value):
        try:
            elements.append(_element(field, element, version))
        except _Misfit as misfit:
            raise misfit.inside(f"[{index}]") from None
    return elements


def _element(field: Field, value: Any, version: int) -> Any:
    if field.struct is not None:
        return from_json(field.struct, version, value)
    if field.element_type == "float64" and isinstance(value, str):
        return _NOT_FINITE.get(value, value)
    if field.element_type not in ("bytes", "records", "uuid"):
        return value
    if not isinstance(value, str):
        raise _Misfit(f"base64 text is needed, not {type(value).__name__}")
    try:
        return Uuid.from_text(value) if field.element_type == "uuid" else b64decode(value, validate=True)
    except (ValueError, binascii.Error) as error:
        raise _Misfit(f"{value!r}: {error}") from None
