"""Emits the declarations that let Cython make C structures of the classes of a module, without a word of it in their Python."""

from __future__ import annotations

from collections.abc import Iterable

from tools.generators.messages.model import MessageSpec, StructSpec

#: The modules that are compiled; setup.py lists them too.
COMPILED = ("produce", "fetch", "metadata", "join_group")
#: What stands at the head of a compiled module.
DIRECTIVES = "# cython: annotation_typing=False, binding=False\n"
_HEAD = """cimport cython
from libc.stdint cimport int64_t

from tidemill.wire.message cimport Message, Struct
from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer
"""


def source(structs: Iterable[tuple[MessageSpec, StructSpec]]) -> str:
    return _HEAD + "".join(_class(struct, "Message" if struct is message.struct else "Struct") for message, struct in structs)


def _class(struct: StructSpec, base: str) -> str:
    attributes = [spec.attribute for spec in struct.fields] + (["unknown_tagged_fields"] if struct.has_tags else [])
    lines = [f"cdef class {struct.class_name}({base}):"]
    lines += [f"    cdef public object {name}" for name in attributes]
    if struct.tagged_fields:
        lines.append("    @cython.locals(tag=int64_t)")
    lines += ["    cpdef read(self, Reader reader, int version)", "    cpdef write(self, Writer writer, int version)"]
    return "\n\n" + "\n".join(lines) + "\n"
