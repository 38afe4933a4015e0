"""Finds messages: by name, by API, by the type of a record. A module of messages is imported when one of its classes is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tidemill.errors.base import ProtocolError
from tidemill.wire.message import Message
from tidemill.wire.messages import MODULES


@cache
def message_class(name: str) -> type[Message]:
    """The class of a message, by Kafka's name for it: `FetchRequest`, `OffsetCommitKey`, `PartitionRecord`."""
    module = MODULES.get(name)
    if module is None:
        raise ProtocolError(f"there is no message {name!r}{_suggestion(name)}")
    found: type[Message] = getattr(import_module(f"tidemill.wire.messages.{module}"), name)
    return found


def _suggestion(name: object) -> str:
    from difflib import get_close_matches

    folded = {known.lower(): known for known in MODULES}
    near = get_close_matches(str(name).lower(), folded, n=1)
    return f": do you mean {folded[near[0]]!r}?" if near else ": the names are those of Apache Kafka's message schemas"
