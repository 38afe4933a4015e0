"""Kafka's 128-bit identifiers, of topics, directories and members.

A `Uuid` is its 16 bytes: as cheap to read, to compare and to look up as any bytes. Its text is Kafka's: URL-safe base64
without padding, 22 characters.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error

_TEXT_SIZE = 22


class Uuid(bytes):
    """16 bytes that print as Kafka prints them.

    >>> Uuid.from_text("u5ZOqHzVdYdamqorsHHV1Q").hex()
    'bb964ea87cd575875a9aaa2bb071d5d5'
    """

    __slots__ = ()

    @classmethod
    def from_text(cls, text: str) -> Uuid:
        """The identifier that Kafka writes as `text`."""
        try:
            data = urlsafe_b64decode(text.rstrip("=") + "==")
        except (Error, ValueError) as error:
            raise ValueError(f"{text!r} is not a uuid: 22 characters of URL-safe base64 are needed") from error
        # The decoder steps over characters that are not base64, so what it made of the text has to be the text again.
        if len(data) != 16 or urlsafe_b64encode(data)[:_TEXT_SIZE].decode() != text.rstrip("="):
            raise ValueError(f"{text!r} is not a uuid: 22 characters of URL-safe base64 are needed")
        return cls(data)

    def __str__(self) -> str:
        return urlsafe_b64encode(self)[:_TEXT_SIZE].decode()

    def __repr__(self) -> str:
        return f"Uuid.from_text({str(self)!r})"


#: The identifier that stands for none.
ZERO_UUID = Uuid(16)
