"""Bytes read as a sequence of choices: for targets that take objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Choice = TypeVar("Choice")


class Script:
    """Goes on with zeros when the bytes have ended."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def ended(self) -> bool:
        return self.at >= len(self.data)

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.byte() % len(choices)]

    def content(self) -> bytes:
        """Some of the bytes themselves, after how many they are."""
        size = self.byte()
        self.at += size
        return self.data[self.at - size : self.at]
