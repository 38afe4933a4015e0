"""Emits the body of `read`."""

from __future__ import annotations

from tools.generators.messages.code import Step, indented, joined
from tools.generators.messages.model import FieldSpec, StructSpec
from tools.generators.messages.values import class_name, default, method


def body(struct: StructSpec) -> list[str]:
    if not struct.fields and not struct.has_tags:
        return ["return reader.new(cls)"]
    lines = ["self = reader.new(cls)"]
    lines += joined(_step(struct, spec) for spec in struct.plain_fields)
    if struct.tagged_fields:
        lines += _tagged(struct)
    elif struct.has_tags:
        lines.append("self.unknown_tagged_fields = reader.unknown_tagged_fields()")
    return [*lines, "return self"]


def _step(struct: StructSpec, spec: FieldSpec) -> Step:
    condition = spec.versions.condition(struct.versions)
    return Step(condition, _assign(spec), [f"self.{spec.attribute} = {default(spec)}"] if condition else [])


def _assign(spec: FieldSpec) -> list[str]:
    """Reads one field. Where only some versions allow null, the others read it by the stricter method."""
    target = f"self.{spec.attribute}"
    if spec.struct is not None:
        return _assign_structs(spec, target)
    name = method(spec)
    if spec.is_view:
        name = "view"
    return [f"{target} = {_by_nullability(spec, f'reader.nullable_{name}()', f'reader.{name}()')}"]


def _by_nullability(spec: FieldSpec, nullable: str, strict: str) -> str:
    if not spec.nullable:
        return strict
    condition = spec.nullable.condition(spec.versions)
    return nullable if condition is None else f"{nullable} if {condition} else {strict}"


def _assign_structs(spec: FieldSpec, target: str) -> list[str]:
    one = f"{class_name(spec)}.read(reader, version)"
    if not spec.is_array:
        if not spec.nullable:
            return [f"{target} = {one}"]
        present = "reader.tagged_present()" if spec.tag is not None else "reader.present()"
        return [f"{target} = {one} if {present} else None"]
    if not spec.nullable:
        return [f"{target} = [{one} for _ in range(reader.count())]"]
    count = _by_nullability(spec, "reader.nullable_count()", "reader.count()")
    return [f"count = {count}", f"{target} = None if count < 0 else [{one} for _ in range(count)]"]


def _tagged(struct: StructSpec) -> list[str]:
    lines = [f"self.{spec.attribute} = {default(spec)}" for spec in struct.tagged_fields]
    condition = struct.flexible.condition(struct.versions)
    loop = ["unknown: dict[int, bytes] = {}", "for _ in range(reader.tag_count()):", *indented(_tag(struct))]
    loop.append("self.unknown_tagged_fields = unknown or None")
    if condition is None:
        return lines + loop
    return [*lines, "self.unknown_tagged_fields = None", f"if {condition}:", *indented(loop)]


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
    return [*lines, "else:", "    unknown[tag] = reader.unknown_tagged_field()"]
