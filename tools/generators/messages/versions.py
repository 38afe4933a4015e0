"""Ranges of versions, and the conditions that tell them apart."""

from __future__ import annotations

from typing import NamedTuple

ENDLESS = 0x7FFF


class Versions(NamedTuple):
    """A range of versions, both ends included; empty if `last` is below `first`."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: str | None) -> Versions:
        if text is None or text == "none":
            return NONE
        if text.endswith("+"):
            return cls(int(text[:-1]), ENDLESS)
        first, _, last = text.partition("-")
        return cls(int(first), int(last or first))

    def __bool__(self) -> bool:
        return self.first <= self.last

    def __and__(self, other: Versions) -> Versions:
        return Versions(max(self.first, other.first), min(self.last, other.last))

    def hull(self, other: Versions) -> Versions:
        """The smallest range that has both."""
        if not self or not other:
            return self or other
        return Versions(min(self.first, other.first), max(self.last, other.last))

    def covers(self, other: Versions) -> bool:
        return self & other == other

    def condition(self, within: Versions) -> str | None:
        """When a version of `within` is one of these; `None`: always."""
        common = self & within
        if common == within:
            return None
        if common.last == within.last:
            return f"version >= {common.first}"
        if common.first == within.first:
            return f"version <= {common.last}"
        if common.first == common.last:
            return f"version == {common.first}"
        return f"{common.first} <= version <= {common.last}"

    def otherwise(self, within: Versions) -> str | None:
        """When a version of `within` is none of these; `None`: never."""
        common = self & within
        if common == within:
            return None
        if common.last == within.last:
            return f"version < {common.first}"
        if common.first == within.first:
            return f"version > {common.last}"
        return f"not {common.first} <= version <= {common.last}"


NONE = Versions(0, -1)
