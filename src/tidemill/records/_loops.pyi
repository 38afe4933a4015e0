"""What type checkers see of `_loops`, whose own annotations are C's."""

from collections.abc import Iterable, Mapping
from typing import Final, final

COMPILED: Final[bool]
PLANES: Final[tuple[str, ...]]

@final
class Record:
    def __init__(
        self,
        offset: int = 0,
        timestamp: int = -1,
        key: bytes | None = None,
        value: bytes | None = None,
        headers: Mapping[str, bytes | None] | Iterable[tuple[str, bytes | None]] = (),
        sequence: int = -1,
        control_type: str | None = None,
    ) -> None: ...
    @property
    def offset(self) -> int: ...
    @property
    def timestamp(self) -> int: ...
    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> tuple[tuple[str, bytes | None], ...]: ...
    @property
    def sequence(self) -> int: ...
    @property
    def control_type(self) -> str | None: ...

@final
class Section:
    def __init__(self, view: bytes | bytearray | memoryview, start: int, end: int, count: int, sized: bool = True) -> None: ...
    @property
    def start(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def header_total(self) -> int: ...
    @property
    def layout(self) -> bytearray: ...
    @property
    def source(self) -> bytes | bytearray | memoryview: ...
    def headers(self) -> bytearray: ...
    def records(
        self,
        base_offset: int,
        base_timestamp: int,
        base_sequence: int = -1,
        append_time: int | None = None,
        control: bool = False,
    ) -> list[Record]: ...
