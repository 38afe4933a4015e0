"""Emits the body of `read`."""

from __future__ import annotations

from tools.generators.messages.code import Step, indented, joined
from tools.generators.messages.model import FieldSpec, StructSpec
from tools.generators.messages.values import class_name, default, is_tagged_struct, method


def body(struct: StructSpec) -> list[str]:
    lines = joined(_step(struct, spec) for spec in struct.plain_fields)
    if struct.tagged_fields:
        lines += _tagged(struct)
    elif struct.has_tags:
        lines.append("self.unknown_tagged_fields = reader.unknown_tagged_fields()")
    return lines or ["pass"]


def _step(struct: StructSpec, spec: FieldSpec) -> Step:
    condition = spec.versions.condition(struct.versions)
    return Step(condition, _assign(spec), [f"self.{spec.attribute} = {default(spec)}"] if condition else [])


def _assign(spec: FieldSpec) -> list[str]:
    """Reads one field. Where only some versions allow null, the others read it by the stricter method."""
    name, arguments = method(spec), ""
    if spec.struct is not None:
        name = "array" if spec.is_array else "nested"
        arguments = f"{class_name(spec)}, version"
    elif spec.is_view:
        name = "view"
    strict = f"reader.{name}({arguments})"
    if not spec.nullable:
        return [f"self.{spec.attribute} = {strict}"]
    nullable = f"reader.{'nullable_tagged' if is_tagged_struct(spec) else f'nullable_{name}'}({arguments})"
    condition = spec.nullable.condition(spec.versions)
    return [f"self.{spec.attribute} = {nullable if condition is None else f'{nullable} if {condition} else {strict}'}"]


def _tagged(struct: StructSpec) -> list[str]:
    lines = [f"self.{spec.attribute} = {default(spec)}" for spec in struct.tagged_fields]
    lines.append("self.unknown_tagged_fields = None")
    loop = ["for _ in range(reader.tag_count()):", *indented(_tag(struct))]
    condition = struct.flexible.condition(struct.versions)
    return lines + (loop if condition is None else [f"if {condition}:", *indented(loop)])


def _tag(struct: StructSpec) -> list[str]:
    within = struct.flexible & struct.versions
    lines = ["tag = reader.tag()"]
    limited = []
    for index, spec in enumerate(struct.tagged_fields):
        condition = spec.versions.condition(within)
        if condition is not None:
            limited.append(str(spec.tag))
        also = f" and {condition}" if condition else ""
        lines += [f"{'el' if index else ''}if tag == {spec.tag}{also}:", *indented(_assign(spec))]
    if limited:
        test = f"tag == {limited[0]}" if len(limited) == 1 else f"tag in ({', '.join(limited)})"
        lines += [f"elif {test}:", "    raise reader.wrong_tag(tag, version)"]
    return [*lines, "else:", "    self.unknown_tagged_fields = reader.unknown_tagged_field(tag, self.unknown_tagged_fields)"]
