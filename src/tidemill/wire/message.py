# cython: annotation_typing=False, binding=False
"""What every generated message has in common.

- A `Struct` is a group of fields: a message, or a part of one. It is one class for all versions. `read` and `write` are straight
  code with a branch for each version in which something changed; they are generated, to be read and stepped through.
- A `Message` is a struct that travels by itself. `encode` and `decode` are its outer side: they alone turn what goes wrong inside
  into a `ProtocolError` that names message, version and place.
- Fields that a version lacks have their default after decoding. Encoding drops them if Kafka declares them ignorable, and refuses
  any other value than the default if not.
- Compiled, what was decoded is kept out of garbage collection, which takes as long as decoding: it is plain data and holds no cycle. Who
  makes one, by putting a message into itself, has to break it.
- Tagged fields that are not known here are kept in `unknown_tagged_fields`, and written again.
"""

from __future__ import annotations

from typing import Any, Self

from tidemill.errors.base import ProtocolError
from tidemill.wire.reader import Reader
from tidemill.wire.writer import Writer


class Struct:
    """A group of fields. Two are equal if they are of one class and all their fields are."""

    __slots__ = ()
    #: The facts of each field, one a line, in the order of `__slots__`: see `tidemill.wire.schema`.
    SCHEMA = ""

    def read(self, reader: Reader, version: int) -> None:
        """Sets every field, from where the reader is."""
        raise NotImplementedError

    def write(self, writer: Writer, version: int) -> None:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names: tuple[str, ...] = self.__slots__
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles: also of a class in Python over this one compiled, whose slots nothing else would look at."""
        names: tuple[str, ...] = self.__slots__
        return _rebuilt, (type(self), tuple(getattr(self, name) for name in names)), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        names: tuple[str, ...] = self.__slots__
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in names if name != "unknown_tagged_fields")
        return f"{type(self).__name__}({fields})"


def _rebuilt(kind: type[Struct], values: tuple[Any, ...]) -> Struct:
    struct = kind.__new__(kind)
    names: tuple[str, ...] = kind.__slots__
    for name, value in zip(names, values, strict=True):
        setattr(struct, name, value)
    return struct


class Message(Struct):
    """A struct that travels by itself: a request, a response, a header, or what Kafka keeps in a record of its own topics."""

    __slots__ = ()
    NAME = ""
    #: Of requests and responses: the API. Of the records of coordinators and of the controller: the number of their type. Else -1.
    API_KEY = -1
    MIN_VERSION = 0
    #: Below MIN_VERSION if Kafka has removed the message.
    MAX_VERSION = -1
    #: The first flexible version (KIP-482); higher than any version if there is none.
    FLEXIBLE_FROM = 0x7FFF

    @classmethod
    def check_version(cls, version: int) -> None:
        """Raises `ProtocolError` if there is no such version."""
        if not cls.MIN_VERSION <= version <= cls.MAX_VERSION:
            if cls.MAX_VERSION < cls.MIN_VERSION:
                raise ProtocolError(f"{cls.NAME} was removed from the protocol: it has no versions")
            raise ProtocolError(f"{cls.NAME} has versions {cls.MIN_VERSION} to {cls.MAX_VERSION}, not {version}")

    @classmethod
    def is_flexible(cls, version: int) -> bool:
        return version >= cls.FLEXIBLE_FROM

    @classmethod
    def decode_from(cls, version: int, data: bytes | bytearray | memoryview, at: int = 0) -> tuple[Self, int]:
        """The message that begins at `at`, and where it ends."""
        cls.check_version(version)
        reader = Reader(data, at, cls.is_flexible(version))
        try:
            return reader.nested(cls, version), reader.at
        except ProtocolError as error:
            raise ProtocolError(f"cannot decode {cls.NAME} version {version}: {error}") from None

    @classmethod
    def decode(cls, version: int, data: bytes | bytearray | memoryview, at: int = 0) -> Self:
        """The message that the bytes are, from `at` on. Bytes after its end are an error."""
        message, end = cls.decode_from(version, data, at)
        size = memoryview(data).nbytes
        if end != size:
            raise ProtocolError(f"cannot decode {cls.NAME} version {version}: it ends at byte {end}, of {size}")
        return message

    def encode(self, version: int) -> bytes:
        return self.written(Writer(), version).join()

    def encode_parts(self, version: int) -> list[bytes | bytearray | memoryview]:
        """The same in parts for one gathered write; large byte strings among them are those of the message, not copies."""
        return self.written(Writer(), version).parts()

    def written(self, writer: Writer, version: int) -> Writer:
        """Writes after what the writer already holds, and returns it."""
        self.check_version(version)
        writer.flexible = self.is_flexible(version)
        try:
            self.write(writer, version)
        except (ValueError, TypeError, AttributeError, ArithmeticError, BufferError) as error:
            from tidemill.wire.faults import first_fault

            raise first_fault(self, version, error) from error
        return writer
