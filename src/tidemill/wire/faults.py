"""Finds which field an encoder refused, once it has refused a message.

The writer's own methods are the judges here too, one field at a time, so that both always agree on what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tidemill.errors.base import ProtocolError
from tidemill.wire.message import Message, Struct
from tidemill.wire.schema import Field, fields
from tidemill.wire.writer import Unwritable, Writer

_METHODS = {"bool": "boolean", "bytes": "binary", "records": "binary"}
#: What goes wrong inside of an encoder when a value is not what its field can hold.
REFUSALS = (ValueError, TypeError, AttributeError, ArithmeticError, BufferError)


class Fault(NamedTuple):
    """A place in a message, such as `topics[3].partitions[0].index`, and what is wrong there."""

    path: str
    problem: str


def first_fault(message: Message, version: int, error: Exception, json_names: bool = False) -> ProtocolError:
    """The error for a message that cannot be encoded. Without a field to blame it says what the encoder said."""
    fault = next(_Search(version, message.is_flexible(version), json_names).struct(message), None)
    what = f"{fault.path}: {fault.problem}" if fault is not None else str(error)
    return ProtocolError(f"cannot encode {message.NAME} version {version}: {what}")


class _Search(NamedTuple):
    """Walks through a message, in one version of it, and yields what is wrong there."""

    version: int
    flexible: bool
    json_names: bool

    def struct(self, struct: Struct) -> Iterator[Fault]:
        for field in fields(type(struct)):
            name = field.name if self.json_names else field.attribute
            if not hasattr(struct, field.attribute):
                yield Fault(name, "has no value")
                continue
            value = getattr(struct, field.attribute)
            if field.versions.has(self.version):
                for fault in self._value(field, value):
                    yield Fault(name + fault.path, fault.problem)
            elif not field.ignorable and value != field.default():
                yield Fault(name, f"{value!r} would be lost, as this version has no such field")
        unknown = getattr(struct, "unknown_tagged_fields", None)
        problem = _refusal("unknown_tagged_fields", unknown, self.flexible)
        if problem:
            yield Fault("unknown_tagged_fields", problem)

    def _value(self, field: Field, value: Any) -> Iterator[Fault]:
        if value is None:
            if not field.nullable.has(self.version):
                yield Fault("", "null is not allowed")
        elif not field.is_array:
            yield from self._element(field, value)
        elif not isinstance(value, list | tuple):
            yield Fault("", f"a list is needed, not {type(value).__name__}")
        else:
            for index, element in enumerate(value):
                for fault in self._element(field, element):
                    yield Fault(f"[{index}]{fault.path}", fault.problem)

    def _element(self, field: Field, value: Any) -> Iterator[Fault]:
        if field.struct is None:
            problem = _refusal(_METHODS.get(field.element_type, field.element_type), value, self.flexible)
            if problem:
                yield Fault("", problem)
        elif type(value) is not field.struct:
            yield Fault("", f"a {field.struct.__name__} is needed, not {type(value).__name__}")
        else:
            for fault in self.struct(value):
                yield Fault(f".{fault.path}", fault.problem)


def _refusal(method: str, value: Any, flexible: bool) -> str | None:
    """What the writer says to the value; `None` if it takes it."""
    try:
        getattr(Writer(flexible), method)(value)
    except Unwritable as error:
        return str(error)
    except REFUSALS as error:
        return f"{value!r}: {error}"
    return None
