"""Finds messages: by name, by API, by the type of a record. A module of messages is imported when one of its classes is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tidemill.errors.base import ProtocolError
from tidemill.wire.message import Message
from tidemill.wire.messages import MODULES, RECORDS
from tidemill.wire.versions import api


@cache
def message_class(name: str) -> type[Message]:
    """The class of a message, by Kafka's name for it: `FetchRequest`, `OffsetCommitKey`, `PartitionRecord`."""
    module = MODULES.get(name)
    if module is None:
        raise ProtocolError(f"there is no message {name!r}{_suggestion(name)}")
    found: type[Message] = getattr(import_module(f"tidemill.wire.messages.{module}"), name)
    return found


def request_class(api_key: int) -> type[Message]:
    """The class of an API's requests."""
    return message_class(f"{api(api_key).name}Request")


def response_class(api_key: int) -> type[Message]:
    """The class of an API's responses."""
    return message_class(f"{api(api_key).name}Response")


def coordinator_record_classes(topic: str, record_type: int) -> tuple[type[Message], type[Message]]:
    """The classes of key and value of a record in one of the coordinators' topics, such as `__consumer_offsets`."""
    names = RECORDS.get(topic, {}).get(record_type, ())
    if len(names) != 2:
        raise ProtocolError(f"{topic} has no records of type {record_type}")
    return message_class(names[0]), message_class(names[1])


def metadata_record_class(record_type: int) -> type[Message]:
    """The class of a record in `__cluster_metadata`."""
    names = RECORDS["__cluster_metadata"].get(record_type)
    if names is None:
        raise ProtocolError(f"the cluster's metadata has no records of type {record_type}")
    return message_class(names[0])


def _suggestion(name: object) -> str:
    from difflib import get_close_matches

    folded = {known.lower(): known for known in MODULES}
    near = get_close_matches(str(name).lower(), folded, n=1)
    return f": do you mean {folded[near[0]]!r}?" if near else ": the names are those of Apache Kafka's message schemas"
