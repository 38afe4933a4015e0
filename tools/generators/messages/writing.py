"""Emits the body of `write`."""

from __future__ import annotations

from tools.generators.messages.code import Step, indented, joined
from tools.generators.messages.model import FieldSpec, StructSpec
from tools.generators.messages.values import class_name, differs, is_tagged_struct, method


def body(struct: StructSpec) -> list[str]:
    lines = joined(_step(struct, spec) for spec in struct.plain_fields)
    if struct.tagged_fields:
        lines += _tagged(struct)
    elif struct.has_tags:
        lines.append("writer.unknown_tagged_fields(self.unknown_tagged_fields)")
    return lines or ["pass"]


def _step(struct: StructSpec, spec: FieldSpec) -> Step:
    condition = spec.versions.condition(struct.versions)
    refused = [] if condition is None or spec.ignorable else _refuse(spec)
    return Step(condition, _put(spec, "writer"), refused)


def _refuse(spec: FieldSpec, also: str = "") -> list[str]:
    test = differs(spec, f"self.{spec.attribute}")
    if also and " or " in test:
        test = f"({test})"
    return [f"if {also}{test}:", f'    raise writer.absent("{spec.attribute}")']


def _put(spec: FieldSpec, writer: str) -> list[str]:
    """Writes one field. Where only some versions allow null, the others write it by the stricter method."""
    name, arguments = method(spec), f"self.{spec.attribute}"
    if spec.struct is not None:
        name = "array" if spec.is_array else "nested"
        arguments += f", {class_name(spec)}, version"
    strict = f"{writer}.{name}({arguments})"
    if not spec.nullable:
        return [strict]
    nullable = f"{writer}.{'nullable_tagged' if is_tagged_struct(spec) else f'nullable_{name}'}({arguments})"
    condition = spec.nullable.condition(spec.versions)
    return [nullable] if condition is None else [f"if {condition}:", f"    {nullable}", "else:", f"    {strict}"]


def _tagged(struct: StructSpec) -> list[str]:
    """A tagged field is preceded by its size, so it is written by itself first; at its default it is not written at all."""
    within = struct.flexible & struct.versions
    lines, fields = [], ["known: dict[int, bytes] = {}"]
    for spec in struct.tagged_fields:
        missing = spec.versions.otherwise(struct.versions)
        if missing is not None and not spec.ignorable:
            lines += _refuse(spec, f"{missing} and ")
        condition = spec.versions.condition(within)
        test = differs(spec, f"self.{spec.attribute}")
        if condition:
            test = f"{condition} and ({test})" if " or " in test else f"{condition} and {test}"
        put = ["field = Writer(flexible=True)", *_put(spec, "field"), f"known[{spec.tag}] = field.join()"]
        fields += [f"if {test}:", *indented(put)]
    fields.append("writer.tagged_fields(known, self.unknown_tagged_fields)")
    condition = struct.flexible.condition(struct.versions)
    if condition is None:
        return lines + fields
    refuse = ["elif self.unknown_tagged_fields:", '    raise writer.absent("unknown_tagged_fields")']
    return [*lines, f"if {condition}:", *indented(fields), *refuse]
