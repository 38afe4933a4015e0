"""kafka-python reads what we write, finds the same values in it, and writes the same bytes: every message and version it knows."""

import importlib
import pkgutil
import uuid
from collections.abc import Iterator
from random import Random
from typing import Any

import kafka.protocol
import pytest
from kafka.protocol.api_data import ApiData
from kafka.protocol.api_message import ApiMessage

from support.messages import RandomMessages
from tidemill.wire.message import Message, Struct
from tidemill.wire.messages import MODULES
from tidemill.wire.messages.api_versions import ApiVersion, ApiVersionsResponse
from tidemill.wire.registry import message_class
from tidemill.wire.schema import Field, fields

pytestmark = pytest.mark.peer

MESSAGES_A_VERSION = 5


def subclasses(cls: Any) -> Iterator[Any]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def known_to_kafka_python() -> dict[str, Any]:
    for module in pkgutil.walk_packages(kafka.protocol.__path__, "kafka.protocol."):
        if ".old" not in module.name and "generate" not in module.name:
            importlib.import_module(module.name)
    return {cls.__name__: cls for base in (ApiMessage, ApiData) for cls in subclasses(base) if cls.__name__ in MODULES}


KNOWN = known_to_kafka_python()


def common_versions(name: str) -> range:
    cls = message_class(name)
    return range(cls.MIN_VERSION, min(cls.MAX_VERSION, KNOWN[name].max_version) + 1)


def theirs_from(name: str, version: int, data: bytes) -> Any:
    if not issubclass(KNOWN[name], ApiMessage):
        return KNOWN[name].decode(data, version=version, header=False)
    message = KNOWN[name].decode(data, version=version)
    message._header = None  # its decoder leaves this unset, and its encoder asks for it
    return message


def bytes_from(name: str, version: int, theirs: Any) -> bytes:
    return bytes(theirs.encode(version=version) if issubclass(KNOWN[name], ApiMessage) else theirs.encode(version=version, header=False))


def random_message(name: str, version: int, number: int) -> Message:
    message = RandomMessages(Random(f"{name}|{version}|{number}"), unknown_tags=False).message(name, version)
    if isinstance(message, ApiVersionsResponse) and version > 0:
        message.error_code = 0  # see the known difference below
    return message


def differences(ours: Struct, theirs: Any, version: int, path: str = "") -> Iterator[str]:
    """Where the values of the two are not the same."""
    for field in fields(type(ours)):
        if field.versions.has(version):
            value = getattr(ours, field.attribute)
            yield from value_differences(field, value, getattr(theirs, their_name(theirs, field)), version, f"{path}.{field.attribute}")


def their_name(theirs: Any, field: Field) -> str:
    """Their name for a field: Kafka's in snake case, but for the two that they patch."""
    names: dict[str, str] = {name.replace("_", ""): name for name in theirs.fields}
    plain = field.attribute.replace("_", "")
    return names.get(plain) or names[plain.removeprefix("cluster").removeprefix("topic")]


def value_differences(field: Field, ours: Any, theirs: Any, version: int, path: str) -> Iterator[str]:
    if field.is_array and ours is not None and theirs is not None:
        if len(ours) != len(theirs):
            yield f"{path}: {len(ours)} and {len(theirs)} elements"
        for index, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from element_differences(field, one, other, version, f"{path}[{index}]")
    else:
        yield from element_differences(field, ours, theirs, version, path)


def element_differences(field: Field, ours: Any, theirs: Any, version: int, path: str) -> Iterator[str]:
    if theirs is None and (field.kind == "uuid" or field.tag is not None or field.attribute.endswith("authorized_operations")):
        theirs = field.default()  # what was not sent has no value there, nor has a value that stands for none
    if isinstance(ours, Struct) and not isinstance(theirs, Struct) and theirs is not None:
        yield from differences(ours, theirs, version, path)
    elif ours != plain(theirs):
        yield f"{path}: {ours!r} and {theirs!r}"


def plain(value: Any) -> Any:
    if isinstance(value, uuid.UUID):
        return value.bytes
    if isinstance(value, set):
        return bitfield(value)
    return value


def bitfield(operations: set[int]) -> int:
    """Permissions as the protocol has them: a bit for each."""
    number = sum(1 << operation for operation in operations)
    return number - 2**32 if number >= 2**31 else number


def test_they_know_most_of_what_clients_send() -> None:
    assert len(KNOWN) >= 100


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_both_read_and_write_the_same(name: str) -> None:
    for version in common_versions(name):
        for number in range(MESSAGES_A_VERSION):
            ours = random_message(name, version, number)
            data = ours.encode(version)
            theirs = theirs_from(name, version, data)
            assert list(differences(ours, theirs, version)) == [], f"version {version}"
            assert bytes_from(name, version, theirs) == data, f"version {version}"


def test_known_difference_they_read_api_versions_with_an_error_as_version_0() -> None:
    """A broker that does not know the version asked for answers in version 0; they take any error for that."""
    ours = ApiVersionsResponse(error_code=41, api_keys=[ApiVersion(api_key=3, max_version=9)], throttle_time_ms=7)
    theirs = theirs_from("ApiVersionsResponse", 1, ours.encode(1))
    assert bytes_from("ApiVersionsResponse", 0, theirs) == ours.encode(1)[:-4]
