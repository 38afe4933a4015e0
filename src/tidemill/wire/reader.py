# cython: annotation_typing=False, binding=False, boundscheck=False, wraparound=False
"""Reads the protocol's primitive types from bytes.

Whatever the bytes are, a method returns a value or raises `ProtocolError`; it reads nothing past the end and allocates nothing
that the bytes do not fill. What counts as an error is what Apache Kafka's decoder refuses, no less and no more:

- A string has at most 32,767 bytes. Malformed UTF-8 is replaced by U+FFFD as Java replaces it, not refused.
- A negative length means null, whichever it is; null where the field may not be null is an error.
- A count is compared with the bytes that are left before the first element is read.
- An unsigned varint has at most 5 bytes; what goes beyond 32 bits is dropped.
- Any boolean byte but 0 is true.
- Tagged fields may come in any order and repeat, the last one counts; the size of one that is known here is not looked at.
  A tag that is known, but only in other versions, is an error.

In a flexible version (KIP-482) lengths are compact and structs end in tagged fields: `flexible` says which form is read.
"""

from __future__ import annotations

import re
from struct import Struct
from typing import TYPE_CHECKING, TypeVar

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.errors.base import ProtocolError
from tidemill.wire.uuids import Uuid

if TYPE_CHECKING:
    from tidemill.wire.message import Struct as MessageStruct

_INT16 = Struct(">h")
_INT32 = Struct(">i")
_INT64 = Struct(">q")
_FLOAT64 = Struct(">d")
_MAX_STRING = 0x7FFF
_MAX_INT32 = 0x7FFFFFFF
_MAX_UINT32 = 0xFFFFFFFF
# A surrogate that was encoded by itself: Java replaces it as a whole, Python each of its bytes.
_Container = TypeVar("_Container")
_StructType = TypeVar("_StructType", bound="MessageStruct")

BytesLike = bytes | bytearray | memoryview
_ENCODED_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]?")


def _untracked(container: _Container) -> _Container:
    """A container that the garbage collector need not look into, as it can be no part of a cycle.

    What a decoder makes are trees of numbers, strings and bytes. Python itself leaves out tuples of such; without this the
    collector takes half of the time that decoding takes.
    """
    if cython.compiled:
        PyObject_GC_UnTrack(container)  # type: ignore[name-defined]  # noqa: F821
    return container


class Reader:
    """A position in some bytes. `end` is exclusive; `at` moves on with each value that is read."""

    __slots__ = ("_pointer", "_source", "_tag_size", "_view", "at", "end", "flexible")

    def __init__(self, data: bytes | bytearray | memoryview, at: int = 0, flexible: bool = False) -> None:
        source = memoryview(data)
        if source.format != "B" or source.ndim != 1 or not source.c_contiguous:
            source = source.cast("B")
        self._source = source
        self._view = source
        self._pointer: memoryview = cython.address(self._view[0]) if cython.compiled else source
        self.end = len(source)
        if at < 0 or at > self.end:
            raise ValueError(f"position {at} is outside of the {self.end} bytes")
        self.at = at
        self.flexible = flexible
        self._tag_size = 0

    def _missing(self, size: int) -> ProtocolError:
        return ProtocolError(f"byte {self.at}: {size} more bytes are needed, {self.end - self.at} are left")

    def _not_null(self, what: str) -> ProtocolError:
        return ProtocolError(f"byte {self.at}: the {what} before it is null, which this field may not be")

    def _take(self, size: int) -> int:
        """Steps over `size` bytes and tells where they begin."""
        at = self.at
        if size < 0 or size > self.end - at:
            raise self._missing(size)
        self.at = at + size
        return at

    def _bytes(self, at: int, size: int) -> bytes:
        if cython.compiled:
            return self._pointer[at : at + size]  # type: ignore[return-value]
        return bytes(self._source[at : at + size])

    def boolean(self) -> bool:
        at = self._take(1)
        return self._pointer[at] != 0

    def int8(self) -> int:
        at = self._take(1)
        number = self._pointer[at]
        return (number ^ 0x80) - 0x80

    def int16(self) -> int:
        at = self._take(2)
        if not cython.compiled:
            return _INT16.unpack_from(self._source, at)[0]  # type: ignore[no-any-return]
        number = self._pointer[at] << 8 | self._pointer[at + 1]
        return number  # noqa: RET504 - C drops here what is beyond 16 bits, and so sets the sign

    def uint16(self) -> int:
        return self.int16() & 0xFFFF

    def int32(self) -> int:
        at = self._take(4)
        if not cython.compiled:
            return _INT32.unpack_from(self._source, at)[0]  # type: ignore[no-any-return]
        number = self._pointer[at]
        number = (number << 8) | self._pointer[at + 1]
        number = (number << 8) | self._pointer[at + 2]
        number = (number << 8) | self._pointer[at + 3]
        return number  # noqa: RET504

    def uint32(self) -> int:
        return self.int32() & _MAX_UINT32

    def int64(self) -> int:
        at = self._take(8)
        if not cython.compiled:
            return _INT64.unpack_from(self._source, at)[0]  # type: ignore[no-any-return]
        number = 0
        for index in range(8):
            number = (number << 8) | self._pointer[at + index]
        return number

    def float64(self) -> float:
        at = self._take(8)
        return _FLOAT64.unpack_from(self._source, at)[0]  # type: ignore[no-any-return]

    def uuid(self) -> Uuid:
        at = self._take(16)
        return Uuid(self._bytes(at, 16))

    def uvarint(self) -> int:
        at = self.at
        if at < self.end:
            byte = self._pointer[at]
            if byte < 0x80:
                self.at = at + 1
                return byte
        return self._long_uvarint()

    def _long_uvarint(self) -> int:
        number = 0
        for index in range(5):
            at = self._take(1)
            byte = self._pointer[at]
            number |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                return number & _MAX_UINT32
        raise ProtocolError(f"byte {self.at}: an unsigned varint ends after 5 bytes, this one goes on")

    def _compact_length(self) -> int:
        """A length of a flexible version: one is added to it, and Kafka subtracts in 32 bits."""
        length = self.uvarint() - 1
        return length - _MAX_UINT32 - 1 if length > _MAX_INT32 else length

    def _string(self, length: int) -> str:
        if length > _MAX_STRING:
            raise ProtocolError(f"byte {self.at}: a string of {length} bytes, the most is {_MAX_STRING}")
        at = self._take(length)
        try:
            if cython.compiled:
                return self._pointer[at : at + length].decode("utf-8")  # type: ignore[attr-defined, no-any-return]
            return str(self._source[at : at + length], "utf-8")
        except UnicodeDecodeError:
            return _ENCODED_SURROGATE.sub(b"\xff", self._bytes(at, length)).decode("utf-8", "replace")

    def string(self) -> str:
        length = self._compact_length() if self.flexible else self.int16()
        if length < 0:
            raise self._not_null("string")
        return self._string(length)

    def nullable_string(self) -> str | None:
        length = self._compact_length() if self.flexible else self.int16()
        return None if length < 0 else self._string(length)

    def nullable_int16_string(self) -> str | None:
        """A string whose length is an int16 in every version: the client id of a request's header."""
        length = self.int16()
        return None if length < 0 else self._string(length)

    def binary(self) -> bytes:
        value = self.nullable_binary()
        if value is None:
            raise self._not_null("byte string")
        return value

    def nullable_binary(self) -> bytes | None:
        length = self._compact_length() if self.flexible else self.int32()
        return None if length < 0 else self._bytes(self._take(length), length)

    def view(self) -> memoryview:
        value = self.nullable_view()
        if value is None:
            raise self._not_null("byte string")
        return value

    def nullable_view(self) -> memoryview | None:
        """Bytes where they lie. They live as long as the view of them does."""
        length = self._compact_length() if self.flexible else self.int32()
        if length < 0:
            return None
        at = self._take(length)
        return self._source[at : at + length]

    def nullable_count(self) -> int:
        """How many elements an array has; -1 if it is null."""
        count = self._compact_length() if self.flexible else self.int32()
        if count < 0:
            return -1
        if count > self.end - self.at:
            raise ProtocolError(f"byte {self.at}: an array of {count} elements, but only {self.end - self.at} bytes are left")
        return count

    def count(self) -> int:
        count = self.nullable_count()
        if count < 0:
            raise self._not_null("array")
        return count

    def int8_array(self) -> list[int]:
        return _untracked([self.int8() for _ in range(self.count())])

    def int16_array(self) -> list[int]:
        return _untracked([self.int16() for _ in range(self.count())])

    def int32_array(self) -> list[int]:
        return _untracked([self.int32() for _ in range(self.count())])

    def nullable_int32_array(self) -> list[int] | None:
        count = self.nullable_count()
        return None if count < 0 else _untracked([self.int32() for _ in range(count)])

    def int64_array(self) -> list[int]:
        return _untracked([self.int64() for _ in range(self.count())])

    def uuid_array(self) -> list[Uuid]:
        return _untracked([self.uuid() for _ in range(self.count())])

    def nullable_uuid_array(self) -> list[Uuid] | None:
        count = self.nullable_count()
        return None if count < 0 else _untracked([self.uuid() for _ in range(count)])

    def string_array(self) -> list[str]:
        return _untracked([self.string() for _ in range(self.count())])

    def nullable_string_array(self) -> list[str] | None:
        count = self.nullable_count()
        return None if count < 0 else _untracked([self.string() for _ in range(count)])

    def nested(self, kind: type[_StructType], version: int) -> _StructType:
        struct = kind.__new__(kind)
        struct.read(self, version)
        return _untracked(struct)

    def nullable_nested(self, kind: type[_StructType], version: int) -> _StructType | None:
        return None if self.int8() < 0 else self.nested(kind, version)

    def nullable_tagged(self, kind: type[_StructType], version: int) -> _StructType | None:
        """A struct that may be null and is itself a tagged field: what tells has another form there."""
        present = self.uvarint()
        return self.nested(kind, version) if 0 < present <= _MAX_INT32 else None

    def array(self, kind: type[_StructType], version: int) -> list[_StructType]:
        return _untracked([self.nested(kind, version) for _ in range(self.count())])

    def nullable_array(self, kind: type[_StructType], version: int) -> list[_StructType] | None:
        count = self.nullable_count()
        return None if count < 0 else _untracked([self.nested(kind, version) for _ in range(count)])

    def tag_count(self) -> int:
        """How many tagged fields follow; none if that many cannot be counted in an int32, as in Kafka."""
        count = self.uvarint()
        return count if count <= _MAX_INT32 else 0

    def tag(self) -> int:
        """The next tagged field's tag. Its value follows, for whoever knows the tag, or for `unknown_tagged_field`."""
        tag = self.uvarint()
        self._tag_size = self.uvarint()
        return tag

    def unknown_tagged_field(self, tag: int, fields: dict[int, bytes] | None) -> dict[int, bytes]:
        """Keeps the value of a tag that nobody knows, with the others before it."""
        if fields is None:
            fields = {}
        fields[tag] = self._bytes(self._take(self._tag_size), self._tag_size)
        return fields

    def unknown_tagged_fields(self) -> dict[int, bytes] | None:
        """The tagged fields of a struct that has none of its own; `None` when there are none, or could be none in this version."""
        fields = None
        if self.flexible:
            for _ in range(self.tag_count()):
                fields = self.unknown_tagged_field(self.tag(), fields)
        return fields

    def wrong_tag(self, tag: int, version: int) -> ProtocolError:
        return ProtocolError(f"byte {self.at}: tag {tag} is not valid in version {version}")
