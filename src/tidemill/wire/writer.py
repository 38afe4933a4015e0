# cython: annotation_typing=False, binding=False, boundscheck=False, wraparound=False
"""Writes the protocol's primitive types.

A value that the type cannot hold raises `Unwritable`: a number out of range or of another type (a `bool` is no number here), a
string over 32,767 bytes, null where it is not allowed. So no wrong byte is ever written; which field it was is found afterwards,
by `tidemill.wire.faults`, since looking for it in advance would slow down every message that is right.

Large byte strings are not copied: `parts` has them as they were given, between the bytes that were written around them, for
one gathered write. In a flexible version (KIP-482) lengths are compact and structs end in tagged fields: `flexible`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from struct import Struct
from typing import TYPE_CHECKING, TypeVar

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

if TYPE_CHECKING:
    from tidemill.wire.message import Struct as MessageStruct

_INT16 = Struct(">H")
_INT32 = Struct(">I")
_INT64 = Struct(">q")
_FLOAT64 = Struct(">d")
_MAX_STRING = 0x7FFF
_MAX_INT32 = 0x7FFFFFFF
_MIN_INT32 = -0x80000000
_MAX_UINT32 = 0xFFFFFFFF
# From here on a byte string becomes a part of its own: one more element of a gathered write costs about as much as copying this.
_OWN_PART = 2048

_StructType = TypeVar("_StructType", bound="MessageStruct")


class Unwritable(ValueError):
    """A value that its field cannot hold."""


def _number(value: int, low: int, high: int) -> int:
    number = _int64(value)
    if number < low or number > high:
        raise Unwritable(f"{value} is out of range: {low} to {high}")
    return number


def _int64(value: int) -> int:
    """The value as a number of 64 bits, which is what `number` is in C."""
    try:
        number = value if type(value) is int else _converted(value)
        if not cython.compiled and not -(1 << 63) <= number < 1 << 63:
            raise OverflowError
    except OverflowError:
        raise Unwritable(f"{value} is out of range: it has more than 64 bits") from None
    return number


def _converted(value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise Unwritable(f"a number is needed, not {type(value).__name__}")
    return as_index(value)


class Writer:
    """Bytes that grow at the end."""

    __slots__ = ("_at", "_buffer", "_capacity", "_parts", "_pointer", "flexible")

    def __init__(self, flexible: bool = False, capacity: int = 256) -> None:
        self.flexible = flexible
        self._parts: list[bytes | bytearray | memoryview] = []
        self._capacity = capacity
        self._buffer = bytearray(capacity)
        self._pointer = self._buffer
        self._at = 0

    def parts(self) -> list[bytes | bytearray | memoryview]:
        """What was written, in order, for one gathered write."""
        return [*self._parts, self._last()] if self._at else list(self._parts)

    def join(self) -> bytes:
        """What was written, in one piece."""
        return b"".join(self.parts()) if self._parts else self._last()

    def _last(self) -> bytes:
        """What was written since the last part."""
        return bytes(memoryview(self._buffer)[: self._at])

    def _room(self, size: int) -> int:
        """Makes room for `size` bytes and tells where it begins."""
        at = self._at
        if size > self._capacity - at:
            capacity = max(2 * self._capacity, at + size)
            self._buffer.extend(bytes(capacity - len(self._buffer)))
            self._pointer = self._buffer
            self._capacity = capacity  # not before there is the memory
        self._at = at + size
        return at

    def boolean(self, value: bool) -> None:
        if value is not True and value is not False:
            raise Unwritable(f"True or False is needed, not {value!r}")
        at = self._room(1)
        self._pointer[at] = value

    def int8(self, value: int) -> None:
        number = _number(value, -0x80, 0x7F)
        at = self._room(1)
        self._pointer[at] = number & 0xFF

    def _put16(self, number: int) -> None:
        at = self._room(2)
        if cython.compiled:
            self._pointer[at] = number >> 8 & 0xFF
            self._pointer[at + 1] = number & 0xFF
        else:
            _INT16.pack_into(self._buffer, at, number & 0xFFFF)

    def _put32(self, number: int) -> None:
        at = self._room(4)
        if cython.compiled:
            self._pointer[at] = number >> 24 & 0xFF
            self._pointer[at + 1] = number >> 16 & 0xFF
            self._pointer[at + 2] = number >> 8 & 0xFF
            self._pointer[at + 3] = number & 0xFF
        else:
            _INT32.pack_into(self._buffer, at, number & 0xFFFFFFFF)

    def int16(self, value: int) -> None:
        self._put16(_number(value, -0x8000, 0x7FFF))

    def uint16(self, value: int) -> None:
        self._put16(_number(value, 0, 0xFFFF))

    def int32(self, value: int) -> None:
        self._put32(_number(value, _MIN_INT32, _MAX_INT32))

    def uint32(self, value: int) -> None:
        self._put32(_number(value, 0, _MAX_UINT32))

    def int64(self, value: int) -> None:
        number = _int64(value)
        at = self._room(8)
        if cython.compiled:
            for index in range(8):
                self._pointer[at + index] = number >> (56 - 8 * index) & 0xFF
        else:
            _INT64.pack_into(self._buffer, at, number)

    def float64(self, value: float) -> None:
        if type(value) is not float and type(value) is not int:
            raise Unwritable(f"a float is needed, not {type(value).__name__}")
        encoded = _FLOAT64.pack(value)
        self._copy(encoded, 8)

    def uuid(self, value: bytes | None) -> None:
        if not isinstance(value, bytes) or len(value) != 16:
            raise Unwritable(f"a uuid of 16 bytes is needed, not {value!r}")
        self._copy(value, 16)

    def uvarint(self, value: int) -> None:
        self._put_uvarint(_number(value, 0, _MAX_UINT32))

    def _put_uvarint(self, number: int) -> None:
        while number > 0x7F:
            at = self._room(1)
            self._pointer[at] = number & 0x7F | 0x80
            number >>= 7
        at = self._room(1)
        self._pointer[at] = number

    def _copy(self, data: bytes, size: int) -> None:
        held = PyBytes_GET_SIZE(data) if cython.compiled else bytes.__len__(data)  # type: ignore[name-defined]  # noqa: F821
        if held != size:  # of a class that has another idea of its length
            raise Unwritable(f"a {type(data).__name__} says that it has {size} bytes, and has {held}")
        at = self._room(size)
        if cython.compiled:
            source = data
            memcpy(self._pointer + at, source, size)  # type: ignore[name-defined, operator]  # noqa: F821
        else:
            self._buffer[at : at + size] = data

    def string(self, value: str | None) -> None:
        if not isinstance(value, str):
            raise Unwritable(f"a string is needed, not {type(value).__name__}")
        encoded = value.encode()
        size = len(encoded)
        if size > _MAX_STRING:
            raise Unwritable(f"a string of {size} bytes, the most is {_MAX_STRING}")
        if self.flexible:
            self._put_uvarint(size + 1)
        else:
            self._put16(size)
        self._copy(encoded, size)

    def nullable_string(self, value: str | None) -> None:
        if value is not None:
            self.string(value)
        elif self.flexible:
            self._put_uvarint(0)
        else:
            self._put16(-1)

    def nullable_int16_string(self, value: str | None) -> None:
        """A string whose length is an int16 in every version: the client id of a request's header."""
        flexible = self.flexible
        self.flexible = False
        self.nullable_string(value)
        self.flexible = flexible

    def binary(self, value: bytes | bytearray | memoryview | None) -> None:
        if not isinstance(value, bytes | bytearray | memoryview):
            raise Unwritable(f"bytes are needed, not {type(value).__name__}")
        data = value if type(value) is bytes else memoryview(value).cast("B")
        size = len(data)
        if size > _MAX_INT32:
            raise Unwritable(f"{size} bytes, the most is {_MAX_INT32}")
        if self.flexible:
            self._put_uvarint(size + 1)
        else:
            self._put32(size)
        if size < _OWN_PART:
            self._copy(bytes(data), size)
        else:
            self._parts += [self._last(), data]
            self._at = 0

    def nullable_binary(self, value: bytes | bytearray | memoryview | None) -> None:
        if value is None:
            self._put_null()
        else:
            self.binary(value)

    def _put_null(self) -> None:
        if self.flexible:
            self._put_uvarint(0)
        else:
            self._put32(-1)

    def _put_count(self, values: object) -> None:
        if not isinstance(values, list | tuple):
            raise Unwritable(f"a list is needed, not {type(values).__name__}")
        size = len(values)
        if size > _MAX_INT32:
            raise Unwritable(f"{size} elements, the most is {_MAX_INT32}")
        if self.flexible:
            self._put_uvarint(size + 1)
        else:
            self._put32(size)

    def nested(self, value: _StructType | None, kind: type[_StructType], version: int) -> None:
        if type(value) is not kind:
            raise Unwritable(f"a {kind.__name__} is needed, not {type(value).__name__}")
        value.write(self, version)

    def nullable_nested(self, value: _StructType | None, kind: type[_StructType], version: int) -> None:
        self.int8(-1 if value is None else 1)
        if value is not None:
            self.nested(value, kind, version)

    def nullable_tagged(self, value: _StructType | None, kind: type[_StructType], version: int) -> None:
        """A struct that may be null and is itself a tagged field: what tells has another form there."""
        self._put_uvarint(0 if value is None else 1)
        if value is not None:
            self.nested(value, kind, version)

    def array(self, structs: Sequence[_StructType] | None, kind: type[_StructType], version: int) -> None:
        self._put_count(structs)
        for value in structs or ():
            self.nested(value, kind, version)

    def nullable_array(self, structs: Sequence[_StructType] | None, kind: type[_StructType], version: int) -> None:
        if structs is None:
            self._put_null()
        else:
            self.array(structs, kind, version)

    def int8_array(self, values: Sequence[int]) -> None:
        self._put_count(values)
        for value in values:
            self.int8(value)

    def int16_array(self, values: Sequence[int]) -> None:
        self._put_count(values)
        for value in values:
            self.int16(value)

    def int32_array(self, values: Sequence[int]) -> None:
        self._put_count(values)
        for value in values:
            self.int32(value)

    def nullable_int32_array(self, values: Sequence[int] | None) -> None:
        if values is None:
            self._put_null()
        else:
            self.int32_array(values)

    def int64_array(self, values: Sequence[int]) -> None:
        self._put_count(values)
        for value in values:
            self.int64(value)

    def uuid_array(self, values: Sequence[bytes]) -> None:
        self._put_count(values)
        for value in values:
            self.uuid(value)

    def nullable_uuid_array(self, values: Sequence[bytes] | None) -> None:
        if values is None:
            self._put_null()
        else:
            self.uuid_array(values)

    def string_array(self, values: Sequence[str]) -> None:
        self._put_count(values)
        for value in values:
            self.string(value)

    def nullable_string_array(self, values: Sequence[str] | None) -> None:
        if values is None:
            self._put_null()
        else:
            self.string_array(values)

    def tagged_fields(self, known: dict[int, bytes], unknown: dict[int, bytes] | None) -> None:
        """The tagged fields at the end of a struct, in ascending order: those of its own, encoded, and those it does not know."""
        fields = known if unknown is None else _merged(known, unknown)
        self._put_uvarint(len(fields))
        for tag in sorted(fields):
            value = fields[tag]
            self.uvarint(tag)
            self._put_uvarint(len(value))
            self._copy(value, len(value))

    def unknown_tagged_fields(self, unknown: dict[int, bytes] | None) -> None:
        """The tagged fields of a struct that has none of its own. In versions without tagged fields there must not be any."""
        if self.flexible:
            if unknown is None:
                self._put_uvarint(0)
            else:
                self.tagged_fields({}, unknown)
        elif unknown:
            raise Unwritable("there are no tagged fields in this version")

    def absent(self, field: str) -> Unwritable:
        """The error for a field with a value, in a version that lacks it and may not lose it."""
        return Unwritable(f"{field} is not in this version")


def _merged(known: dict[int, bytes], unknown: object) -> dict[int, bytes]:
    if not isinstance(unknown, dict) or not all(isinstance(value, bytes) for value in unknown.values()):
        raise Unwritable("unknown tagged fields are a mapping of tags to bytes")
    if not known.keys().isdisjoint(unknown):
        raise Unwritable(f"tags {sorted(known.keys() & unknown.keys())} are known, and among the unknown ones")
    return {**known, **unknown}
