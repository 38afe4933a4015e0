"""What the types of fields are in Python: hints, defaults, and the methods that read and write them."""

from __future__ import annotations

from tools.generators.messages.model import FieldSpec

_HINTS = {"bool": "bool", "string": "str", "uuid": "Uuid", "float64": "float", "bytes": "bytes", "records": "BytesLike"}
_METHODS = {"bool": "boolean", "bytes": "binary", "records": "binary"}
_DEFAULTS = {"bool": "False", "string": '""', "uuid": "ZERO_UUID", "bytes": 'b""', "float64": "0.0"}


def class_name(spec: FieldSpec) -> str:
    assert spec.struct is not None
    return spec.struct.class_name


def element_hint(spec: FieldSpec) -> str:
    if spec.struct is not None:
        return class_name(spec)
    if spec.is_view:
        return "BytesLike"
    return _HINTS.get(spec.element_type, "int")


def is_null_by_default(spec: FieldSpec) -> bool:
    return (spec.has_default and spec.default is None) or spec.type == "records"


def is_optional(spec: FieldSpec) -> bool:
    """Whether the attribute may be `None`."""
    return bool(spec.nullable) or is_null_by_default(spec)


def default(spec: FieldSpec) -> str:
    """The default of the attribute, as an expression."""
    if is_null_by_default(spec):
        return "None"
    if spec.is_array:
        return "[]"
    if spec.struct is not None:
        return f"{class_name(spec)}()"
    if spec.has_default:
        return f'"{spec.default}"' if spec.type == "string" else repr(spec.default)
    return _DEFAULTS.get(spec.type, "0")


def differs(spec: FieldSpec, value: str) -> str:
    """The condition that `value` is not the field's default. It fails, or is true, for a value of another type."""
    if is_null_by_default(spec):
        return f"{value} is not None"
    if spec.is_array:
        return f"{value} is None or len({value}) != 0" if spec.nullable else f"len({value}) != 0"
    if spec.struct is not None:
        parts = spec.struct.fields
        if spec.nullable or any(part.struct is not None or part.is_array for part in parts):
            return f"{value} != {class_name(spec)}()"
        tags = [f"{value}.unknown_tagged_fields"] if spec.struct.has_tags else []
        return " or ".join([differs(part, f"{value}.{part.attribute}") for part in parts] + tags)
    if spec.type == "bool":
        return f"{value} is not {default(spec)}"
    return f"{value} != {default(spec)}"


def method(spec: FieldSpec) -> str:
    """The name by which reader and writer know a primitive type, or an array of one."""
    if spec.is_int16_string:
        return "int16_string"
    name = _METHODS.get(spec.element_type, spec.element_type)
    return f"{name}_array" if spec.is_array else name


def is_tagged_struct(spec: FieldSpec) -> bool:
    return spec.struct is not None and not spec.is_array and spec.tag is not None
