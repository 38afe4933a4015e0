"""Emits one class: its docstring, slots, schema, `__init__`, `read` and `write`."""

from __future__ import annotations

import json

from tools.generators.messages import reading, writing
from tools.generators.messages.code import indented
from tools.generators.messages.model import FieldSpec, MessageSpec, StructSpec
from tools.generators.messages.values import class_name, default, element_hint, is_null_by_default, is_optional


def source(message: MessageSpec, struct: StructSpec) -> list[str]:
    is_message = struct is message.struct
    lines = [f"class {struct.class_name}({'Message' if is_message else 'Struct'}):"]
    lines += indented([f'"""{_summary(message, struct)}"""', ""])
    lines += indented(_slots(struct))
    if is_message:
        lines += indented(_constants(message))
    if struct.fields:
        lines += indented(_schema(struct))
    if struct.fields or struct.has_tags:
        lines += ["", *indented(_init(struct))]
    lines += ["", *indented(_read(struct)), "", *indented(_write(struct))]
    return lines


def _summary(message: MessageSpec, struct: StructSpec) -> str:
    if struct is not message.struct:
        return f"`{struct.path}` of {struct.owners}."
    if not message.versions:
        return "Removed from the protocol: no version of it is left."
    first, last = message.versions
    versions = f"version {first}" if first == last else f"versions {first} to {last}"
    if message.schema.get("latestVersionUnstable"):
        versions += f", of which {last} is not released"
    return f"{versions[0].upper()}{versions[1:]}."


def _slots(struct: StructSpec) -> list[str]:
    names = [spec.attribute for spec in struct.fields] + (["unknown_tagged_fields"] if struct.has_tags else [])
    if not names:
        return ["__slots__ = ()"]
    return ["__slots__ = (", *indented(f'"{name}",' for name in names), ")"]


def _constants(message: MessageSpec) -> list[str]:
    lines = [f'NAME = "{message.name}"']
    if message.api_key is not None:
        lines.append(f"API_KEY = {message.api_key}")
    if message.versions:
        lines += [f"MIN_VERSION = {message.versions.first}", f"MAX_VERSION = {message.versions.last}"]
    if message.flexible & message.versions:
        lines.append(f"FLEXIBLE_FROM = {message.flexible.first}")
    return lines


def _schema(struct: StructSpec) -> list[str]:
    return ['SCHEMA = """', *indented(map(_facts, struct.fields)), '"""']


def _facts(spec: FieldSpec) -> str:
    element = class_name(spec) if spec.struct is not None else spec.element_type
    words = [spec.json_name, ("[]" if spec.is_array else "") + element, spec.versions_text]
    if spec.nullable:
        words.append(f"nullable={spec.nullable_text}")
    if spec.tag is not None:
        words.append(f"tag={spec.tag}")
    if spec.has_default:
        words.append(f"default={json.dumps(spec.default)}")
    if spec.ignorable:
        words.append("ignorable")
    if spec.is_view:
        words.append("view")
    return " ".join(words)


def _init(struct: StructSpec) -> list[str]:
    lines = ["def __init__(", "    self,", "    *,"]
    lines += [f"    {spec.attribute}: {_parameter(spec)}," for spec in struct.fields]
    if struct.has_tags:
        lines.append("    unknown_tagged_fields: dict[int, bytes] | None = None,")
    lines.append(") -> None:")
    lines += [f"    self.{spec.attribute} = {_initial(spec)}" for spec in struct.fields]
    if struct.has_tags:
        lines.append("    self.unknown_tagged_fields = unknown_tagged_fields")
    return lines


def _has_own_default(spec: FieldSpec) -> bool:
    """A struct that may be null but is not by default: `None` cannot stand for the default then."""
    return spec.struct is not None and not spec.is_array and bool(spec.nullable) and not is_null_by_default(spec)


def _parameter(spec: FieldSpec) -> str:
    hint = element_hint(spec)
    if spec.is_array:
        optional = " | None" if spec.nullable else ""
        return f"Sequence[{hint}]{optional} = {'None' if is_null_by_default(spec) else '()'}"
    if _has_own_default(spec):
        return f"{hint} | EllipsisType | None = ..."
    if spec.struct is not None:
        return f"{hint} | None = None"
    return f"{hint}{' | None' if is_optional(spec) else ''} = {default(spec)}"


def _initial(spec: FieldSpec) -> str:
    name = spec.attribute
    if spec.is_array:
        return f"None if {name} is None else list({name})" if spec.nullable else f"list({name})"
    if _has_own_default(spec):
        return f"{class_name(spec)}() if isinstance({name}, EllipsisType) else {name}"
    if spec.struct is not None and not spec.nullable:
        return f"{class_name(spec)}() if {name} is None else {name}"
    return name


def _read(struct: StructSpec) -> list[str]:
    return ["def read(self, reader: Reader, version: int) -> None:", *indented(reading.body(struct))]


def _write(struct: StructSpec) -> list[str]:
    return ["def write(self, writer: Writer, version: int) -> None:", *indented(writing.body(struct))]
